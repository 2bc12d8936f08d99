"""`Spending`: what a rung of the repair ladder may spend, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["RUNGS", "Ladder", "Spending"]

RUNGS = ("again", "rule", "replan", "explore", "substitute", "part", "consult", "ask")
"""The rungs, the cheapest first."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a rung may spend on one instruction; None where its own default counts.

    Attributes:
        tries: How many failures it answers; planning anew, how many since the run last got further.
        same: How often it answers the same failure.
        seconds: How long it answers, from the first failure it was asked about, on the body's clock.
        money: What its answers may cost together.
        most: How many failures it answers in all, however far the run gets.
    """

    tries: int | None = None
    same: int | None = None
    seconds: float | None = None
    money: float | None = None
    most: int | None = None


Ladder = Mapping[str, Spending | None]
"""By rung; None leaves it out, and a rung that is not named spends what it does by default."""
