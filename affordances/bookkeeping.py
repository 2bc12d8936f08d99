"""Bookkeeping facts: they follow from the sensed facts, and action effects maintain them only for the planner.

A planner whose heuristic does not support derived predicates needs them as ordinary facts. This module computes them
again from the believed facts, so that they never become inconsistent. For fifty objects this takes well under a
millisecond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from domains.conventions import STANDARD, Conventions
from semantics.errors import known_name
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Thing

__all__ = ["DERIVED", "derive"]

Things = Mapping[str, Thing]


def _supports(facts: Iterable[Atom], names: Conventions) -> dict[str, str]:
    return {atom.args[0]: atom.args[1] for atom in facts if atom.predicate == names.on}


def _conveyors(things: Things, names: Conventions) -> set[str]:
    """Return the trays: the movable supports that are carried with what stands on them."""
    return {name for name, thing in things.items() if names.convey and names.convey in thing.affordances}


def _stack_below(name: str, supports: Mapping[str, str]) -> list[str]:
    """Return the support of an object, then the support of this support, and so on."""
    below: list[str] = []
    while (name := supports.get(name, "")) and name not in below:
        below.append(name)
    return below


def _hand_occupied(facts: Iterable[Atom], things: Things, names: Conventions) -> set[Atom]:
    hands = {atom.args[1] for atom in facts if atom.predicate == names.inhand}
    robots = (name for name in hands if name in things and things[name].class_name == names.robot)
    return {Atom(names.hand_occupied, (name,)) for name in robots}


def _free(facts: Iterable[Atom], things: Things, names: Conventions) -> set[Atom]:
    supports, conveyors = _supports(facts, names), _conveyors(things, names)
    loaded = set(supports.values())
    # A tray is lifted with its load, unless something stands on that which is no tray itself.
    loaded -= conveyors - {supports[below] for below in loaded - conveyors if below in supports}
    return {
        Atom(names.free, (name,))
        for name, thing in things.items()
        if name not in loaded or names.carry not in thing.affordances
    }


def _reachable(facts: Iterable[Atom], things: Things, names: Conventions) -> set[Atom]:
    supports, conveyors = _supports(facts, names), _conveyors(things, names)
    places = {name for name, thing in things.items() if names.location in thing.affordances}
    atoms = {Atom(names.reachable, (place, place)) for place in places}
    atoms.update(
        Atom(names.reachable, (name, below))
        for name, support in supports.items()
        if support not in conveyors
        for below in _stack_below(name, supports)
        if below in places
    )
    return atoms


def _aboard(facts: Iterable[Atom], things: Things, names: Conventions) -> set[Atom]:
    """Return where the load of each tray can be taken off.

    It is where the tray stands. A tray that stands at no place, because it is in a hand or in or on something else, may
    be put down at any place first.
    """
    supports, conveyors = _supports(facts, names), _conveyors(things, names)
    places = {
        name
        for name, thing in things.items()
        if names.location in thing.affordances and names.support in thing.affordances
    }
    return {
        Atom(names.aboard, (name, place))
        for name, tray in supports.items()
        if tray in conveyors
        for place in ({supports[tray]} if supports.get(tray) in places else places)
    }


def _indirect_on(facts: Iterable[Atom], things: Things, names: Conventions) -> set[Atom]:
    supports, conveyors = _supports(facts, names), _conveyors(things, names)
    return {
        Atom(names.indirect_on, (name, below))
        for name, support in supports.items()
        if support not in conveyors
        for below in _stack_below(name, supports)[1:]
    }


def _filled(facts: Iterable[Atom], _: Things, names: Conventions) -> set[Atom]:
    return {Atom(names.filled, (atom.args[1],)) for atom in facts if atom.predicate == names.liquid_in}


DERIVED: dict[str, Callable[[Iterable[Atom], Things, Conventions], set[Atom]]] = {
    "aboard": _aboard,
    "filled": _filled,
    "free": _free,
    "hand_occupied": _hand_occupied,
    "indirect_on": _indirect_on,
    "reachable": _reachable,
}
"""How each bookkeeping predicate follows from the sensed facts, by its default name."""


def derive(
    facts: Iterable[Atom], things: Things, names: Iterable[str], conventions: Conventions = STANDARD
) -> frozenset[Atom]:
    """Return the bookkeeping facts that follow from `facts`.

    Args:
        facts: The believed facts.
        things: The known objects, by name.
        names: The bookkeeping predicates to compute, by their default names.
        conventions: The names of the world.

    Raises:
        UnknownNameError: A name is not one of `DERIVED`.
    """
    held = tuple(facts)
    derived: set[Atom] = set()
    for name in names:
        known_name("bookkeeping predicate", name, DERIVED)
        derived |= DERIVED[name](held, things, conventions)
    return frozenset(derived)
