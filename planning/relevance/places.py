"""Finds where objects are in the end: the furniture below what they stand on or lie in."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from semantics.logic.state import State


def roots(names: Iterable[str], state: State, light: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the objects that are not `light` and that facts about each of `names` lead to.

    An object that shares facts only with light objects, such as a spoon in a bowl, is where those are.
    """
    neighbours: dict[str, set[str]] = {}
    for atom in state.atoms:
        if len(atom.args) > 1 and atom.args[0] in light:
            neighbours.setdefault(atom.args[0], set()).update(atom.args[1:])
    return {name: _root(name, neighbours) for name in names}


def _root(name: str, neighbours: dict[str, set[str]]) -> frozenset[str]:
    seen, frontier = {name}, {name}
    while frontier:
        about = set[str]().union(*(neighbours.get(thing, ()) for thing in frontier)) - seen
        heavy = frozenset(thing for thing in about if thing not in neighbours)
        if heavy:
            return heavy
        seen |= about
        frontier = about
    return frozenset()
