"""Costs told in the person's units: in episodes, plans as JSON, and the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bt import Journal
from graftwork.pricing.pricing import Pricing
from planning.costs import Shares

__all__ = ["InUnits", "shares_told"]

DIGITS = 6
COSTS = ("cost", "bound")


class InUnits:
    """A journal that tells another one what plans cost in the person's units.

    Args:
        journal: Who is told.
        pricing: What the units are; None for those of the planner.
    """

    def __init__(self, journal: Journal, pricing: Pricing | None) -> None:
        self._journal = journal
        self._pricing = pricing

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Pass an event on."""
        told = _in_units(fields, self._pricing) if event == "plan" and self._pricing is not None else fields
        self._journal.write(event, told)


def _in_units(fields: Mapping[str, Any], pricing: Pricing) -> dict[str, object]:
    told = dict(fields)
    for name in COSTS:
        if told.get(name) is not None:
            told[name] = pricing.units(told[name])
    return told | {"costs": [pricing.units(cost) for cost in told["costs"]]}


def shares_told(shares: Iterable[Shares]) -> tuple[dict[str, float], ...]:
    """Return the parts of the cost of each step as plain data."""
    return tuple({name: round(share, DIGITS) for name, share in one._asdict().items()} for one in shares)
