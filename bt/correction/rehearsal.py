"""Simulates a program on the model: the same tree, with a simulated body that follows the domain, without delays.

Every action has the effects of its operator, so a rehearsal shows errors of the program, but no failures of the world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bt.programs import CheckedProgram, Routine, compile_program
from bt.programs.nodes.statement import GoalPlanner
from bt.runner import Ending, Runner
from semantics.body.motion import MotionInterlock
from semantics.body.observation import Observation, Sighting
from semantics.body.protocols import Motion, MotionProgress, MotionStatus, Robot
from semantics.geometry.geometry import Box, Vector
from semantics.geometry.points import NORTH, MapPoint
from semantics.logic.atoms import Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.program import Voice
from semantics.logic.state import Command, Operator, State

RATE_HZ = 20.0
IN_HAND = 1000.0  # where on the model things are that are in a hand, in metres: in nobody's way
DONE = MotionProgress(MotionStatus.DONE, 1.0)


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """The result of a rehearsal."""

    state: State  # the state at the end
    steps: tuple[Operator, ...]  # the operators that were carried out, in order
    failure: Feedback | None = None  # why the program failed; None when it succeeded


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Simulates programs on the model.

    Attributes:
        planner: Plans for the goals that a program wants achieved; None for no planner.
        voice: The person who is spoken to; None for no person.
        seconds: The time limit of a program, in seconds of the simulated clock.
        sightings: Where things are; on the model they come where they are put.
        heading: Where the viewer looks, in radians.
        views: Where each viewer looks whom a direction can name, in radians.
        reaches: Returns whether the hand can work at a point in space; None where the body does not tell.
    """

    planner: GoalPlanner | None = None
    voice: Voice | None = None
    seconds: float = 600.0
    sightings: Mapping[str, Sighting] = field(default_factory=dict)
    heading: float = NORTH
    views: Mapping[str, float] = field(default_factory=dict)
    reaches: Callable[[Vector], bool] | None = None

    def of(self, checked: CheckedProgram, state: State, begun: Callable[[Routine], None] | None = None) -> Rehearsed:
        """Carry out a program from `state`; `begun` may set the position of its tree before the first tick."""
        model = _Model(state, dict(self.sightings), self.heading, self.views, self.reaches)
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
    """A simulated body that is also its own clock and beliefs."""

    state: State
    sightings: dict[str, Sighting] = field(default_factory=dict)
    heading: float = NORTH
    views: Mapping[str, float] = field(default_factory=dict)
    reaches: Callable[[Vector], bool] | None = None
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
        """Apply an operator if it is applicable."""
        missing = operator.missing(self.state)
        if missing:
            why = f"{' and '.join(map(str, missing))} does not hold"
            return _Ended(MotionProgress(MotionStatus.FAILED, 0.0, Feedback(Code.PRECONDITION, str(operator), why)))
        self.state = operator.apply(self.state)
        self.revision += 1
        self.steps.append(operator)
        if operator.command is not None and "object" in operator.command.roles:
            self._move(operator.command.roles["object"], operator.command)
        return _Ended(DONE)

    def _move(self, name: str, command: Command) -> None:
        """Show a thing that is picked up out of the way, and one that is put or pushed where it comes to."""
        seen = self.sightings.get(name)
        place, target = command.places.get("where") or command.places.get("to"), command.roles.get("target", "")
        if isinstance(place, Box):
            place = MapPoint(*place.centre[:2])
        elif place is None and target in self.sightings:
            place = MapPoint(*self.sightings[target].box.centre[:2])
        elif command.primitive == "pick":
            place = MapPoint(IN_HAND, IN_HAND)
        if seen is not None and place is not None:
            x, y, _ = seen.box.centre
            self.sightings[name] = seen.moved((place.x - x, place.y - y, 0.0))


@dataclass(frozen=True, slots=True)
class _Ended:
    """A motion without duration."""

    end: MotionProgress

    def poll(self) -> MotionProgress:
        return self.end

    def cancel(self) -> None:
        """It has ended."""


@dataclass(frozen=True, slots=True)
class _Skill:
    """The skill of every capability in the simulation."""

    model: _Model

    def start(self, operator: Operator, robot: Robot) -> Motion:  # the protocol's
        return self.model.carry_out(operator)
