"""Errors of planning.

    ProcessFailedError                  (semantics)
    └── PlanningFailedError             a planning process failed with a fault of the program
    OutsideError                        (semantics)
    └── PlannerUnavailableError         a planner is not installed, does not start, or died without an answer
    UsageError                          (semantics)
    └── UnplannableError                the domain uses something that cannot be written for a planner

The name of an unknown planner raises `semantics.errors.UnknownNameError`. A problem without a plan is not an error: its
answer is the value `semantics.body.protocols.NoPlan`.
"""

from __future__ import annotations

from semantics.errors import OutsideError, ProcessFailedError, UsageError


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
