"""The interval of a proportion that was observed."""

from __future__ import annotations

from math import sqrt

Z = 1.959964  # the normal distribution is within so many standard deviations with a probability of 95 %


def wilson_interval(part: int, whole: int) -> tuple[float, float]:
    """Return Wilson's score interval at 95 % of `part` out of `whole`; from 0 to 1 where nothing was observed.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927.
    """
    if not whole:
        return 0.0, 1.0
    rate, spread = part / whole, Z * Z / whole
    middle = (rate + spread / 2) / (1 + spread)
    half = Z * sqrt(rate * (1 - rate) / whole + spread / (4 * whole)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
