"""What a world's own capabilities ask of the thing that is missing.

A predicate types its arguments by affordances, and the capability that brings it about types the tool it takes: who
wants a table wiped in the kitchen needs something that affords `wet-swipe`. That is sure knowledge of this world and
counts before the general one of ``tasks.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterator

from affordances.substitutes.knowledge import ClassProfile
from affordances.substitutes.tasks import SubstitutionTask
from domains.capability import Capability, Parameter
from domains.model import Domain
from semantics.atoms import Atom, literals

__all__ = ["demanded_by"]


def demanded_by(domain: Domain, task: SubstitutionTask, missing: ClassProfile) -> frozenset[str]:
    """Return the affordances that a world asks of the missing thing, in its roles and as a tool."""
    atoms = [literal.atom for literal in literals(task.goal)]
    found = {each for atom in atoms for each in _of_roles(domain, atom, task)}
    tools = [atom for atom in atoms if not task.places.intersection(atom.args)]
    found |= {each for atom in tools for each in _of_tool(domain, atom, missing)}
    return frozenset(found) - domain.conventions.structural


def _of_roles(domain: Domain, atom: Atom, task: SubstitutionTask) -> Iterator[str]:
    model = domain.predicates.get(atom.predicate)
    if model is None:
        return
    for index, arg in enumerate(atom.args):
        if arg in task.places and index < len(model.predicate.parameters):
            yield model.predicate.parameters[index]


def _of_tool(domain: Domain, atom: Atom, missing: ClassProfile) -> frozenset[str]:
    """Return what the tool of a capability needs, where the missing thing could be that tool."""
    names = domain.conventions
    for capability in domain.capabilities.values():
        for parameter in _tools(capability, atom.predicate, names.actor):
            needed = frozenset(parameter.affordances) - names.structural
            if needed - {names.carry, names.support} and all(map(missing.can, needed)):
                return needed
    return frozenset()


def _tools(capability: Capability, predicate: str, actor: str) -> Iterator[Parameter]:
    """Yield the parameters, agents apart, that do not stand in the effect that a goal is about."""
    effects = [one for one in capability.effect if one.positive and one.predicate == predicate]
    for effect in effects:
        for parameter in capability.parameters:
            if f"?{parameter.name}" not in effect.args and actor not in parameter.affordances:
                yield parameter
