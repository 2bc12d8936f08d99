"""`Faulty`: adds mishaps to any robot.

Every motion draws once for each kind of mishap, so that a chance of 0.2 affects one motion in 5. A refusal happens
before the motion begins. All other mishaps happen at a random moment of the motion, unless the motion has ended before,
or the mishap is impossible at this moment. The world changes just before a sensing, so that a sensing always shows the
latest mishap, except while the robot is blind.

The same seed gives the same run, since the draws depend only on the commands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import NamedTuple, Protocol

from robots.motion import FailedMotion
from semantics.body.motion import MotionInterlock
from semantics.body.observation import Observation
from semantics.body.protocols import Clock, ConcurrentMotion, Interlocked, LimitedMotion, Motion, MotionStatus, Robot
from semantics.errors import UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command, Operator

__all__ = ["BLIND_SECONDS", "CHANCE", "Faulty", "Hands", "Happened", "MishapKind"]

CHANCE = 0.2
"""The default probability of each kind of mishap in a motion."""
BLIND_SECONDS = 1.0


class MishapKind(StrEnum):
    """The kinds of mishaps."""

    DROPPED = "dropped"  # the held object falls
    MOVED = "moved"  # an object of the task is put elsewhere
    SHUT = "shut"  # an open door closes
    OCCUPIED = "occupied"  # an object is put into a free hand
    REFUSED = "refused"  # the robot refuses a command, once
    BLIND = "blind"  # the robot senses nothing for a second


class Happened(NamedTuple):
    """A mishap that happened: its kind, its time in seconds of the robot's clock, and a description."""

    kind: MishapKind
    time: float
    what: str


class Hands(Protocol):
    """Changes a robot's world without the robot noticing."""

    def do(self, kind: MishapKind, about: frozenset[str], random: Random) -> str | None:
        """Make a mishap happen, if it is possible now.

        Args:
            kind: A kind that changes the world: neither `REFUSED` nor `BLIND`.
            about: The names in the task; the moved object is one of them.
            random: The generator for all choices.

        Returns:
            A description of the change; None when the mishap is impossible now.
        """
        ...


@dataclass(slots=True)
class Watched:
    """A running motion, and its future mishaps: the fraction from which each happens, and its kind."""

    motion: Motion
    to_come: list[tuple[float, MishapKind]] = field(default_factory=list)

    def due(self) -> list[MishapKind]:
        """Return the mishaps that are due now, each once; a failed motion has no further mishaps."""
        progress = self.motion.poll()
        if progress.stage is MotionStatus.FAILED:
            self.to_come = []
        fraction = 1.0 if progress.stage is MotionStatus.DONE else progress.fraction
        due = [kind for moment, kind in sorted(self.to_come) if moment <= fraction]
        self.to_come = [planned for planned in self.to_come if planned[0] > fraction]
        return due


