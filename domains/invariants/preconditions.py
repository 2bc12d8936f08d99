"""The requirements of a precondition: literals, equalities and inequalities, and contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from domains.capability import Capability
from semantics.logic.atoms import Atom, Equal, Formula, Literal, Not, conjoined


def _condition_parts(capability: Capability) -> Iterator[Formula]:
    if capability.condition is not None:
        yield from conjoined(capability.condition)


def certain(parts: Iterable[Formula]) -> Iterator[Literal]:
    """Yield the parts of a conjunction that are literals."""
    for part in parts:
        match part:
            case Atom():
                yield Literal(part)
            case Not(Atom() as atom):
                yield Literal(atom, False)


def required(capability: Capability) -> list[Literal]:
    """Return the literals that must certainly hold before a capability is executed."""
    return [*(template.literal for template in capability.precondition), *certain(_condition_parts(capability))]


def different(capability: Capability) -> set[frozenset[str]]:
    """Return the pairs of ``?parameters`` that must differ."""
    pairs = {frozenset((f"?{left}", f"?{right}")) for left, right in capability.distinct}
    unequal = (part.part for part in _condition_parts(capability) if isinstance(part, Not))
    return pairs.union(frozenset((part.one, part.other)) for part in unequal if isinstance(part, Equal))


def equal(capability: Capability) -> dict[str, str]:
    """Return the arguments that must be equal to another, with that one."""
    return {part.one: part.other for part in _condition_parts(capability) if isinstance(part, Equal)}


def contradiction(capability: Capability, names: Mapping[str, str] | None = None) -> Literal | None:
    """Return a literal that the precondition requires and denies, or None.

    Args:
        capability: The capability with the precondition.
        names: Arguments to replace by others, besides those that the precondition states to be equal.
    """
    merged = {**equal(capability), **(names or {})}
    seen: dict[Literal, Literal] = {}
    for literal in required(capability):
        ground = literal.replaced(merged)
        if ground.negated() in seen:
            return literal
        seen[ground] = literal
    return None
