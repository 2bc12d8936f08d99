"""The cells of decorators: one child, and an `update` that turns its status into another."""

from __future__ import annotations

from py_trees import decorators
from py_trees.behaviour import Behaviour
from py_trees.decorators import Decorator, OneShot, Timeout

from bt.ticking.cells import INVALID, RUNNING, Cell, CellHost, bury, distrust, end, valid, verify

RESTING: dict[type[Decorator], tuple[str, ...]] = {
    decorators.Condition: (),
    decorators.FailureIsRunning: (),
    decorators.FailureIsSuccess: (),
    decorators.Inverter: (),
    decorators.OneShot: ("final_status",),
    decorators.PassThrough: (),
    decorators.Repeat: ("success",),
    decorators.Retry: ("failures",),
    decorators.RunningIsFailure: (),
    decorators.RunningIsSuccess: (),
    decorators.SuccessIsFailure: (),
    decorators.SuccessIsRunning: (),
    decorators.Timeout: (),
}
"""Decorators whose `update` depends only on the status and message of the child and on these attributes.

Such a decorator sleeps after a tick that has changed neither status nor message nor attributes; without attributes, it
sleeps at once. `Count`, `ForEach` and `StatusToBlackboard` act at every tick, so they never sleep, and neither do
classes that are not listed."""


class DecoratorCell(Cell):
    """A decorator with the `tick` of `Decorator` or of `OneShot`."""

    __slots__ = ("_before", "_watched")
    decorates = True
    node: Decorator

    def __init__(self, node: Behaviour, ticker: CellHost, hooked: bool) -> None:
        super().__init__(node, ticker, hooked)
        self._watched = RESTING.get(type(node))  # type: ignore[arg-type]
        self._before: tuple[object, ...] = ()

    def begin(self) -> Cell | None:
        """Tick the child if it is awake, and set the status that follows."""
        node = self.node
        verify(self)
        self.fresh, self.busy, self.at = self.status is not RUNNING, True, -1
        if self.fresh:
            node.initialise()
            if self.hooked:
                self.ticker.look()
        return self._child()

    def _child(self) -> Cell | None:
        kid = self.kids[0]
        self.at = 0
        if self._bounces():
            if self.ghost:
                bury(kid)
        elif kid.awake:
            if not kid.leaf:
                return kid
            kid.begin()
        self._judge()
        return None

    def after(self) -> Cell | None:
        """Set the status that follows from the child."""
        self._judge()
        return None

    def _noted(self, names: tuple[str, ...]) -> tuple[object, ...]:
        node = self.node
        if not names:
            return ()
        return (node.status, node.feedback_message, *(getattr(node, name) for name in names))

    def _judge(self) -> None:
        node, kid = self.node, self.kids[0]
        status = valid(node, node.update())
        self.reach = 0
        if kid.node.status is not kid.status:  # `update` has stopped it
            distrust(kid)
        if status is INVALID:
            end(self)
            self.ticker.touched.append(node)
            return
        if status is not RUNNING:
            node.terminate(status)
            if kid.node.status is RUNNING:
                end(kid)
        self.took(kid)
        self.settle(status)

    def restless(self) -> bool:
        """Return whether the child is awake, or the decorator itself may still change."""
        is_child_awake = self.kids[0].awake and not self._bounces()
        if self._watched is None or is_child_awake or (isinstance(self.node, Timeout) and self.status is RUNNING):
            self._before = ()
            return True
        before, self._before = self._before, self._noted(self._watched)
        return bool(self._watched) and before != self._before

    def notices(self) -> bool:
        """Return whether a stop of the child would be observable."""
        if self.status is RUNNING:
            return False
        kid = self.kids[0]
        return not (kid.leaf and not kid.hooked and kid.status is INVALID) if self._bounces() else kid.touchy

    def _bounces(self) -> bool:
        return isinstance(self.node, OneShot) and bool(self.node.final_status)

    def heeds(self, index: int) -> bool:
        """Return whether the next tick would reach the child."""
        return not self._bounces()

    def to_end(self, lazily: bool) -> list[Cell]:
        """Return the child, which is stopped in any status, unless a lazy stop of it would not be observable."""
        kid = self.kids[0]
        noticed = kid.awake or kid.touchy or self._bounces()
        return [kid] if noticed or not lazily else []

    def ending(self) -> None:
        """Terminate the node before the child."""
        self.node.terminate(INVALID)
        if self.hooked:
            self.ticker.look()

    def forget(self) -> None:
        """Reset the state of the child: it is INVALID."""
        super().forget()
        self._before = ()

    def doubt(self) -> None:
        """Reset the state of the child: it is unknown, so the child has to be ticked."""
        super().doubt()
        self._before = ()
