"""Leaves out the capabilities that no action sequence can apply, because they need a fact that nothing brings about.

Such a capability takes part in no plan. In an explanation it hides invariants: an arm that takes a thing which lies
beside another, without a place of its own, seems to hold what also stands somewhere else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from domains.invariants.preconditions import required
from domains.model import Domain
from domains.problem import Problem


def without_inapplicable(problem: Problem) -> Problem:
    """Return `problem` without the capabilities that need a fact of a kind that no fact is of, and no action makes."""
    domain = problem.domain
    needs = domain.remember("unmade needs", lambda: _unmade_needs(domain))
    there = {atom.predicate for atom in problem.state.atoms} if needs else set()
    idle = frozenset(name for name, predicates in needs.items() if not predicates <= there)
    return problem.within(domain.remember(("without", idle), lambda: _without(domain, idle))) if idle else problem


def _unmade_needs(domain: Domain) -> dict[str, frozenset[str]]:
    """Return the predicates that a capability needs and no capability makes, for those that need any."""
    made = {
        template.predicate
        for capability in domain.capabilities.values()
        for effect in capability.effects
        for template in effect.literals
        if template.positive
    }
    given = domain.predicates.keys() - made - domain.derived.keys()
    needs = {
        name: frozenset(literal.atom.predicate for literal in required(capability) if literal.positive) & given
        for name, capability in domain.capabilities.items()
    }
    stand_ins = {capability.otherwise[0] for capability in domain.capabilities.values() if capability.otherwise}
    return {name: predicates for name, predicates in needs.items() if predicates and name not in stand_ins}


def _without(domain: Domain, names: Collection[str]) -> Domain:
    fewer = domain.without(names)
    kept = {name: capability for name, capability in fewer.capabilities.items() if name not in names}
    return replace(fewer, capabilities=kept)
