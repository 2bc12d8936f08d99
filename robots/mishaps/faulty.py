"""`Faulty`: any body, with mishaps.

For every motion that begins there is one draw for each kind of mishap, so that a chance of 0.2 is one motion in 5.
A command is refused before it begins; all else happens at a moment of the motion that is drawn too, unless the motion
has ended before, or there is nothing then that it could happen to. The world is changed just before a sensing, so
that what is sensed is never older than what has happened; only a blind body does not sense it.

One seed gives one run: the draws hang on the commands alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import NamedTuple, Protocol

from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.motion import MotionInterlock
from semantics.observation import Observation
from semantics.protocols import Clock, ConcurrentMotion, Interlocked, Motion, MotionProgress, MotionStatus, Robot
from semantics.state import Command, Operator

__all__ = ["BLIND_SECONDS", "CHANCE", "Faulty", "Hands", "Happened", "MishapKind"]

CHANCE = 0.2
"""How likely each kind of mishap is in a motion."""
BLIND_SECONDS = 1.0


class MishapKind(StrEnum):
    """What can go wrong."""

    DROPPED = "dropped"  # what a hand holds falls
    MOVED = "moved"  # a thing that the work is about is put elsewhere
    SHUT = "shut"  # an open door closes
    OCCUPIED = "occupied"  # something is put into a free hand
    REFUSED = "refused"  # the body refuses a command, once
    BLIND = "blind"  # nothing is sensed for a second


class Happened(NamedTuple):
    """A mishap that came about: which, when in seconds of the body's clock, and what was done."""

    kind: MishapKind
    time: float
    what: str


class Hands(Protocol):
    """Hands that change a body's world behind its back."""

    def do(self, kind: MishapKind, about: frozenset[str], random: Random) -> str | None:
        """Make a mishap happen, if it can happen now.

        Args:
            kind: One of those that change the world: not `REFUSED`, not `BLIND`.
            about: Names that the task is about; what is moved is one of them.
            random: Where choices are drawn from.

        Returns:
            What was done, in words; None when there is nothing to do it to.
        """
        ...


class RefusedMotion:
    """A motion that the body would not begin."""

    def __init__(self, command: Command) -> None:
        why = "the body refuses it, for no reason that it tells"
        self._progress = MotionProgress(MotionStatus.FAILED, 0.0, Feedback(Code.REFUSED_BY_BODY, str(command), why))

    def poll(self) -> MotionProgress:
        """Return that it was refused."""
        return self._progress

    def cancel(self) -> None:
        """Do nothing: it has ended."""


@dataclass(slots=True)
class Watched:
    """A motion under way, and what is still to happen in it: from which fraction on, and which mishap."""

    motion: Motion
    to_come: list[tuple[float, MishapKind]] = field(default_factory=list)

    def due(self) -> list[MishapKind]:
        """Return what is to happen by now, each once; nothing any more when the motion has failed."""
        progress = self.motion.poll()
        if progress.stage is MotionStatus.FAILED:
            self.to_come = []
        fraction = 1.0 if progress.stage is MotionStatus.DONE else progress.fraction
        due = [kind for moment, kind in sorted(self.to_come) if moment <= fraction]
        self.to_come = [planned for planned in self.to_come if planned[0] > fraction]
        return due


class Faulty:
    """A body with mishaps; see `semantics.protocols.Robot`.

    Args:
        robot: The body.
        hands: Who changes its world.
        seed: Of the draws.
        chances: How likely each kind of mishap is in a motion, 0 to 1; one that is not in it never happens.

    Attributes:
        robot: The body itself.
        motion_interlock: The body's own, if it has one.
        happened: What went wrong so far, in order.
        motions: How many motions have begun.
        about: Names that the commands so far have spoken of; others may be added, such as those of a goal.

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
        """The time it lives in."""
        return self.robot.clock

    def start(self, command: Command) -> Motion:
        """Begin a motion, unless it is refused."""
        drawn = self._drawn()
        repeated, self._refused = command == self._refused, None
        if not repeated and any(kind is MishapKind.REFUSED for _, kind in drawn):
            self._refused = command
            self._note(MishapKind.REFUSED, str(command))
            return RefusedMotion(command)
        motion = self.robot.start(command)
        if motion.poll().stage is MotionStatus.FAILED:
            return motion
        self.motions += 1
        self.about |= frozenset(command.roles.values())
        self._watched.append(Watched(motion, [planned for planned in drawn if planned[1] is not MishapKind.REFUSED]))
        return motion

    def occupies(self, operator: Operator) -> frozenset[str]:
        """Return what a step keeps busy of the body; all of it, where that does one motion at a time."""
        return self.robot.occupies(operator) if isinstance(self.robot, ConcurrentMotion) else frozenset({self.name})

    def _drawn(self) -> Iterable[tuple[float, MishapKind]]:
        """Draw for every kind whether it happens and when, always as many numbers."""
        draws = {kind: (self._random.random(), self._random.random()) for kind in MishapKind}
        return [(when, kind) for kind, (luck, when) in draws.items() if luck < self._chances.get(kind, 0.0)]

    def observation(self) -> Observation:
        """Let happen what is due, then sense; a blind body senses nothing, or itself alone."""
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
        """Return what is left when nothing is seen and nothing told: the body's own feeling, and the map."""
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
        """Bring everything to rest; nothing more happens in what was under way."""
        self._watched = []
        self.robot.stop()

    def close(self) -> None:
        """Stop, and let go of the body; safe to call twice."""
        self._watched = []
        self.robot.close()
