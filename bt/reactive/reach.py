"""The node that knows when the goal is reached."""

from __future__ import annotations

from collections.abc import Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.reactive.accountable import Guard
from bt.reactive.judging import holds, in_the_making, without_proof
from bt.reactive.walking import failure_of
from semantics.atoms import Conjunct
from semantics.protocols import Beliefs

__all__ = ["Reach"]


class Reach(Guard):
    """Succeeds as soon as one of the goals is believed and the last sensing of each of its facts agrees.

    A step that is just bringing the goal about is let come to its end (a door is open before the hand has let go); any
    other work is stopped, since luck has done it.

    Args:
        goals: The conjuncts, any of which will do.
        child: The tree that brings one about.
        beliefs: What is held true.
        name: The node's name.

    Raises:
        TreeError: No goal is given.
    """

    kind = "goal"

    def __init__(self, goals: Sequence[Conjunct], child: Behaviour, beliefs: Beliefs, name: str = "goal") -> None:
        if not goals:
            raise TreeError("a goal node needs at least one goal")
        super().__init__(name=name, child=child)
        self.goals = tuple(goals)
        self.what = " or ".join(" ".join(map(str, sorted(goal))) for goal in goals)
        self._beliefs = beliefs

    def settled(self) -> Status | None:
        """Look at the goal before anything is done for it."""
        return Status.SUCCESS if self._reached() else None

    def update(self) -> Status:
        """Judge the child's end on the goal itself."""
        status = self.decorated.status
        if status == Status.FAILURE:
            return self.fail(failure_of(self.decorated))
        if status == Status.SUCCESS and not self._reached():
            return self.fail(without_proof(self.goals[0], self._beliefs))
        return Status(status)

    def _reached(self) -> bool:
        return any(holds(goal, self._beliefs) and not in_the_making(goal, self.decorated) for goal in self.goals)
