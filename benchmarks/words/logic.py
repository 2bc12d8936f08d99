"""Whether what a goal says makes a condition true, by logic alone: what a person would call the same goal.

Nothing of how the program reads, checks or plans is used. What cannot hold together stands in `GROUPS`, by hand, for
the worlds of the sentences; a test walks at random through each world and finds no state against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from benchmarks.words.worlds import Place
from semantics.logic.atoms import And, Atom, Formula, Literal, Not, Or

__all__ = ["GROUPS", "Group", "Known", "alternatives", "literals_of"]


class Group(NamedTuple):
    """Facts of which at most one holds for each key.

    Attributes:
        slots: Predicates, each with the number of the argument that is the key; None where all facts have one key.
        only: The class of the key, if it is so for things of one class alone.
        but: The class of the key for which it is not so.
    """

    slots: Mapping[str, int | None]
    only: str = ""
    but: str = ""


_KITCHEN = (
    Group({"on": 0, "in": 0, "inhand": 0, "near": 0}),
    Group({"inhand": 1}, only="robot"),
    Group({"at": 0}),
    Group({"opened": 0, "closed": 0, "ajar": 0}),
    Group({"liquid_in": 0}),
    Group({"liquid_in": 1}, but="sink"),
    Group({"stuff_in": 0}),
)
GROUPS: Mapping[str, tuple[Group, ...]] = {
    "kitchen": _KITCHEN,
    "office": _KITCHEN,
    "tabletop": (
        Group({"on": 0, "in": 0, "lies": 0, "inhand": 0}),
        Group({"on": 1, "clear": 0}),
        Group({"inhand": 1, "hand_free": 0}),
    ),
    "blocks": (
        Group({"on": 0, "ontable": 0, "holding": 0}),
        Group({"on": 1, "clear": 0, "holding": 0}),
        Group({"holding": None, "handempty": None}),
    ),
    "barman": (
        Group({"on": 0, "in": 0, "holding": 1}),
        Group({"holding": 0, "free": 0}),
    ),
    "pizza": (
        Group({"on": 0, "in": 0, "holding": 1}),
        Group({"holding": 0, "free": 0}),
    ),
}
"""By world: a thing is in one place only, a hand holds one thing, a door is in one position, and the like."""


@dataclass(frozen=True)
class Known:
    """What is known of a state that a goal describes.

    Attributes:
        place: The scene.
        true: Facts that the goal asks for.
        false: Facts that the goal denies.
    """

    place: Place
    true: frozenset[Atom]
    false: frozenset[Atom]

    @classmethod
    def of(cls, place: Place, literals: Iterable[Literal]) -> Known:
        """Return what literals say."""
        said = tuple(literals)
        return cls(place, *(frozenset(atom for atom, sign in said if sign is wanted) for wanted in (True, False)))

    def value(self, formula: Formula) -> bool | None:
        """Return whether a ground condition holds in each state of which this is known; None if in some alone."""
        match formula:
            case Atom():
                return self._value_of(formula)
            case Not(part):
                value = self.value(part)
                return None if value is None else not value
            case And(parts) | Or(parts):
                deciding = isinstance(formula, Or)
                values = [self.value(part) for part in parts]
                if deciding in values:
                    return deciding
                return None if None in values else not deciding
        raise TypeError(f"{formula}: only facts, and, or and not are judged")

    def _value_of(self, atom: Atom) -> bool | None:
        if atom in self.true:
            return True
        if atom in self.false or self._excluded(atom):
            return False
        return atom in self.place.truth.atoms if atom.predicate in self.place.fixed else None

    def _excluded(self, atom: Atom) -> bool:
        """Return whether a fact cannot hold beside one that does."""
        for group in GROUPS[self.place.domain.name]:
            keys = set(self._keys(group, (atom,)))
            if keys & set(self._keys(group, self.true)):
                return True
        return False

    def _keys(self, group: Group, atoms: Iterable[Atom]) -> Iterator[str]:
        for atom in atoms:
            if atom.predicate in group.slots:
                number = group.slots[atom.predicate]
                key = "" if number is None else atom.args[number]
                kind = self.place.things[key].class_name if key in self.place.things else ""
                if group.only in ("", kind) and (not group.but or group.but != kind):
                    yield key

    @property
    def contradicts_itself(self) -> bool:
        """Whether no state is like this."""
        doubled = (list(self._keys(group, self.true)) for group in GROUPS[self.place.domain.name])
        return bool(self.true & self.false) or any(len(keys) > len(set(keys)) for keys in doubled)


def literals_of(texts: Iterable[str], place: Place) -> tuple[Literal, ...]:
    """Read the literals of an alternative of a goal."""
    read = (place.condition(text) for text in texts)
    return tuple(Literal(each.part, False) if isinstance(each, Not) else Literal(each) for each in read)  # type: ignore[arg-type]


def alternatives(formula: Formula, positive: bool = True) -> tuple[frozenset[Literal], ...]:
    """Return the ways in which a ground condition can be met, each as literals."""
    match formula:
        case Atom():
            return (frozenset({Literal(formula, positive)}),)
        case Not(part):
            return alternatives(part, not positive)
        case And(parts) | Or(parts):
            branches = [alternatives(part, positive) for part in parts]
            if isinstance(formula, Or) is positive:
                return tuple(way for branch in branches for way in branch)
            return tuple(frozenset().union(*ways) for ways in product(*branches))
    raise TypeError(f"{formula}: only facts, and, or and not are judged")
