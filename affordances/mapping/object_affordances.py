"""`ObjectAffordances`: the object-affordance mapping, with a probability and its evidence for each pair.

AutoGPT+P (Birr et al. 2024, section III-A) maps a class to the set of its affordances. Here each pair of class and
affordance has a probability and the evidence that it follows from (`affordances.mapping.weights`), so that a plan can
ask for a threshold, and a person can ask why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from affordances.mapping.evidence import Evidence, EvidenceSource, joined
from affordances.mapping.explanation import explained
from affordances.mapping.weights import probability
from domains.model import Domain
from semantics.vocabulary import Thing

__all__ = ["THRESHOLD", "ObjectAffordances", "ObjectKind", "believed_things"]

THRESHOLD = 0.5
"""Probability from which on a class counts as having an affordance, unless somebody says otherwise."""

Voices = Mapping[tuple[EvidenceSource, str, str], Evidence]


class ObjectKind(NamedTuple):
    """What else is known of a class: the kinds it belongs to, and further words for it, singular."""

    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()


class ObjectAffordances:
    """What the things of each class are good for; a value that never changes.

    Args:
        evidence: In any order; pieces of one voice about one pair are joined.
        classes: What else is known of classes; those that only evidence names need not be listed.

    Attributes:
        classes: What else is known of each class, by name, sorted; every class with evidence is there.
    """

    def __init__(self, evidence: Iterable[Evidence] = (), classes: Mapping[str, ObjectKind] | None = None) -> None:
        pairs: dict[tuple[str, str], Voices] = {}
        for piece in evidence:
            pairs[piece.pair] = joined(pairs.get(piece.pair, {}), piece)
        self._pairs = pairs
        named = dict.fromkeys((name for name, _ in pairs), ObjectKind()) | dict(classes or {})
        self.classes: Mapping[str, ObjectKind] = MappingProxyType(dict(sorted(named.items())))
        self._by_class: dict[str, dict[str, Voices]] = {name: {} for name in self.classes}
        for (name, affordance), voices in pairs.items():
            self._by_class[name][affordance] = voices

    @classmethod
    def from_domain(cls, domain: Domain) -> ObjectAffordances:
        """Return what the author of a world decided: what a class does not list, it does not afford.

        Structural types (`domains.conventions.Conventions.structural`) are no affordances and are left out.
        """
        names = [name for name in domain.affordances if name not in domain.conventions.structural]
        evidence = (
            Evidence.authored(name, affordance, affordance in found.affordances, domain.name)
            for name, found in domain.classes.items()
            for affordance in names
        )
        return cls(evidence, {name: ObjectKind(one.kinds, one.words) for name, one in domain.classes.items()})

    def probability(self, class_name: str, affordance: str) -> float:
        """Return how probable it is that things of a class have an affordance; the prior when nothing is known."""
        return probability(self._pairs.get((class_name, affordance), {}).values())

    def evidence(self, class_name: str, affordance: str) -> tuple[Evidence, ...]:
        """Return the reasons, the strongest source first."""
        return tuple(sorted(self._pairs.get((class_name, affordance), {}).values(), key=_order))

    def affords(self, class_name: str, affordance: str, threshold: float = THRESHOLD) -> bool:
        """Return whether the probability is at least `threshold`."""
        return self.probability(class_name, affordance) >= threshold

    def affordances_of(self, class_name: str, threshold: float = THRESHOLD) -> frozenset[str]:
        """Return the affordances of a class whose probability is at least `threshold`; none for an unknown class."""
        found = self._by_class.get(class_name, {})
        return frozenset(name for name, voices in found.items() if probability(voices.values()) >= threshold)

    def classes_affording(self, affordance: str, threshold: float = THRESHOLD) -> tuple[str, ...]:
        """Return the classes that have an affordance, sorted."""
        return tuple(name for name in self.classes if self.affords(name, affordance, threshold))

    def affordances_about(self, class_name: str) -> tuple[str, ...]:
        """Return every affordance that some evidence about a class is about, sorted."""
        return tuple(sorted(self._by_class.get(class_name, {})))

    def affordances(self) -> tuple[str, ...]:
        """Return every affordance that some evidence is about, sorted."""
        return tuple(sorted({affordance for _, affordance in self._pairs}))

    def explain(self, class_name: str, affordance: str, threshold: float = THRESHOLD) -> str:
        """Return in words why an affordance is believed or not, the counts, and what would change it."""
        return explained(class_name, affordance, self.evidence(class_name, affordance), threshold)

    def with_evidence(self, *more: Evidence) -> ObjectAffordances:
        """Return a mapping that takes in more evidence."""
        return ObjectAffordances((*self, *more), self.classes)

    def with_mapping(self, other: ObjectAffordances) -> ObjectAffordances:
        """Return the evidence of both; of a class that both describe, the kinds and words of this one count."""
        return ObjectAffordances((*self, *other), {**other.classes, **self._described()})

    def _described(self) -> dict[str, ObjectKind]:
        return {name: found for name, found in self.classes.items() if found != ObjectKind()}

    def __iter__(self) -> Iterator[Evidence]:
        for voices in self._pairs.values():
            yield from voices.values()

    def __len__(self) -> int:
        return sum(map(len, self._pairs.values()))

    def __contains__(self, class_name: object) -> bool:
        return class_name in self.classes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ObjectAffordances):
            return NotImplemented
        return self._pairs == other._pairs and self.classes == other.classes

    __hash__ = None  # type: ignore[assignment]  # it holds what is as large as a file; nobody wants it as a key


def _order(piece: Evidence) -> tuple[int, str, str]:
    return list(EvidenceSource).index(piece.source), piece.by, piece.how


def believed_things(
    things: Mapping[str, Thing], domain: Domain, evidence: ObjectAffordances, threshold: float = THRESHOLD
) -> dict[str, Thing]:
    """Return the things with the affordances that are probable enough for their class.

    Args:
        things: As a scene file gives them.
        domain: The world; its authors' word is evidence too, and only affordances that it names are given.
        evidence: Further evidence, such as what was learned in execution.
        threshold: The least probability that counts.
    """
    mapping = ObjectAffordances.from_domain(domain).with_mapping(evidence)
    named = domain.affordances.keys() - domain.conventions.structural
    classes = {thing.class_name for thing in things.values()}
    believed = {name: mapping.affordances_of(name, threshold) & named for name in classes}
    return {name: _believed(thing, domain, believed[thing.class_name]) for name, thing in things.items()}


def _believed(thing: Thing, domain: Domain, by_class: frozenset[str]) -> Thing:
    """Join what is believed of the class with what is said of the thing, or follows from how it differs from it."""
    listed = domain.classes[thing.class_name].affordances if thing.class_name in domain.classes else frozenset()
    gains = thing.gains | (thing.affordances - listed)
    lacks = thing.lacks | (listed - thing.affordances)
    structural = thing.affordances & domain.conventions.structural
    return replace(thing, affordances=(by_class | structural | gains) - lacks)
