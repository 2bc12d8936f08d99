"""Trying a program on the model: the same tree, on a body that only exists as the domain says, in no time.

Every action comes out as its operator says, so a rehearsal shows what is wrong with the program and nothing that may be
wrong with the world.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bt.programs import CheckedProgram, Routine, compile_program
from bt.programs.nodes.statement import GoalPlanner
from bt.runner import Ending, Runner
from semantics.atoms import Literal
from semantics.feedback import Code, Feedback
from semantics.motion import MotionInterlock
from semantics.observation import Observation
from semantics.program import Voice
from semantics.protocols import Motion, MotionProgress, MotionStatus, Robot
from semantics.state import Command, Operator, State

__all__ = ["Rehearsal", "Rehearsed"]

RATE_HZ = 20.0
DONE = MotionProgress(MotionStatus.DONE, 1.0)


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What came of it.

    Attributes:
        state: What would hold in the end.
        steps: The operators that were carried out, in order.
        failure: Why it failed; None when it came to its end.
    """

    state: State
    steps: tuple[Operator, ...]
    failure: Feedback | None = None


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Tries programs on the model.

    Attributes:
        planner: Plans for what a program wants achieved; None when nobody does.
        voice: Whoever is spoken to; None when nobody is there.
        seconds: How long a program may take, in seconds of a clock that only exists here.
    """

    planner: GoalPlanner | None = None
    voice: Voice | None = None
    seconds: float = 600.0

    def of(self, checked: CheckedProgram, state: State, begun: Callable[[Routine], None] | None = None) -> Rehearsed:
        """Carry a program out from `state`; `begun` may put its tree in mid-course before it is ticked."""
        model = _Model(state)
        skill = _Skill(model)
        skills = dict.fromkeys(checked.language.domain.capabilities, skill)
        tree = compile_program(
            checked, beliefs=model, robot=model, planner=self.planner, voice=self.voice, skills=skills, delay=0.0
        )
        if begun is not None:
            begun(tree)
        ended = Runner(tree, model, model, rate_hz=RATE_HZ).run(self.seconds)
        return Rehearsed(model.state, tuple(model.steps), None if ended.status is Ending.SUCCESS else ended.reason)


@dataclass
class _Model:
    """A body, a clock and beliefs, all of them the model's."""

    state: State
    name: str = "model"
    simulated: bool = True
    revision: int = 0
    steps: list[Operator] = field(default_factory=list)
    time: float = 0.0
    motion_interlock: MotionInterlock = field(default_factory=MotionInterlock)

    @property
    def clock(self) -> _Model:
        return self

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += max(seconds, 0.0)

    def refresh(self) -> bool:
        return True

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        return None if since > self.time else self.state.holds(literal)

    def observation(self) -> Observation:
        return Observation(self.time, 1 + round(self.time * RATE_HZ))

    def start(self, command: Command) -> Motion:
        raise AssertionError(f"{command}: every capability has a skill here")

    def stop(self) -> None:
        """Nothing moves."""

    def close(self) -> None:
        """Nothing is held."""

    def carry_out(self, operator: Operator) -> Motion:
        """Let an operator take effect, if it can be applied."""
        missing = operator.missing(self.state)
        if missing:
            why = f"{' and '.join(map(str, missing))} does not hold"
            return _Ended(MotionProgress(MotionStatus.FAILED, 0.0, Feedback(Code.PRECONDITION, str(operator), why)))
        self.state = operator.apply(self.state)
        self.revision += 1
        self.steps.append(operator)
        return _Ended(DONE)


@dataclass(frozen=True, slots=True)
class _Ended:
    """A motion that took no time."""

    end: MotionProgress

    def poll(self) -> MotionProgress:
        return self.end

    def cancel(self) -> None:
        """It has ended."""


@dataclass(frozen=True, slots=True)
class _Skill:
    """What every capability does here."""

    model: _Model

    def start(self, operator: Operator, robot: Robot) -> Motion:  # the protocol's
        return self.model.carry_out(operator)
