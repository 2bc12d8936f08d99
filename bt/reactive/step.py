"""One step of a plan: condition before, act, effect sensed after."""

from __future__ import annotations

from collections.abc import Mapping

from py_trees.composites import Sequence

from bt.errors import TreeError
from bt.reactive.leaves import Act, Effect, Holds
from semantics.atoms import Conjunct
from semantics.protocols import Beliefs, Motion, Robot, Skill
from semantics.state import Operator

__all__ = ["Step", "kept_conditions"]


def kept_conditions(operator: Operator) -> Conjunct:
    """Return the preconditions that have to stay true while the operator is carried out.

    These are the ones that it does not itself change, without bookkeeping (which follows the change of others) and
    without where the agent is (a body may leave its place while it works there, pulling a door open, say).
    """
    changed = operator.added | operator.deleted | operator.bookkeeping
    agent = operator.action.args[:1]
    return frozenset(
        literal
        for literal in operator.precondition
        if literal.atom not in changed and not (literal.atom.predicate == "at" and literal.atom.args[:1] == agent)
    )


class Step(Sequence):
    """A sequence of condition, act and effect for one operator.

    Args:
        operator: What to do.
        beliefs: What is held true.
        robot: The body, and its clock.
        skills: By capability name, what gives the motion instead of the operator's command.
        patience: How long to wait for the effect to be sensed, in seconds.

    Raises:
        TreeError: The operator has no command and there is no skill for it.
    """

    kind = "step"

    def __init__(
        self, operator: Operator, *, beliefs: Beliefs, robot: Robot, skills: Mapping[str, Skill], patience: float
    ) -> None:
        self.operator = operator
        self.what = str(operator)
        self.kept = kept_conditions(operator)
        self.act = _act(operator, robot, skills.get(operator.action.name))
        before = Holds("before", operator.precondition, beliefs, of=str(operator))
        after = Effect("after", operator, self.act, beliefs, robot.clock, patience)
        super().__init__(operator.action.name, memory=True, children=[before, self.act, after])


def _act(operator: Operator, robot: Robot, skill: Skill | None) -> Act:
    command = operator.command
    if skill is None and command is None:
        raise TreeError(f"{operator}: the capability has no motion primitive and there is no skill for it")

    def start() -> Motion:
        if skill is not None:
            return skill.start(operator, robot)
        assert command is not None
        return robot.start(command)

    return Act(str(command) if skill is None else f"skill {operator.action.name}", start, robot.clock, of=str(operator))
