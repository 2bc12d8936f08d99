"""`Exclusive`: a subtree that runs only while it holds something that one holder has at a time, such as a body."""

from __future__ import annotations

from collections.abc import Callable

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.node import Guard
from semantics.feedback import Feedback

__all__ = ["Exclusive"]


class Exclusive(Guard):
    """Takes what its child needs when it begins, and gives it back when it ends or is stopped.

    It fails at once if that cannot be had, and at the next tick when it must end, whoever ticks it.

    Args:
        child: The subtree.
        take: Takes it; returns why that is impossible, or None.
        give_back: Gives it back; called once after each success of `take`.
        must_end: Returns why the subtree must end now, or None; asked at every tick.
    """

    kind = "exclusive"

    def __init__(
        self,
        child: Behaviour,
        take: Callable[[], Feedback | None],
        give_back: Callable[[], None],
        must_end: Callable[[], Feedback | None],
    ) -> None:
        super().__init__(child.name, child)
        self._take = take
        self._give_back = give_back
        self._must_end = must_end
        self._has_taken = False
        self._refusal: Feedback | None = None

    def initialise(self) -> None:
        """Take it."""
        super().initialise()
        self._refusal = self._take()
        self._has_taken = self._refusal is None

    def settled(self) -> Status | None:
        """Fail without a tick of the child if it could not be taken, or must end."""
        refusal = self._refusal or self._must_end()
        return None if refusal is None else self.fail(refusal)

    def update(self) -> Status:
        """Return the status of the child."""
        return Status(self.decorated.status)

    def terminate(self, new_status: Status) -> None:
        """Give it back."""
        if self._has_taken:
            self._has_taken = False
            self._give_back()
