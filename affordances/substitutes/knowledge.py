"""Knowledge about classes for the search for substitutes: affordances, uses, kinds and size.

The affordances of a class come from the world if the world has the class, else from the everyday class of its name,
else from that of the last words of its name. Uses (``uses.yaml``) are the purposes of everyday tasks that affordances
do not distinguish: scissors cut paper, but not bread. The classes of a use begin with those that are made for it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from affordances.mapping import ObjectAffordances
from affordances.mapping.object_affordances import THRESHOLD
from affordances.ontology import AFFORDANCES
from affordances.substitutes.everyday import (
    EverydayClass,
    data_of,
    everyday_classes,
    everyday_kinds,
    head_class,
    known_class,
)
from semantics.words.english import gerunds, past_forms, singulars
from semantics.words.lexicon import plain

GUESSED = 0.55  # how much it counts what a guessed class is good for
STEM = 4  # the fewest letters of a word that also speaks for longer words that begin with it


@dataclass(frozen=True, slots=True)
class Purpose:
    """A use."""

    name: str  # its name
    sentence: str  # a sentence about an object that serves it
    words: frozenset[str]  # the words of a request that speak of it
    classes: Mapping[str, float]  # how typical each class that serves it is, from 1 down to 0.5


@dataclass(frozen=True, slots=True)
class ClassProfile:
    """The knowledge about a class."""

    class_name: str  # the name as given
    known_as: str  # the name of the class in the data; empty when the profile is a guess
    abilities: Mapping[str, float]  # the probability of each affordance and use that is more likely than not
    typical: Mapping[str, float] = field(default_factory=dict)  # how typical the class is for each use, from 0 to 1
    kinds: frozenset[str] = frozenset()  # the kinds that the class belongs to
    size: int | None = None  # the step of size, from 0 for what closes in a fist to `everyday.FIXED`; None when unknown
    note: str = ""  # a remark for the reader, such as the class that the guess is taken from; or empty

    def can(self, ability: str) -> bool:
        """Return whether the class probably has an affordance or serves a use."""
        return ability in self.abilities

    @property
    def uses(self) -> frozenset[str]:
        """The uses that the class serves."""
        return frozenset(self.typical)


@cache
def uses() -> Mapping[str, Purpose]:
    """Return all uses, by name."""
    return {
        name: Purpose(name, entry["sentence"], frozenset(entry["words"].split()), _typicality(entry["classes"].split()))
        for name, entry in data_of("uses").items()
    }


def _typicality(names: list[str]) -> Mapping[str, float]:
    typical: dict[str, float] = {}
    for index, name in enumerate(names):
        for class_name in _members(name):
            typical.setdefault(class_name, 1.0 - 0.5 * index / len(names))
    return typical


def _members(name: str) -> Iterable[str]:
    """Return the classes that a name in a list of classes stands for: itself, or all of a kind."""
    if name in everyday_classes() or name not in everyday_kinds():
        return (name,)
    return (class_name for class_name, known in everyday_classes().items() if name in known.kinds)


@cache
def _uses_of_words() -> Mapping[str, tuple[str, ...]]:
    named: dict[str, tuple[str, ...]] = {}
    for name, use in uses().items():
        for word in sorted(use.words):
            named[word] = (*named.get(word, ()), name)
    return named


@cache
def _forms(word: str) -> frozenset[str]:
    return frozenset((word, *gerunds(word), *past_forms(word)))


def spoken_uses(text: str, without: str = "") -> Mapping[str, float]:
    """Return the uses that a text speaks of, each with its weight; a word that speaks of few uses weighs more.

    Args:
        text: The text.
        without: Words that say nothing, such as the name of what is missing.
    """
    words = set(re.findall("[a-z]+", plain(text))) - set(plain(without).split())
    said = {form for word in words for form in (word, *singulars(word))}
    weights: dict[str, float] = {}
    for word, named in _uses_of_words().items():
        if said & _forms(word) or (len(word) >= STEM and any(form.startswith(word) for form in said)):
            for use in named:
                weights[use] = weights.get(use, 0.0) + 1.0 / math.sqrt(len(named))
    return weights


def sentence_of(ability: str) -> str:
    """Return what is true of an object that has an affordance or serves a use."""
    return uses()[ability].sentence if ability in uses() else AFFORDANCES.get(ability, ability)


class Knowledge:
    """Returns the profiles of classes. Making it costs little, and it caches each profile.

    Args:
        own: The affordances of a world's own classes; they take precedence over the everyday classes.
    """

    def __init__(self, own: ObjectAffordances | None = None) -> None:
        self._own = own or ObjectAffordances()
        self._profiles: dict[str, ClassProfile] = {}

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
        counts = Counter(ability for known in everyday_classes().values() for ability in known.affordances)
        counts.update({name: len(use.classes) for name, use in uses().items()})
        most = math.log(len(everyday_classes()) + 1)
        return {name: 1.0 - math.log(max(1, n)) / most for name, n in counts.items()}

    def _profile(self, class_name: str) -> ClassProfile:
        known_as = known_class(class_name)
        source = known_as or head_class(class_name)
        everyday = everyday_classes()[source] if source else EverydayClass()
        sure = 1.0 if known_as else GUESSED
        typical = {name: sure * use.classes[source] for name, use in uses().items() if source and source in use.classes}
        if self._own.affordances_about(class_name):
            probable = {name: self._own.probability(class_name, name) for name in self._own.affordances()}
            affordances = {name: p for name, p in probable.items() if p >= THRESHOLD}
        else:
            affordances = dict.fromkeys(sorted(everyday.affordances), sure)
        own_kinds = self._own.classes[class_name].kinds if class_name in self._own else frozenset()
        guess = f"what a {plain(class_name)} is good for was guessed after {source or 'nothing known'}"
        return ClassProfile(
            class_name,
            known_as or "",
            affordances | typical,
            typical,
            own_kinds | everyday.kinds,
            everyday.size,
            "" if known_as else guess,
        )
