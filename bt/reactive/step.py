"""One step of a plan: condition before, act, effect sensed after."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from py_trees.composites import Sequence

from bt.errors import TreeError
from bt.reactive.braking import brake_for
from bt.reactive.leaves import Act, Effect, Possible
from semantics.atoms import Atom, Conjunct
from semantics.errors import UsageError
from semantics.protocols import Beliefs, Motion, Robot, Skill
from semantics.state import Operator, State

__all__ = ["Step", "afterwards", "kept_conditions", "placed", "says_where", "settled"]

WHEREABOUTS = "at"
"""The predicate that says where an agent is."""


def kept_conditions(operator: Operator) -> Conjunct:
    """Return the preconditions that have to stay true while the operator is carried out.

    These are the ones that it does not itself change, without bookkeeping (which follows the change of others) and
    without where the agent is (a body may leave its place while it works there, pulling a door open, say).
    """
    changed = operator.added | operator.deleted | operator.bookkeeping
    changed = changed.union(*(one.added | one.deleted for one in operator.conditional))
    return frozenset(
        literal
        for literal in operator.precondition
        if literal.atom not in changed and not says_where(literal.atom, operator)
    )


def settled(operator: Operator, state: State) -> Operator:
    """Return `operator` with its conditional effects decided as they come out when it begins in `state`."""
    if not operator.conditional:
        return operator
    before = operator.axioms.close(state) if operator.axioms else state
    taken = [one for one in operator.conditional if before.judge(one.condition)]
    added = operator.added.union(*(one.added for one in taken))
    deleted = operator.deleted.union(*(one.deleted for one in taken)) - added
    changes = (*operator.changes, *(change for one in taken for change in one.changes))
    return replace(operator, added=added, deleted=deleted, changes=changes, conditional=())


def afterwards(operator: Operator, state: State) -> State:
    """Return what `state`, sensed while the operator is carried out, will be when it has worked.

    A working body is where its work takes it (beside the bin, to reach what lies on the ground there), so its own
    place is taken from the precondition instead: where it has got to counts when the work is done, not before.
    """
    return operator.apply(placed(operator, state))


def placed(operator: Operator, state: State) -> State:
    """Return what `state`, sensed while the operator is carried out, would be with the agent where its work begins."""
    here = frozenset(
        literal.atom for literal in operator.precondition if literal.positive and says_where(literal.atom, operator)
    )
    passing = (atom for atom in state.atoms if says_where(atom, operator)) if here else ()
    return state.with_atoms(here, passing)


def says_where(atom: Atom, operator: Operator) -> bool:
    """Return whether a fact says where the acting agent is."""
    return atom.predicate == WHEREABOUTS and atom.args[:1] == operator.action.args[:1]


class Step(Sequence):
    """A sequence of condition, act and effect for one operator.

    Args:
        operator: What to do; once it has begun, `expected` is the same with its conditional effects decided.
        beliefs: What is held true.
        robot: The body, and its clock.
        skills: By capability name, what gives the motion instead of the operator's command.
        patience: How long to wait for the effect to be sensed, in seconds.

    Attributes:
        busy: The agents and hands that doing it keeps busy.
        robot: As given.

    Raises:
        TreeError: The operator has no command and there is no skill for it.
    """

    kind = "step"

    def __init__(
        self, operator: Operator, *, beliefs: Beliefs, robot: Robot, skills: Mapping[str, Skill], patience: float
    ) -> None:
        self.operator = operator
        self.expected = operator
        self._beliefs = beliefs
        self.what = str(operator)
        self.robot = robot
        self.kept = kept_conditions(operator)
        self.act = _act(operator, robot, skills.get(operator.action.name))
        self.busy = brake_for(operator, robot).busy
        before = Possible("before", operator, beliefs)
        self._means = partial(Step, beliefs=beliefs, robot=robot, skills=skills, patience=patience)
        self._after = Effect("after", operator, self.act, beliefs, robot.clock, patience)
        super().__init__(operator.action.name, memory=True, children=[before, self.act, self._after])

    def initialise(self) -> None:
        """Begin: which conditional effects are to be expected is decided by what is believed now."""
        super().initialise()
        with contextlib.suppress(UsageError):  # a number that nobody knows: the condition before will tell
            self.expected = self._after.operator = settled(self.operator, self._beliefs.state)

    def another(self, operator: Operator) -> Step:
        """Return a step by the same means for another operator.

        Raises:
            TreeError: The operator has no command and there is no skill for it.
        """
        return self._means(operator)


def _act(operator: Operator, robot: Robot, skill: Skill | None) -> Act:
    command = operator.command
    if skill is None and command is None:
        raise TreeError(f"{operator}: the capability has no motion primitive and there is no skill for it")

    def start() -> Motion:
        if skill is not None:
            return skill.start(operator, robot)
        assert command is not None
        return robot.start(command)

    name = str(command) if skill is None else f"skill {operator.action.name}"
    return Act(name, start, robot.clock, of=str(operator), brake=brake_for(operator, robot))
