"""Where things are in the end: the furniture below what they stand on or lie in."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from semantics.state import State

__all__ = ["roots"]


def roots(names: Iterable[str], state: State, light: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the things that are not `light` which facts about each of `names` lead to.

    What shares facts with light things only, such as a spoon in a bowl, is where those are.
    """
    told: dict[str, set[str]] = {}
    for atom in state.atoms:
        if len(atom.args) > 1 and atom.args[0] in light:
            told.setdefault(atom.args[0], set()).update(atom.args[1:])
    return {name: _root(name, told) for name in names}


def _root(name: str, told: dict[str, set[str]]) -> frozenset[str]:
    seen, waiting = {name}, {name}
    while waiting:
        about = set[str]().union(*(told.get(one, ()) for one in waiting)) - seen
        heavy = frozenset(one for one in about if one not in told)
        if heavy:
            return heavy
        seen |= about
        waiting = about
    return frozenset()
