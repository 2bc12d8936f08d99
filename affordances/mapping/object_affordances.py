"""`ObjectAffordances`: the object-affordance mapping, with a probability and its evidence for each pair.

AutoGPT+P (Birr et al. 2024, section III-A) maps a class to the set of its affordances. Here each pair of class and
affordance has evidence and the probability that follows from it (`affordances.mapping.evidence`), so that a plan can
require a threshold, and a person can ask for the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, floor
from types import MappingProxyType
from typing import NamedTuple

from affordances.mapping.evidence import Evidence, EvidenceSource, counts, joined, probability
from affordances.ontology import AFFORDANCES
from domains.model import Domain
from semantics.logic.vocabulary import Thing

THRESHOLD = 0.5  # the default threshold: a class has an affordance if the probability is at least this

Voices = Mapping[tuple[EvidenceSource, str, str], Evidence]


class ObjectKind(NamedTuple):
    """Further knowledge about a class: the kinds it belongs to, and other words for it, in the singular."""

    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()


class ObjectAffordances:
    """The affordances of each class; an immutable value.

    Args:
        evidence: The evidence in any order; pieces of the same voice about the same pair are joined.
        classes: Kinds and words of classes; classes that occur only in the evidence need not be listed.

    Attributes:
        classes: Kinds and words of each class, by name, sorted; all classes with evidence are included.
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
        """Return the mapping of a world's author: a class does not afford what it does not list.

        Structural types (`domains.conventions.Conventions.structural`) are no affordances and are left out.
        """
        names = [name for name in domain.affordances if name not in domain.conventions.structural]
        evidence = (
            Evidence.authored(name, affordance, affordance in model.affordances, domain.name)
            for name, model in domain.classes.items()
            for affordance in names
        )
        return cls(evidence, {name: ObjectKind(model.kinds, model.words) for name, model in domain.classes.items()})

    def probability(self, class_name: str, affordance: str) -> float:
        """Return the probability that objects of a class have an affordance; without evidence, the prior."""
        return probability(self._pairs.get((class_name, affordance), {}).values())

    def evidence(self, class_name: str, affordance: str) -> tuple[Evidence, ...]:
        """Return the evidence about a pair, the strongest source first."""
        return tuple(sorted(self._pairs.get((class_name, affordance), {}).values(), key=_order))

    def affords(self, class_name: str, affordance: str, threshold: float = THRESHOLD) -> bool:
        """Return whether the probability is at least `threshold`."""
        return self.probability(class_name, affordance) >= threshold

    def affordances_of(self, class_name: str, threshold: float = THRESHOLD) -> frozenset[str]:
        """Return the affordances of a class whose probability is at least `threshold`; none for an unknown class."""
        by_affordance = self._by_class.get(class_name, {})
        return frozenset(name for name, voices in by_affordance.items() if probability(voices.values()) >= threshold)

    def affordances_about(self, class_name: str) -> tuple[str, ...]:
        """Return all affordances for which there is evidence about a class, sorted."""
        return tuple(sorted(self._by_class.get(class_name, {})))

    def affordances(self) -> tuple[str, ...]:
        """Return all affordances for which there is evidence, sorted."""
        return tuple(sorted({affordance for _, affordance in self._pairs}))

    def explain(self, class_name: str, affordance: str, threshold: float = THRESHOLD) -> str:
        """Return in words why an affordance is believed or not, with the counts, and what would change the belief."""
        return explained(class_name, affordance, self.evidence(class_name, affordance), threshold)

    def with_evidence(self, *more: Evidence) -> ObjectAffordances:
        """Return the mapping with more evidence."""
        return ObjectAffordances((*self, *more), self.classes)

    def with_mapping(self, other: ObjectAffordances) -> ObjectAffordances:
        """Return the evidence of both mappings; where both describe a class, keep the kinds and words of this one."""
        described = {name: kind for name, kind in self.classes.items() if kind != ObjectKind()}
        return ObjectAffordances((*self, *other), {**other.classes, **described})

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

    __hash__ = None  # type: ignore[assignment]  # hashing a value as large as a file would be slow, and no caller needs it as a key


