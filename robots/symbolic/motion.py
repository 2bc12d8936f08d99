"""A motion of `SymbolicRobot`: it has a duration, and its whole effect at the end or none."""

from __future__ import annotations

from collections.abc import Callable

from robots.fake.motion import InjectedFault
from semantics.feedback import Code, Feedback
from semantics.protocols import MotionProgress, MotionStatus
from semantics.state import Command, Operator, State

__all__ = ["SymbolicMotion", "lacking"]


def lacking(command: Command, operator: Operator, state: State) -> Feedback | None:
    """Return the unsatisfied preconditions of an operator as feedback, or None when it is applicable in `state`."""
    if operator.applicable(state):
        return None
    missing = operator.missing(state)
    why = f"{', '.join(map(str, missing)) or operator.condition} does not hold"
    culprits = dict.fromkeys(arg for literal in missing for arg in literal.atom.args)
    return Feedback(Code.PRECONDITION, str(command), why, culprits=tuple(culprits))


class SymbolicMotion:
    """A running motion.

    Args:
        command: The command that it executes.
        operator: The ground operator of the command.
        started: The start, in seconds of the clock.
        seconds: The duration.
        fault: The fault that makes it fail, without any effect; None if there is none.
        catch_up: Advances all motions of the robot to the present.
    """

    def __init__(
        self,
        command: Command,
        operator: Operator,
        started: float,
        seconds: float,
        fault: InjectedFault | None,
        catch_up: Callable[[], None],
    ) -> None:
        self.command = command
        self.operator = operator
        self.fault = fault
        self._started = started
        self._seconds = max(seconds, 1e-6)
        self._catch_up = catch_up
        self._progress = MotionProgress(MotionStatus.RUNNING)

    @property
    def running(self) -> bool:
        """Whether the motion has not ended."""
        return self._progress.stage is MotionStatus.RUNNING

    @property
    def due(self) -> float:
        """The time of its end, in seconds of the clock."""
        return self._started + self._seconds * (1.0 if self.fault is None else self.fault.fraction)

    def poll(self) -> MotionProgress:
        """Return the progress."""
        self._catch_up()
        return self._progress

    def cancel(self) -> None:
        """Stop the motion without any effect."""
        self._catch_up()
        if self.running:
            self.fail(Feedback(Code.CANCELLED, str(self.command), "it was stopped"))

    def advance(self, now: float) -> None:
        """Advance the progress of the running motion to the time `now`."""
        fraction = min(1.0, max(0.0, (now - self._started) / self._seconds))
        self._progress = MotionProgress(MotionStatus.RUNNING, max(self._progress.fraction, fraction))

    def succeed(self) -> None:
        """End the motion successfully."""
        self._progress = MotionProgress(MotionStatus.DONE, 1.0)

    def fail(self, feedback: Feedback) -> None:
        """End the motion with a failure at its current progress."""
        self._progress = MotionProgress(MotionStatus.FAILED, self._progress.fraction, feedback)
