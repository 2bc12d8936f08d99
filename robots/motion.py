"""Motions that end as the clock says or have already failed, and the clock and the faults of bodies without physics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from semantics.body.motion import MotionInterlock
from semantics.body.observation import Observation
from semantics.body.protocols import Clock, MotionProgress, MotionStatus
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command

SENSING_PERIOD = 0.05  # seconds from one sensing to the next


class VirtualClock:
    """A clock that only `sleep` advances, in seconds from zero; a run takes no real time and is reproducible."""

    simulated: Final = True

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Return seconds since the clock started."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Advance the clock by `seconds`; a negative number has no effect."""
        self._now += max(0.0, seconds)


@dataclass(frozen=True, slots=True)
class InjectedFault:
    """A planned failure: the next motion that matches fails, once.

    Attributes:
        code: The reason for the failure.
        primitive: The primitive that fails; any if None.
        roles: The required fillers of roles of the command.
        fraction: The progress at which it fails, from 0 to 1.
        why: The sentence of the feedback.
        culprits: The objects that the feedback blames; None for the object that the motion handles, drives to, or finds
            no room in.
    """

    code: Code
    primitive: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    fraction: float = 0.5
    why: str = "a fault was asked for"
    culprits: tuple[str, ...] | None = None

    def meets(self, command: Command) -> bool:
        """Return whether this fault makes a command fail."""
        right = self.primitive is None or self.primitive == command.primitive
        return right and self.roles.items() <= command.roles.items()

    def feedback(self, command: Command) -> Feedback:
        """Return the feedback of a robot for a command that this fault makes fail."""
        order = ("target", "to") if self.code is Code.NO_ROOM else ("object", "source", "to")
        handled = [command.roles[role] for role in order if role in command.roles] or [*command.roles.values()]
        culprits = tuple(handled[:1]) if self.culprits is None else self.culprits
        return Feedback(self.code, str(command), self.why, culprits=culprits)


class FailedMotion:
    """A motion that failed before it began."""

    def __init__(self, feedback: Feedback) -> None:
        self._progress = MotionProgress(MotionStatus.FAILED, 0.0, feedback)

    def poll(self) -> MotionProgress:
        """Return the failure with its feedback."""
        return self._progress

    def cancel(self) -> None:
        """Do nothing, since the motion has ended."""


@dataclass(eq=False)
class VirtualMotion:
    """A running motion of a body in virtual time, which advances it."""

    command: Command  # the command that it executes
    started: float  # its start, in seconds of the clock
    seconds: float  # its duration
    fault: InjectedFault | None  # the fault that makes it fail, if any
    catch_up: Callable[[], None]  # advances the motions of the robot to the present; `poll` calls it
    hands: frozenset[str] = frozenset()  # the hands that it keeps busy; empty for the whole agent
    progress: MotionProgress = field(default=MotionProgress(MotionStatus.RUNNING), init=False)  # how far it is

    @property
    def running(self) -> bool:
        """Whether the motion has not ended."""
        return self.progress.stage is MotionStatus.RUNNING

    @property
    def due(self) -> float:
        """The time of its end, in seconds of the clock."""
        return self.started + self.seconds * (1.0 if self.fault is None else self.fault.fraction)

    def advance(self, now: float) -> None:
        """Advance the running motion to the time `now`."""
        raise NotImplementedError

    def poll(self) -> MotionProgress:
        """Return the progress."""
        self.catch_up()
        return self.progress

    def cancel(self) -> None:
        """Stop the motion where it is."""
        self.catch_up()
        if self.running:
            self.fail(Feedback(Code.CANCELLED, str(self.command), "it was stopped"))

    def reach(self, fraction: float) -> None:
        """Set the progress of the running motion."""
        self.progress = MotionProgress(MotionStatus.RUNNING, fraction)

    def succeed(self) -> None:
        """End the motion successfully."""
        self.progress = MotionProgress(MotionStatus.DONE, 1.0)

    def fail(self, feedback: Feedback) -> None:
        """End the motion with a failure at its current progress."""
        self.progress = MotionProgress(MotionStatus.FAILED, self.progress.fraction, feedback)


class VirtualRobot:
    """What the robots in virtual time share; they add `start`, which adds to `_motions`, and `_observed`.

    Args:
        name: Symbol of the robot.
        clock: The robot's time; by default a new virtual clock.
        faults: Failures of later motions.

    Attributes:
        exact_within: The largest delay of its sensing, in seconds; its sensing is exact.
        motion_interlock: The running motions, which exclude others.
    """

    exact_within: float | None = SENSING_PERIOD

    def __init__(self, name: str, clock: Clock | None, faults: Iterable[InjectedFault]) -> None:
        self.name = name
        self.clock: Clock = clock or VirtualClock()
        self.motion_interlock = MotionInterlock()
        self._motions: list[VirtualMotion] = []
        self._faults = list(faults)
        self._closed = False
        self._latest = Observation()

    def observation(self) -> Observation:
        """Return the latest sensing without waiting for a new one."""
        self._catch_up()
        now = self.clock.now()
        if self._latest.number == 0 or now - self._latest.time >= SENSING_PERIOD - 1e-9:
            self._latest = self._observed(now, self._latest.number + 1)
        return self._latest

    def add_fault(self, fault: InjectedFault) -> None:
        """Make a later motion fail."""
        self._faults.append(fault)

    def stop(self) -> None:
        """Stop all motion; safe to call at any time, any number of times."""
        for motion in tuple(self._motions):
            motion.cancel()
        self._motions.clear()

    def close(self) -> None:
        """Stop, and refuse further commands; safe to call twice."""
        self.stop()
        self._closed = True

    def _catch_up(self) -> None:
        """Advance the running motions to the present, in the order in which they end."""
        now = self.clock.now()
        for motion in sorted(self._motions, key=lambda motion: motion.due):
            if motion.running:
                motion.advance(now)
        self._motions = [motion for motion in self._motions if motion.running]

    def _observed(self, now: float, number: int) -> Observation:
        """Return a sensing at the time `now`."""
        raise NotImplementedError

    def _after_closing(self, command: Command) -> Feedback | None:
        """Return the refusal of a closed robot; None if it is open."""
        if not self._closed:
            return None
        return Feedback(Code.UNAVAILABLE, str(command), "the robot was closed.", recoverable=False)

    def _taken_fault(self, command: Command) -> InjectedFault | None:
        """Return the first fault that makes a command fail, and forget it."""
        fault = next((fault for fault in self._faults if fault.meets(command)), None)
        if fault is not None:
            self._faults.remove(fault)
        return fault
