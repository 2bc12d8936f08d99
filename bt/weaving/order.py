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
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bt.errors import TreeError
from bt.weaving.claims import Claim
from bt.weaving.footprint import footprint, independent
from semantics.state import Operator

__all__ = ["Order", "bits", "woven"]


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

    @property
    def total(self) -> bool:
        """Whether there is only one linearisation."""
        return next(self.unordered, None) is None


def woven(steps: Sequence[Operator], claims: Collection[Claim]) -> Order:
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
