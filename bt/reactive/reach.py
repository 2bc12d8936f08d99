"""The node that knows when the goal is reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from bt.errors import TreeError
from bt.reactive.leaves import culprits
from bt.reactive.step import Step
from bt.reactive.walking import failure_of, walk
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs

__all__ = ["Reach"]


class Reach(Decorator):
    """Succeeds as soon as one of the goals is believed and nothing of it was last sensed otherwise.

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
        self.feedback: Feedback | None = None
        self._beliefs = beliefs

    def initialise(self) -> None:
        """Forget the last reason."""
        self.feedback = None
        self.feedback_message = ""

    def tick(self) -> Iterator[Behaviour]:
        """Look at the goal first, and tick the child when it does not hold."""
        if self.status != Status.RUNNING:
            self.initialise()
        if self._reached():
            status = Status.SUCCESS
        else:
            yield from self.decorated.tick()
            status = self.update()
        if status != Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        """Judge the child's end on the goal itself."""
        status = self.decorated.status
        if status == Status.FAILURE:
            return self._fail(failure_of(self.decorated))
        if status == Status.SUCCESS and not self._reached():
            missing = self._beliefs.state.missing(self.goals[0])
            why = f"everything was done, but {' '.join(map(str, missing)) or 'the goal'} was not sensed to hold"
            return self._fail(Feedback(Code.EFFECT_MISSING, "the goal", why, culprits=culprits(missing)))
        return Status(status)

    def _fail(self, feedback: Feedback) -> Status:
        self.feedback = feedback
        self.feedback_message = str(feedback)
        return Status.FAILURE

    def _reached(self) -> bool:
        return any(self._holds(goal) and not self._in_the_making(goal) for goal in self.goals)

    def _holds(self, goal: Conjunct) -> bool:
        beliefs = self._beliefs
        return beliefs.state.satisfies(goal) and all(beliefs.sensed(literal) is not False for literal in goal)

    def _in_the_making(self, goal: Conjunct) -> bool:
        """Return whether a running step is for a part of the goal."""
        running = (node for node in walk(self.decorated) if node.status == Status.RUNNING and isinstance(node, Step))
        return any(not goal.isdisjoint(node.operator.effects) for node in running)
