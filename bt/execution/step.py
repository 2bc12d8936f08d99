"""`Step`: one step of a plan, a sequence of precondition, motion and sensed effect.

Each part keeps the reason of its last failure as `feedback`. No leaf blocks: a leaf that is not done is ticked again.

No part of a body starts to move while an earlier motion of that part has not ended. The body keeps the motions that it
has begun (`semantics.body.interlock`), so that all trees that drive it share them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple, cast

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Sequence

from bt.errors import TreeError
from bt.node import REST_SECONDS, Accountable, lag_of
from planning.validation import Valid, validate
from semantics.body.interlock import interlocked
from semantics.body.motion import MotionInterlock
from semantics.body.protocols import (
    Beliefs,
    Clock,
    ConcurrentMotion,
    Informable,
    Interlocked,
    Motion,
    MotionStatus,
    Robot,
    Skill,
)
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Conjunct, Literal, objects_in
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Operator, State


def _text(literals: Iterable[Literal]) -> str:
    return " ".join(map(str, sorted(literals)))


class Condition(Accountable):
    """Succeeds when every literal of a condition is believed.

    Attributes:
        reads: The facts that the result depends on; None when it depends on more than facts.
        reads_from: The beliefs that the facts are read from.
    """

    kind = "condition"
    reads: frozenset[Atom] | None
    initialise = Behaviour.initialise  # the reason is that of the last tick, so a start changes nothing

    def __init__(self, name: str, condition: Conjunct, beliefs: Beliefs, of: str = "") -> None:
        super().__init__(name)
        self.condition = condition
        self.beliefs = self.reads_from = beliefs
        self.reads = frozenset(literal.atom for literal in condition)
        self.of = of or name
        self.what = _text(condition)

    def update(self) -> Status:
        """Ask what is believed now."""
        missing = self.beliefs.state.missing(self.condition)
        if not missing:
            self.feedback, self.feedback_message = None, ""
            return Status.SUCCESS
        why = f"{_text(missing)} does not hold"
        return self.fail(Feedback(Code.PRECONDITION, self.of, why, culprits=objects_in(missing)))


class Precondition(Condition):
    """Succeeds when the whole precondition of an operator is believed, with its disjunctions and numbers."""

    def __init__(self, name: str, operator: Operator, beliefs: Beliefs) -> None:
        super().__init__(name, operator.precondition, beliefs, of=str(operator))
        self._operator = operator
        self.reads = None

    def update(self) -> Status:
        """Ask what is believed now."""
        status = super().update()
        if status != Status.SUCCESS:
            return status
        state, axioms = self.beliefs.state, self._operator.axioms
        outcome = validate((self._operator,), axioms.close(state) if axioms else state, frozenset())
        if isinstance(outcome, Valid):
            return Status.SUCCESS
        found = outcome.feedback
        return self.fail(Feedback(Code.PRECONDITION, self.of, found.why, found.how, found.culprits))


class MotionGuard(NamedTuple):
    """What a step has to wait for on a body, and what other steps have to wait for because of it."""

    interlock: MotionInterlock  # the interlock of the body
    busy: frozenset[str]  # the agents and hands that the step keeps busy
    agent: str  # the agent that has these hands


class ActionLeaf(Accountable):
    """Runs a motion to its end, and cancels the motion when the node is stopped earlier.

    Args:
        name: The node's name.
        start: Starts the motion.
        clock: The body's clock.
        of: The operator that the motion carries out, as text.
        brake: Says whether an earlier motion still moves; the leaf waits for it. None: the leaf never waits.

    Attributes:
        began: When the motion was started, or the wait for it began, in seconds of the clock.
        ended: When the leaf noticed the end of the motion, in seconds of the clock.
        has_started: Whether the body has started the motion.
    """

    kind = "act"

    def __init__(
        self, name: str, start: Callable[[], Motion], clock: Clock, of: str = "", brake: MotionGuard | None = None
    ) -> None:
        super().__init__(name)
        self.began = 0.0
        self.ended = 0.0
        self.has_started = False
        self.of = of or name
        self.what = name
        self._start = start
        self._clock = clock
        self._brake = brake
        self._motion: Motion | None = None
        self._over = True
        self._waiting: float | None = None

    def initialise(self) -> None:
        """Start the motion, as soon as no earlier motion blocks it."""
        super().initialise()
        self.began = self._clock.now()
        self._motion, self.has_started, self._waiting = None, False, None
        self._begin()

    def _begin(self) -> None:
        """Start the motion, or note since when only cancelled motions block it."""
        now, brake = self._clock.now(), self._brake
        if brake is not None:
            is_on, is_cancelled = brake.interlock.blocks(brake.busy, brake.agent)
            self._waiting = (self._waiting if self._waiting is not None else now) if is_on and is_cancelled else None
            if is_on:
                return
        self.began, self.has_started = now, True
        self._motion = self._start()
        self._over = False
        if brake is not None:
            brake.interlock.begin(self._motion, brake.busy, brake.agent)

    def update(self) -> Status:
        """Poll the motion."""
        if self._motion is None:
            self._begin()
            if self._motion is None:
                return self._held_up()
        progress = self._motion.poll()
        if progress.stage is MotionStatus.RUNNING:
            return Status.RUNNING
        self._over = True
        self.ended = self._clock.now()
        if progress.stage is MotionStatus.DONE:
            return Status.SUCCESS
        return self.fail(progress.feedback or Feedback(Code.STUCK, self.of, "the motion failed and gave no reason"))

    def _held_up(self) -> Status:
        """Wait for cancelled motions to end, but at most `REST_SECONDS`."""
        if self._waiting is None or self._clock.now() - self._waiting <= REST_SECONDS:
            return Status.RUNNING
        why = f"a motion that was stopped before has not ended after {REST_SECONDS:g} s"
        return self.fail(Feedback(Code.STUCK, self.of, why))

    def terminate(self, new_status: Status) -> None:
        """Cancel a motion that has not ended."""
        if self._motion is not None and not self._over:
            self._over = True
            if self._brake is None:
                self._motion.cancel()
            else:
                self._brake.interlock.cancel(self._motion)

    def at_rest(self) -> bool:
        """Return whether the motion has ended, cancelled or not."""
        return self._motion is None or self._motion.poll().stage is not MotionStatus.RUNNING


class Postcondition(Accountable):
    """Succeeds when every effect of an operator has been sensed since its motion ended.

    It waits up to `patience` seconds for effects that were not sensed yet or do not hold yet (objects settle, cameras
    turn).
    """

    kind = "effect"

    def __init__(
        self, name: str, operator: Operator, act: ActionLeaf, beliefs: Beliefs, robot: Robot, patience: float
    ) -> None:
        super().__init__(name)
        self.operator = operator
        self.patience = patience
        self.what = _text(operator.effects)
        self._robot = robot
        self._act = act
        self._beliefs = beliefs
        self._clock = robot.clock

    def initialise(self) -> None:
        """Assume the effects that the world lets a session assume, since the motion has succeeded."""
        super().initialise()
        if isinstance(self._robot, Informable):
            self._robot.tell({effect.atom: effect.positive for effect in self.operator.effects}, assumed=True)

    def update(self) -> Status:
        """Check what was sensed since the motion ended."""
        since = self._act.ended
        missing = {
            literal: sensed
            for literal in sorted(self.operator.effects)
            if (sensed := self._beliefs.sensed(literal, since)) is not True
        }
        if not missing:
            return Status.SUCCESS
        if self._clock.now() - since < self._patience(missing.values()):
            return Status.RUNNING
        return self.fail(self._missing(missing))

    def _patience(self, sensed: Iterable[bool | None]) -> float:
        """Return how long to wait; less where exact sensing denies an effect, since it will not appear later."""
        lag = lag_of(self._beliefs)
        return self.patience if lag is None or None in sensed else min(lag, self.patience)

    def _missing(self, missing: Mapping[Literal, bool | None]) -> Feedback:
        false = [literal for literal, sensed in missing.items() if sensed is False]
        unseen = [literal for literal, sensed in missing.items() if sensed is None]
        reasons = [f"{_text(false)} is not so"] * bool(false) + [f"{_text(unseen)} was not sensed"] * bool(unseen)
        return Feedback(
            Code.EFFECT_MISSING,
            str(self.operator),
            f"the motion ended, but {' and '.join(reasons)} within {self._patience(missing.values()):g} s",
            culprits=objects_in(missing),
        )


def kept_conditions(operator: Operator) -> Conjunct:
    """Return the preconditions that have to stay true while the operator is carried out.

    These are the preconditions that the operator does not change itself. Bookkeeping facts are left out, since they
    follow from other facts, and so is the place of the agent: a body may leave its place while it works there, for
    example to pull a door open.
    """
    changed = operator.added | operator.deleted | operator.bookkeeping
    changed = changed.union(*(effect.added | effect.deleted for effect in operator.conditional))
    return frozenset(
        literal
        for literal in operator.precondition
        if literal.atom not in changed and not says_where(literal.atom, operator)
    )


def settled(operator: Operator, state: State) -> Operator:
    """Return `operator` with each conditional effect decided for a start in `state`."""
    if not operator.conditional:
        return operator
    before = operator.axioms.close(state) if operator.axioms else state
    triggered = [effect for effect in operator.conditional if before.judge(effect.condition)]
    added = operator.added.union(*(effect.added for effect in triggered))
    deleted = operator.deleted.union(*(effect.deleted for effect in triggered)) - added
    changes = (*operator.changes, *(change for effect in triggered for change in effect.changes))
    return replace(operator, added=added, deleted=deleted, changes=changes, conditional=())


def afterwards(operator: Operator, state: State) -> State:
    """Return the state after the operator has succeeded, given `state` as it is sensed while the operator runs.

    A working body may leave its place (beside the bin, to reach an object on the ground). So the place of the agent is
    taken from the precondition instead; its actual place counts only after the work is done.
    """
    return operator.apply(placed(operator, state))


def placed(operator: Operator, state: State) -> State:
    """Return `state`, as it is sensed while the operator runs, with the agent at the place where its work begins."""
    workplace = frozenset(
        literal.atom for literal in operator.precondition if literal.positive and says_where(literal.atom, operator)
    )
    passing = (atom for atom in state.atoms if says_where(atom, operator)) if workplace else ()
    return state.with_atoms(workplace, passing)


def says_where(atom: Atom, operator: Operator) -> bool:
    """Return whether a fact states the place of the acting agent."""
    return atom.predicate == operator.whereabouts and atom.args[:1] == operator.action.args[:1]


class Step(Sequence):
    """A sequence of condition, act and effect for one operator.

    Args:
        operator: The operator to carry out. After the start, `expected` is the same with conditional effects decided.
        beliefs: The beliefs about the world.
        robot: The body, with its clock.
        skills: By capability name, the skills that replace the command of the operator.
        patience: How long to wait for the effect to be sensed, in seconds.

    Attributes:
        busy: The agents and hands that the step keeps busy.
        robot: The body.

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
        # On a body that declares no hands, a step keeps its whole agent busy.
        agent = operator.command.agent if operator.command else robot.name
        self.busy = frozenset(robot.occupies(operator)) if isinstance(robot, ConcurrentMotion) else frozenset({agent})
        brake = MotionGuard(cast(Interlocked, interlocked(robot)).motion_interlock, self.busy, agent)
        command, skill = operator.command, skills.get(operator.action.name)
        leaf = partial(ActionLeaf, clock=robot.clock, of=str(operator), brake=brake)
        if skill is not None:
            self.act = leaf(f"skill {operator.action.name}", lambda: skill.start(operator, robot))
        elif command is not None:
            self.act = leaf(str(command), lambda: robot.start(command))
        else:
            raise TreeError(f"{operator}: the capability has no motion primitive and there is no skill for it")
        before = (
            Precondition("before", operator, beliefs)
            if operator.adl
            else Condition("before", operator.precondition, beliefs, of=str(operator))
        )
        self._means = partial(Step, beliefs=beliefs, robot=robot, skills=skills, patience=patience)
        self._after = Postcondition("after", operator, self.act, beliefs, robot, patience)
        super().__init__(operator.action.name, memory=True, children=[before, self.act, self._after])

    def initialise(self) -> None:
        """Begin, and decide from the current beliefs which conditional effects to expect."""
        super().initialise()
        if not self.operator.conditional:
            return
        with contextlib.suppress(UsageError):  # an unknown number: the precondition reports it
            self.expected = self._after.operator = settled(self.operator, self._beliefs.state)

    def another(self, operator: Operator) -> Step:
        """Return a step for another operator with the same beliefs, body, skills and patience.

        Raises:
            TreeError: The operator has no command and there is no skill for it.
        """
        return self._means(operator)
