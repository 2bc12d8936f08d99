"""The cells of the nodes that decide for themselves in a tick: guards, and the composite that carries out a plan.

Such a node has more to do in a tick than to combine the statuses of its children: it may settle the tick without them,
choose which of them are ticked, stop some and put others in their place. It says so by methods that its own `tick` and
its cell call alike, at the same moments: `settled` and `update` of a `Guard`, `begin_tick` and `end_tick` of an
`Execute`. After each of them the cell takes in which children there are now and which facts have changed.

These nodes look at the clock or at the beliefs in every tick, and so never sleep. What saves time is below them: steps
that have ended or have not begun are not come to. They stop their children by themselves and begin others in the same
tick, so that stopping them leaves nothing behind.
"""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.execution.execute import Execute
from bt.node import Guard
from bt.ticking.cells import INVALID, RUNNING, Cell, Foreign
from bt.ticking.stop import end, verify

__all__ = ["ExecuteCell", "GuardCell"]


class _Deciding(Cell):
    """What both have in common."""

    __slots__ = ()
    thorough = True

    def _take_in(self) -> None:
        """Take in what the node has just done: other children, other facts."""
        ticker = self.ticker
        if ticker.edited:
            ticker.take_in(self)
        if ticker.readers:
            ticker.look()


class GuardCell(_Deciding):
    """A `bt.node.Guard`: it may settle a tick without its child, and judges the child otherwise."""

    __slots__ = ()
    node: Guard

    def begin(self) -> Cell | None:
        """Settle the tick, or let the child be ticked."""
        node = self.node
        verify(self)
        if node.status is not RUNNING:
            node.initialise()
        status = node.settled()
        self._take_in()
        if status is not None:
            self._end(status)
            return None
        kid = self.kids[0]
        if not kid.leaf:
            return kid
        kid.begin()
        return self.after()

    def after(self) -> Cell | None:
        """Judge the child."""
        status = self.node.update()
        self._take_in()
        self._end(status)
        return None

    def _end(self, status: Status) -> None:
        node = self.node
        if status is INVALID:
            end(self)
        elif status is not RUNNING:
            node.terminate(status)
            self._take_in()
            kid = self.kids[0]
            if kid.node.status is RUNNING:
                end(kid)
        node.status = self.status = status
        self.ticker.touched.append(node)

    def to_end(self, lazily: bool) -> list[Cell]:
        """Return the child, which is stopped whatever its status is."""
        return list(self.kids)

    def ending(self) -> None:
        """Terminate before the child does."""
        self.node.terminate(INVALID)
        self.ticker.look()

    def ended(self, lazily: bool) -> None:
        """Take on its status after the child was stopped."""
        self.node.status = self.status = INVALID
        self.awake = True
        self.forget()


class ExecuteCell(_Deciding):
    """A `bt.execution.execute.Execute`: it says which of its steps are ticked now."""

    __slots__ = ("_due",)
    node: Execute
    _due: list[Cell]

    def begin(self) -> Cell | None:
        """Let the node choose its running steps, and tick these."""
        node = self.node
        verify(self)
        verdict = node.begin_tick()
        self._take_in()
        if verdict is not None:
            self._end(verdict)
            return None
        kids, self._due = self.kids, []
        for index, step in zip(reversed(node.running), reversed(node.running_steps()), strict=True):
            is_in_place = index < len(kids) and kids[index].node is step
            self._due.append(kids[index] if is_in_place else self._displaced(step))
        return self.after()

    def after(self) -> Cell | None:
        """Go on with the next running step; after the last one judge them."""
        while self._due:
            kid = self._due.pop()
            if kid.leaf:
                kid.begin()
            elif not kid.runs_on():
                return kid
        self._end(None)
        return None

    def _end(self, verdict: Status | None) -> None:
        node = self.node
        node.end_tick(verdict)
        self.status = node.status
        self.ticker.touched.append(node)
        self._take_in()

    def _displaced(self, step: Behaviour) -> Cell:
        """Return the cell of a step that somebody has moved among the children, or taken out of them.

        In the latter case it is ticked by its own means.
        """
        return next((kid for kid in self.kids if kid.node is step), None) or Foreign(step, self.ticker)

    def to_end(self, lazily: bool) -> list[Cell]:
        """Return the children that are not INVALID, in order."""
        return [kid for kid in self.kids if kid.node.status is not INVALID]

    def ending(self) -> None:
        """Lose the current child."""
        self.node.current_child = None
