"""Mutexes between facts about one thing, proved by induction over the capabilities.

A slot is an argument position of a predicate. Two slots are mutex when no thing ever fills both: a held thing does not
lie on a table. First the candidates that a known scene contradicts are dropped, then those that a capability could
break while the others hold, until no candidate is dropped (the simplest invariants of Helmert, "Concise finite-domain
representations for PDDL planning tasks", 2009, section 5, restricted to pairs). A slot may be mutex with itself: then
at most one fact has a given thing there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from domains.capability import Capability, effects_of
from domains.invariants.mentions import different, required
from domains.model import Domain, SceneFile
from semantics.logic.atoms import Atom, Literal

Slot = tuple[str, int]
Pair = frozenset[Slot]


@dataclass(frozen=True, slots=True)
class SlotMutexes:
    """The pairs of slots of which no thing fills both."""

    pairs: frozenset[Pair]

    def exclude(self, first: Atom, second: Atom) -> bool:
        """Return whether two different facts cannot hold together."""
        return first != second and any(
            frozenset(((first.predicate, i), (second.predicate, j))) in self.pairs
            for i, left in enumerate(first.args)
            for j, right in enumerate(second.args)
            if left == right
        )

    def forbid(self, conjunct: Iterable[Literal]) -> tuple[Atom, Atom] | None:
        """Return two facts of a conjunct that cannot hold together, or None."""
        asserted = [literal.atom for literal in conjunct if literal.positive]
        return next((pair for pair in combinations(asserted, 2) if self.exclude(*pair)), None)


@dataclass(frozen=True, slots=True)
class _Change:
    """The change of a capability: literals that certainly held before, added atoms, and certainly deleted atoms."""

    held: tuple[Literal, ...]
    added: tuple[Atom, ...]
    deleted: frozenset[Atom]
    apart: frozenset[frozenset[str]]


def exclusions(domain: Domain, scenes: Iterable[SceneFile]) -> SlotMutexes:
    """Return the pairs of slots that are mutex in every state reachable from `scenes`."""
    changes = [*(_change(capability) for capability in domain.capabilities.values()), *_mishaps(domain)]
    slots = _slots(domain, changes)
    pairs = {frozenset(pair) for pair in combinations_with_replacement(slots, 2)}
    pairs = {pair for pair in pairs if not any(_broken_in(pair, scene) for scene in scenes)}
    # Greatest fixpoint: assume all pairs, and drop those that a capability can break, until the rest is inductive.
    while True:
        mutexes = SlotMutexes(frozenset(pairs))
        unbroken = {pair for pair in pairs if all(_keeps(change, pair, mutexes) for change in changes)}
        if unbroken == pairs:
            return mutexes
        pairs = unbroken


def _change(capability: Capability) -> _Change:
    held = tuple(required(capability))
    apart = frozenset(different(capability))
    added = [literal.atom for literal in effects_of(capability) if literal.positive]
    gone = {template.literal.atom for template in capability.effect if not template.positive}
    return _Change(held, tuple(added), frozenset(gone.difference(added)), apart)


def _mishaps(domain: Domain) -> list[_Change]:
    """Return the changes without a capability: what is on something slips, and is near something instead."""
    names = domain.conventions
    if not {names.on, names.near} <= domain.predicates.keys():
        return []
    on, near = Atom(names.on, ("?thing", "?support")), Atom(names.near, ("?thing", "?other"))
    apart = frozenset({frozenset(("?thing", "?other"))})
    return [_Change((Literal(on),), (near,), frozenset({on}), apart)]


def _slots(domain: Domain, changes: Iterable[_Change]) -> list[Slot]:
    """Return the slots of predicates that capabilities add and whose initial facts the scenes state completely."""
    made = {atom.predicate for change in changes for atom in change.added}
    return [
        (name, position)
        for name, model in domain.predicates.items()
        if name in made and name not in domain.derived and not model.bookkeeping
        for position in range(len(model.predicate.parameters))
    ]


def _broken_in(pair: Pair, scene: SceneFile) -> bool:
    filled: set[str] = set()
    first, second = (*pair, *pair)[:2]
    seen: dict[str, Atom] = {}
    for slot in {first, second}:
        for atom in scene.facts:
            if atom.predicate == slot[0] and slot[1] < len(atom.args):
                name = atom.args[slot[1]]
                if seen.setdefault(name, atom) != atom:
                    return True
                filled.add(name)
    return False


def _keeps(change: _Change, pair: Pair, mutexes: SlotMutexes) -> bool:
    first, second = (*pair, *pair)[:2]
    directions = ((first, second),) if first == second else ((first, second), (second, first))
    return all(_keeps_adding(change, added, present, mutexes) for added, present in directions)


def _keeps_adding(change: _Change, added: Slot, present: Slot, mutexes: SlotMutexes) -> bool:
    """Return whether no thing that enters the slot `added` is in the slot `present`, or enters it."""
    new = [atom for atom in change.added if atom.predicate == added[0] and Literal(atom) not in change.held]
    for atom in new:
        term = atom.args[added[1]]
        if not _is_free(change, term, present, mutexes):
            return False
        for too in change.added:
            if too.predicate == present[0] and too != atom and _may_meet(change, term, too.args[present[1]], mutexes):
                return False
    return True


def _is_free(change: _Change, term: str, slot: Slot, mutexes: SlotMutexes) -> bool:
    """Return whether certainly no fact that stays has `term` in `slot` before the change."""
    if Atom(slot[0], (term,)) in change.deleted:
        return True
    return any(
        _frees(change, literal, (literal.atom.predicate, position), slot, mutexes)
        for literal in change.held
        for position, arg in enumerate(literal.atom.args)
        if arg == term
    )


def _frees(change: _Change, literal: Literal, own_slot: Slot, slot: Slot, mutexes: SlotMutexes) -> bool:
    """Return whether a literal that held shows that its term in `own_slot` is not in `slot`."""
    if not literal.positive:
        return own_slot == slot and len(literal.atom.args) == 1
    if own_slot != slot:
        return frozenset((own_slot, slot)) in mutexes.pairs
    return literal.atom in change.deleted and (len(literal.atom.args) == 1 or frozenset({slot}) in mutexes.pairs)


def _may_meet(change: _Change, first: str, second: str, mutexes: SlotMutexes) -> bool:
    """Return whether two terms may denote the same thing where the change applies."""
    if first == second:
        return True
    if frozenset((first, second)) in change.apart or not (first.startswith("?") or second.startswith("?")):
        return False
    merged = [literal.replaced({first: second}) for literal in change.held]
    asserted = {literal.atom for literal in merged if literal.positive}
    denied = {literal.atom for literal in merged if not literal.positive}
    return not asserted & denied and mutexes.forbid(merged) is None
