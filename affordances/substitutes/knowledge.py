"""What is known of a class when a substitute is looked for: affordances, uses, kinds and size.

The affordances of a world's own classes are those of the world; others come from the household mapping, and of a class
that neither has from its nearest known ones. Uses (``uses.yaml``) are the ends of everyday tasks that 38 affordances
do not tell apart: paper is cut with scissors and bread is not. A list of uses begins with what is made for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import yaml

from affordances.mapping import Evidence, ObjectAffordances, ObjectKind, household
from affordances.mapping.object_affordances import THRESHOLD
from affordances.ontology import AFFORDANCES
from semantics.embedding import Embedder
from semantics.lexicon import plain

if TYPE_CHECKING:
    from affordances.elicitation.estimate import Guess, Guesser

__all__ = ["SIZES", "ClassProfile", "Knowledge", "Purpose", "data_of", "everyday_classes", "sizes", "uses"]

HERE = Path(__file__).parent
SIZES = ("tiny", "small", "hand", "arm", "large", "fixed")
"""How large a thing is, see ``sizes.yaml``."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """An end that things serve: its name, a sentence about a thing that does, and the classes, the likeliest first."""

    name: str
    sentence: str
    classes: tuple[str, ...]

    def typicality(self, class_name: str) -> float:
        """Return how near a class stands to what is made for this, from 0.5 to 1; 0 when it does not serve."""
        if class_name not in self.classes:
            return 0.0
        return 1.0 - 0.5 * self.classes.index(class_name) / len(self.classes)


@dataclass(frozen=True, slots=True)
class ClassProfile:
    """What is known of a class.

    Attributes:
        class_name: As it was named.
        known_as: The class that the data know it as; empty when it is only guessed.
        abilities: Probability of each affordance and use that is likelier than not.
        typical: Of each use, how near it stands to what is made for it, from 0 to 1.
        kinds: The kinds it is of.
        size: Index into `SIZES`; None when nobody knows.
        note: What the reader must know, such as which classes it was guessed from; or empty.
    """

    class_name: str
    known_as: str
    abilities: Mapping[str, float]
    typical: Mapping[str, float] = field(default_factory=dict)
    kinds: frozenset[str] = frozenset()
    size: int | None = None
    note: str = ""

    def can(self, ability: str) -> bool:
        """Return whether it has an affordance or serves a use, more likely than not."""
        return ability in self.abilities

    @property
    def uses(self) -> frozenset[str]:
        """The uses it serves."""
        return frozenset(self.typical)


def data_of(name: str) -> dict[str, Any]:
    """Return the data of one of the files beside this one, without its ending."""
    loaded: dict[str, Any] = yaml.load((HERE / f"{name}.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return loaded


@cache
def uses() -> Mapping[str, Purpose]:
    """Return every use, by name."""
    return {name: Purpose(name, one["sentence"], tuple(one["classes"])) for name, one in data_of("uses").items()}


@cache
def sizes() -> Mapping[str, int]:
    """Return the index into `SIZES` of each class."""
    return {name: SIZES.index(size) for size, names in data_of("sizes").items() for name in names}


@cache
def everyday_classes() -> ObjectAffordances:
    """Return the household mapping with the classes of ``classes.yaml``, each after the one that it is like."""
    known = household()
    words = {plain(word): name for name, kind in known.classes.items() for word in kind.words}
    evidence: list[Evidence] = []
    classes: dict[str, ObjectKind] = {}
    for name, one in data_of("classes").items():
        model = one["like"]
        model = model if model in known else words[plain(model)]
        classes[name] = ObjectKind(known.classes[model].kinds, ())
        afforded = known.affordances_of(model) - {*one.get("lacks", ())} | {*one.get("gains", ())}
        evidence += [Evidence.authored(name, each, each in afforded, f"like {model}") for each in AFFORDANCES]
    return known.with_mapping(ObjectAffordances(evidence, classes))


class Knowledge:
    """Tells what is known of classes; made for free, and what it was asked once it remembers.

    Args:
        own: The affordances of a world's own classes; they count before the household's.
        embed: Compares names by meaning, to guess about unknown classes; None leaves only their words.
        threshold: From which probability on a class counts as having an affordance.
    """

    def __init__(
        self,
        own: ObjectAffordances | None = None,
        *,
        embed: Embedder | None = None,
        threshold: float = THRESHOLD,
    ) -> None:
        self._own = own or ObjectAffordances()
        self._everyday = everyday_classes()
        self._embed = embed
        self._threshold = threshold
        self._profiles: dict[str, ClassProfile] = {}
        self._rarity: Mapping[str, float] | None = None

    @cached_property
    def _guesser(self) -> Guesser:
        from affordances.elicitation.estimate import (
            Guesser,
        )  # loads numpy, which a sentence about known things can do without

        return Guesser(self._everyday, tuple(AFFORDANCES), embed=self._embed)

    def profile(self, class_name: str) -> ClassProfile:
        """Return what is known of a class, or guessed."""
        if class_name not in self._profiles:
            self._profiles[class_name] = self._profile(class_name)
        return self._profiles[class_name]

    def rarity(self, ability: str) -> float:
        """Return how much it says that a class has an affordance or a use, from 0 (all have it) to 1 (one has it)."""
        if self._rarity is None:
            self._rarity = self._rarities()
        return self._rarity.get(ability, 1.0)

    def _rarities(self) -> Mapping[str, float]:
        names = list(self._everyday.classes)
        counts = {each: len(self._everyday.classes_affording(each)) for each in AFFORDANCES}
        counts |= {name: len(use.classes) for name, use in uses().items()}
        most = math.log(len(names) + 1)
        return MappingProxyType({name: math.log((len(names) + 1) / max(1, n)) / most for name, n in counts.items()})

    def _profile(self, class_name: str) -> ClassProfile:
        known = class_name if class_name in self._everyday else self._guesser.known_as(class_name)
        guess = self._guesser.guess(class_name) if known is None else None
        near = (known,) if known else tuple(each.class_name for each in guess.neighbours) if guess else ()
        abilities = self._affordances(class_name, known, guess)
        typical = self._served(known, guess)
        kinds = self._own.classes[class_name].kinds if class_name in self._own else frozenset()
        kinds |= self._everyday.classes[near[0]].kinds if near else frozenset()
        note = "" if known else _guess_note(class_name, near, guess.note if guess else "")
        size = next((sizes()[each] for each in near if each in sizes()), None)
        return ClassProfile(class_name, known or "", {**abilities, **typical}, typical, kinds, size, note)

    def _affordances(self, class_name: str, known: str | None, guess: Guess | None) -> dict[str, float]:
        if self._own.affordances_about(class_name):
            found = {each: self._own.probability(class_name, each) for each in self._own.affordances()}
        elif known is not None:
            found = {each: self._everyday.probability(known, each) for each in AFFORDANCES}
        else:
            found = dict(guess.confidence if guess else {})
        return {name: p for name, p in found.items() if p >= self._threshold}

    def _served(self, known: str | None, guess: Guess | None) -> dict[str, float]:
        """Return the uses of a class, or those that most of the say of its neighbours is for."""
        if known is not None:
            return {name: use.typicality(known) for name, use in uses().items() if known in use.classes}
        neighbours = guess.neighbours if guess else ()
        votes = {
            name: sum(each.share * bool(use.typicality(each.class_name)) for each in neighbours)
            for name, use in uses().items()
        }
        return {name: vote * 0.7 for name, vote in votes.items() if vote >= self._threshold}


def _guess_note(class_name: str, near: Sequence[str], note: str) -> str:
    after = f"after {', '.join(near[:3])}" if near else "after nothing known"
    return f"what a {plain(class_name)} is good for was guessed {after}{f' ({note})' if note else ''}"
