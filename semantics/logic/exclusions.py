"""Exclusions: mutually exclusive facts (mutexes), which a planner proves, so that no rule has to state them.

If a planner proves that a cup is in one place at a time, a goal that asks for two places is rejected, with a message
made from the sentences of the predicates. The proof is an invariant: no action increases the number of such facts. So
an exclusion applies only to groups of which at most one fact holds now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import State
from semantics.logic.vocabulary import Predicate

COUNTED = -1  # marks an argument that may be any object

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MutexPart:
    """The facts of one predicate: for each argument, its index in the key of the exclusion, or `COUNTED`."""

    predicate: str
    places: tuple[int, ...]

    def key(self, atom: Atom) -> Key:
        """Return the arguments of `atom` that form its key, in the order of the key."""
        named = {number: arg for number, arg in zip(self.places, atom.args, strict=True) if number != COUNTED}
        return tuple(named[number] for number in sorted(named))


@dataclass(frozen=True, slots=True)
class Exclusion:
    """For each key, at most one fact of all `parts` holds if at most one holds at the start.

    Each predicate has at most one part.
    """

    parts: tuple[MutexPart, ...]

    def key(self, atom: Atom) -> Key | None:
        """Return the key of the group that `atom` belongs to; None when no part covers it."""
        part = next((part for part in self.parts if part.predicate == atom.predicate), None)
        return part.key(atom) if part is not None and len(part.places) == len(atom.args) else None


def crowds(exclusions: Iterable[Exclusion], atoms: Collection[Atom], state: State) -> tuple[frozenset[Atom], ...]:
    """Return the sets of two or more of `atoms` of which at most one can hold in any state reachable from `state`."""
    sets: dict[frozenset[Atom], None] = {}
    for exclusion in exclusions:
        crowded = {key: group for key, group in _grouped(exclusion, atoms).items() if len(group) > 1}
        # The invariant keeps the number of facts from growing, so it says nothing of a group with two facts now.
        now = _grouped(exclusion, state.atoms) if crowded else {}
        sets.update((frozenset(group), None) for key, group in crowded.items() if len(now.get(key, ())) <= 1)
    return tuple(sets)


def clashes(crowded: Iterable[frozenset[Atom]], conjunct: Conjunct) -> Iterator[tuple[Atom, Atom]]:
    """Yield two atoms that `conjunct` asks for of each of these sets, where it asks for two."""
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
    """Return the feedback that two facts cannot both hold, in the sentences of their predicates."""
    sentences = [predicates[atom.predicate].description.format(*atom.args).rstrip(".") for atom in (first, second)]
    names = tuple(dict.fromkeys((*first.args, *second.args)))
    why = f'"{sentences[0]}" and "{sentences[1]}" cannot both hold.'
    return Feedback(Code.CONTRADICTION, "the goal", why, "Keep one of the two.", names)