def _order(piece: Evidence) -> tuple[int, str, str]:
    return list(EvidenceSource).index(piece.source), piece.by, piece.how


def believed_things(
    things: Mapping[str, Thing], domain: Domain, evidence: ObjectAffordances, threshold: float = THRESHOLD
) -> dict[str, Thing]:
    """Return the objects with the affordances that are probable enough for their class.

    Facts about a single object override its class. An object keeps the affordances that a scene adds to those of its
    class, and evidence about the class never restores those that the scene takes away (a broken cup).

    Args:
        things: The objects as a scene file gives them.
        domain: The world. The statements of its author are evidence too, and only its affordances are assigned.
        evidence: Further evidence, such as what was learned in execution.
        threshold: The least probability that counts.
    """
    mapping = ObjectAffordances.from_domain(domain).with_mapping(evidence)
    named = domain.affordances.keys() - domain.conventions.structural
    classes = {thing.class_name for thing in things.values()}
    believed = {name: mapping.affordances_of(name, threshold) & named for name in classes}
    return {name: _believed(thing, domain, believed[thing.class_name]) for name, thing in things.items()}


def _believed(thing: Thing, domain: Domain, by_class: frozenset[str]) -> Thing:
    """Join the beliefs about the class with what the scene says, or implies, about the single object."""
    listed = domain.classes[thing.class_name].affordances if thing.class_name in domain.classes else frozenset()
    gains = thing.gains | (thing.affordances - listed)
    lacks = thing.lacks | (listed - thing.affordances)
    structural = thing.affordances & domain.conventions.structural
    return replace(thing, affordances=(by_class | structural | gains) - lacks)


UNCHANGING = "nothing would change it"


def explained(class_name: str, affordance: str, evidence: Sequence[Evidence], threshold: float) -> str:
    """Return the belief, all reasons for it, the counts, and what would change it, as text."""
    yes, no = counts(evidence)
    believed = yes / (yes + no) >= threshold
    meaning = f" ({AFFORDANCES[affordance]})" if affordance in AFFORDANCES else ""
    head = (
        f"{class_name} {'affords' if believed else 'does not afford'} {affordance}{meaning}: p = {yes / (yes + no):.2f}"
    )
    reasons = "; ".join(map(in_words, evidence)) or "nothing is known of the pair, this is how common it is at all"
    return f"{head}. {reasons}. Counts {yes:g} for, {no:g} against; {_change(yes, no, threshold)}."


def in_words(piece: Evidence) -> str:
    """Return one piece of evidence as a clause."""
    day = f" on {piece.at:%Y-%m-%d}" if piece.at else ""
    answer = "yes" if piece.share >= 0.5 else "no"
    times = "once" if piece.times == 1 else f"{piece.times} times"
    match piece.source:
        case EvidenceSource.AUTHORED:
            return f"'{piece.by}' says {answer}"
        case EvidenceSource.ASKED:
            return f"{piece.by} said {answer}{day}, asked by {piece.how}"
        case EvidenceSource.GUESSED:
            return f"guessed{day} from {piece.by} with confidence {piece.share:.2f}"
        case EvidenceSource.WORKED | EvidenceSource.FAILED:
            return f"{piece.source} {times} with {piece.by}, last{day or ' at a time nobody noted'}"


def _change(yes: float, no: float, threshold: float) -> str:
    """Return, in words, how many sensed outcomes would reverse the belief."""
    if yes / (yes + no) >= threshold and not threshold:
        return UNCHANGING
    if yes / (yes + no) >= threshold:
        failures = floor(yes / threshold - yes - no + 1e-9) + 1
        return f"{_times(failures, 'failure')} without a success would end the belief"
    # no finite number of successes reaches a threshold of 1
    successes = ceil((threshold * (yes + no) - yes) / (1.0 - threshold) - 1e-9) if threshold < 1.0 else 0
    return f"{_times(successes, 'success')} without a failure would bring it about" if successes else UNCHANGING


def _times(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith('s') else 's'}"
