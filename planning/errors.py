"""Errors of planning.

    ProcessFailedError                  (semantics)
    └── PlanningFailedError             a planning process failed with a fault of the program
    OutsideError                        (semantics)
    └── PlannerUnavailableError         a planner is not installed, does not start, or died without an answer
    UsageError                          (semantics)
    └── UnplannableError                the domain uses something that cannot be written for a planner

The name of an unknown planner raises `semantics.errors.UnknownNameError`. A problem without a plan is not an error: its
answer is the value `semantics.body.protocols.NoPlan`. What that says when the time or the memory of a planner is spent
stands here too; both have the code `PLANNER_TIMEOUT`.
"""

from __future__ import annotations

from dataclasses import replace

from semantics.errors import OutsideError, ProcessFailedError, UsageError
from semantics.logic.feedback import Code, Feedback

WHY = "no plan within "
MORE_MEMORY = "Give it more memory."
MORE_OF_BOTH = "Give it more time, or more memory."


class PlannerUnavailableError(OutsideError):
    """A planner is not installed, does not start, or died without an answer.

    Attributes:
        planner: Its name.
        reason: What was seen, half a sentence.
    """

    def __init__(self, planner: str, reason: str) -> None:
        self.planner = planner
        self.reason = reason
        super().__init__(f"the planner '{planner}' is not available: {reason}")


class UnplannableError(UsageError):
    """The domain, or the state, contains something that cannot be written for a planner.

    Attributes:
        culprit: The name concerned.
        reason: What is wrong with it, half a sentence.
    """

    def __init__(self, culprit: str, reason: str) -> None:
        self.culprit = culprit
        self.reason = reason
        super().__init__(f"'{culprit}' cannot be planned with: {reason}")


class PlanningFailedError(ProcessFailedError):
    """Planning failed in its process with an unexpected error."""

    doing = "planning"


def out_of_time(seconds: float) -> Feedback:
    """Return the failure of a planner that has found no plan in `seconds`."""
    limit = f"{seconds:.1f}" if seconds >= 1 else f"{seconds:.2g}"
    return Feedback(Code.PLANNER_TIMEOUT, "planning", f"{WHY}{limit} s", "Give it more time.")


def is_out_of_time(failure: Feedback) -> bool:
    """Return whether a failure says that the time is over."""
    return failure.code is Code.PLANNER_TIMEOUT and failure.why.startswith(WHY)


def out_of_memory(why: str) -> Feedback:
    """Return the failure of a planner whose memory is spent."""
    return Feedback(Code.PLANNER_TIMEOUT, "planning", why, MORE_MEMORY)


def is_out_of_memory(failure: Feedback) -> bool:
    """Return whether a failure says that the memory is spent."""
    return failure.code is Code.PLANNER_TIMEOUT and failure.how == MORE_MEMORY


def with_memory(failure: Feedback, spent: Feedback) -> Feedback:
    """Return the failure of a planner whose time is over, with that of another one whose memory is spent."""
    return replace(failure, why=f"{failure.why}; {spent.why}", how=MORE_OF_BOTH)
