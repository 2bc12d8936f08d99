"""Exclusions: facts of which at most one holds, found out rather than written down.

Where a planner proves of a world that a cup is on one place at a time, a goal that asks for two is refused with a
sentence made from the predicates' own. What is proved is that an action never makes such facts more; so it holds only
of those facts that are at most one now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from semantics.atoms import Atom, Conjunct
from semantics.feedback import Code, Feedback
from semantics.state import State
from semantics.vocabulary import Predicate

__all__ = ["COUNTED", "Exclusion", "MutexPart", "clashes", "crowds", "excluded"]

COUNTED = -1
"""In the place of an argument that may be anything."""

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MutexPart:
    """Facts of one predicate: for each argument, which of the exclusion's names it is, or `COUNTED`."""

    predicate: str
    places: tuple[int, ...]

    def key(self, atom: Atom) -> Key:
        """Return the exclusion's names in `atom`, in their order."""
        named = {number: arg for number, arg in zip(self.places, atom.args, strict=True) if number != COUNTED}
        return tuple(named[number] for number in sorted(named))


@dataclass(frozen=True, slots=True)
class Exclusion:
    """For each choice of names, at most one fact of all `parts` holds if that is so at the start.

    At most one part is of each predicate.
    """

    parts: tuple[MutexPart, ...]

    def key(self, atom: Atom) -> Key | None:
        """Return the names that `atom` is counted for; None when it is not concerned."""
        part = next((part for part in self.parts if part.predicate == atom.predicate), None)
        return part.key(atom) if part is not None and len(part.places) == len(atom.args) else None


def crowds(exclusions: Iterable[Exclusion], atoms: Collection[Atom], state: State) -> tuple[frozenset[Atom], ...]:
    """Return the sets of two or more of `atoms` of which at most one can hold, from `state` on."""
    sets: dict[frozenset[Atom], None] = {}
    for exclusion in exclusions:
        crowded = {key: group for key, group in _grouped(exclusion, atoms).items() if len(group) > 1}
        now = _grouped(exclusion, state.atoms) if crowded else {}
        sets.update((frozenset(group), None) for key, group in crowded.items() if len(now.get(key, ())) <= 1)
    return tuple(sets)


def clashes(crowded: Iterable[frozenset[Atom]], conjunct: Conjunct) -> Iterator[tuple[Atom, Atom]]:
    """Yield two atoms that `conjunct` asks for of each set of which at most one can hold."""
    asked = frozenset(atom for atom, positive in conjunct if positive)
    pairs = (tuple(sorted(asked & group)[:2]) for group in crowded)
    for pair in dict.fromkeys(pairs):
        if len(pair) == 2:
            yield pair


def _grouped(exclusion: Exclusion, atoms: Collection[Atom]) -> Mapping[Key, list[Atom]]:
    groups: dict[Key, list[Atom]] = defaultdict(list)
    for atom in atoms:
        key = exclusion.key(atom)
        if key is not None:
            groups[key].append(atom)
    return groups


def excluded(first: Atom, second: Atom, predicates: Mapping[str, Predicate]) -> Feedback:
    """Say that two facts cannot both hold, in the words of their predicates."""
    sentences = [predicates[atom.predicate].description.format(*atom.args).rstrip(".") for atom in (first, second)]
    names = tuple(dict.fromkeys((*first.args, *second.args)))
    why = f'"{sentences[0]}" and "{sentences[1]}" cannot both hold.'
    return Feedback(Code.CONTRADICTION, "the goal", why, "Keep one of the two.", names)