class Faulty:
    """A robot with mishaps; implements `semantics.body.protocols.Robot`. For threads and forks, see the wrapped robot.

    Args:
        robot: The robot.
        hands: Changes the robot's world.
        seed: Seed of the draws.
        chances: Probability of each kind of mishap in a motion, from 0 to 1; a missing kind never happens.

    Attributes:
        robot: The wrapped robot.
        motion_interlock: That of the wrapped robot, if it has one.
        happened: The mishaps so far, in order.
        motions: The number of motions that have begun.
        about: The names in the commands so far; a caller may add others, such as those of a goal.

    Raises:
        UsageError: A chance is not between 0 and 1.
    """

    def __init__(self, robot: Robot, hands: Hands, seed: int, chances: Mapping[MishapKind, float]) -> None:
        for kind, chance in chances.items():
            if not 0.0 <= chance <= 1.0:
                raise UsageError(f"a chance of {chance:g} for {kind}; it has to be from 0 to 1")
        self.name = robot.name
        self.robot = robot
        self.motion_interlock = robot.motion_interlock if isinstance(robot, Interlocked) else MotionInterlock()
        self.happened: list[Happened] = []
        self.motions = 0
        self.about: frozenset[str] = frozenset()
        self._hands = hands
        self._random = Random(seed)
        self._chances = chances
        self._watched: list[Watched] = []
        self._refused: Command | None = None
        self._blind_until = 0.0
        self._frozen = True
        self._latest = Observation()

    @property
    def clock(self) -> Clock:
        """The clock of the wrapped robot."""
        return self.robot.clock

    @property
    def primitives(self) -> Collection[str] | None:
        """The motion primitives of the wrapped robot."""
        return self.robot.primitives if isinstance(self.robot, LimitedMotion) else None

    def start(self, command: Command) -> Motion:
        """Begin a motion, or refuse it; a refused command is accepted when it is repeated."""
        drawn = self._drawn()
        repeated, self._refused = command == self._refused, None
        if not repeated and any(kind is MishapKind.REFUSED for _, kind in drawn):
            self._refused = command
            self._note(MishapKind.REFUSED, str(command))
            why = "the body refuses it, for no reason that it tells"
            return FailedMotion(Feedback(Code.REFUSED_BY_BODY, str(command), why))
        motion = self.robot.start(command)
        if motion.poll().stage is MotionStatus.FAILED:
            return motion
        self.motions += 1
        self.about |= frozenset(command.roles.values())
        self._watched.append(Watched(motion, [planned for planned in drawn if planned[1] is not MishapKind.REFUSED]))
        return motion

    def occupies(self, operator: Operator) -> frozenset[str]:
        """Return the resources of the robot that a step occupies; the whole robot if it does one motion at a time."""
        return self.robot.occupies(operator) if isinstance(self.robot, ConcurrentMotion) else frozenset({self.name})

    def _drawn(self) -> Iterable[tuple[float, MishapKind]]:
        """Draw for every kind whether and when it happens; always draw the same number of values."""
        draws = {kind: (self._random.random(), self._random.random()) for kind in MishapKind}
        return [(when, kind) for kind, (luck, when) in draws.items() if luck < self._chances.get(kind, 0.0)]

    def observation(self) -> Observation:
        """Make the due mishaps happen, then sense; a blind robot senses nothing, or only itself."""
        for watched in self._watched:
            for kind in watched.due():
                self._happen(kind)
        self._watched = [watched for watched in self._watched if watched.to_come]
        blind = self.clock.now() < self._blind_until
        if blind and self._frozen:
            return self._latest
        sensed = self.robot.observation()
        self._latest = self._felt(sensed) if blind else sensed
        return self._latest

    def _felt(self, sensed: Observation) -> Observation:
        """Return the part of a sensing without sight and reports: what the robot feels of itself, and the map."""
        places = {
            name: replace(sighting, opening=None)
            for name, sighting in sensed.sightings.items()
            if sighting.stand is not None
        }
        own = {name: view for name, view in sensed.agents.items() if name == self.name}
        felt = replace(sensed, sightings=places, agents=own, told={}, numbers={})
        return replace(felt, searched=frozenset(), contacts=frozenset())

    def _happen(self, kind: MishapKind) -> None:
        if kind is MishapKind.BLIND:
            self._blind_until = self.clock.now() + BLIND_SECONDS
            self._frozen = self._random.random() < 0.5
            self._note(kind, "no sensing comes" if self._frozen else "sensings show nothing")
            return
        done = self._hands.do(kind, self.about, self._random)
        if done is not None:
            self._note(kind, done)

    def _note(self, kind: MishapKind, what: str) -> None:
        self.happened.append(Happened(kind, round(self.clock.now(), 3), what))

    def stop(self) -> None:
        """Stop all motion, and cancel the remaining mishaps."""
        self._watched = []
        self.robot.stop()

    def close(self) -> None:
        """Stop, and close the wrapped robot; safe to call twice."""
        self._watched = []
        self.robot.close()
