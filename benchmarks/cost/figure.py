"""A figure of the suite, and its bound."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Figure"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that has to be small.

    Attributes:
        name: What was measured.
        value: The figure.
        bound: The largest value that will do.
        unit: What it counts, such as "bare starts" or "modules".
    """

    name: str
    value: float
    bound: float
    unit: str

    @property
    def holds(self) -> bool:
        """Whether the figure keeps its bound."""
        return self.value <= self.bound
