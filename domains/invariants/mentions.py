"""The literals, numbers and variables that conditions and effects mention."""

from __future__ import annotations

from collections.abc import Iterator

from domains.capability import ConditionalEffect, effects_of
from domains.model import Domain
from semantics.logic.atoms import (
    Atom,
    Compare,
    Equal,
    Exists,
    ForAll,
    Formula,
    Variable,
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
