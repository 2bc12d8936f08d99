"""Joining: bindings of the parameters of an action, role by role."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from planning.task.schemas import Fact, Part

__all__ = ["Binding", "Relation", "known", "unified"]

Binding = tuple[str | None, ...]
"""A name for each parameter, None where it is still open."""


class Relation:
    """Bindings of one role, found so far, by any of their columns."""

    def __init__(self) -> None:
        self.rows: dict[Binding, None] = {}
        self.indices: dict[tuple[int, ...], dict[Binding, list[Binding]]] = {}

    def add(self, row: Binding) -> bool:
        """Take a binding; return whether it is new."""
        if row in self.rows:
            return False
        self.rows[row] = None
        for columns, index in self.indices.items():
            index[tuple([row[one] for one in columns])].append(row)
        return True

    def matching(self, columns: tuple[int, ...], values: Binding) -> list[Binding]:
        """Return the bindings with `values` in `columns`."""
        index = self.indices.get(columns)
        if index is None:
            index = self.indices[columns] = defaultdict(list)
            for row in self.rows:
                index[tuple([row[one] for one in columns])].append(row)
        return index.get(values, [])


def unified(
    wanted: tuple[int | str, ...], given: tuple[str, ...], row: Binding, candidates: list[frozenset[str]]
) -> Binding | None:
    """Return `row` with the arguments of a fact in the place of those of a template; None when they do not fit."""
    filled = list(row)
    for one, name in zip(wanted, given, strict=True):
        if isinstance(one, str):
            if one != name:
                return None
        elif filled[one] is None:
            if name not in candidates[one]:
                return None
            filled[one] = name
        elif filled[one] != name:
            return None
    return tuple(filled)


def known(parts: tuple[Part, ...], row: Binding) -> Iterator[Fact]:
    """Yield the facts of `parts` whose arguments are all known; what is not known is not held against an action."""
    for part in parts:
        args = tuple([row[one] if isinstance(one, int) else one for one in part.args])
        if None not in args:
            yield part.predicate, args  # type: ignore[misc]  # None was ruled out
