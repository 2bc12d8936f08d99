"""A body whose time does not wait for anything that is computed, as that of a real one does not.

On a simulated clock a tick waits for a plan, and its length says nothing. Until the line is said, this clock runs fast.
"""

from __future__ import annotations

import time
from typing import Final

from domains.model import Domain, SceneFile
from graftwork.setup.model_body import numeric_model
from robots.fake import FakeRobot

__all__ = ["LiveClock", "live_body"]

FAST: Final = 40.0
"""Seconds of the body's clock in a second of the wall clock, until `LiveClock.slow_down`."""


class LiveClock:
    """The wall clock, run fast at first.

    Attributes:
        asleep: Seconds of the wall clock that were slept so far, which are no part of the length of a tick.
    """

    simulated: Final = False

    def __init__(self) -> None:
        self.asleep = 0.0
        self._rate, self._base, self._began = FAST, 0.0, time.monotonic()

    def now(self) -> float:
        """Return seconds since the clock was made."""
        return self._base + self._rate * (time.monotonic() - self._began)

    def sleep(self, seconds: float) -> None:
        """Sleep."""
        began = time.monotonic()
        time.sleep(max(seconds, 0.0) / self._rate)
        self.asleep += time.monotonic() - began

    def slow_down(self) -> None:
        """Run at the speed of the wall clock from now on."""
        self._base, self._began = self.now(), time.monotonic()
        self._rate = 1.0


def live_body(domain: Domain, scene: SceneFile) -> FakeRobot:
    """Return a body without physics whose clock is not stopped by anything."""
    return FakeRobot(scene.arrangement, clock=LiveClock(), numeric=numeric_model(domain, scene))
