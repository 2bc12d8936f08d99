"""The cells of nodes with a tick of their own: guards, and the composite that carries out a plan.

Such a node does more in a tick than to combine the statuses of its children: it may end the tick without them, choose
which of them are ticked, and stop or replace some. These actions are methods that both its own `tick` and its cell call
at the same moments: `settled` and `update` of a `Guard`, `begin_tick` and `end_tick` of an `Execute`. After each of
them the cell reads the current children and the changed facts.

These nodes read the clock or the beliefs in every tick, so they never sleep. Time is saved below them: steps that have
ended or have not begun are not reached. They stop their children themselves and begin others in the same tick, so a
stop of such a node is never lazy.
"""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.execution.execute import Execute
from bt.node import Guard
from bt.ticking.cells import INVALID, RUNNING, Cell, Foreign, end, verify


class _Deciding(Cell):
    """The common part of both cells."""

    __slots__ = ()
    thorough = True

    def _take_in(self) -> None:
        """Read the changes that the node has just made to its children and to facts."""
        ticker = self.ticker
        if ticker.edited:
            ticker.take_in(self)
        if ticker.readers:
            ticker.look()


class GuardCell(_Deciding):
    """A `bt.node.Guard`: it may end a tick without its child; otherwise its status follows from the child."""

    __slots__ = ("_is_below",)
    decorates = True
    node: Guard
    _is_below: bool

    def begin(self) -> Cell | None:
        """End the tick, or return the child to tick."""
        node = self.node
        self._is_below = False
        verify(self)
        if node.status is not RUNNING:
            node.initialise()
        status = node.settled()
        self._take_in()
        if status is not None:
            self._end(status)
            return None
        kid = self.kids[0]
        self._is_below = True
        if not kid.leaf:
            return kid
        kid.begin()
        return self.after()

    def after(self) -> Cell | None:
        """Set the status that follows from the child."""
        self._is_below = False
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

    def abandoned(self) -> None:
        """Tell the node of an error below it, not of its own."""
        if self._is_below:
            self.node.broken()

    def ending(self) -> None:
        """Terminate the node before the child."""
        self.node.terminate(INVALID)
        self.ticker.look()

    def to_end(self, lazily: bool) -> list[Cell]:
        """Return the child, which is stopped in any status."""
        return list(self.kids)


class ExecuteCell(_Deciding):
    """A `bt.execution.execute.Execute`: it chooses which of its steps are ticked."""

    __slots__ = ("_due",)
    node: Execute
    _due: list[Cell]

    def begin(self) -> Cell | None:
        """Let the node choose its running steps, and tick them."""
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
        """Go on with the next running step; after the last one, set the status that follows."""
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
        """Return the cell of a step that was moved among the children, or removed from them.

        A removed step gets a `Foreign` cell: it ticks itself.
        """
        return next((kid for kid in self.kids if kid.node is step), None) or Foreign(step, self.ticker)

    def to_end(self, lazily: bool) -> list[Cell]:
        """Return the children that are not INVALID, in order."""
        return [kid for kid in self.kids if kid.node.status is not INVALID]
