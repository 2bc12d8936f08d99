"""Knowledge about classes for the search for substitutes: affordances, uses, kinds and size.

The affordances of a class come from the world if the world has the class, else from the household mapping, else from
the nearest known classes. Uses (``uses.yaml``) are the purposes of everyday tasks that 38 affordances do not
distinguish: scissors cut paper, but not bread. The classes of a use begin with those that are made for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from affordances.mapping import Evidence, ObjectAffordances, ObjectKind, household
from affordances.mapping.object_affordances import THRESHOLD
from affordances.ontology import AFFORDANCES
from semantics.words.embedding import Embedder
from semantics.words.lexicon import plain

if TYPE_CHECKING:
    from affordances.elicitation.estimate import Guess, Guesser

__all__ = ["SIZES", "ClassProfile", "Knowledge", "data_of", "everyday_classes", "sentence_of", "sizes", "uses"]

HERE = Path(__file__).parent
SIZES = ("tiny", "small", "hand", "arm", "large", "fixed")
"""The sizes of objects, from the smallest to the largest; see ``sizes.yaml``."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """A use: its name, a sentence about an object that serves it, and the classes that do, the most typical first."""

    name: str
    sentence: str
    classes: tuple[str, ...]

    def typicality(self, class_name: str) -> float:
        """Return how typical a class is for this use, from 0.5 to 1; 0 when the class does not serve it."""
        if class_name not in self.classes:
            return 0.0
        return 1.0 - 0.5 * self.classes.index(class_name) / len(self.classes)


@dataclass(frozen=True, slots=True)
class ClassProfile:
    """The knowledge about a class.

    Attributes:
        class_name: The name as given.
        known_as: The name of the class in the data; empty when the profile is a guess.
        abilities: The probability of each affordance and use that is more likely than not.
        typical: How typical the class is for each use, from 0 to 1.
        kinds: The kinds that the class belongs to.
        size: Index into `SIZES`; None when unknown.
        note: A remark for the reader, such as the classes that the guess is taken from; or empty.
    """

    class_name: str
    known_as: str
    abilities: Mapping[str, float]
    typical: Mapping[str, float] = field(default_factory=dict)
    kinds: frozenset[str] = frozenset()
    size: int | None = None
    note: str = ""

    def can(self, ability: str) -> bool:
        """Return whether the class probably has an affordance or serves a use."""
        return ability in self.abilities

    @property
    def uses(self) -> frozenset[str]:
        """The uses that the class serves."""
        return frozenset(self.typical)


def data_of(name: str) -> dict[str, Any]:
    """Return the content of a YAML file in this folder, by its name without the ending."""
    loaded: dict[str, Any] = yaml.load((HERE / f"{name}.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return loaded


@cache
def uses() -> Mapping[str, Purpose]:
    """Return all uses, by name."""
    return {name: Purpose(name, entry["sentence"], tuple(entry["classes"])) for name, entry in data_of("uses").items()}


def sentence_of(ability: str) -> str:
    """Return what is true of an object that has an affordance or serves a use."""
    return uses()[ability].sentence if ability in uses() else AFFORDANCES.get(ability, ability)


@cache
def sizes() -> Mapping[str, int]:
    """Return the index into `SIZES` of each class."""
    return {name: SIZES.index(size) for size, names in data_of("sizes").items() for name in names}


@cache
def everyday_classes() -> ObjectAffordances:
    """Return the household mapping plus the classes of ``classes.yaml``, each derived from a similar class."""
    mapping = household()
    words = {plain(word): name for name, kind in mapping.classes.items() for word in kind.words}
    evidence: list[Evidence] = []
    classes: dict[str, ObjectKind] = {}
    for name, entry in data_of("classes").items():
        model = entry["like"]
        model = model if model in mapping else words[plain(model)]
        classes[name] = ObjectKind(mapping.classes[model].kinds, ())
        afforded = mapping.affordances_of(model) - {*entry.get("lacks", ())} | {*entry.get("gains", ())}
        evidence += [
            Evidence.authored(name, affordance, affordance in afforded, f"like {model}") for affordance in AFFORDANCES
        ]
    return mapping.with_mapping(ObjectAffordances(evidence, classes))


class Knowledge:
    """Returns the profiles of classes. Making it costs little, and it caches each profile.

    Args:
        own: The affordances of a world's own classes; they take precedence over the household mapping.
        embed: Compares names by meaning, to guess about unknown classes; without it, only the words of names count.
    """

    def __init__(self, own: ObjectAffordances | None = None, *, embed: Embedder | None = None) -> None:
        self._own = own or ObjectAffordances()
        self._everyday = everyday_classes()
        self._embed = embed
        self._profiles: dict[str, ClassProfile] = {}

    @cached_property
    def _guesser(self) -> Guesser:
        from affordances.elicitation.estimate import Guesser  # loads numpy, which known classes do not need

        return Guesser(self._everyday, tuple(AFFORDANCES), embed=self._embed)

    def profile(self, class_name: str) -> ClassProfile:
        """Return the profile of a class, from the data or guessed."""
        if class_name not in self._profiles:
            self._profiles[class_name] = self._profile(class_name)
        return self._profiles[class_name]

    def rarity(self, ability: str) -> float:
        """Return how informative an affordance or a use is, from 0 (all classes have it) to 1 (one class has it)."""
        return self._rarities.get(ability, 1.0)

    @cached_property
    def _rarities(self) -> Mapping[str, float]:
        names = list(self._everyday.classes)
        counts = {affordance: len(self._everyday.classes_affording(affordance)) for affordance in AFFORDANCES}
        counts |= {name: len(use.classes) for name, use in uses().items()}
        most = math.log(len(names) + 1)
        return {name: math.log((len(names) + 1) / max(1, n)) / most for name, n in counts.items()}

    def _profile(self, class_name: str) -> ClassProfile:
        known_as = class_name if class_name in self._everyday else self._guesser.known_as(class_name)
        guess = self._guesser.guess(class_name) if known_as is None else None
        sources = (
            (known_as,) if known_as else tuple(neighbour.class_name for neighbour in guess.neighbours) if guess else ()
        )
        abilities = self._affordances(class_name, known_as, guess)
        typical = self._served(known_as, guess)
        kinds = self._own.classes[class_name].kinds if class_name in self._own else frozenset()
        kinds |= self._everyday.classes[sources[0]].kinds if sources else frozenset()
        note = "" if known_as else _guess_note(class_name, sources, guess.note if guess else "")
        size = next((sizes()[source] for source in sources if source in sizes()), None)
        return ClassProfile(class_name, known_as or "", {**abilities, **typical}, typical, kinds, size, note)

    def _affordances(self, class_name: str, known_as: str | None, guess: Guess | None) -> dict[str, float]:
        if self._own.affordances_about(class_name):
            probabilities = {
                affordance: self._own.probability(class_name, affordance) for affordance in self._own.affordances()
            }
        elif known_as is not None:
            probabilities = {affordance: self._everyday.probability(known_as, affordance) for affordance in AFFORDANCES}
        else:
            probabilities = dict(guess.confidence if guess else {})
        return {name: p for name, p in probabilities.items() if p >= THRESHOLD}

    def _served(self, known_as: str | None, guess: Guess | None) -> dict[str, float]:
        """Return the uses of a class with their typicality; for an unknown class, those its neighbours vote for."""
        if known_as is not None:
            return {name: use.typicality(known_as) for name, use in uses().items() if known_as in use.classes}
        neighbours = guess.neighbours if guess else ()
        votes = {
            name: sum(neighbour.share * bool(use.typicality(neighbour.class_name)) for neighbour in neighbours)
            for name, use in uses().items()
        }
        return {name: vote * 0.7 for name, vote in votes.items() if vote >= THRESHOLD}


def _guess_note(class_name: str, sources: Sequence[str], note: str) -> str:
    after = f"after {', '.join(sources[:3])}" if sources else "after nothing known"
    return f"what a {plain(class_name)} is good for was guessed {after}{f' ({note})' if note else ''}"
