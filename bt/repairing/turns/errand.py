"""`ErrandFirst`: an errand, and what is worked on after it."""

from __future__ import annotations

from collections.abc import Callable

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.accountable import Guard
from bt.reactive.step import Step, says_where
from bt.reactive.walking import failure_of, walk
from semantics.protocols import Beliefs
from semantics.state import State

__all__ = ["ErrandFirst"]


class ErrandFirst(Guard):
    """Does an errand, and goes on with something else however that ends.

    An errand that is no longer needed is broken off, but only on the way: what a hand has begun is let come to its end.
    Once it is over it is no part of the tree any more, so that nobody takes its plan for the one under way.

    Args:
        errand: The tree of the errand.
        then: What is worked on after it.
        beliefs: What is held true.
        until: Whether the errand is no longer needed; None: it is, to its end.
    """

    kind = "errand"

    def __init__(
        self, errand: Behaviour, then: Behaviour, beliefs: Beliefs, until: Callable[[State], bool] | None = None
    ) -> None:
        super().__init__(name="errand first", child=errand)
        self._then: Behaviour | None = then
        self._beliefs = beliefs
        self._until = until
        self._asked: int | None = None
        self._needed = True

    def settled(self) -> None:
        """Look whether the errand is still needed; the child is ticked in any case."""
        if self._then is None or not self._is_needless():
            return
        if all(_only_moves(step) for step in walk(self.decorated) if isinstance(step, Step)):
            self._go_on(self._then)

    def update(self) -> Status:
        """Go on when the errand is over; then take the child's status, and its reason."""
        status = Status(self.decorated.status)
        if self._then is not None:
            if status != Status.RUNNING:
                self._go_on(self._then)
            return Status.RUNNING
        return self.fail(failure_of(self.decorated)) if status == Status.FAILURE else status

    def _is_needless(self) -> bool:
        if self._until is not None and self._asked != self._beliefs.revision:
            self._asked = self._beliefs.revision
            self._needed = not self._until(self._beliefs.state)
        return not self._needed

    def _go_on(self, then: Behaviour) -> None:
        """Put what comes after the errand in its place."""
        if self.decorated.status == Status.RUNNING:
            self.decorated.stop(Status.INVALID)
        self._then = None
        self.decorated.parent = None
        then.parent = self
        self.children[0] = self.decorated = then


def _only_moves(step: Step) -> bool:
    """Return whether a step is not running, or changes nothing but where its agent is."""
    changed = (literal.atom for literal in step.operator.effects)
    return step.status != Status.RUNNING or all(says_where(atom, step.operator) for atom in changed)
