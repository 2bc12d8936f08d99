"""The profiles of PDDL: what each can express, and the error for what it cannot.

``strips`` is for the simplest planners: conjunctions of literals and equal costs; negation is compiled away.
``adl`` is for planners that take disjunctions, quantifiers, conditional effects and derived predicates, but no costs.
``adl-costs`` is for Fast Downward: disjunctions, quantifiers, conditional effects, derived predicates, costs.
``numeric`` has numbers too. ``durative`` is for temporal planners: actions have durations and no costs.

UsageError                          (semantics) a caller's mistake
└── ProfileError                    a domain or goal that a profile cannot express; lists every refusal
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from domains.capability import Capability, ConditionalEffect, features_of
from domains.model import Domain
from semantics.errors import UsageError, known_name
from semantics.logic.atoms import And, Exists, ForAll, Formula, Not, Or, numbers_in

FEATURES = {
    "conditional-effects": "conditional effects",
    "quantified-effects": "effects of everything of a sort",
    "quantified-conditions": "quantifiers",
    "disjunctive-conditions": "choices",
    "numeric": "numbers that are planned",
    "derived-predicates": "derived predicates",
    "costs-by-arguments": "costs that depend on the arguments",
}


@dataclass(frozen=True, slots=True)
class PddlProfile:
    """A subset of PDDL."""

    name: str  # name of the profile
    takes: frozenset[str]  # the features of `domains.model.Domain.features` that it can express
    denials: bool = True  # whether conditions may have negations and equalities; otherwise those are compiled away
    costs: bool = True  # whether actions may cost differently
    numbers: bool = False  # whether numeric fluents are written
    durations: bool = False  # whether actions are durative


@dataclass(frozen=True, slots=True, order=True)
class RefusedPart:
    """One feature that a profile cannot express."""

    where: str  # the capability, predicate or goal that uses it
    feature: str  # name of the feature, such as ``conditional effects``
    instead: str  # what to do instead

    def __str__(self) -> str:
        return f"{self.where}: {self.feature}; {self.instead}"


class ProfileError(UsageError):
    """A domain or goal that a profile cannot express.

    Attributes:
        profile: Its name.
        refusals: All features that it cannot express.
    """

    def __init__(self, profile: str, refusals: Iterable[RefusedPart]) -> None:
        self.profile = profile
        self.refusals = tuple(dict.fromkeys(refusals))
        lines = [f"the profile {profile} cannot say this:", *map(str, self.refusals)]
        super().__init__("\n".join(lines))


PROFILES = {
    profile.name: profile
    for profile in (
        PddlProfile("strips", frozenset(), denials=False, costs=False),
        PddlProfile("adl", frozenset(FEATURES) - {"numeric", "costs-by-arguments"}, costs=False),
        PddlProfile("adl-costs", frozenset(FEATURES) - {"numeric"}),
        PddlProfile("numeric", frozenset(FEATURES), numbers=True),
        PddlProfile("durative", frozenset(FEATURES) - {"numeric"}, costs=False, durations=True),
    )
}


def profile_named(name: str) -> PddlProfile:
    """Return a profile.

    Raises:
        UnknownNameError: There is no such profile.
    """
    known_name("profile", name, PROFILES)
    return PROFILES[name]


def refused(domain: Domain, profile: PddlProfile, capabilities: Iterable[Capability]) -> Iterator[RefusedPart]:
    """Yield the features of a domain that a profile cannot express."""
    for capability in capabilities:
        for feature in sorted(capability.features - profile.takes):
            yield RefusedPart(
                f"capability {capability.name}", FEATURES.get(feature, feature), _instead(feature, profile)
            )
    for derived in domain.derived.values():
        if "derived-predicates" not in profile.takes:
            yield _refusal(f"predicate {derived.name}", "derived-predicates", profile)
        if "numeric" not in profile.takes and any("numeric" in features_of(body) for body in derived.bodies):
            yield _refusal(f"predicate {derived.name}", "numeric", profile)


def _refusal(where: str, feature: str, profile: PddlProfile) -> RefusedPart:
    return RefusedPart(where, FEATURES[feature], _instead(feature, profile))


def _instead(feature: str, profile: PddlProfile) -> str:
    others = [
        candidate.name for candidate in PROFILES.values() if feature in candidate.takes and candidate is not profile
    ]
    return f"use the profile {' or '.join(others)}" if others else "no profile says it"


def refused_goal(goal: Formula, profile: PddlProfile) -> Iterator[RefusedPart]:
    """Yield the features of a goal that a profile cannot express."""
    for feature in sorted(features_of(goal) - profile.takes):
        yield _refusal("goal", feature, profile)


def unequal_costs(costs: Mapping[str, int]) -> Iterator[RefusedPart]:
    """Yield a refusal when actions do not all cost the same."""
    if len(set(costs.values())) > 1:
        most = max(costs.values())
        listed = ", ".join(name for name, cost in costs.items() if cost == most)
        yield RefusedPart(
            "costs",
            f"from {min(costs.values())} to {most} ({listed})",
            "use the profile adl-costs, or drop them (--drop-costs)",
        )


def planned_only(domain: Domain, capability: Capability) -> Capability:
    """Remove the conditions and effects of a capability on numbers that planning does not use."""
    loose = frozenset(name for name, fluent in domain.fluents.items() if not fluent.planned)
    if not loose:
        return capability
    effects = (_without_loose_numbers(effect, loose) for effect in capability.conditional)
    return replace(
        capability,
        condition=None if capability.condition is None else _without_loose(capability.condition, loose),
        conditional=tuple(effect for effect in effects if effect.literals or effect.numeric),
        numeric=tuple(change for change in capability.numeric if change.fluent.predicate not in loose),
    )


def _without_loose_numbers(effect: ConditionalEffect, loose: frozenset[str]) -> ConditionalEffect:
    numeric = tuple(change for change in effect.numeric if change.fluent.predicate not in loose)
    condition = None if effect.condition is None else _without_loose(effect.condition, loose)
    return replace(effect, numeric=numeric, condition=condition)


def _without_loose(formula: Formula, loose: frozenset[str], positive: bool = True) -> Formula:
    """Return `formula`, or its negation, with every comparison of `loose` numbers replaced by true."""
    if loose.isdisjoint(atom.predicate for atom in numbers_in(formula)):
        return formula if positive else Not(formula)
    match formula:
        case Not(part):
            return _without_loose(part, loose, not positive)
        case And(parts) | Or(parts):
            reduced = tuple(_without_loose(part, loose, positive) for part in parts)
            return And(reduced) if isinstance(formula, And) == positive else Or(reduced)
        case ForAll(variables, part) | Exists(variables, part):
            inner = _without_loose(part, loose, positive)
            every = isinstance(formula, ForAll) == positive
            return ForAll(variables, inner) if every else Exists(variables, inner)
        case _:
            return And(())
