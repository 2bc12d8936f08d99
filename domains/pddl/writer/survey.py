"""The names that a domain uses: affordances of parameters, things in capabilities, numbers that change."""

from __future__ import annotations

from collections.abc import Iterable

from domains.capability import Capability, effects_of, formulas_of
from domains.invariants.mentions import affordances_in
from domains.model import Domain
from semantics.logic.atoms import fluents_in, names_in


def affordances_asked(domain: Domain, capabilities: Iterable[Capability]) -> list[str]:
    """Return every affordance that some part asks for, in order, without ``object``."""
    affordances: list[str] = []
    for capability in capabilities:
        affordances += [affordance for parameter in capability.parameters for affordance in parameter.affordances]
        for _, formula in formulas_of(capability):
            affordances += affordances_in(formula)
        for effect in capability.conditional:
            affordances += [variable.affordance for variable in effect.variables]
    for derived in domain.derived.values():
        affordances += [variable.affordance for variable in derived.variables]
        for body in derived.bodies:
            affordances += affordances_in(body)
    return [name for name in dict.fromkeys(affordances) if name != "object"]


def names_mentioned(domain: Domain, capabilities: Iterable[Capability]) -> list[str]:
    """Return the things that capabilities and derived predicates name, in order."""
    names: list[str] = []
    for capability in capabilities:
        names += [arg for template in capability.precondition for arg in template.args]
        names += [arg for literal in effects_of(capability) for arg in literal.atom.args]
        numeric = (change for effect in capability.effects for change in effect.numeric)
        names += [
            arg for change in numeric for atom in (change.fluent, *fluents_in(change.amount)) for arg in atom.args
        ]
        names += [arg for _, formula in formulas_of(capability) for arg in names_in(formula)]
        if capability.cost_by is not None:
            names += [arg for atom in fluents_in(capability.cost_by) for arg in atom.args]
    names += [arg for derived in domain.derived.values() for body in derived.bodies for arg in names_in(body)]
    return [name for name in dict.fromkeys(names) if not name.startswith("?")]
