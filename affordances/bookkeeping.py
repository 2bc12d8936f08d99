"""Bookkeeping facts: what follows from the sensed ones, and is kept by effects only for the planner's sake.

A planner whose heuristic takes no derived predicates needs them as plain facts; here they are computed anew from what
is held true, so that they never drift. Fifty things take well under a millisecond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from semantics.atoms import Atom
from semantics.errors import UnknownNameError
from semantics.vocabulary import Thing

__all__ = ["DERIVED", "derive"]

Things = Mapping[str, Thing]


def _supports(facts: Iterable[Atom]) -> dict[str, str]:
    return {atom.args[0]: atom.args[1] for atom in facts if atom.predicate == "on"}


def _stack_below(name: str, supports: Mapping[str, str]) -> list[str]:
    """Return what a thing stands on, then what that stands on, and so on."""
    below: list[str] = []
    while (name := supports.get(name, "")) and name not in below:
        below.append(name)
    return below


def _hand_occupied(facts: Iterable[Atom], things: Things) -> set[Atom]:
    hands = {atom.args[1] for atom in facts if atom.predicate == "inhand"}
    return {Atom("hand_occupied", (name,)) for name in hands if name in things and things[name].class_name == "robot"}


def _free(facts: Iterable[Atom], things: Things) -> set[Atom]:
    loaded = set(_supports(facts).values())
    return {
        Atom("free", (name,))
        for name, thing in things.items()
        if name not in loaded or "carry" not in thing.affordances
    }


def _reachable(facts: Iterable[Atom], things: Things) -> set[Atom]:
    supports = _supports(facts)
    places = {name for name, thing in things.items() if "location" in thing.affordances}
    found = {Atom("reachable", (place, place)) for place in places}
    found.update(
        Atom("reachable", (name, below))
        for name in supports
        for below in _stack_below(name, supports)
        if below in places
    )
    return found


def _indirect_on(facts: Iterable[Atom], _: Things) -> set[Atom]:
    supports = _supports(facts)
    return {Atom("indirect_on", (name, below)) for name in supports for below in _stack_below(name, supports)[1:]}


def _filled(facts: Iterable[Atom], _: Things) -> set[Atom]:
    return {Atom("filled", (atom.args[1],)) for atom in facts if atom.predicate == "liquid_in"}


DERIVED: dict[str, Callable[[Iterable[Atom], Things], set[Atom]]] = {
    "filled": _filled,
    "free": _free,
    "hand_occupied": _hand_occupied,
    "indirect_on": _indirect_on,
    "reachable": _reachable,
}
"""How each bookkeeping predicate follows from the sensed facts."""


def derive(facts: Iterable[Atom], things: Things, names: Iterable[str]) -> frozenset[Atom]:
    """Return the bookkeeping facts of those names that follow from `facts`.

    Raises:
        UnknownNameError: A name is not one of `DERIVED`.
    """
    known = tuple(facts)
    found: set[Atom] = set()
    for name in names:
        if name not in DERIVED:
            raise UnknownNameError("bookkeeping predicate", name, DERIVED)
        found |= DERIVED[name](known, things)
    return frozenset(found)
