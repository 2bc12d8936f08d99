"""The table of planners and searches, and how one is chosen for a problem.

The table follows the documentation of Fast Downward's heuristics. The landmark cut supports neither axioms nor
conditional effects. h^max supports conditional effects, and is a lower bound only without axioms. The blind heuristic
is always a lower bound. The translator makes axioms from derived predicates, goals with alternatives and universal
conditions. It reads neither numbers that change nor durations.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from planning.errors import UnplannableError
from planning.planners.fast_downward import GREEDY, OPTIMAL
from planning.portfolio.feature import Feature, Features

HMAX, BLIND = "astar(hmax())", "astar(blind())"
FAST_DOWNWARD, KAIROS = "fast-downward", "kairos"

AXIOMS = frozenset({Feature.DERIVED, Feature.DISJUNCTIVE_GOAL, Feature.UNIVERSAL_CONDITIONS})
NOT_READ = frozenset({Feature.NUMERIC, Feature.DURATIVE, Feature.UNREADABLE})


@dataclass(frozen=True, slots=True)
class PortfolioEntry:
    """A row of the table."""

    planner: str  # the name of the planner
    search: str  # how it searches, in its own words
    title: str  # the name of that search
    proves: bool  # whether its plans are cheapest
    refuses: frozenset[Feature]  # features of problems that it does not support, or for which it is not sound


TABLE: tuple[PortfolioEntry, ...] = (
    PortfolioEntry(FAST_DOWNWARD, OPTIMAL, "A* with LM-cut", True, NOT_READ | AXIOMS | {Feature.CONDITIONAL_EFFECTS}),
    PortfolioEntry(FAST_DOWNWARD, HMAX, "A* with h^max", True, NOT_READ | AXIOMS),
    PortfolioEntry(FAST_DOWNWARD, BLIND, "A* without a heuristic", True, NOT_READ),
    PortfolioEntry(KAIROS, "first", "Kairos, its first plan", False, frozenset({Feature.UNREADABLE})),
    PortfolioEntry(FAST_DOWNWARD, GREEDY, "greedy search with FF", False, NOT_READ),
)
"""The planners, best first, both among those that prove and among the quick ones."""


@dataclass(frozen=True, slots=True)
class Excluded:
    """An entry that was not chosen."""

    entry: PortfolioEntry  # the entry
    feature: Feature | None
    """The feature that excluded it; None if another entry is better or the planner is not installed."""
    why: str  # the reason, one sentence


@dataclass(frozen=True, slots=True)
class PlannerChoice:
    """The chosen entry of the table, and why."""

    planner: str  # the name of the planner
    search: str  # how it searches
    why: str  # the reason, one sentence
    proves: bool  # whether the plan will be a cheapest one
    excluded: tuple[Excluded, ...] = ()  # every other entry with the reason

    @property
    def sentence(self) -> str:
        """The choice with its reason, and the reason against each other entry."""
        return " ".join((self.why, *(other.why for other in self.excluded)))

    def __str__(self) -> str:
        return self.sentence

    def as_dict(self) -> dict[str, object]:
        """Return the choice as plain data for JSON."""
        return {
            "planner": self.planner,
            "search": self.search,
            "why": self.why,
            "proves": self.proves,
            "excluded": [
                {
                    "planner": other.entry.planner,
                    "search": other.entry.title,
                    "feature": str(other.feature) if other.feature else None,
                    "why": other.why,
                }
                for other in self.excluded
            ],
        }


def choose(
    features: Features,
    *,
    proof: bool = True,
    present: Collection[str] = (FAST_DOWNWARD,),
    table: Sequence[PortfolioEntry] = TABLE,
) -> PlannerChoice:
    """Choose a planner for a problem with `features`.

    Args:
        features: The features of the problem.
        proof: Whether a cheapest plan is wanted, rather than the first one. If no planner can prove, a first plan is
            the best possible result, and the choice says so.
        present: The planners that are installed.
        table: The entries to choose from, best first.

    Raises:
        UnplannableError: No planner that is present supports the problem.
    """
    ranked = sorted(table, key=lambda entry: entry.proves != proof)
    reasons = [_excludes(entry, features, present) for entry in ranked]
    taken = next((entry for entry, reason in zip(ranked, reasons, strict=True) if reason is None), None)
    if taken is None:
        explanation = " ".join(reason.why for reason in reasons if reason is not None)
        raise UnplannableError("the problem", f"no planner takes it. {explanation}")
    excluded = tuple(_passed(pair, taken, proof) for pair in zip(ranked, reasons, strict=True) if pair[0] is not taken)
    return PlannerChoice(taken.planner, taken.search, _why(taken, features, proof), taken.proves, excluded)


def _excludes(entry: PortfolioEntry, features: Features, present: Collection[str]) -> Excluded | None:
    if entry.planner not in present:
        extra = " (extra: kairos)" if entry.planner == KAIROS else ""
        return Excluded(entry, None, f"Not {entry.title}: {entry.planner} is not installed{extra}.")
    trait = next((feature for feature in Feature if feature in features.present & entry.refuses), None)
    if trait is None:
        return None
    sound = trait in NOT_READ or (entry.search == OPTIMAL and trait is Feature.CONDITIONAL_EFFECTS)
    verdict = "it does not take" if sound or entry.search == OPTIMAL else "it is no lower bound with"
    return Excluded(entry, trait, f"Not {entry.title}: {verdict} {trait}.")


def _passed(pair: tuple[PortfolioEntry, Excluded | None], taken: PortfolioEntry, proof: bool) -> Excluded:
    entry, reason = pair
    if reason is not None:
        return reason
    wanted = "a proof" if proof else "a first plan"
    why = f"it gives no {wanted[2:]}" if entry.proves != proof else f"{taken.title} is the better one for {wanted}"
    return Excluded(entry, None, f"Not {entry.title}: {why}.")


def _why(taken: PortfolioEntry, features: Features, proof: bool) -> str:
    traits = ", ".join(sorted(features.present)) or "no special trait"
    purpose = "to prove the plan cheapest" if taken.proves else "for a plan at once"
    lacking = "; nothing that is installed proves such a plan cheapest" if proof and not taken.proves else ""
    return f"{taken.title} {purpose}: the problem has {traits}{lacking}."
