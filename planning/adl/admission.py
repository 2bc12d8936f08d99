"""Decides which search can prove plans of a domain cheapest, and which feature excludes the other searches.

The answer is for the domain, before a problem is known. Some features can always be compiled away: disjunctions,
quantifiers, costs that depend on arguments, and derived predicates that are not recursive. They exclude no search. A
feature that may remain excludes each search that does not support it or is not sound with it. A problem whose ground
task has fewer features gets a better search: the worker chooses by the features of the ground task
(`planning.planners.fast_downward.PROOFS`).
"""

from __future__ import annotations

from dataclasses import dataclass

from domains.model import Domain
from planning.planners.fast_downward import BLIND, HMAX, OPTIMAL, PROOFS
from semantics.logic.atoms import literals

TITLES = {OPTIMAL: "A* with LM-cut", HMAX: "A* with h^max", BLIND: "A* without a heuristic"}
REMAINS = {"conditional-effects": "conditional-effects", "derived-predicates": "axioms"}
"""The feature of the ground task that a feature of the domain may leave."""
WHY = {
    (OPTIMAL, "conditional-effects"): "it takes no conditional effects",
    (OPTIMAL, "derived-predicates"): "it takes no axioms, which derived predicates that follow from themselves make",
    (HMAX, "derived-predicates"): "it is no lower bound with axioms, which such derived predicates make",
}


@dataclass(frozen=True, slots=True)
class Admission:
    """The optimal search that a domain admits."""

    search: str  # the search as Fast Downward writes it; empty when no search proves plans cheapest
    title: str  # the name of that search
    excluded: tuple[tuple[str, str], ...]  # for each better search, its title and the feature that excludes it
    sentence: str  # all of this in words

    def __str__(self) -> str:
        return self.sentence


def admits(domain: Domain) -> Admission:
    """Return the best optimal search for all problems of `domain`, and the feature that excludes each better search.

    The order is LM-cut, h^max, blind search. No search suits a domain with numbers that planning has to mind.
    """
    if domain.planned_numbers:
        titled = tuple((title, "numeric") for title in TITLES.values())
        why = "None proves a plan cheapest: numbers that planning has to mind (numeric) are taken by none of them."
        return Admission("", "none", titled, why)
    remaining = _remaining(domain)
    excluded = []
    for search, takes in PROOFS.items():
        against = next((feature for feature in remaining if REMAINS[feature] not in takes), None)
        if against is None:
            break
        excluded.append((search, against))
    titled = tuple((TITLES[search], feature) for search, feature in excluded)
    return Admission(search, TITLES[search], titled, _sentence(search, excluded, domain))


def _remaining(domain: Domain) -> list[str]:
    """Return the features that may remain after everything that can always be compiled away is compiled away."""
    features = ["conditional-effects"] if "conditional-effects" in domain.features else []
    return [*features, "derived-predicates"] if _recursive(domain) else features


def _recursive(domain: Domain) -> bool:
    """Return whether some derived predicate depends on itself."""
    uses = {
        name: {literal.atom.predicate for body in derived.bodies for literal in literals(body)} & domain.derived.keys()
        for name, derived in domain.derived.items()
    }
    while leaves := [name for name, used in uses.items() if not used & uses.keys()]:
        for name in leaves:
            del uses[name]
    return bool(uses)


def _sentence(search: str, excluded: list[tuple[str, str]], domain: Domain) -> str:
    first = f"{TITLES[search]} proves plans cheapest"
    if not excluded:
        features = ", ".join(sorted(domain.features))
        return f"{first}{f'; {features} can all be written out' if features else ''}."
    reasons = "; ".join(f"not {TITLES[search]}: {WHY[search, feature]} ({feature})" for search, feature in excluded)
    return f"{first}; {reasons}. A problem that leaves none of this open is proved by {TITLES[OPTIMAL]} all the same."
