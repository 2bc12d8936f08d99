"""Why the planner that answers was chosen, as words and as data."""

from __future__ import annotations

from typing import Any

from domains.model import Domain
from planning.portfolio import Feature, Features, Portfolio, choose, present

__all__ = ["choice_told"]

FEATURES = {
    "conditional-effects": Feature.CONDITIONAL_EFFECTS,
    "quantified-conditions": Feature.UNIVERSAL_CONDITIONS,
    "disjunctive-conditions": Feature.DISJUNCTIVE_CONDITIONS,
    "derived-predicates": Feature.DERIVED,
    "numeric": Feature.NUMERIC,
    "costs-by-arguments": Feature.COSTS,
}
"""What the portfolio looks for, by what a world calls it."""


def choice_told(planner: str, domain: Domain) -> dict[str, Any] | None:
    """Return whom the portfolio takes for a world and which feature excludes which other; None for another planner.

    Raises:
        UnplannableError: No planner that is installed takes the world.
    """
    if planner != Portfolio.name:
        return None
    traits = frozenset(FEATURES[name] for name in domain.features if name in FEATURES)
    return choose(Features(traits), present=present()).as_dict()
