"""Descriptions of things: "red", "wooden", "biggest" and "that are not open", taken apart and judged.

The words come from the vocabulary: values of attributes and their further words, adjectives of numbers, and the
sentences of predicates, as "{0} is open" defines "open". Attributes are known from the files of the world, and from
what a body has told; states are known as far as they are believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from semantics.logic.attribute_goals import known_values
from semantics.logic.state import State
from semantics.logic.vocabulary import AttributeValue, Thing, Vocabulary
from semantics.plain_text import together
from semantics.words.english import THINGS, comparatives, gerunds, superlatives

_STATE = re.compile(r"\{0\} is ([a-z]+(?: [a-z]+)*)\.?")
_WHICH = frozenset({"that", "which"})
_BEING = frozenset({"is", "are", "was", "were"})
_NOT_BEING = frozenset({"isn't", "aren't", "wasn't", "weren't", "isnt", "arent"})
_MADE = frozenset({("made", "of"), ("made", "from"), ("made", "out", "of")})
MOST_TOLD = 4  # how many things of one kind are named in a reason
_LONGEST = 3  # words of the longest word for a value, such as "sky blue"


@dataclass(frozen=True, slots=True)
class Trait:
    """A property that a thing has or has not, with its words."""

    words: str  # the words for it: ``red``, ``open``
    meanings: tuple[tuple[str, str], ...] = ()  # Its values by attribute; one of them is meant. Empty for a state.
    predicates: tuple[str, ...] = ()  # The predicates of one argument that it may stand for. Empty for a value.
    denied: bool = False  # whether the thing must not have it

    @property
    def said(self) -> str:
        """The words, with "not" before them if it is denied."""
        return f"not {self.words}" if self.denied else self.words


@dataclass(frozen=True, slots=True)
class Rank:
    """A superlative: the attribute that is compared, and whether the largest number is meant.

    `vague` is true for the adjective itself: "the big bowl" does not say how big it is. `of_two` is true for a
    comparative: "the bigger bowl" is one of two.
    """

    words: str
    attribute: str
    largest: bool
    vague: bool = False
    of_two: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """A noun with its traits, and with a superlative if there is one."""

    noun: tuple[str, ...]
    traits: tuple[Trait, ...] = ()
    rank: Rank | None = None

    @property
    def said(self) -> str:
        """The noun with its traits: "red cup", "can that is not open"."""
        before = [trait.words for trait in self.traits if not trait.denied]
        after = [trait.said for trait in self.traits if trait.denied]
        return " ".join((*before, *self.noun, *(("that is", " and ".join(after)) if after else ())))


@dataclass(eq=False)
class TraitReader:
    """Reads descriptions with the words of a vocabulary, and judges them by what is known in a state."""

    vocabulary: Vocabulary
    state: State = field(default_factory=State)

    @cached_property
    def _traits(self) -> Mapping[str, Trait]:
        """The traits by their words; words of several attributes mean any of them, and a value goes before a state."""
        meanings: dict[str, list[tuple[str, str]]] = {}
        for attribute in self.vocabulary.attributes.values():
            own = {value.replace("_", " ").replace("-", " "): value for value in attribute.values}
            for word, value in (own | dict(attribute.words)).items():
                meanings.setdefault(word, []).append((attribute.name, value))
        states: dict[str, list[str]] = {}
        for name, predicate in self.vocabulary.predicates.items():
            match = _STATE.fullmatch(predicate.description)
            if match and predicate.goal and len(predicate.parameters) == 1:
                for word in dict.fromkeys((match[1], name.replace("_", " ").replace("-", " "))):
                    states.setdefault(word, []).append(name)
        traits = {word: Trait(word, predicates=tuple(names)) for word, names in states.items()}
        return traits | {word: Trait(word, tuple(pairs)) for word, pairs in meanings.items()}

    @cached_property
    def _ranks(self) -> Mapping[str, Rank]:
        return {
            word: Rank(word, attribute.name, largest, vague=word == adjective, of_two=word in comparatives(adjective))
            for attribute in self.vocabulary.attributes.values()
            for adjectives, largest in ((attribute.more, True), (attribute.less, False))
            for adjective in adjectives
            for word in (adjective, *comparatives(adjective), *superlatives(adjective))
        }

    def knows(self, word: str) -> bool:
        """Return whether a word is part of the words for a trait or a superlative."""
        return word in self.words

    @cached_property
    def words(self) -> frozenset[str]:
        """The single words of traits and superlatives."""
        return frozenset(word for words in (*self._traits, *self._ranks) for word in words.split())

    def read(self, head: tuple[str, ...], is_noun: Callable[[tuple[str, ...]], bool]) -> Description | None:
        """Take a noun phrase without its determiner apart; None if it is no description.

        Args:
            head: Its words.
            is_noun: Whether words are a noun; the longest noun is taken.
        """
        if len(head) > 1 and head[0] in THINGS and (trait := self._traits.get(" ".join(head[1:]))):
            return Description(head[:1], (trait,))  # "something red"
        for at in range(len(head) + 1):
            relative = () if at == len(head) else self._relative(head[at:])
            if relative is None or (at == len(head) and relative):
                continue
            described = self._before(head[:at], is_noun)
            if described is not None and (relative or described.traits or described.rank):
                return Description(described.noun, (*described.traits, *relative), described.rank)
        return None

    def _before(self, words: tuple[str, ...], is_noun: Callable[[tuple[str, ...]], bool]) -> Description | None:
        """Read adjectives and a noun."""
        start, traits, rank = 0, list[Trait](), None
        while start < len(words):
            if is_noun(words[start:]):
                return Description(words[start:], tuple(traits), rank)
            length, adjective = self._adjective(words[start:])
            if adjective is None or (isinstance(adjective, Rank) and rank is not None):
                return None
            if isinstance(adjective, Rank):
                rank = adjective
            else:
                traits.append(adjective)
            start += length
        return None

    def before(self, words: tuple[str, ...]) -> tuple[tuple[Trait, ...], tuple[str, ...]]:
        """Return the traits that words begin with, and the rest of the words."""
        traits = list[Trait]()
        while words:
            length, adjective = self._adjective(words)
            if not isinstance(adjective, Trait):
                break
            traits.append(adjective)
            words = words[length:]
        return tuple(traits), words

    def _adjective(self, words: Sequence[str]) -> tuple[int, Trait | Rank | None]:
        """Return the trait or superlative that `words` begin with, the longest one, and the number of its words."""
        for length in range(min(_LONGEST, len(words)), 0, -1):
            text = " ".join(words[:length])
            adjective = self._ranks.get(text) or self._traits.get(text)
            if adjective is not None:
                return length, adjective
        return 0, None

    def _relative(self, words: tuple[str, ...]) -> tuple[Trait, ...] | None:
        """Read "that are not open", "which is red", "made of wood"; None if it is none of them."""
        rest, denied = words, False
        if words[0] in _WHICH and len(words) > 2 and words[1] in _BEING | _NOT_BEING:
            denied = words[1] in _NOT_BEING
            rest = words[2:]
            if rest[0] == "not" and not denied:
                denied, rest = True, rest[1:]
        elif not self._made(words):
            return None
        trait = self._traits.get(" ".join(rest[self._made(rest) :]))
        return None if trait is None else (Trait(trait.words, trait.meanings, trait.predicates, denied),)

    def _made(self, words: tuple[str, ...]) -> int:
        """Return the length of words such as "made of" at the beginning."""
        return next((length for length in (2, 3) if words[:length] in _MADE), 0)

    def holds(self, trait: Trait, name: str) -> bool:
        """Return whether a thing has a trait, or has it not if the trait is denied.

        What is unknown is not so: a thing without a colour is neither red nor "not red". A state that is not believed
        does not hold.
        """
        if trait.predicates:
            return any((predicate, (name,)) in self.state.atoms for predicate in trait.predicates) != trait.denied
        known = [(attribute, self.values(attribute, name)) for attribute, _ in trait.meanings]
        if not any(values for _, values in known):
            return False
        has = any(value in dict(known)[attribute] for attribute, value in trait.meanings)
        return has != trait.denied

    def values(self, attribute: str, name: str) -> tuple[AttributeValue, ...]:
        """Return the values of a thing; none if they are unknown."""
        return known_values(self.vocabulary.attributes[attribute], name, self.vocabulary.things, self.state)

    def fitting(self, traits: Collection[Trait], names: Collection[str]) -> tuple[str, ...]:
        """Return those of `names` that have all traits."""
        return tuple(name for name in names if all(self.holds(trait, name) for trait in traits))

    def ranked(self, rank: Rank, names: Collection[str]) -> list[list[str]]:
        """Return the things with a number, the one that the superlative means first; equal ones together."""
        numbers = {
            name: value for name in names for value in self.values(rank.attribute, name) if isinstance(value, float)
        }
        order = sorted(set(numbers.values()), reverse=rank.largest)
        return [sorted(name for name, number in numbers.items() if number == value) for value in order]

    def why_not(self, traits: Collection[Trait], names: Collection[str]) -> str:
        """Return why none of `names` has all `traits`, in words: "cup0 is blue, the colour of cup1 is not known"."""
        alike: dict[str, list[str]] = {}
        for name in names:
            missing = next((trait for trait in traits if not self.holds(trait, name)), None)
            if missing is not None:
                alike.setdefault(self._is(missing, name), []).append(name)
        return ", ".join(_told(sentence, having) for sentence, having in alike.items())

    def _is(self, trait: Trait, name: str) -> str:
        """Return what is known of a thing that has not a trait, as a sentence about {0}."""
        if trait.predicates:
            return f"{{0}} {{is}} {trait.words}" if trait.denied else f"{{0}} {{is}} not known to be {trait.words}"
        return " and ".join(dict.fromkeys(self._value(name, attribute) for attribute, _ in trait.meanings))

    def _value(self, name: str, attribute: str) -> str:
        values = self.values(attribute, name)
        if not values:
            return f"the {attribute} of {{0}} is not known"
        return f"{{0}} {{is}} {self.vocabulary.attributes[attribute].said(values)}"

    def numbers(self, rank: Rank, names: Collection[str]) -> Iterator[str]:
        """Yield each thing with its number, such as ``bowl0 (16cm)``."""
        attribute = self.vocabulary.attributes[rank.attribute]
        for name in names:
            if values := self.values(rank.attribute, name):
                yield f"{name} ({attribute.said(values)})"


def _told(sentence: str, names: Sequence[str]) -> str:
    shown = [*names[:MOST_TOLD], *(["others"] if len(names) > MOST_TOLD else [])]
    return sentence.replace("{0}", together(shown)).replace("{is}", "is" if len(shown) == 1 else "are")


_PEOPLE = frozenset({"i", "you", "we", "one", "people", "somebody", "someone", "he", "she", "they"})
_WHICH = frozenset({"that", "which"})
_MOST_OBJECT = 4  # the most words for what something is done to, as in "something to cut the brown bread with"


class SaidUse(NamedTuple):
    """A noun with a use: the noun, the sorts of things that are good for it, and the words for the use."""

    core: tuple[str, ...]
    sorts: tuple[str, ...]
    said: str


_ACTED_ON = frozenset({"it", "them", "that", "this", "these", "those", "the", "my", "our", "up", "off", "down"})


def _verb(use: str) -> str:
    return use.split()[0]


def use_in(head: tuple[str, ...], uses: Mapping[str, tuple[str, ...]]) -> SaidUse | None:
    """Return the use that a noun phrase without its determiner says; None if it says none that is known."""
    for at in range(1, len(head) - 1):
        if head[at] == "to":
            core, verb = head[:at], head[at + 1 :]
        elif head[at] == "for" and (done := next((use for use in uses if head[at + 1] in gerunds(_verb(use))), "")):
            core, verb = head[:at], (_verb(done), *head[at + 2 :])
            is_whole = " ".join((verb[0], *verb[1:][-1:])) in uses
            verb = verb if is_whole else (*verb, "with")
        elif head[at] == "can" and head[at - 1] in _PEOPLE and at > 1:
            core, verb = head[: at - 1], head[at + 1 :]
            core = core[:-1] if core[-1] in _WHICH else core
        else:
            continue
        for behind in (2, 1, 0):
            named = verb[1 : len(verb) - behind]
            key = " ".join((verb[0], *verb[len(verb) - behind :])) if behind < len(verb) else ""
            acts = not behind and bool({*named[:1]} & _ACTED_ON)  # "to clean it up" is done with it, "to eat now" not
            key = f"{verb[0]} with" if acts else key
            if key in uses and core and len(named) <= (_MOST_OBJECT if behind or acts else 0):
                return SaidUse(core, uses[key], key)
    return None


def is_of_sort(thing: Thing, sort: str) -> bool:
    """Return whether a thing has an affordance or a kind, or is of a class."""
    return sort in thing.affordances or sort in thing.kinds or sort == thing.class_name
