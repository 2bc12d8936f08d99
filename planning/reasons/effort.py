"""`Effort`: how much is tried before a reason is given up, counted in work and not by the clock.

So the same goal gets the same reason on a busy machine. The clock is minded too, as a limit far beyond what the work
takes anywhere but on a machine that stands still.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

__all__ = ["ENOUGH", "LITTLE", "Effort", "SpentError"]

ENOUGH = 50_000
"""How often an action of a picture is looked at for one explanation: some 15 µs each, so well below a second."""
LITTLE = 2_500
"""The same where a search waits for the answer: some 40 ms, and mostly far less."""
LONGEST = 10.0
"""What an explanation takes at most, seconds."""


class SpentError(Exception):
    """No effort is left; never leaves this room."""


@dataclass
class Effort:
    """What is left of it."""

    left: int = ENOUGH
    end: float = field(default_factory=lambda: time.monotonic() + LONGEST)

    def spend(self, amount: int) -> None:
        """Take `amount` off, before the work is done.

        Raises:
            SpentError: That much is not left.
        """
        self.left -= amount
        if self.left < 0 or time.monotonic() > self.end:
            raise SpentError
