"""Errors of the package `robots`.

    OutsideError
    └── BodyUnavailableError            the simulator or the arm is not available, or was closed
    UsageError
    ├── BodyTakenError                  somebody else drives the body
    └── JointLimitError                 a command to a joint is beyond what it may do; nothing was sent

A command that a robot cannot do raises no error: it returns a motion that has already failed, with `Feedback`.
"""

from __future__ import annotations

from semantics.errors import OutsideError, UsageError


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


class JointLimitError(UsageError):
    """A command to a joint is beyond what the joint may do; nothing was sent.

    Attributes:
        joint: The name of the joint.
        quantity: What is limited, with its unit.
        value: The value that was asked for.
        low: The least value that is allowed.
        high: The largest value that is allowed.
    """

    def __init__(self, joint: str, quantity: str, value: float, low: float, high: float) -> None:
        super().__init__(f"{joint}: the {quantity} {value:.4g} is not within {low:.4g} and {high:.4g}")
        self.joint = joint
        self.quantity = quantity
        self.value = value
        self.low = low
        self.high = high

    @property
    def nearest(self) -> float:
        """The nearest value that is allowed."""
        return self.low if not self.value > self.low else self.high
