"""Score the substitutes that have everything the task requires.

The weights are our own judgement and not fitted to data. The purpose counts most, then the overall similarity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from affordances.substitutes.everyday import FIXED
from affordances.substitutes.knowledge import ClassProfile, Knowledge
from affordances.substitutes.tasks import Demand

WEIGHTS = {"purpose": 0.50, "abilities": 0.25, "kinds": 0.15, "size": 0.10}
STEEP = 4.0
"""The power of how typical a class is for a use: it lets the uses that it is made for outweigh its occasional ones."""


@dataclass(frozen=True, slots=True)
class ClassSimilarity:
    """How similar a class is to the missing one; each part is from 0 to 1.

    Attributes:
        purpose: How typical the class is for the purpose in the task.
        abilities: Overlap of affordances and uses, weighted by their rarity.
        kinds: Overlap of kinds.
        size: 1 for the same size, 0 for the other end of the scale; 0.5 when unknown.
    """

    purpose: float
    abilities: float
    kinds: float
    size: float

    @property
    def score(self) -> float:
        """The weighted mean of the parts, from 0 to 1."""
        parts: dict[str, float] = {name: getattr(self, name) for name in WEIGHTS}
        return sum(WEIGHTS[name] * value for name, value in parts.items()) / sum(WEIGHTS.values())


def likeness(missing: ClassProfile, other: ClassProfile, demand: Demand, knowledge: Knowledge) -> ClassSimilarity:
    """Compare two classes for a task."""
    abilities = _overlap(missing.abilities, other.abilities, knowledge)
    kinds = len(missing.kinds & other.kinds) / max(len(missing.kinds | other.kinds), 1)
    return ClassSimilarity(_purpose(missing, other, demand, knowledge), abilities, kinds, _size(missing, other))


def _purpose(missing: ClassProfile, other: ClassProfile, demand: Demand, knowledge: Knowledge) -> float:
    """Return how typical a class is for the purposes of the task.

    Each group of ends counts with its best use, weighted by how typical the missing object is for this use. When the
    goal does not state a purpose, all uses of the missing object count, its typical ones most.
    """
    if demand.fallback and not demand.ends:
        return _overlap(missing.abilities, other.abilities, knowledge)
    if demand.fallback:
        weights: dict[str, float] = {
            use: knowledge.rarity(use) * missing.typical.get(use, 1.0) ** STEEP
            for group in demand.ends
            for use in group
        }
        served = sum(weight * other.typical.get(use, 0.0) for use, weight in weights.items())
        return served / (sum(weights.values()) or 1.0)
    groups = [
        max((other.typical.get(use, 0.0) * missing.typical.get(use, 1.0) for use in group), default=0.0)
        for group in demand.ends
    ]
    return sum(groups) / len(groups) if groups else 1.0


def _overlap(abilities: Mapping[str, float], others: Mapping[str, float], knowledge: Knowledge) -> float:
    """Return what two classes share of what either is good for; rare abilities and typical uses weigh more."""
    names = sorted(abilities.keys() | others.keys())
    pairs = [(knowledge.rarity(name), abilities.get(name, 0.0), others.get(name, 0.0)) for name in names]
    either = sum(rarity * max(pair) ** STEEP for rarity, *pair in pairs)
    return sum(rarity * min(pair) ** STEEP for rarity, *pair in pairs) / either if either else 0.0


def _size(missing: ClassProfile, other: ClassProfile) -> float:
    if missing.size is None or other.size is None:
        return 0.5
    return 1.0 - abs(missing.size - other.size) / FIXED
