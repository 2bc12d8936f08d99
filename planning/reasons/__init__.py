"""Why there is no plan, in words that help.

First what needs no search: a literal that no action makes, that no thing affords or that nobody here can do. Then, in a
small picture of the problem (see `planning.reasons.sketch`), what cannot be reached one literal at a time, and what it
fails on in the end: such a thing again, or a place. Then pairs, and sets, that exclude each other. Whatever is called
impossible here is proved, because the picture can do all that the problem can. What remains is proved by the planner's
search alone, and is said to be.
"""

from __future__ import annotations

from collections.abc import Iterable

from domains.capability import Capability
from domains.model import Domain
from domains.problem import Problem
from planning.reasons.effort import ENOUGH, LITTLE, Effort
from planning.reasons.explanation import Explainer
from planning.reasons.plain import plain_conflicts
from planning.reasons.reason import Kind, Reason, said, together
from semantics.feedback import Feedback

__all__ = [
    "ENOUGH",
    "LITTLE",
    "UNPROVED",
    "Explainer",
    "Kind",
    "Reason",
    "explain",
    "impossible",
    "no_plan",
    "nowhere",
    "plain_conflicts",
    "whereabouts",
]

UNPROVED = (Kind.ALREADY_TRUE, Kind.WHEREABOUTS_UNKNOWN, Kind.UNEXPLAINED)
"""Kinds after which a plan may exist all the same."""


def explain(problem: Problem, *, effort: int = ENOUGH) -> Reason:
    """Say why nobody reaches the goal, or that it holds already.

    It is meant for goals that a planner failed on: for one that can be reached the answer is `Kind.UNEXPLAINED`. How
    much is tried is counted (`planning.reasons.effort`), so that the answer does not depend on the machine. Of a goal
    with alternatives the first is told of which nothing is proved; where all are proved impossible, the first of them.

    Raises:
        KeyError: The goal names what does not exist.
    """
    held = problem.reached
    if held is not None:
        predicates = {name: model.predicate for name, model in problem.domain.predicates.items()}
        what = together(said(literal, predicates) for literal in sorted(held)) or "what is asked for"
        return Reason(Kind.ALREADY_TRUE, tuple(sorted(held)), what, "it is so already")
    first: Reason | None = None
    for conjunct in problem.goal:
        reason = _explained(problem.with_goal(conjunct), effort)
        if reason.kind in UNPROVED:
            return reason
        first = first or reason
    assert first is not None
    return first


def _explained(problem: Problem, effort: int) -> Reason:
    lost = whereabouts(problem)
    if lost is not None:
        missing = problem.state.missing(problem.conjunct)
        literals = tuple(literal for literal in missing if set(lost.culprits) & set(literal.atom.args))
        return Reason(Kind.WHEREABOUTS_UNKNOWN, literals, lost.what, lost.why, lost.how, lost.culprits)
    return Explainer(problem, Effort(effort)).reason()


def no_plan(problem: Problem) -> Feedback:
    """Say which part of a conjunct nobody can reach, and what stops them; else that the parts exclude each other."""
    return Explainer(problem).reason().feedback


def impossible(problem: Problem, *, effort: int = ENOUGH) -> Feedback | None:
    """Return the reason when the goal is proved impossible without a search, mostly within some 50 ms; else None.

    A search that has to try everything takes seconds for what two facts that exclude each other show at once.
    """
    reason = explain(problem, effort=effort)
    return None if reason.kind in UNPROVED else reason.feedback


def whereabouts(problem: Problem) -> Feedback | None:
    """Say which thing that a conjunct still needs is nowhere; None when all are somewhere.

    See `nowhere` for what counts as somewhere.
    """
    missing = problem.state.missing(problem.conjunct)
    lost = nowhere((arg for literal in missing if literal.positive for arg in literal.atom.args), problem)
    if not lost:
        return None
    why = f"nobody knows where {together(lost)} {'is' if len(lost) == 1 else 'are'}"
    return Reason(Kind.WHEREABOUTS_UNKNOWN, (), lost[0], why, "Look for it, or say where it is.", tuple(lost)).feedback


def nowhere(names: Iterable[str], problem: Problem) -> list[str]:
    """Return which of some things can be carried and are nowhere in `state`, sorted.

    A thing that can be carried is somewhere when a fact that relates it, as a carried thing, to another one (``on``,
    ``in``, ``inhand``) says so, or one that tells of a holder what it holds (``holding``), or where it was left for
    good (``in`` a drink), or one about it alone that it comes to from such a place (``ontable``).
    """
    domain, state, things = problem.domain, problem.state, problem.objects
    carry = domain.conventions.carry
    predicates = {name: model.predicate for name, model in domain.predicates.items() if not model.bookkeeping}
    placing = {
        name
        for name, predicate in predicates.items()
        if len(predicate.parameters) == 2 and predicate.parameters[0] == carry
    }
    placed = {atom.args[0] for atom in state.atoms if atom.predicate in placing}
    lost = sorted(name for name in set(names) - placed if name in things and carry in things[name].affordances)
    if not lost:
        return lost
    holding = _holding(domain, placing)
    leaving = (_left_at(domain, placing | holding) | _standing(domain, placing)) & predicates.keys()
    held = {atom.args[1] for atom in state.atoms if atom.predicate in holding}
    held |= {atom.args[0] for atom in state.atoms if atom.predicate in leaving}
    return [name for name in lost if name not in held]


def _holding(domain: Domain, placing: set[str]) -> set[str]:
    """Return the predicates of two places whose second leaves where it was when they come true."""
    predicates = set()
    for capability in domain.capabilities.values():
        taken = {part.args[0] for part in capability.effect if not part.positive and part.predicate in placing}
        predicates |= {
            part.predicate
            for part in capability.effect
            if part.positive and len(part.args) == 2 and part.args[1] in taken
        }
    return predicates


def _standing(domain: Domain, placing: set[str]) -> set[str]:
    """Return the predicates of one place that a thing comes to when it leaves where it was, by any way."""
    predicates: set[str] = set()
    while True:
        new = {
            part.predicate
            for capability in domain.capabilities.values()
            for part in capability.effect
            if part.positive and len(part.args) == 1 and part.args[0] in _moved(capability, placing | predicates)
        }
        if new <= predicates:
            return predicates
        predicates |= new


def _moved(capability: Capability, places: set[str]) -> set[str]:
    """Return the parameters of which a capability makes it untrue that they are where they were."""
    gone = (part for part in capability.effect if not part.positive and part.predicate in places)
    return {part.args[0] for part in gone if part.args}


def _left_at(domain: Domain, places: set[str]) -> set[str]:
    """Return the predicates of two places whose first leaves where it was when they come true."""
    predicates = set()
    for capability in domain.capabilities.values():
        gone = {
            arg for part in capability.effect if not part.positive and part.predicate in places for arg in part.args
        }
        predicates |= {
            part.predicate
            for part in capability.effect
            if part.positive and len(part.args) == 2 and part.args[0] in gone
        }
    return predicates
