"""What stands at the foot of the upper rungs: a place for the tree that works on the goal."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.accountable import Accountable, Guard
from bt.reactive.walking import failure_of
from semantics.feedback import Code, Feedback

__all__ = ["UNPLANNED", "Slot", "Unplanned"]

UNPLANNED = Feedback(Code.PRECONDITION, "the goal", "it has still to be planned for from here")
"""The failure of what is no plan yet; it is no mishap, so no budget counts it."""


class Slot(Guard):
    """Holds the tree that works on the goal, for another to be put in its place.

    Args:
        child: The first tree.
    """

    kind = "slot"

    def __init__(self, child: Behaviour) -> None:
        super().__init__(name="course", child=child)

    def settled(self) -> None:
        """Let the child be ticked."""

    def update(self) -> Status:
        """Take the child's status, and its reason."""
        if self.decorated.status == Status.FAILURE:
            return self.fail(failure_of(self.decorated))
        return Status(self.decorated.status)

    def put(self, child: Behaviour) -> None:
        """Put another tree in the place of one that has ended."""
        self.decorated.parent = None
        child.parent = self
        self.children[0] = self.decorated = child


class Unplanned(Accountable):
    """Where a plan has still to be made: fails, so that planning anew answers."""

    kind = "unplanned"

    def __init__(self) -> None:
        super().__init__(name="unplanned")

    def update(self) -> Status:
        """Ask for a plan."""
        return self.fail(UNPLANNED)
