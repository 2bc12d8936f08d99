"""Why there is no plan, in words that help."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping

from domains.model import Capability, Domain, Template
from planning.grounding import ground, reachable
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.state import Operator, State
from semantics.vocabulary import Thing

__all__ = ["no_plan", "whereabouts"]

CARRY = "carry"
"""Affordance of things that are somewhere, and can be somewhere else."""


MIRACLE = 1000.0
"""Price of what no action makes, in actions."""


def whereabouts(conjunct: Conjunct, state: State, things: Mapping[str, Thing], domain: Domain) -> Feedback | None:
    """Say which thing that `conjunct` still needs is nowhere in `state`; None when all are somewhere.

    A thing that can be carried is somewhere when a fact that relates it, as a carried thing, to another one (``on``,
    ``in``, ``inhand``) says so.
    """
    predicates = {name: model.predicate for name, model in domain.predicates.items() if not model.bookkeeping}
    placing = {name for name, one in predicates.items() if len(one.parameters) == 2 and one.parameters[0] == CARRY}
    placed = {atom.args[0] for atom in state.atoms if atom.predicate in placing}
    needed = {arg for literal in state.missing(conjunct) if literal.positive for arg in literal.atom.args}
    lost = sorted(name for name in needed - placed if name in things and CARRY in things[name].affordances)
    if not lost:
        return None
    why = f"nobody knows where {' and '.join(lost)} {'is' if len(lost) == 1 else 'are'}"
    return Feedback(Code.WHEREABOUTS_UNKNOWN, lost[0], why, "Look for it, or say where it is.", tuple(lost))


def no_plan(conjunct: Conjunct, state: State, things: Mapping[str, Thing], domain: Domain) -> Feedback:
    """Say which part of `conjunct` nobody can reach, and what stops them; else that the parts exclude each other."""
    operators = ground(domain, things)
    reached = reachable(operators, state)
    for literal in state.missing(conjunct):
        if literal not in reached:
            chain = _chain(literal, operators, reached, state)
            why = _hindrance(chain[-1], things, domain)
            if len(chain) > 1:
                why = f"it needs that {_said(chain[-1], domain)}, and {why}"
            culprits = tuple(dict.fromkeys((*literal.atom.args, *chain[-1].atom.args)))
            return Feedback(Code.NO_PLAN, _said(literal, domain), why, culprits=culprits, recoverable=False)
    what = " and ".join(_said(literal, domain) for literal in sorted(conjunct))
    culprits = tuple(dict.fromkeys(arg for literal in sorted(conjunct) for arg in literal.atom.args))
    return Feedback(Code.NO_PLAN, what, "no sequence of actions ends that way", culprits=culprits)


def _chain(
    literal: Literal, operators: tuple[Operator, ...], reached: frozenset[Literal], state: State
) -> list[Literal]:
    """Follow what is missing for `literal`, and for that in turn, to what no action makes true.

    Where there are several ways, the one that would need the fewest miracles is followed: what no action makes has a
    price, and an action one above the sum of what it needs (the additive heuristic of Bonet and Geffner, AIJ 2001).
    """
    ways: dict[Literal, list[list[Literal]]] = defaultdict(list)
    for operator in operators:
        lack = [one for one in sorted(operator.precondition) if one not in reached and not state.holds(one)]
        for made in (*(Literal(atom) for atom in operator.added), *(Literal(atom, False) for atom in operator.deleted)):
            if lack and made not in reached:
                ways[made].append(lack)
    prices = _prices(ways)
    chain = [literal]
    while prices[chain[-1]] < math.inf and ways[chain[-1]]:
        lack = min(ways[chain[-1]], key=lambda lack: sum(prices[one] for one in lack))
        chain.append(min(lack, key=lambda one: prices[one]))
    return chain


def _prices(ways: dict[Literal, list[list[Literal]]]) -> dict[Literal, float]:
    prices: dict[Literal, float] = defaultdict(lambda: MIRACLE)
    prices.update(dict.fromkeys(ways, math.inf))
    changed = True
    while changed:
        changed = False
        for made, choices in ways.items():
            price = 1 + min(sum(prices[one] for one in lack) for lack in choices)
            changed = changed or price < prices[made]
            prices[made] = price
    return prices


def _hindrance(literal: Literal, things: Mapping[str, Thing], domain: Domain) -> str:
    """Say in half a sentence why nobody makes `literal` true."""
    present = {thing.class_name for thing in things.values()}
    able = {name for agent in domain.agents.values() if agent.class_name in present for name in agent.capabilities}
    makers = list(_makers(literal, domain))
    if not makers:
        return "there is no action that does that"
    for capability, template in makers:
        lack = _lack(capability, template, literal, things)
        if capability.name in able and lack:
            return lack
    if not any(capability.name in able for capability, _ in makers):
        return f"nobody here can {' or '.join(sorted({capability.name for capability, _ in makers}))}"
    return "nobody here gets that far"


def _makers(literal: Literal, domain: Domain) -> Iterator[tuple[Capability, Template]]:
    for capability in domain.capabilities.values():
        for template in capability.effect:
            if (template.predicate, template.positive) == (literal.atom.predicate, literal.positive):
                yield capability, template


def _lack(capability: Capability, template: Template, literal: Literal, things: Mapping[str, Thing]) -> str:
    """Say which argument does not afford what `capability` needs of it."""
    needed = {f"?{parameter.name}": parameter.affordances for parameter in capability.parameters}
    for variable, name in zip(template.args, literal.atom.args, strict=True):
        lacking = sorted({*needed.get(variable, ())} - things[name].affordances - {"object"})
        if lacking:
            return f"{name} does not afford {' and '.join(lacking)}, which {capability.name} needs"
    return ""


def _said(literal: Literal, domain: Domain) -> str:
    sentence = domain.predicates[literal.atom.predicate].predicate.description.format(*literal.atom.args)
    return sentence if literal.positive else f"not: {sentence}"
