"""A motion of the fake robot: the clock determines its progress, and it acts when the hand closes or opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from robots.fake.checks import CHECKS
from robots.fake.deeds import DEEDS, before, way_seconds
from robots.fake.world import FakeWorld
from semantics.feedback import Code, Feedback
from semantics.protocols import MotionProgress, MotionStatus
from semantics.state import Command

__all__ = ["FailedMotion", "FakeMotion", "InjectedFault", "reason_against"]


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


def reason_against(world: FakeWorld, command: Command) -> Feedback | None:
    """Return why a command is impossible now, or None if it is possible."""
    refusals = (check(world, command) for check in CHECKS[command.primitive])
    return next((refusal for refusal in refusals if refusal is not None), None)


class FailedMotion:
    """A motion that failed before it began."""

    def __init__(self, feedback: Feedback) -> None:
        self._progress = MotionProgress(MotionStatus.FAILED, 0.0, feedback)

    def poll(self) -> MotionProgress:
        """Return the failure with its feedback."""
        return self._progress

    def cancel(self) -> None:
        """Do nothing, since the motion has ended."""


class FakeMotion:
    """A running motion.

    Args:
        world: The world that it changes.
        command: The command that it executes.
        now: Its start, in seconds of the clock.
        fault: The fault that makes it fail, if any.
        catch_up: Advances the robot's motions to the present; `poll` calls it.
    """

    def __init__(
        self, world: FakeWorld, command: Command, now: float, fault: InjectedFault | None, catch_up: Callable[[], None]
    ) -> None:
        self.command = command
        self._world = world
        self._primitive = DEEDS[command.primitive]
        self._before = before(world, command)
        self._started = now
        self._seconds = self._primitive.seconds or way_seconds(self._before)
        self._fault = fault
        self._catch_up = catch_up
        self._acted = False
        self._progress = MotionProgress(MotionStatus.RUNNING)

    @property
    def running(self) -> bool:
        """Whether the motion has not ended."""
        return self._progress.stage is MotionStatus.RUNNING

    def poll(self) -> MotionProgress:
        """Return the progress."""
        self._catch_up()
        return self._progress

    def cancel(self) -> None:
        """Stop the motion where it is."""
        self._catch_up()
        if self.running:
            self._fail(self._progress.fraction, Feedback(Code.CANCELLED, str(self.command), "it was stopped"))

    def advance(self, now: float) -> None:
        """Advance the motion to the time `now`."""
        fraction = min(1.0, (now - self._started) / self._seconds)
        if self._fault is not None and fraction >= self._fault.fraction:
            fault, fraction = self._fault, self._fault.fraction
            self._primitive.along(self._world, self.command, self._before, fraction)
            self._fail(fraction, fault.feedback(self.command))
            return
        self._primitive.along(self._world, self.command, self._before, fraction)
        if fraction >= self._primitive.moment and not self._acted:
            # The world may have changed since the start, so the preconditions are checked again before the hand acts.
            refusal = reason_against(self._world, self.command)
            if refusal is not None:
                self._fail(fraction, refusal)
                return
            self._primitive.act(self._world, self.command)
            self._acted = True
        self._progress = MotionProgress(MotionStatus.DONE if fraction >= 1.0 else MotionStatus.RUNNING, fraction)

    def _fail(self, fraction: float, feedback: Feedback) -> None:
        self._progress = MotionProgress(MotionStatus.FAILED, fraction, feedback)
