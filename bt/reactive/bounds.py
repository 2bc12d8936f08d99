"""Bounds on trouble: how long it has to last before it counts, and how often work is begun again."""

from __future__ import annotations

from collections import Counter

from semantics.protocols import Beliefs, Clock

__all__ = ["REST_SECONDS", "Attempts", "Doubt", "lag_of", "may_err"]

REST_SECONDS = 5.0
"""How long a cancelled motion may take to come to rest, in seconds of the body's clock."""


def lag_of(beliefs: Beliefs) -> float | None:
    """Return after how many seconds at most what a body says is so has been so; None when its sensing may err.

    A body without cameras (a fake, one that lives in a model) declares that by `exact_within`, in seconds of its clock;
    beliefs that it feeds pass it on. What it says need not last for a while before it counts. Any other body can be
    wrong for a picture or two, since an arm may be in front of the camera.
    """
    declared = getattr(beliefs, "exact_within", None)
    return float(declared) if isinstance(declared, int | float) else None


def may_err(beliefs: Beliefs) -> bool:
    """Return whether a sensing can be wrong for a moment."""
    return lag_of(beliefs) is None


class Doubt:
    """Tells what stays so for a while from what only shows for a moment."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._since: float | None = None

    def lasts(self, doubtful: bool) -> bool:
        """Take in whether there is doubt now; return whether there has been for long enough."""
        if not doubtful:
            self._since = None
            return False
        if self._since is None:
            self._since = self._clock.now()
        return self._clock.now() - self._since >= self._seconds - 1e-9


class Attempts:
    """Counts how often each step was begun since the plan last got further than ever before.

    Attributes:
        furthest: Index of the latest step that was ever begun; -1 before the first.
    """

    def __init__(self, most: int) -> None:
        self.furthest = -1
        self._most = most
        self._begun: Counter[int] = Counter()

    def allows(self, index: int) -> bool:
        """Take in that a step is to be begun; return whether that is not once too often."""
        if index > self.furthest:
            self.furthest = index
            self._begun.clear()
        self._begun[index] += 1
        return self._begun[index] <= self._most
