"""Why there is no plan, in words that help."""

from __future__ import annotations

from collections.abc import Mapping

from domains.model import Domain
from planning.grounding import ground, reachable
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.state import Operator, State
from semantics.vocabulary import Thing

__all__ = ["no_plan", "whereabouts"]

CARRIED = "carry"
"""Affordance of things that are somewhere, and can be somewhere else."""


def whereabouts(conjunct: Conjunct, state: State, things: Mapping[str, Thing], domain: Domain) -> Feedback | None:
    """Say which thing that `conjunct` still needs is nowhere in `state`; None when all are somewhere.

    A thing that can be carried is somewhere when a fact whose first argument is a carried thing (``on``, ``in``,
    ``inhand``) places it.
    """
    placing = {
        model.predicate.name
        for model in domain.predicates.values()
        if model.predicate.parameters[:1] == (CARRIED,)
        and len(model.predicate.parameters) > 1
        and not model.bookkeeping
    }
    placed = {atom.args[0] for atom in state.atoms if atom.predicate in placing}
    needed = {arg for literal in state.missing(conjunct) if literal.positive for arg in literal.atom.args}
    lost = sorted(name for name in needed - placed if name in things and CARRIED in things[name].affordances)
    if not lost:
        return None
    why = f"nobody knows where {' and '.join(lost)} {'is' if len(lost) == 1 else 'are'}"
    return Feedback(Code.WHEREABOUTS_UNKNOWN, lost[0], why, "Look for it, or say where it is.", tuple(lost))


def no_plan(conjunct: Conjunct, state: State, things: Mapping[str, Thing], domain: Domain) -> Feedback:
    """Say which part of `conjunct` cannot be reached, and what stops it."""
    operators = ground(domain, things)
    reached = reachable(operators, state)
    for literal in state.missing(conjunct):
        if literal not in reached:
            return _unreachable(literal, operators, reached, state)
    parts = " and ".join(str(literal) for literal in sorted(conjunct))
    return Feedback(Code.NO_PLAN, parts, "no sequence of actions makes them hold together", culprits=_names(conjunct))


def _names(conjunct: Conjunct) -> tuple[str, ...]:
    return tuple(dict.fromkeys(arg for literal in sorted(conjunct) for arg in literal.atom.args))


def _unreachable(
    literal: Literal, operators: tuple[Operator, ...], reached: frozenset[Literal], state: State
) -> Feedback:
    """Follow the first thing that is missing back to where nothing can be done about it."""
    culprits = list(literal.atom.args)
    seen = {literal}
    chain = [literal]
    while True:
        achievers = [one for one in operators if _makes(one, chain[-1])]
        lacking = [_lacking(one, reached, state) for one in achievers]
        if not lacking:
            break
        following = min(lacking, key=len)[0]
        if following in seen:
            break
        seen.add(following)
        chain.append(following)
    last = chain[-1]
    why = (
        f"nobody here can make {last} true" if len(chain) == 1 else f"it needs {last}, which nobody here can make true"
    )
    return Feedback(
        Code.NO_PLAN, str(literal), why, culprits=tuple(dict.fromkeys((*culprits, *last.atom.args))), recoverable=False
    )


def _makes(operator: Operator, literal: Literal) -> bool:
    return literal.atom in (operator.added if literal.positive else operator.deleted)


def _lacking(operator: Operator, reached: frozenset[Literal], state: State) -> tuple[Literal, ...]:
    return tuple(sorted(one for one in operator.precondition if one not in reached and not state.holds(one)))
