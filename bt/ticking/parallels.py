"""The cells of parallels: every child is ticked, and a policy combines their statuses."""

from __future__ import annotations

from bisect import insort
from operator import neg

from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy
from py_trees.composites import Parallel

from bt.ticking.cells import FAILURE, RUNNING, SUCCESS, Cell, CellHost, end, end_tail, reset_kids, verify

POLICIES = (ParallelPolicy.SuccessOnAll, ParallelPolicy.SuccessOnOne, ParallelPolicy.SuccessOnSelected)


class ParallelCell(Cell):
    """A `py_trees.composites.Parallel` with one of the policies of py_trees.

    The children are stored by status from tick to tick, so that the cost of the policy depends on the changes only.
    """

    __slots__ = ("_counted", "_skips", "failed", "running", "won")
    node: Parallel

    def __init__(self, node: Behaviour, ticker: CellHost, hooked: bool) -> None:
        super().__init__(node, ticker, hooked)
        self.failed: set[int] = set()
        self.won: set[int] = set()
        self.running: set[int] = set()
        self._counted = False
        self._skips = False

    def begin(self) -> Cell | None:
        """Tick the children that are awake."""
        node = self.node
        verify(self)
        self.at = -1
        policy = node.policy
        if isinstance(policy, ParallelPolicy.SuccessOnSelected):
            node.validate_policy_configuration()
        self.fresh, self.busy = self.status is not RUNNING, True
        if self.fresh:
            self._open()
        if not self.kids:
            node.current_child = None
            self.close(SUCCESS)
            return None
        self._skips = policy.synchronise and not self.fresh
        self.reach = len(self.kids) - 1
        if self._counted:
            self.order = sorted(self.pending, reverse=True)
        else:
            self._count()
        return self._go()

    def _open(self) -> None:
        if self.pending or self.touchies:
            reset_kids(self)
        self.node.current_child = None
        if self.hooked:
            self.node.initialise()
            self.ticker.look()

    def _count(self) -> None:
        for group in (self.failed, self.won, self.running):
            group.clear()
        for kid in self.kids:
            self._file(kid)
        self.order = list(range(self.reach, -1, -1))
        self._counted = True

    def _file(self, kid: Cell) -> None:
        index, status = kid.index, kid.node.status
        self.failed.discard(index)
        self.won.discard(index)
        self.running.discard(index)
        if status is SUCCESS:
            self.won.add(index)
        elif status is FAILURE:
            self.failed.add(index)
        elif status is RUNNING:
            self.running.add(index)

    def after(self) -> Cell | None:
        """Store the status of the child, and go on."""
        kid = self.kids[self.at]
        self.took(kid)
        return self._go()

    def _go(self) -> Cell | None:
        while self.order:
            index = self.at = self.order.pop()
            kid = self.kids[index]
            if not kid.awake or (self._skips and kid.node.status is SUCCESS and kid.ran != self.ticker.count):
                continue
            if not kid.leaf:
                return kid
            kid.begin()
            self.took(kid)
        self.at = len(self.kids)
        self._judge()
        return None

    def took(self, kid: Cell) -> None:
        """Update the state of the children after the tick of a child."""
        super().took(kid)
        self._file(kid)

    def _judge(self) -> None:
        status, index = RUNNING, len(self.kids) - 1
        if self.failed:
            status, index = FAILURE, min(self.failed)
        elif self._has_won():
            status, index = SUCCESS, self._winner()
        self.node.current_child = self.kids[index].node
        if status is not RUNNING:
            for running in sorted(self.running):
                end(self.kids[running])
                self.pending.add(running)
                self.touchies.discard(running)
            self.running.clear()
        self.close(status)

    def _has_won(self) -> bool:
        policy = self.node.policy
        if isinstance(policy, ParallelPolicy.SuccessOnAll):
            return len(self.won) == len(self.kids)
        if isinstance(policy, ParallelPolicy.SuccessOnOne):
            return bool(self.won)
        return all(child.status is SUCCESS for child in self._selected())

    def _winner(self) -> int:
        policy = self.node.policy
        if isinstance(policy, ParallelPolicy.SuccessOnOne):
            return max(self.won)
        if isinstance(policy, ParallelPolicy.SuccessOnAll):
            return len(self.kids) - 1
        return self.node.children.index(self._selected()[-1])

    def _selected(self) -> list[Behaviour]:
        policy = self.node.policy
        assert isinstance(policy, ParallelPolicy.SuccessOnSelected)
        return list(policy.children)

    def heeds(self, index: int) -> bool:
        """Return whether the next tick would reach the child at `index`."""
        skips = self.status is RUNNING and self.node.policy.synchronise
        return not (skips and self.kids[index].node.status is SUCCESS)

    def leaves_behind(self) -> bool:
        """Return whether the node has started again, which stops all children."""
        return self.ghost or (self.busy and self.fresh)

    def hasten(self, index: int) -> None:
        """Add a child that has woken before its turn to this tick."""
        if index > self.at:
            insort(self.order, index, key=neg)

    def restless(self) -> bool:
        """Return whether a child that the next tick reaches is awake, or a new start of it would be observable."""
        if self.status is not RUNNING:
            return self.hooked or bool(self.pending) or bool(self.touchies)
        if not self.node.policy.synchronise:
            return bool(self.pending)
        return any(self.kids[index].node.status is not SUCCESS for index in self.pending)

    def to_end(self, lazily: bool) -> list[Cell]:
        """Return the children that a stop has to stop, running ones first."""
        return sorted(super().to_end(lazily), key=lambda kid: kid.node.status is not RUNNING)

    def forget(self) -> None:
        """Reset the state of the children: all are INVALID."""
        super().forget()
        self._counted = False

    def doubt(self) -> None:
        """Reset the state of the children: it is unknown."""
        super().doubt()
        self._counted = False

    def abandoned(self) -> None:
        """Stop the children that the begin of the tick should have stopped."""
        if self.leaves_behind():
            end_tail(self, self.at + 1)
