"""Joins bindings of the parameters of an action, role by role."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from planning.task.schemas import AtomTemplate, CapabilitySchema, Fact

Binding = tuple[str | None, ...]
"""A name for each parameter; None where the parameter is unbound."""
Pick = Callable[[Binding], object]


def _picker(columns: tuple[int, ...]) -> Pick:
    """Return a function that picks `columns` of a binding."""
    return itemgetter(*columns) if columns else lambda _row: ()


class Relation:
    """The bindings of one role found so far, with an index for each set of columns."""

    def __init__(self) -> None:
        self.rows: dict[Binding, None] = {}
        self.indices: dict[tuple[int, ...], tuple[Pick, dict[object, list[Binding]]]] = {}

    def add(self, row: Binding) -> bool:
        """Add a binding; return whether it is new."""
        if row in self.rows:
            return False
        self.rows[row] = None
        for pick, index in self.indices.values():
            index[pick(row)].append(row)
        return True

    def matching(self, columns: tuple[int, ...], values: object) -> list[Binding]:
        """Return the bindings whose `columns`, as `_picker` picks them, have the `values`."""
        entry = self.indices.get(columns)
        if entry is None:
            pick, index = entry = self.indices[columns] = _picker(columns), defaultdict(list)
            for row in self.rows:
                index[pick(row)].append(row)
        return entry[1].get(values, NONE)


Join = tuple[Relation, tuple[int, ...], Pick, tuple[int, ...]]
"""A role to be joined: its bindings, the columns to match, the function that picks them, and the columns to fill."""
NONE: list[Binding] = []


def unified(
    wanted: tuple[int | str, ...], names: tuple[str, ...], row: Binding, candidates: list[frozenset[str]]
) -> Binding | None:
    """Return `row` with the arguments of a fact bound to those of a template; None when they do not match."""
    filled = list(row)
    for arg, name in zip(wanted, names, strict=True):
        if isinstance(arg, str):
            if arg != name:
                return None
        elif filled[arg] is None:
            if name not in candidates[arg]:
                return None
            filled[arg] = name
        elif filled[arg] != name:
            return None
    return tuple(filled)


def known(parts: tuple[AtomTemplate, ...], row: Binding) -> Iterator[Fact]:
    """Yield the facts of `parts` whose arguments are all bound; the other templates are ignored."""
    for part in parts:
        args = tuple([row[arg] if isinstance(arg, int) else arg for arg in part.args])
        if None not in args:
            yield part.predicate, args  # type: ignore[misc]  # None was ruled out


def joins(schema: CapabilitySchema, number: int, relations: Sequence[Relation]) -> tuple[Join, ...]:
    """Return how to bind what role `number` leaves unbound, role by role."""
    bound = set(schema.asking[number].bound)
    result = []
    for index, role in enumerate(schema.asking):
        if index != number:
            columns = tuple(sorted(bound.intersection(role.bound)))
            result.append((relations[index], columns, _picker(columns), tuple(sorted(set(role.bound) - bound))))
            bound.update(role.bound)
    return tuple(result)
