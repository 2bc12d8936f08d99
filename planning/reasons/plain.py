"""Plain conflicts: what cannot be had for a reason that shows without a picture of the problem, in milliseconds.

A literal that no action can make true (`planning.reasons.obstacles`), two of which an invariant of the world allows one
(`planning.reasons.invariants`), and two that do not hold now, and of which each action that makes one true ends the
other, or needs it to be false. Most goals that cannot be had fail on these; they are asked about before a search, which
would have to try everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from domains.model import Capability, Domain, Template
from domains.problem import Problem
from planning.reasons.invariants import Invariants
from planning.reasons.obstacles import binding, obstacle
from planning.reasons.shadow import shadow
from planning.reasons.sketch import makers_of
from planning.relevance.needed import needed
from semantics.atoms import Conjunct, Literal

__all__ = ["plain_conflicts"]


def plain_conflicts(problem: Problem) -> list[Conjunct]:
    """Return sets of one or two literals that are proved never to hold together, each part of one alternative."""
    domain, goals, state, things = problem.domain, problem.goal, problem.state, problem.objects
    domain = needed(shadow(domain) if domain.is_adl else domain, goals)
    invariants = Invariants(domain, state)
    missing = dict.fromkeys(one for goal in goals for one in sorted(goal) if not state.holds(one))
    lost = {one for one in missing if obstacle(one, things, domain) is not None}
    pairs = dict.fromkeys(pair for goal in goals for pair in combinations(sorted(goal - lost), 2))
    wanted = (pair for pair in pairs if pair[0] in missing or pair[1] in missing)
    clashing = [pair for pair in wanted if invariants.clash(*pair, things) or _apart(*pair, domain)]
    return [*(frozenset({one}) for one in missing if one in lost), *map(frozenset, clashing)]


def _apart(one: Literal, other: Literal, domain: Domain) -> bool:
    """Return whether no action makes one of two literals true and leaves, or makes, the other true.

    As they do not both hold at the start, they never do.
    """
    return _parted(one, other, domain) and _parted(other, one, domain)


def _parted(made: Literal, other: Literal, domain: Domain) -> bool:
    return all(
        known is None or _without(other, verb, known)
        for verb, template in makers_of(made, domain)
        for known in (binding(template, made),)
    )


def _without(other: Literal, verb: Capability, known: Mapping[str, str]) -> bool:
    """Return whether `other` is false after an action with these parameters, whatever the rest of them are."""
    if any(_may_be(part, other, known) for part in verb.effect):
        return False
    return _says(verb.effect, other.negated(), known) or _says(verb.precondition, other.negated(), known)


def _may_be(part: Template, literal: Literal, known: Mapping[str, str]) -> bool:
    if (part.predicate, part.positive) != (literal.atom.predicate, literal.positive):
        return False
    found = binding(part, literal)
    return found is not None and all(known.get(name, value) == value for name, value in found.items())


def _says(parts: Iterable[Template], literal: Literal, known: Mapping[str, str]) -> bool:
    named = {f"?{name}": value for name, value in known.items()}
    return any(
        (part.predicate, part.positive) == (literal.atom.predicate, literal.positive)
        and tuple(named.get(arg, arg) for arg in part.args) == literal.atom.args
        for part in parts
    )
