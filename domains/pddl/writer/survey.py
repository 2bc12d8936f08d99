"""The names that a domain uses: affordances of parameters, things in capabilities, numbers that change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domains.capability import Capability
from domains.model import Domain
from semantics.atoms import Atom, Compare, Equal, Exists, ForAll, Formula, fluents_in, numbers_in, walked

__all__ = ["affordances_asked", "affordances_in", "names_mentioned"]


def affordances_in(formula: Formula) -> Iterator[str]:
    """Yield the affordances that the quantifiers of a formula range over."""
    for part, _ in walked(formula):
        if isinstance(part, ForAll | Exists):
            yield from (variable.affordance for variable in part.variables)


def affordances_asked(domain: Domain, capabilities: Iterable[Capability]) -> list[str]:
    """Return every affordance that some part asks for, in order, without ``object``."""
    affordances: list[str] = []
    for capability in capabilities:
        affordances += [affordance for parameter in capability.parameters for affordance in parameter.affordances]
        for formula in _formulas(capability):
            affordances += affordances_in(formula)
        for effect in capability.conditional:
            affordances += [variable.affordance for variable in effect.variables]
    for derived in domain.derived.values():
        affordances += [variable.affordance for variable in derived.variables]
        for body in derived.bodies:
            affordances += affordances_in(body)
    return [name for name in dict.fromkeys(affordances) if name != "object"]


def _formulas(capability: Capability) -> Iterator[Formula]:
    if capability.condition is not None:
        yield capability.condition
    yield from (effect.condition for effect in capability.conditional if effect.condition is not None)


def names_mentioned(domain: Domain, capabilities: Iterable[Capability]) -> list[str]:
    """Return the things that capabilities and derived predicates name, in order."""
    names: list[str] = []
    for capability in capabilities:
        made = (template for effect in capability.effects for template in effect.literals)
        names += [arg for template in (*capability.precondition, *made) for arg in template.args]
        numeric = (change for effect in capability.effects for change in effect.numeric)
        names += [
            arg for change in numeric for atom in (change.fluent, *fluents_in(change.amount)) for arg in atom.args
        ]
        names += [arg for formula in _formulas(capability) for arg in _args(formula)]
        if capability.cost_by is not None:
            names += [arg for atom in fluents_in(capability.cost_by) for arg in atom.args]
    names += [arg for derived in domain.derived.values() for body in derived.bodies for arg in _args(body)]
    return [name for name in dict.fromkeys(names) if not name.startswith("?")]


def _args(formula: Formula) -> Iterator[str]:
    for part, _ in walked(formula):
        match part:
            case Atom(_, args):
                yield from args
            case Equal(left, right):
                yield from (left, right)
            case Compare():
                yield from (arg for atom in numbers_in(part) for arg in atom.args)
