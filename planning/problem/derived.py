"""Leaves out the derived predicates that a problem does not use: computing them may cost more than planning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from domains.capability import formulas_of
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
