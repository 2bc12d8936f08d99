"""The objects of a clause that go with each other, such as each block with the bowl of its colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from graftwork.language.offline.pairing import partners
from graftwork.language.offline.referents import Referent
from semantics.words.description import TraitReader
from semantics.words.names import Unknown

Pairs = tuple[str, Mapping[str, tuple[str, ...]]]
"""The slot that another slot goes with, and the partners of each object there."""


def pairs_of(
    slots: Iterable[str], referents: Mapping[str, Referent], traits: TraitReader
) -> Iterator[tuple[str, Pairs]]:
    """Yield each slot with a pairing, with the slot that it goes with and the partners of each object there."""
    slots = tuple(slots)
    for slot in slots:
        pairing = referents[slot].pairing
        by = next((other for other in slots if referents[other].pairing is None), None)
        if pairing is not None and by is not None:
            yield slot, (by, dict(partners(pairing, referents[by].names, referents[slot].names, traits)))


def with_partners(paired: Referent, by: Referent, partners_of: Mapping[str, tuple[str, ...]]) -> Referent:
    """Return a referent with a note on what goes with what; with a doubt if nothing goes with anything."""
    if paired.doubts or by.doubts or paired.pairing is None:
        return paired
    told = [f"{' or '.join(names)} for {name}" for name, names in partners_of.items() if names]
    alone = [name for name, names in partners_of.items() if not names]
    which = f"{'the same' if paired.pairing.same else 'another'} {paired.pairing.attribute}"
    if not told:
        why = f"none of {', '.join(sorted(paired.names))} is known to have {which} as {', '.join(alone)}"
        return replace(paired, alternatives=(), doubts=(Unknown(paired.words, (), why, "Name what goes where."),))
    left = f"; nothing for {', '.join(alone)}" if alone else ""
    return replace(paired, notes=(f"'{paired.words}' was read as {', '.join(told)}{left}.",))
