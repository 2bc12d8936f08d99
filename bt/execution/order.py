"""`Order`: which steps of a plan wait for which others; the rest may be done in any order or in parallel.

`partial_order` turns a valid sequence of steps into an order of which every linearisation is a valid plan. It leaves
two steps unordered only when they are *independent*: neither writes what the other reads or writes. Two neighbouring
independent steps can change places. Each reads the same values in both orders, so it is applicable and does the same;
and since they write different facts, the state after both is the same. Such exchanges of neighbours lead from the
sequence to any linearisation of the transitive closure of the dependent pairs (a sequence up to these exchanges is a
trace, and its linearisations are exactly its sequences: Mazurkiewicz, "Concurrent program schemes and their
interpretations", 1977). So all linearisations have the same outcome in every state, and the simulation of one decides
for all. This also holds for the rest of the plan after some steps, as long as the rest is *successor-closed*: with a
step it contains all steps that come after it. Steps that overlap in time have the same outcome as one after the other.

Two independent steps still wait for each other when they need the same resource. A step claims *alone* the agent or the
hands that its motion moves, and every object that it changes, which is the first argument of a changed fact. It
*shares* its other arguments. Two steps clash when one claims alone what the other claims in any way, as with locks for
readers and writers: two hands may take two bottles from one shelf at the same time, but no hand pours into a glass that
is being carried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bt.errors import TreeError
from semantics.body.protocols import ConcurrentMotion, Robot
from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Compare, Formula, Not, Or, fluents_in, numbers_in, walked
from semantics.logic.state import Axioms, Change, Operator, bits


class Footprint(NamedTuple):
    """The facts and numbers that the outcome of an operator depends on, and those that it may change."""

    reads: frozenset[Atom]
    writes: frozenset[Atom]


def footprint(operator: Operator) -> Footprint:
    """Return what `operator` may read and write in any state.

    An operator that reads a derived fact counts as reading the atoms in the bodies of all rules, since a chain of rules
    may lead to that fact. No operator writes derived facts.
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


def independent(first: Footprint, second: Footprint) -> bool:
    """Return whether neither footprint writes what the other reads or writes."""
    return (
        first.writes.isdisjoint(second.writes)
        and first.writes.isdisjoint(second.reads)
        and second.writes.isdisjoint(first.reads)
    )


def _take(change: Change, reads: set[Atom], writes: set[Atom]) -> None:
    writes.add(change.fluent)
    reads.update(fluents_in(change.amount))


def _below(axioms: Axioms) -> Iterator[Atom]:
    for stratum in axioms.strata:
        for _, body in stratum:
            yield from _atoms(body)


def _atoms(formula: Formula) -> Iterator[Atom]:
    for part, _ in walked(formula):
        if isinstance(part, Atom):
            yield part
        elif isinstance(part, Compare):
            yield from numbers_in(part)
        elif not isinstance(part, Not | And | Or):
            raise UsageError(f"{formula} is not ground")


Occupied = Callable[[Operator], frozenset[str]]
"""Returns the agents and hands that a body keeps busy while it does a step."""


class ResourceClaim(NamedTuple):
    """What a step locks."""

    alone: frozenset[str]  # no other step may claim these at the same time
    shared: frozenset[str]  # other steps may share these, but not claim them alone

    def clashes(self, other: ResourceClaim) -> bool:
        """Return whether the two claims exclude each other at the same time."""
        return not (
            self.alone.isdisjoint(other.alone)
            and self.alone.isdisjoint(other.shared)
            and other.alone.isdisjoint(self.shared)
        )


def claim_of(operator: Operator, occupied: Occupied) -> ResourceClaim:
    """Return the claim of `operator` on a body that keeps `occupied` busy for it."""
    changed = frozenset(atom.args[0] for atom in footprint(operator).writes if atom.args)
    agent = frozenset({operator.command.agent} if operator.command else ())
    return ResourceClaim(occupied(operator) | changed, agent.union(operator.action.args))


def occupancy(robot: Robot) -> Occupied:
    """Return the function that says what a step keeps busy; a body that declares none does one motion at a time."""
    if isinstance(robot, ConcurrentMotion):
        return robot.occupies
    whole = frozenset({robot.name})
    return lambda _: whole


@dataclass(frozen=True)
class Order:
    """A partial order of steps, whose numbering is one of its linearisations.

    Attributes:
        before: For each step, the steps that come before it in every linearisation, as the bits of a number.
    """

    before: tuple[int, ...]

    @classmethod
    def of(cls, size: int, pairs: Iterable[tuple[int, int]]) -> Order:
        """Return the transitive closure of `pairs`, each of an earlier and a later step.

        Raises:
            TreeError: A pair names a step that does not exist, or its later step does not have the higher number.
        """
        direct = [0] * size
        for first, then in pairs:
            if not 0 <= first < then < size:
                raise TreeError(f"step {first} cannot come before step {then}: expected 0 <= first < then < {size}")
            direct[then] |= 1 << first
        before: list[int] = []
        for mask in direct:  # predecessors have lower numbers, so their closures are already complete
            before.append(mask)
            for earlier in bits(mask):
                before[-1] |= before[earlier]
        return cls(tuple(before))

    @classmethod
    def sequence(cls, size: int) -> Order:
        """Return the total order of `size` steps."""
        return cls(tuple((1 << index) - 1 for index in range(size)))

    @cached_property
    def after(self) -> tuple[int, ...]:
        """For each step, the steps that come after it in every linearisation."""
        successors = [0] * len(self.before)
        for index, mask in enumerate(self.before):
            for earlier in bits(mask):
                successors[earlier] |= 1 << index
        return tuple(successors)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The smallest set of pairs with this transitive closure (the transitive reduction), sorted."""
        covering = []
        for index, mask in enumerate(self.before):
            implied = 0
            for earlier in bits(mask):
                implied |= self.before[earlier]
            covering += [(earlier, index) for earlier in bits(mask & ~implied)]
        return tuple(sorted(covering))

    @property
    def unordered(self) -> Iterator[tuple[int, int]]:
        """The pairs of steps that may be done in any order or in parallel."""
        for then, mask in enumerate(self.before):
            yield from ((first, then) for first in range(then) if not mask >> first & 1)

    @cached_property
    def total(self) -> bool:
        """Whether there is only one linearisation: the steps are a sequence."""
        return all(mask == (1 << index) - 1 for index, mask in enumerate(self.before))


def partial_order(steps: Sequence[Operator], claims: Collection[ResourceClaim]) -> Order:
    """Return the order of a sequence of steps that orders only the steps that depend on each other or clash.

    Args:
        steps: A sequential plan.
        claims: The claim of each step; steps that clash keep their order, so that each agent does its steps in turn.
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
