"""Finds facts of the state that contradict each other, because a reason built on them misleads.

A fridge that is open and closed at once has no plan, or has one that makes no sense. Files of this project's own format
refuse such a start. A PDDL file, or what a body senses, may still hold it, so the reason names the two facts.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from domains.invariants.clashing_facts import clashing_facts, switched_facts
from domains.problem import Problem
from planning.reasons.reason import Kind, Reason, said
from semantics.logic.atoms import Atom, Literal
from semantics.plain_text import together

HARMLESS = (Kind.ALREADY_TRUE, Kind.WHEREABOUTS_UNKNOWN)
"""The kinds of reasons that do not depend on what actions can do."""


def contradiction(problem: Problem, names: Set[str]) -> tuple[Atom, Atom] | None:
    """Return two facts of the state about one of the things `names` that no action would bring about together."""
    facts = sorted(atom for atom in problem.state.atoms if not names.isdisjoint(atom.args))
    found = (*clashing_facts(facts, problem.domain), *switched_facts(facts, problem.domain))
    return next((pair for pair in found if pair[0].args[0] in names), None)


def with_contradiction(reason: Reason, problem: Problem) -> Reason:
    """Return a reason that also names two facts of the state that contradict each other, if there are any."""
    if reason.kind in HARMLESS:
        return reason
    names = {arg for literal in problem.conjunct for arg in literal.atom.args}.union(reason.culprits)
    if (pair := contradiction(problem, names)) is None:
        return reason
    predicates = {name: model.predicate for name, model in problem.domain.predicates.items()}
    facts = together(f"{said(Literal(fact), predicates)} {fact}" for fact in pair)
    culprits = tuple(dict.fromkeys((*reason.culprits, *(arg for fact in pair for arg in fact.args))))
    why = f"{reason.why}; and the state contradicts itself: {facts}"
    return replace(reason, why=why, how=reason.how or "Correct one of these two facts.", culprits=culprits)
