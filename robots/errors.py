"""Errors of the package `robots`.

    OutsideError
    └── BodyUnavailableError            the simulator or the arm is not available, or was closed

A command that a robot cannot do raises no error: it returns a motion that has already failed, with `Feedback`.
"""

from __future__ import annotations

from semantics.errors import OutsideError

__all__ = ["BodyUnavailableError"]


class BodyUnavailableError(OutsideError):
    """The simulator or the arm is not installed, does not answer, or was closed."""
