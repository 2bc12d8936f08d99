"""Errors of the package `robots`.

    OutsideError
    └── BodyUnavailableError            the simulator or the arm is not available, or was closed
    UsageError
    └── BodyTakenError                  somebody else drives the body

A command that a robot cannot do raises no error: it returns a motion that has already failed, with `Feedback`.
"""

from __future__ import annotations

from semantics.errors import OutsideError, UsageError

__all__ = ["BodyTakenError", "BodyUnavailableError", "SensorError"]


class BodyUnavailableError(OutsideError):
    """The simulator or the arm is not installed, does not answer, or was closed."""


class SensorError(OutsideError):
    """A sensor of the user raised an exception, or returned no truth values.

    Attributes:
        predicate: The predicate that it decides.
    """

    def __init__(self, predicate: str, why: str) -> None:
        super().__init__(f"the sensor of '{predicate}' failed: {why}")
        self.predicate = predicate


class BodyTakenError(UsageError):
    """Somebody else drives the body.

    Attributes:
        owner: Who drives it, in words.
    """

    def __init__(self, name: str, owner: str) -> None:
        super().__init__(f"the body {name} is driven by {owner}; finish or cancel that first")
        self.owner = owner
