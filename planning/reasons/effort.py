"""`Effort`: a budget for explanations, counted in work and not by the clock.

So the same goal gets the same reason on a busy machine. The clock is also checked, as a limit far above what the work
takes on any machine that is not stalled.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

ENOUGH = 50_000
"""The budget of one explanation, in visits to an action of a sketch: about 15 µs each, so well below a second."""
LITTLE = 5_000  # the budget when a search waits for the answer: about 80 ms, and usually far less
LONGEST = 10.0  # the largest duration of an explanation, seconds


class SpentError(Exception):
    """The budget is used up. It is always caught within `planning.reasons`."""


@dataclass
class Effort:
    """The rest of a budget."""

    left: int = ENOUGH
    end: float = field(default_factory=lambda: time.monotonic() + LONGEST)

    def spend(self, amount: int) -> None:
        """Subtract `amount`, before the work is done.

        Raises:
            SpentError: Less than `amount` is left.
        """
        self.left -= amount
        if self.left < 0 or time.monotonic() > self.end:
            raise SpentError
