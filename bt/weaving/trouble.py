"""What is wrong with what is being done, and for how long; and how often each step was begun to no avail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from py_trees.common import Status

from bt.reactive.bounds import REST_SECONDS, Doubt
from bt.reactive.lacking import opposites
from bt.reactive.step import Step
from semantics.protocols import Beliefs, Clock

__all__ = ["Begun", "Doubts", "Stopping", "undone"]


def undone(step: Step, beliefs: Beliefs) -> str:
    """Return why a running step cannot go on, since what it leaves alone was sensed otherwise; or nothing."""
    found = [literal for literal in sorted(step.kept) if beliefs.sensed(literal, step.act.began) is False]
    return f"{step.operator} cannot go on: {opposites(found)}" if found else ""


class Doubts:
    """One doubt for each step, see `bt.reactive.bounds.Doubt`."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._each: dict[int, Doubt] = {}

    def lasting(self, troubles: Mapping[int, str]) -> dict[int, str]:
        """Take in the troubles there are now, by step; return those that were there for long enough."""
        self._each = {index: doubt for index, doubt in self._each.items() if index in troubles}
        for index in troubles:
            self._each.setdefault(index, Doubt(self._clock, self._seconds))
        return {index: why for index, why in troubles.items() if self._each[index].lasts(True)}


class Stopping:
    """Steps that were stopped and whose motions have still to come to rest; true while there are any."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: dict[Step, float] = {}

    def __bool__(self) -> bool:
        return bool(self._since)

    def stop(self, *steps: Step) -> None:
        """Stop these."""
        for step in steps:
            step.stop(Status.INVALID)
        self.add(*steps)

    def add(self, *steps: Step) -> None:
        """Take in that these were stopped now."""
        self._since |= dict.fromkeys(steps, self._clock.now())

    def restart(self) -> None:
        """Give each its whole time again."""
        self.add(*self._since)

    def overdue(self) -> Step | None:
        """Let go of what has come to rest; return one that should have, if there is one."""
        self._since = {step: since for step, since in self._since.items() if not step.act.at_rest()}
        late = (step for step, since in self._since.items() if self._clock.now() - since > REST_SECONDS)
        return next(late, None)


class Begun:
    """Counts how often each step was begun since there was less left to do than ever before.

    Attributes:
        furthest: The step with whose beginning there was; -1 before the first.
    """

    def __init__(self, most: int) -> None:
        self.furthest = -1
        self._least: float = float("inf")
        self._most = most
        self._counts: Counter[int] = Counter()

    def allows(self, index: int, left: int) -> bool:
        """Take in that a step is to be begun with so many `left`; return whether that is not once too often."""
        if left < self._least:
            self._least, self.furthest = left, index
            self._counts.clear()
        self._counts[index] += 1
        return self._counts[index] <= self._most
