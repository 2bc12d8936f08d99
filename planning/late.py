"""What a planner says when its time is over."""

from __future__ import annotations

from semantics.feedback import Code, Feedback

__all__ = ["is_out_of_time", "out_of_time"]

WHY = "no plan within "


def out_of_time(seconds: float) -> Feedback:
    """Return the failure of a planner that has found no plan in `seconds`."""
    limit = f"{seconds:.1f}" if seconds >= 1 else f"{seconds:.2g}"
    return Feedback(Code.PLANNER_TIMEOUT, "planning", f"{WHY}{limit} s", "Give it more time.")


def is_out_of_time(failure: Feedback) -> bool:
    """Return whether a failure says so; memory that is spent has the same code."""
    return failure.code is Code.PLANNER_TIMEOUT and failure.why.startswith(WHY)
