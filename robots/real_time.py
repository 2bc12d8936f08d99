"""Clocks that follow the wall clock: `WallClock` for hardware, and `PacedClock` for simulations that people watch.

A simulated body is usually much faster than real time. `RealTime` makes any body with a simulated clock wait for the
wall clock after each of its steps. Nothing else changes: what is computed, sensed and recorded is the same, because
the clock of the body stays the simulated one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from semantics.body.interlock import BodyWrapper, interlocked
from semantics.body.observation import Observation
from semantics.body.protocols import Clock, Robot

GRACE_SECONDS: Final = 0.5
"""The greatest delay that is made up for by running faster afterwards; a longer one would look like a jump."""
LEAST_LATE_SECONDS: Final = 1.0  # the least delay in all that is told
SLICE_SECONDS: Final = 0.05  # the step of the simulation between two looks at the wall clock, in a long sleep


class WallClock:
    """The wall clock, in seconds from its creation; for bodies whose time passes by itself."""

    simulated: Final = False

    def __init__(self) -> None:
        self._began = time.monotonic()

    def now(self) -> float:
        """Return seconds since the clock started."""
        return time.monotonic() - self._began

    def sleep(self, seconds: float) -> None:
        """Sleep; a negative number has no effect."""
        time.sleep(max(0.0, seconds))


class PacedClock:
    """A simulated clock that is never ahead of the wall clock.

    Each moment of the simulation has one moment of the wall clock, which is waited for; so errors do not add up. While
    nobody sleeps, such as during planning, the simulation stands still, and goes on from there. A delay of the
    simulation itself is made up for if it is short (`GRACE_SECONDS`); longer ones are counted in `late`.

    Args:
        clock: The simulated clock.
        wall: Returns the time of the wall clock in seconds.
        wait: Lets a number of seconds of the wall clock pass.

    Attributes:
        late: Seconds that the simulation took too long since the last `restart`, beyond what was made up for.
    """

    simulated: Final = True

    def __init__(
        self, clock: Clock, wall: Callable[[], float] = time.monotonic, wait: Callable[[float], object] = time.sleep
    ) -> None:
        self._clock, self._wall, self._wait = clock, wall, wait
        self.restart()

    @property
    def told(self) -> str:
        """A sentence when the simulation was noticeably too slow; else empty."""
        if self.late < LEAST_LATE_SECONDS:
            return ""
        return f"The simulation was slower than real time: {self.late:.1f} s late in all."

    def restart(self) -> None:
        """Begin a new count: the present of both clocks is the same moment."""
        self.late = 0.0
        self._left = self._wall()  # when `sleep` was last left
        self._zero = self._left - self._clock.now()  # the moment of the wall clock at which the simulation began

    def now(self) -> float:
        """Return the seconds of the simulated clock."""
        return self._clock.now()

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass on both clocks; a negative number has no effect."""
        stood = self._wall() - self._left
        if stood > GRACE_SECONDS:
            self._zero += stood
        left = max(0.0, seconds)
        while left > 2.0 * SLICE_SECONDS:
            self._step(SLICE_SECONDS)
            left -= SLICE_SECONDS
        self._step(left)
        self._left = self._wall()

    def _step(self, seconds: float) -> None:
        """Advance the simulation, then wait for the wall clock, or take note that it is too far ahead."""
        self._clock.sleep(seconds)
        early = self._zero + self._clock.now() - self._wall()
        if early > 0.0:
            self._wait(early)
        elif early < -GRACE_SECONDS:
            self.late -= early
            self._zero -= early


class RealTime(BodyWrapper):
    """A simulated body at the speed of the wall clock; implements `Robot` and the body's abilities.

    Args:
        robot: The body; its clock is simulated.

    Attributes:
        clock: The body's clock, paced.
        body: The body.
    """

    def __init__(self, robot: Robot) -> None:
        body = self.body = interlocked(robot)
        super().__init__(body)
        self.clock = PacedClock(body.clock)
        self.start, self.stop, self.close = body.start, body.stop, body.close

    def observation(self) -> Observation:
        """Return the latest observation of the body."""
        return self.body.observation()
