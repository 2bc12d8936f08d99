"""`Order`: which steps of a plan wait for which, where the others may be done in any order or at once.

From a sequence of steps an order is made in which every linearisation is a valid plan, whenever the sequence is one:
two steps are left unordered only when they are *independent*, that is when neither writes what the other reads or
writes. Two neighbouring independent steps can change places: each reads the same either way, so it can be taken either
way and does the same, and as they write different things the state after both is the same. Any linearisation of the
transitive closure of the dependent pairs is reached from the sequence by such exchanges of neighbours (a sequence up to
these exchanges is a trace, and its linearisations are exactly its sequences: Mazurkiewicz, "Concurrent program schemes
and their interpretations", 1977). So all linearisations come out alike in every state, and simulating one decides for
all; the same goes for what is left of the plan after some steps, as long as nothing is left out that comes after
something left in (a *successor-closed* set). Steps that overlap in time come out like one after the other.

Two steps that are independent still wait for each other when they need the same thing. A step has *alone* the agent or
the hands that its motion moves, and every object that it changes: one that a changed fact is about, which is the first
name in it. It *shares* all else that it is given. Two steps clash when one has alone what the other has in any way, as
with locks for readers and writers: two hands may take two bottles from one shelf at once, and nobody pours into a glass
that is being carried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bt.errors import TreeError
from semantics.atoms import And, Arithmetic, Atom, Compare, Expression, Formula, Not, Or
from semantics.errors import UsageError
from semantics.protocols import ConcurrentMotion, Robot
from semantics.state import Axioms, Change, Operator

__all__ = [
    "Footprint",
    "Occupied",
    "Order",
    "ResourceClaim",
    "bits",
    "claim_of",
    "footprint",
    "independent",
    "occupancy",
    "partial_order",
]


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


Occupied = Callable[[Operator], frozenset[str]]
"""Gives the agents and hands that a body keeps busy while it does a step."""


class ResourceClaim(NamedTuple):
    """What a step locks.

    Attributes:
        alone: Nobody else may have these meanwhile.
        shared: Others may share these, but not have them alone.
    """

    alone: frozenset[str]
    shared: frozenset[str]

    def clashes(self, other: ResourceClaim) -> bool:
        """Return whether the two may not be had at the same time."""
        return not (
            self.alone.isdisjoint(other.alone)
            and self.alone.isdisjoint(other.shared)
            and other.alone.isdisjoint(self.shared)
        )


def claim_of(operator: Operator, occupied: Occupied) -> ResourceClaim:
    """Return what `operator` locks on a body that keeps `occupied` busy for it."""
    changed = frozenset(atom.args[0] for atom in footprint(operator).writes if atom.args)
    agent = frozenset({operator.command.agent} if operator.command else ())
    return ResourceClaim(occupied(operator) | changed, agent.union(operator.action.args))


def occupancy(robot: Robot) -> Occupied:
    """Return what steps keep busy of a body; one that says nothing of it does one motion at a time."""
    if isinstance(robot, ConcurrentMotion):
        return robot.occupies
    whole = frozenset({robot.name})
    return lambda _: whole


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set in `mask`, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Order:
    """A partial order of steps, whose numbering is one of its linearisations.

    Attributes:
        before: For each step, the steps that come before it in every linearisation, as the bits of a number.
    """

    before: tuple[int, ...]

    @classmethod
    def of(cls, size: int, pairs: Iterable[tuple[int, int]]) -> Order:
        """Make the transitive closure of `pairs` of an earlier and a later step.

        Raises:
            TreeError: A pair names a step that there is not, or one that is not numbered after what it waits for.
        """
        direct = [0] * size
        for first, then in pairs:
            if not 0 <= first < then < size:
                raise TreeError(f"step {first} cannot come before step {then}: expected 0 <= first < then < {size}")
            direct[then] |= 1 << first
        before: list[int] = []
        for mask in direct:
            before.append(mask)
            for earlier in bits(mask):
                before[-1] |= before[earlier]
        return cls(tuple(before))

    @classmethod
    def sequence(cls, size: int) -> Order:
        """Make the total order of so many steps."""
        return cls(tuple((1 << index) - 1 for index in range(size)))

    @cached_property
    def after(self) -> tuple[int, ...]:
        """For each step, the steps that come after it in every linearisation."""
        found = [0] * len(self.before)
        for index, mask in enumerate(self.before):
            for earlier in bits(mask):
                found[earlier] |= 1 << index
        return tuple(found)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The fewest pairs that say all of it, sorted."""
        found = []
        for index, mask in enumerate(self.before):
            implied = 0
            for earlier in bits(mask):
                implied |= self.before[earlier]
            found += [(earlier, index) for earlier in bits(mask & ~implied)]
        return tuple(sorted(found))

    @property
    def unordered(self) -> Iterator[tuple[int, int]]:
        """The pairs of steps that may be done in any order, or at once."""
        for then, mask in enumerate(self.before):
            yield from ((first, then) for first in range(then) if not mask >> first & 1)

    @cached_property
    def total(self) -> bool:
        """Whether there is only one linearisation: the steps are a sequence."""
        return all(mask == (1 << index) - 1 for index, mask in enumerate(self.before))


def partial_order(steps: Sequence[Operator], claims: Collection[ResourceClaim]) -> Order:
    """Return the order of a sequence of steps that leaves open what can be left open.

    Args:
        steps: A sequential plan.
        claims: What each of them locks; steps that clash stay in their order, so that each agent does its own in turn.
    """
    prints = [footprint(step) for step in steps]
    locks = list(claims)
    pairs = (
        (first, then)
        for then in range(len(steps))
        for first in range(then)
        if not independent(prints[first], prints[then]) or locks[first].clashes(locks[then])
    )
    return Order.of(len(steps), pairs)
