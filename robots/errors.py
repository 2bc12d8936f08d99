"""Errors of the package `robots`.

    OutsideError
    └── BodyUnavailableError            the simulator or the arm is not available, or was closed
    UsageError
    └── BodyTakenError                  somebody else drives the body

A command that a robot cannot do raises no error: it returns a motion that has already failed, with `Feedback`.
"""

from __future__ import annotations

from semantics.errors import OutsideError, UsageError

__all__ = ["BodyTakenError", "BodyUnavailableError"]


class BodyUnavailableError(OutsideError):
    """The simulator or the arm is not installed, does not answer, or was closed."""


class BodyTakenError(UsageError):
    """Somebody else drives the body.

    Attributes:
        owner: Who drives it, in words.
    """

    def __init__(self, name: str, owner: str) -> None:
        super().__init__(f"the body {name} is driven by {owner}; finish or cancel that first")
        self.owner = owner
