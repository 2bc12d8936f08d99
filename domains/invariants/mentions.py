"""What conditions and effects mention, and what preconditions require: literals, equalities and inequalities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from domains.capability import Capability, ConditionalEffect, effects_of
from domains.model import Domain
from semantics.logic.atoms import (
    Atom,
    Compare,
    Equal,
    Exists,
    ForAll,
    Formula,
    Literal,
    Not,
    Variable,
    conjoined,
    fluents_in,
    numbers_in,
    walked,
)


def lasting_capabilities(domain: Domain) -> tuple[str, ...]:
    """Return the capabilities that change more than momentary facts: all but those that only wait."""
    momentary = domain.momentary
    return tuple(
        name
        for name, capability in domain.capabilities.items()
        if any(literal.atom.predicate not in momentary for literal in effects_of(capability))
    )


def quantified(formula: Formula) -> Iterator[tuple[tuple[Variable, ...], Formula]]:
    """Yield the variables and the body of every quantifier."""
    for part, _ in walked(formula):
        if isinstance(part, ForAll | Exists):
            yield part.variables, part.part


def affordances_in(formula: Formula) -> Iterator[str]:
    """Yield the affordances that the quantifiers of a formula range over."""
    yield from (variable.affordance for variables, _ in quantified(formula) for variable in variables)


def read_by(formula: Formula) -> Iterator[str]:
    """Yield every name that a formula mentions: predicates, fluents, ``?variables`` and things."""
    for part, _ in walked(formula):
        match part:
            case Atom(predicate, args):
                yield from (predicate, *args)
            case Equal(name, other):
                yield from (name, other)
            case Compare():
                for fluent in numbers_in(part):
                    yield from (fluent.predicate, *fluent.args)


def mentioned_in(effect: ConditionalEffect) -> Iterator[str]:
    """Yield every name that a conditional effect mentions."""
    for template in effect.literals:
        yield from template.args
    for numeric in effect.numeric:
        yield from numeric.fluent.args
        for fluent in fluents_in(numeric.amount):
            yield from (fluent.predicate, *fluent.args)
    if effect.condition is not None:
        yield from read_by(effect.condition)


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
