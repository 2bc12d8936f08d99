"""Plain conflicts: literals that are unreachable for a reason that shows in milliseconds, without a sketch.

There are three kinds: a literal that no action can make true (`planning.reasons.obstacles`); two literals of which an
invariant allows only one (`planning.reasons.invariants`); and two literals that do not both hold now, where each action
that makes one true ends the other, or requires it to be false. Most unreachable goals fail on these. They are tested
before a search, which would have to try everything.
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
from semantics.logic.atoms import Conjunct, Literal


def plain_conflicts(problem: Problem) -> list[Conjunct]:
    """Return sets of one or two literals that are proved never to hold together, each part of one alternative."""
    domain, goals, state, things = problem.domain, problem.goal, problem.state, problem.objects
    domain = needed(shadow(domain) if domain.is_adl else domain, goals)
    invariants = Invariants(domain, state)
    missing = dict.fromkeys(literal for goal in goals for literal in sorted(goal) if not state.holds(literal))
    lost = {literal for literal in missing if obstacle(literal, things, domain) is not None}
    pairs = dict.fromkeys(pair for goal in goals for pair in combinations(sorted(goal - lost), 2))
    wanted = (pair for pair in pairs if pair[0] in missing or pair[1] in missing)
    clashing = [pair for pair in wanted if invariants.clash(*pair, things) or _apart(*pair, domain)]
    return [*(frozenset({literal}) for literal in missing if literal in lost), *map(frozenset, clashing)]


def _apart(first: Literal, second: Literal, domain: Domain) -> bool:
    """Return whether no action makes one of two literals true and leaves, or makes, the other true.

    They do not both hold at the start, so they never both hold.
    """
    return _parted(first, second, domain) and _parted(second, first, domain)


def _parted(made: Literal, second: Literal, domain: Domain) -> bool:
    return all(
        bound is None or _without(second, verb, bound)
        for verb, template in makers_of(made, domain)
        for bound in (binding(template, made),)
    )


def _without(literal: Literal, verb: Capability, bound: Mapping[str, str]) -> bool:
    """Return whether `literal` is false after an action with these parameters, for all values of the others."""
    if any(_may_be(part, literal, bound) for part in verb.effect):
        return False
    return _says(verb.effect, literal.negated(), bound) or _says(verb.precondition, literal.negated(), bound)


def _may_be(part: Template, literal: Literal, bound: Mapping[str, str]) -> bool:
    if (part.predicate, part.positive) != (literal.atom.predicate, literal.positive):
        return False
    values = binding(part, literal)
    return values is not None and all(bound.get(name, value) == value for name, value in values.items())


def _says(parts: Iterable[Template], literal: Literal, bound: Mapping[str, str]) -> bool:
    named = {f"?{name}": value for name, value in bound.items()}
    return any(
        (part.predicate, part.positive) == (literal.atom.predicate, literal.positive)
        and tuple(named.get(arg, arg) for arg in part.args) == literal.atom.args
        for part in parts
    )
