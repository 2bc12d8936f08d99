"""Errors of the robots room.

    OutsideError
    └── BodyUnavailableError            the simulator or the arm is not there, or was closed

What a body cannot do is no error: it is a motion that is already failed, with `Feedback`.
"""

from __future__ import annotations

from semantics.errors import OutsideError

__all__ = ["BodyUnavailableError"]


class BodyUnavailableError(OutsideError):
    """The simulator or the arm is not installed, does not answer, or was closed."""
