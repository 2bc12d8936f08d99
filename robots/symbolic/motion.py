"""A motion in a model: it takes its time, and has its whole effect at the end or none."""

from __future__ import annotations

from collections.abc import Callable

from robots.fake.motion import InjectedFault
from semantics.feedback import Code, Feedback
from semantics.protocols import MotionProgress, MotionStatus
from semantics.state import Command, Operator, State

__all__ = ["SymbolicMotion", "lacking"]


def lacking(command: Command, operator: Operator, state: State) -> Feedback | None:
    """Return what an operator lacks in `state`, or None when it can be applied."""
    if operator.applicable(state):
        return None
    missing = operator.missing(state)
    why = f"{', '.join(map(str, missing)) or operator.condition} does not hold"
    culprits = dict.fromkeys(arg for literal in missing for arg in literal.atom.args)
    return Feedback(Code.PRECONDITION, str(command), why, culprits=tuple(culprits))


class SymbolicMotion:
    """A motion under way.

    Args:
        command: What was asked for.
        operator: What it comes to in the model.
        started: Seconds of the clock at its start.
        seconds: How long it takes.
        fault: What makes it fail, if anything; then it has no effect.
        catch_up: Brings all motions of the body to the present.
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
        """Whether it has not ended."""
        return self._progress.stage is MotionStatus.RUNNING

    @property
    def due(self) -> float:
        """When it ends, in seconds of the clock."""
        return self._started + self._seconds * (1.0 if self.fault is None else self.fault.fraction)

    def poll(self) -> MotionProgress:
        """Return how far it is."""
        self._catch_up()
        return self._progress

    def cancel(self) -> None:
        """Stop it; what it would have done is not done."""
        self._catch_up()
        if self.running:
            self.fail(Feedback(Code.CANCELLED, str(self.command), "it was stopped"))

    def advance(self, now: float) -> None:
        """Bring its fraction to the time `now`, while it has not ended."""
        fraction = min(1.0, max(0.0, (now - self._started) / self._seconds))
        self._progress = MotionProgress(MotionStatus.RUNNING, max(self._progress.fraction, fraction))

    def succeed(self) -> None:
        """End it well."""
        self._progress = MotionProgress(MotionStatus.DONE, 1.0)

    def fail(self, feedback: Feedback) -> None:
        """End it where it is."""
        self._progress = MotionProgress(MotionStatus.FAILED, self._progress.fraction, feedback)
