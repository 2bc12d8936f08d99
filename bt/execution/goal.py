"""`GoalNode`: the node that succeeds when its goal is reached, and the functions that decide when a goal holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.execution.step import Step
from bt.node import Guard, failure_of, walk
from semantics.body.protocols import AttentiveBeliefs, Beliefs
from semantics.logic.atoms import Conjunct, Literal, objects_in
from semantics.logic.feedback import Code, Feedback


def holds(conjunct: Conjunct, beliefs: Beliefs) -> bool:
    """Return whether every literal is believed and was confirmed by the last sensing of it."""
    return beliefs.state.satisfies(conjunct) and all(beliefs.sensed(literal) is True for literal in conjunct)


def unseen(conjunct: Conjunct, beliefs: Beliefs) -> tuple[Literal, ...]:
    """Return the literals that were never sensed, sorted."""
    return tuple(literal for literal in sorted(conjunct) if beliefs.sensed(literal) is None)


def in_the_making(conjunct: Conjunct, root: Behaviour) -> bool:
    """Return whether a running step below `root` has an effect that is part of `conjunct`."""
    running = (node for node in walk(root) if node.status == Status.RUNNING and isinstance(node, Step))
    return any(not conjunct.isdisjoint(node.expected.effects) for node in running)


def without_proof(goal: Conjunct, beliefs: Beliefs) -> Feedback:
    """Return the feedback that says why a goal is not reached although all steps are done."""
    missing = beliefs.state.missing(goal)
    if missing:
        return _done_but(Code.EFFECT_MISSING, missing, "does not hold")
    denied = tuple(literal for literal in sorted(goal) if beliefs.sensed(literal) is False)
    if denied:
        return _done_but(Code.EFFECT_MISSING, denied, "was not sensed to hold")
    return _done_but(Code.NOT_VISIBLE, unseen(goal, beliefs), "is only believed and was never sensed")


def _done_but(code: Code, literals: Sequence[Literal], why: str) -> Feedback:
    text = " ".join(map(str, literals))
    return Feedback(code, "the goal", f"everything was done, but {text} {why}", culprits=objects_in(literals))


class GoalNode(Guard):
    """Succeeds as soon as one of the goals is believed and the last sensing of each of its facts agrees.

    A running step that has the goal among its effects may end first (a door is open before the hand has let go). Any
    other work is stopped, since the goal already holds. The facts that the child owes are restored first, if possible.

    Args:
        goals: Alternative goals; one of them is enough.
        child: The tree that works on them.
        beliefs: What is held true.
        decided: Returns what decides whether a goal is reached, if that is more than the goal says.

    Raises:
        TreeError: No goal is given.
    """

    kind = "goal"

    def __init__(
        self,
        goals: Sequence[Conjunct],
        child: Behaviour,
        beliefs: Beliefs,
        decided: Callable[[Conjunct], Conjunct] = lambda goal: goal,
    ) -> None:
        super().__init__(name="goal", child=child)
        self._beliefs = beliefs
        self._decided = decided
        self.aim(goals)

    def aim(self, goals: Sequence[Conjunct]) -> None:
        """Set other goals from now on.

        Raises:
            TreeError: No goal is given.
        """
        if not goals:
            raise TreeError("a goal node needs at least one goal")
        self.goals = tuple(map(self._decided, goals))
        if isinstance(self._beliefs, AttentiveBeliefs):
            self._beliefs.attend([literal.atom for goal in self.goals for literal in goal])
        self.what = " or ".join(" ".join(map(str, sorted(goal))) for goal in goals)

    def settled(self) -> Status | None:
        """Succeed before the child is ticked if a goal is reached and nothing is left to restore."""
        return Status.SUCCESS if self._is_reached() and not self._owes() else None

    def update(self) -> Status:
        """Judge the end of the child by the goal alone: a fact that could not be restored is no failure."""
        status = self.decorated.status
        if status == Status.RUNNING or (status != Status.INVALID and self._is_reached()):
            return Status.SUCCESS if status == Status.FAILURE else status
        if status == Status.SUCCESS:
            return self.fail(without_proof(self.goals[0], self._beliefs))
        return self.fail(failure_of(self.decorated)) if status == Status.FAILURE else status

    def _owes(self) -> bool:
        owed: Conjunct = getattr(self.decorated, "owed", frozenset())
        return not self._beliefs.state.satisfies(owed) or in_the_making(owed, self.decorated)

    def _is_reached(self) -> bool:
        return any(holds(goal, self._beliefs) and not in_the_making(goal, self.decorated) for goal in self.goals)
