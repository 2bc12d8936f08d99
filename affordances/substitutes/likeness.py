"""How good a substitute is, among those that have all that is asked for.

The weights are of our own judgement, fitted to nothing: what the thing would be used for counts most, then what it is
like as a whole, and the likeness of names least, since the cosines of short nouns are flat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from affordances.substitutes.knowledge import SIZES, ClassProfile, Knowledge
from affordances.substitutes.tasks import Demand

__all__ = ["ClassSimilarity", "likeness"]

WEIGHTS = {"purpose": 0.40, "abilities": 0.30, "kinds": 0.12, "size": 0.10, "meaning": 0.08}


@dataclass(frozen=True, slots=True)
class ClassSimilarity:
    """How near a class is to what is missing, each part from 0 to 1.

    Attributes:
        purpose: How typical it is for what the task needs.
        abilities: Overlap of affordances and uses, the rarer ones weighing more.
        kinds: Overlap of kinds.
        size: 1 for the same size, 0 for the other end of the scale; 0.5 when not known.
        meaning: Cosine of the names, negative ones as 0; None without a sentence model.
    """

    purpose: float
    abilities: float
    kinds: float
    size: float
    meaning: float | None = None

    @property
    def score(self) -> float:
        """The weighted mean of the parts that are known, from 0 to 1."""
        parts: dict[str, float | None] = {name: getattr(self, name) for name in WEIGHTS}
        known = {name: value for name, value in parts.items() if value is not None}
        return sum(WEIGHTS[name] * value for name, value in known.items()) / sum(WEIGHTS[name] for name in known)


def likeness(
    missing: ClassProfile, other: ClassProfile, demand: Demand, knowledge: Knowledge, meaning: float | None = None
) -> ClassSimilarity:
    """Compare two classes for a task."""
    abilities = _overlap(missing.abilities, other.abilities, knowledge)
    kinds = _share(missing.kinds, other.kinds)
    cosine = None if meaning is None else max(0.0, meaning)
    return ClassSimilarity(_purpose(missing, other, demand, knowledge), abilities, kinds, _size(missing, other), cosine)


def _purpose(missing: ClassProfile, other: ClassProfile, demand: Demand, knowledge: Knowledge) -> float:
    """Return how typical a class is for the ends, of each group for what the missing thing is most typical for too.

    When the goal does not say what it is for, all the uses of the missing thing count, the main ones most.
    """
    if demand.fallback and not demand.ends:
        return _overlap(missing.abilities, other.abilities, knowledge)
    if demand.fallback:
        weights: dict[str, float] = {
            use: knowledge.rarity(use) * missing.typical[use] ** 4.0 for group in demand.ends for use in group
        }
        served = sum(weight for use, weight in weights.items() if use in other.typical)
        return served / (sum(weights.values()) or 1.0)
    groups = [
        max((other.typical.get(use, 0.0) * missing.typical.get(use, 1.0) for use in group), default=0.0)
        for group in demand.ends
    ]
    return sum(groups) / len(groups) if groups else 1.0


def _overlap(one: Iterable[str], other: Iterable[str], knowledge: Knowledge) -> float:
    first, second = frozenset(one), frozenset(other)
    either = sum(map(knowledge.rarity, sorted(first | second)))
    return sum(map(knowledge.rarity, sorted(first & second))) / either if either else 0.0


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _size(missing: ClassProfile, other: ClassProfile) -> float:
    if missing.size is None or other.size is None:
        return 0.5
    return 1.0 - abs(missing.size - other.size) / (len(SIZES) - 1)
