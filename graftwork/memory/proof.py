"""What a proof that no plan is cheaper rests on, as a digest: equal digests, and the proof still holds.

That is everything a planner is given: the facts, the things and what they are good for, what agents can do, and what it
costs. Words, rules and the motions behind the capabilities are left out, for no plan hangs on them.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from domains.model import Capability, Template
from domains.problem import Problem

__all__ = ["proof_digest"]


def proof_digest(problem: Problem) -> str:
    """Return a digest of a planning problem, its goal apart."""
    domain, things, state = problem.domain, problem.objects, problem.state
    document: dict[str, Any] = {
        "facts": sorted(map(str, state.atoms)),
        "things": {name: [thing.class_name, sorted(thing.affordances)] for name, thing in things.items()},
        "capabilities": {name: _capability(capability) for name, capability in domain.capabilities.items()},
        "agents": {name: [sorted(agent.capabilities), agent.cost] for name, agent in domain.agents.items()},
        "predicates": {name: list(model.predicate.parameters) for name, model in domain.predicates.items()},
    }
    if domain.is_adl:
        derived = {name: [str(body) for body in axiom.bodies] for name, axiom in domain.derived.items()}
        numbers = sorted((str(fluent), value) for fluent, value in state.numbers.items())
        document["rich"] = [derived, numbers, [_adl(capability) for capability in domain.capabilities.values()]]
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _capability(capability: Capability) -> list[Any]:
    parameters = [[parameter.name, sorted(parameter.affordances)] for parameter in capability.parameters]
    distinct = sorted(sorted(pair) for pair in capability.distinct)
    return [parameters, _literals(capability.precondition), _literals(capability.effect), distinct, capability.cost]


def _adl(capability: Capability) -> list[str]:
    return list(map(str, (capability.condition, capability.conditional, capability.numeric, capability.cost_by)))


def _literals(templates: tuple[Template, ...]) -> list[list[Any]]:
    return sorted([template.predicate, list(template.args), template.positive] for template in templates)
