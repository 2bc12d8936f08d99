"""Words for the place of a thing: "the cup on the table", "everything that is in the drawer".

The predicates of the domain define the words for places: a predicate with the sentence "{0} is on {1}" defines "on".
The believed state says which objects are at the place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from graftwork.language.offline.patterns import relation_words
from semantics.logic.atoms import Atom
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.english import TABLES, listed
from semantics.words.positions import side_end

_SAID = re.compile(r"\{0\} is ([a-z ]+) \{1\}")
_LIKE = {"inside": "in", "inside of": "in", "within": "in", "upon": "on"}
_SOURCES = ("from", "off", "off of", "out of", "from inside")
_WHICH = frozenset({"that", "which"})
_WHAT = (("what",), ("whatever",))
_BEING = frozenset({"is", "are", "was", "were", "lie", "stand", "sit"})
_LYING = frozenset({"lying", "standing", "sitting", "placed", "kept", "stored", "currently", "now", "still"})
_CARRYING = tuple(tuple(words.split()) for words in listed(TABLES["carrying"]))
_THERE = frozenset({("on", "it"), ("on", "them"), ("in", "it"), ("in", "them"), ("inside",), ("inside", "it")})
_OF, INSIDE = re.compile(r"\{0\} (?:contains|is .*of) \{1\}"), "{0} is in {1}"
"""The sentences of facts about what a substance is in."""
MOST_WORDS = 6  # the most words for a place, as of "to the near left corner of"
MOST_TOLD = 6


@dataclass(frozen=True, slots=True)
class PlaceDescription:
    """A noun phrase with a place, taken apart."""

    core: tuple[str, ...]  # the words for the objects
    relations: frozenset[str]  # the predicates that may hold between an object and the place
    where: tuple[str, ...]  # the words for the place
    denied: bool = False  # whether the objects are those that are not at the place


@dataclass(eq=False)
class PlaceReader:
    """Reads places and looks up the objects there; its tables are built on first use, as most sentences need none."""

    vocabulary: Vocabulary
    state: State

    @cached_property
    def _described(self) -> Mapping[str, frozenset[str]]:
        """The predicates for the words of their descriptions, such as "on"."""
        names_by_words: dict[str, set[str]] = {}
        for name, predicate in self.vocabulary.predicates.items():
            match = _SAID.fullmatch(predicate.description.rstrip("."))
            if match and predicate.goal and len(predicate.parameters) == 2:
                names_by_words.setdefault(match[1], set()).add(name)
        return {words: frozenset(names) for words, names in names_by_words.items()}

    @cached_property
    def _relations(self) -> Mapping[tuple[str, ...], frozenset[str]]:
        """The predicates for all words that stand for them."""
        relations = dict(self._described)
        relations |= {words: relations[like] for words, like in _LIKE.items() if like in relations}
        # What is in a corner of a table is on it, so the relations of places say nothing more of where a thing is from.
        predicates = self.vocabulary.predicates
        relations |= {words: frozenset({name}) for words, name in relation_words(self.vocabulary).items()}
        every = frozenset(name for names in relations.values() for name in names if not predicates[name].on_demand)
        relations |= dict.fromkeys(_SOURCES, every) if every else {}
        return {tuple(words.split()): names for words, names in relations.items()}

    @cached_property
    def _held(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """The objects in each relation to each place."""
        held: dict[str, dict[str, set[str]]] = {name: {} for name in self.vocabulary.predicates}
        for name, args in self.state.atoms:
            if len(args) == 2 and name in held:
                held[name].setdefault(args[1], set()).add(args[0])
        return {name: {spot: frozenset(things) for spot, things in places.items()} for name, places in held.items()}

    def read(self, words: tuple[str, ...]) -> PlaceDescription | None:
        """Split a noun phrase at the first words for a place; None if there are none."""
        beside = 0
        for at in range(1, len(words)):
            if words[at - 1].endswith(("'s", "s'")):  # "the table's apple" is the one on it
                owner = words[at - 1].removesuffix("'s").removesuffix("'")
                relations = frozenset(self.relations)
                return PlaceDescription(("the", *words[at:]), relations, (*words[: at - 1], owner))
            start, denied = _behind_being(words, at)
            beside = max(beside, side_end(words, start))
            if start < beside:
                continue  # "the second can from the left on the table"
            for length in range(min(MOST_WORDS, len(words) - start - 1), 0, -1):
                if (named := self._relations.get(words[start : start + length])) is not None:
                    return _with_side(words[:at], named, words[start + length :], denied)
        return None

    def carrying(
        self, words: tuple[str, ...], *, is_plain: bool
    ) -> tuple[tuple[str, ...], frozenset[str], tuple[str, ...]] | None:
        """Split "the table with the oranges on it" into the thing, the relations to it, and what is there.

        What `is_plain` does not say "on it": "the bowl with the oranges", "the box of eggs".
        """
        for at in range(1, len(words) - 1):
            behind = next((at + len(text) for text in _CARRYING if words[at : at + len(text)] == text), at)
            if behind > at and behind < len(words):
                for end in (len(words) - 2, len(words) - 1):
                    if words[end:] in _THERE and (named := self._relations.get(words[end : end + 1])) and end > behind:
                        return words[:at], named, words[behind:end]
                return (words[:at], frozenset(self.relations), words[behind:]) if is_plain else None
        return None

    def under(self, relations: Collection[str], names: Collection[str]) -> frozenset[str]:
        """Return the places of objects under some relations."""
        held = (self._held[relation] for relation in relations)
        return frozenset(spot for places in held for spot, things in places.items() if things & set(names))

    def going_with(self, name: str) -> tuple[str, ...]:
        """Return what a substance is in, such as a bottle of it, sorted."""
        said = {each: predicate.description for each, predicate in self.vocabulary.predicates.items()}
        pairs = [(*atom.args, said.get(atom.predicate, "")) for atom in self.state.atoms if len(atom.args) == 2]
        held = {vessel for vessel, what, text in pairs if what == name and _OF.fullmatch(text)}
        return tuple(sorted(held | {vessel for what, vessel, text in pairs if what == name and text == INSIDE}))

    def fitting(self, relations: frozenset[str], places: Collection[str], affordance: str | None) -> frozenset[str]:
        """Return the relations that fit the places and the affordance; all relations if none fits."""
        predicates, things = self.vocabulary.predicates, self.vocabulary.things
        afforded = {kind for name in places for kind in things[name].affordances} | {"object"}
        fit = frozenset(
            relation
            for relation in relations
            if predicates[relation].parameters[1] in afforded
            and affordance in (None, "object", predicates[relation].parameters[0])
        )
        return fit or relations

    def there(self, relations: Collection[str], places: Collection[str], *, mixed: bool = False) -> frozenset[str]:
        """Return the objects at any of `places`, directly or through other objects in the same relation.

        Args:
            relations: The relations to the place.
            places: Names of places.
            mixed: Whether the chain may mix relations, so that an apple in a bowl on a table is on the table.
        """
        # What stands next to a thing that is next to the plate need not be next to the plate.
        predicates = self.vocabulary.predicates
        reached = self._directly([name for name in relations if predicates[name].on_demand], places)
        containing = [name for name in relations if not predicates[name].on_demand]
        if mixed:
            reached |= self._chained(containing, self.relations, places)
        else:
            reached |= set[str]().union(*(self._chained([name], [name], places) for name in containing))
        return frozenset(reached) - frozenset(places)

    @property
    def relations(self) -> tuple[str, ...]:
        """The predicates of being on or in something."""
        predicates = self.vocabulary.predicates
        return tuple(
            {name: None for names in self._relations.values() for name in names if not predicates[name].on_demand}
        )

    def _chained(self, first: Collection[str], chain: Collection[str], places: Collection[str]) -> set[str]:
        reached: set[str] = set()
        fresh = self._directly(first, places)
        while fresh:
            reached |= fresh
            fresh = self._directly(chain, fresh) - reached
        return reached

    def _directly(self, relations: Collection[str], places: Collection[str]) -> set[str]:
        rows = (self._held[relation].get(spot, frozenset()) for relation in relations for spot in places)
        return set().union(*rows)

    def fact_of(self, name: str) -> Atom | None:
        """Return what a thing is on or in; None if that is not known."""
        known = (atom for atom in sorted(self.state.atoms) if atom.predicate in self.relations and atom.args[0] == name)
        return next(known, None)

    def place_of(self, relation: str) -> dict[str, str]:
        """Return the place of each object under a relation."""
        return {name: spot for spot, names in sorted(self._held[relation].items()) for name in names}

    def said(self, relations: Collection[str]) -> str:
        """Return the words for relations: "on", or "on or in"."""
        plain = self._described
        words = [text for text, names in plain.items() if len(names) == 1 and names <= set(relations)]
        told = {name for text in words for name in plain[text]}
        rest = set(relations) - told  # several predicates may have one word, such as "in"
        return " or ".join((*words, *(text for text, names in plain.items() if len(names) > 1 and names & rest)))

    def whereabouts(self, names: Collection[str]) -> tuple[str, ...]:
        """Return one sentence about the believed place of each object."""
        facts = sorted(
            (thing, relation, spot)
            for relation in self.relations
            for spot, things in self._held[relation].items()
            for thing in things & set(names)
        )
        sentences = (self.vocabulary.predicates[relation].description.format(a, b) for a, relation, b in facts)
        return tuple(sentences)[:MOST_TOLD]


def _with_side(
    core: tuple[str, ...], relations: frozenset[str], where: tuple[str, ...], denied: bool
) -> PlaceDescription:
    """Return a place description; "the second can on the table from the left" is "the second can from the left"."""
    side = next((at for at in range(1, len(where)) if side_end(where, at) == len(where)), len(where))
    return PlaceDescription((*core, *where[side:]), relations, where[:side], denied)


def _behind_being(words: tuple[str, ...], at: int) -> tuple[int, bool]:
    """Return the index behind words such as "that is not lying" at `at`, or `at`; and whether the words deny."""
    start, denied = at, False
    # Without "that", "the cup is on the table" describes no cup; "what is on the table" describes all that is there.
    which = words[start] in _WHICH or words[:at] in _WHAT
    being = start + (words[start] in _WHICH)
    if which and being < len(words) and words[being] in _BEING:
        start = being + 1
        if start < len(words) and words[start] == "not":
            denied, start = True, start + 1
    while start < len(words) and words[start] in _LYING:
        start += 1
    return start, denied
