"""What a planner says when its time or its memory is spent; both have the code `PLANNER_TIMEOUT`."""

from __future__ import annotations

from dataclasses import replace

from semantics.logic.feedback import Code, Feedback

WHY = "no plan within "
MORE_MEMORY = "Give it more memory."
MORE_OF_BOTH = "Give it more time, or more memory."


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
