"""What a node has in common that says why it failed, and a decorator's way through a tick."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from semantics.feedback import Feedback

__all__ = ["Accountable", "Guard"]


class Accountable(Behaviour):
    """A node that keeps why it failed.

    Attributes:
        feedback: The reason of its last failure; None when there was none since it was started.
    """

    feedback: Feedback | None = None

    def initialise(self) -> None:
        """Forget the last reason."""
        self.feedback = None
        self.feedback_message = ""

    def fail(self, feedback: Feedback) -> Status:
        """Keep the reason; return failure."""
        self.feedback = feedback
        self.feedback_message = str(feedback)
        return Status.FAILURE


class Guard(Accountable, Decorator):
    """A decorator that may settle a tick without its child."""

    @abstractmethod
    def settled(self) -> Status | None:
        """Return how it stands without ticking the child; None when the child has to be ticked."""

    def tick(self) -> Iterator[Behaviour]:
        """Settle it, or tick the child and judge what came of that."""
        if self.status != Status.RUNNING:
            self.initialise()
        status = self.settled()
        if status is None:
            yield from self.decorated.tick()
            status = self.update()
        if status != Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self
