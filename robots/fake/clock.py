"""A clock that only moves when somebody sleeps: one seed gives one run, as fast as the machine can."""

from __future__ import annotations

from typing import Final

__all__ = ["VirtualClock"]


class VirtualClock:
    """Virtual time in seconds from zero."""

    simulated: Final = True

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Return seconds since the clock started."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass; a negative number passes none."""
        self._now += max(0.0, seconds)
