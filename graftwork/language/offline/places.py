"""Where things are, as part of a name: "the cup on the table", "everything that is in the drawer".

Which words tell a place is read off the predicates of the domain: one that is said as "{0} is on {1}" makes "on" such a
word. What is there is looked up in what is believed now.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from semantics.state import State
from semantics.vocabulary import Vocabulary

__all__ = ["Places", "Spot"]

_SAID = re.compile(r"\{0\} is ([a-z ]+) \{1\}")
_LIKE = {"inside": "in", "inside of": "in", "within": "in", "upon": "on"}
_SOURCES = ("from", "off", "off of", "out of", "from inside")
_WHICH = frozenset({"that", "which"})
_BEING = frozenset({"is", "are", "was", "were", "lies", "lie", "stands", "stand", "sits", "sit", "that's"})
_LYING = frozenset({"lying", "standing", "sitting", "placed", "kept", "stored", "currently", "now", "still"})
MOST_TOLD = 6


@dataclass(frozen=True, slots=True)
class Spot:
    """What words say of where things are.

    Attributes:
        core: The words for the things.
        relations: The predicates that may hold between a thing and the place.
        where: The words for the place.
    """

    core: tuple[str, ...]
    relations: frozenset[str]
    where: tuple[str, ...]


@dataclass(slots=True)
class Places:
    """Reads places and looks up what is there."""

    vocabulary: Vocabulary
    state: State
    _relations: Mapping[tuple[str, ...], frozenset[str]] = field(init=False)
    _held: Mapping[str, Mapping[str, frozenset[str]]] = field(init=False)
    _read: dict[tuple[str, ...], Spot | None] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        found: dict[str, set[str]] = {}
        for name, predicate in self.vocabulary.predicates.items():
            match = _SAID.fullmatch(predicate.description.rstrip("."))
            if match and predicate.goal and len(predicate.parameters) == 2:
                found.setdefault(match[1], set()).add(name)
        said = {words: frozenset(names) for words, names in found.items()}
        said |= {words: said[like] for words, like in _LIKE.items() if like in said}
        every = frozenset(name for names in said.values() for name in names)
        said |= dict.fromkeys(_SOURCES, every) if every else {}
        self._relations = {tuple(words.split()): names for words, names in said.items()}
        held: dict[str, dict[str, set[str]]] = {name: {} for name in self.vocabulary.predicates}
        for name, args in self.state.atoms:
            if len(args) == 2 and name in held:
                held[name].setdefault(args[1], set()).add(args[0])
        self._held = {name: {spot: frozenset(there) for spot, there in places.items()} for name, places in held.items()}

    def read(self, words: tuple[str, ...]) -> Spot | None:
        """Take a noun phrase apart at the first words that tell a place."""
        if words not in self._read:
            self._read[words] = self._taken_apart(words)
        return self._read[words]

    def _taken_apart(self, words: tuple[str, ...]) -> Spot | None:
        for at in range(1, len(words) - 1):
            start = _behind_being(words, at)
            for length in range(min(4, len(words) - start - 1), 0, -1):
                relations = self._relations.get(words[start : start + length])
                if relations is not None:
                    return Spot(words[:at], relations, words[start + length :])
        return None

    def fitting(self, relations: frozenset[str], places: Collection[str], affordance: str | None) -> frozenset[str]:
        """Return those of several relations in which things of use can stand to the places, if any."""
        predicates, things = self.vocabulary.predicates, self.vocabulary.things
        afforded = {each for name in places for each in things[name].affordances} | {"object"}
        fit = frozenset(
            relation
            for relation in relations
            if predicates[relation].parameters[1] in afforded
            and affordance in (None, "object", predicates[relation].parameters[0])
        )
        return fit or relations

    def there(self, relations: Collection[str], places: Collection[str], *, mixed: bool = False) -> frozenset[str]:
        """Return what is at any of `places`: directly or by way of things in the same relation.

        Args:
            relations: The relations to the place.
            places: Names of places.
            mixed: By way of any of the relations, so that an apple in a bowl on a table is on the table.
        """
        chains = (self._place_relations,) if mixed else tuple((relation,) for relation in relations)
        found: set[str] = set()
        for chain in chains:
            found |= self._chained([name for name in relations if mixed or name in chain], chain, places)
        return frozenset(found) - frozenset(places)

    @property
    def _place_relations(self) -> tuple[str, ...]:
        return tuple({name: None for names in self._relations.values() for name in names})

    def _chained(self, first: Collection[str], chain: Collection[str], places: Collection[str]) -> set[str]:
        found: set[str] = set()
        fresh = self._directly(first, places)
        while fresh:
            found |= fresh
            fresh = self._directly(chain, fresh) - found
        return found

    def _directly(self, relations: Collection[str], places: Collection[str]) -> set[str]:
        rows = (self._held[relation].get(spot, frozenset()) for relation in relations for spot in places)
        return set().union(*rows)

    def place_of(self, relation: str) -> dict[str, str]:
        """Return the place of each thing that stands in a relation to one."""
        return {name: spot for spot, names in sorted(self._held[relation].items()) for name in names}

    def said(self, relations: Collection[str]) -> str:
        """Say relations: "on", or "on or in"."""
        words = [
            " ".join(words)
            for words, names in self._relations.items()
            if len(names) == 1 and names <= set(relations) and " ".join(words) not in _LIKE
        ]
        return " or ".join(words)

    def whereabouts(self, names: Collection[str]) -> tuple[str, ...]:
        """Say of each thing where it is believed to be."""
        facts = sorted(
            (thing, relation, spot)
            for relation in self._place_relations
            for spot, there in self._held[relation].items()
            for thing in there & set(names)
        )
        said = (self.vocabulary.predicates[relation].description.format(a, b) for a, relation, b in facts)
        return tuple(said)[:MOST_TOLD]


def _behind_being(words: tuple[str, ...], at: int) -> int:
    """Return where "that is lying" ends, if it begins at `at`."""
    start = at
    if words[start] in _WHICH and start + 1 < len(words) and words[start + 1] in _BEING:
        start += 1
    if words[start] in _BEING:
        start += 1
    while start < len(words) and words[start] in _LYING:
        start += 1
    return start
