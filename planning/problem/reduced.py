"""Leaves out of a problem what cannot matter: derived predicates that nothing uses, and capabilities without use.

Computing unused derived predicates may cost more than planning. A capability that needs a fact which nothing brings
about takes part in no plan. In an explanation it hides invariants: an arm that takes a thing which lies beside another,
without a place of its own, seems to hold what also stands somewhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from domains.capability import formulas_of
from domains.invariants.mentions import required
from domains.model import Domain
from domains.problem import Problem
from semantics.logic.atoms import literals


def without_unused(problem: Problem) -> Problem:
    """Return `problem` with only those derived predicates that its goal or some capability uses, perhaps indirectly."""
    domain = problem.domain
    used: set[str] = set()
    agenda = [literal.atom.predicate for goal in problem.goal for literal in goal] if domain.derived else []
    agenda += _asked(domain) if domain.derived else ()
    while agenda:
        name = agenda.pop()
        if name in domain.derived and name not in used:
            used.add(name)
            agenda += [literal.atom.predicate for literal in domain.derived[name].literals]
    if len(used) == len(domain.derived):
        return problem
    derived = {name: definition for name, definition in domain.derived.items() if name in used}
    return problem.within(domain.remember(("used", frozenset(used)), lambda: replace(domain, derived=derived)))


def _asked(domain: Domain) -> Iterator[str]:
    """Yield the predicates in conditions of actions."""
    for capability in domain.capabilities.values():
        yield from (template.predicate for template in capability.precondition)
        for _, condition in formulas_of(capability):
            yield from (literal.atom.predicate for literal in literals(condition))


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
