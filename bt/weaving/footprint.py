"""What a step reads and writes: the facts and numbers by which two steps can get into each other's way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from semantics.atoms import And, Arithmetic, Atom, Compare, Expression, Formula, Not, Or
from semantics.errors import UsageError
from semantics.state import Axioms, Change, Operator

__all__ = ["Footprint", "footprint", "independent"]


class Footprint(NamedTuple):
    """The facts and numbers that an operator's coming out depends on, and those that it may change."""

    reads: frozenset[Atom]
    writes: frozenset[Atom]


def footprint(operator: Operator) -> Footprint:
    """Return what `operator` reads and writes, in whatever state it is taken.

    A derived fact that is read stands for all that any rule of the scene asks for, since a chain of rules may lead
    from there; derived facts themselves are written by nobody.
    """
    reads = {atom for atom, _ in operator.precondition}
    writes = {*operator.added, *operator.deleted}
    if operator.condition is not None:
        reads.update(_atoms(operator.condition))
    for change in operator.changes:
        _take(change, reads, writes)
    for when in operator.conditional:
        reads.update(_atoms(when.condition))
        writes.update(when.added, when.deleted)
        for change in when.changes:
            _take(change, reads, writes)
    if operator.axioms is not None and any(atom.predicate in operator.axioms.predicates for atom in reads):
        reads.update(_below(operator.axioms))
    return Footprint(frozenset(reads), frozenset(writes))


def independent(one: Footprint, other: Footprint) -> bool:
    """Return whether neither writes what the other reads or writes."""
    return (
        one.writes.isdisjoint(other.writes)
        and one.writes.isdisjoint(other.reads)
        and other.writes.isdisjoint(one.reads)
    )


def _take(change: Change, reads: set[Atom], writes: set[Atom]) -> None:
    writes.add(change.fluent)
    reads.update(_numbers(change.amount))


def _below(axioms: Axioms) -> Iterator[Atom]:
    for stratum in axioms.strata:
        for _, body in stratum:
            yield from _atoms(body)


def _atoms(formula: Formula) -> Iterator[Atom]:
    match formula:
        case Atom():
            yield formula
        case Not(part):
            yield from _atoms(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _atoms(part)
        case Compare(_, left, right):
            yield from _numbers(left)
            yield from _numbers(right)
        case _:
            raise UsageError(f"{formula} is not ground")


def _numbers(expression: Expression) -> Iterator[Atom]:
    if isinstance(expression, Atom):
        yield expression
    elif isinstance(expression, Arithmetic):
        for part in expression.parts:
            yield from _numbers(part)
