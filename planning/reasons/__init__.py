"""Explains why there is no plan, in words that help the user.

First come the reasons that need no search: a literal that no action makes, that no object affords, or that no agent
present can make. Then a small abstraction of the problem is built (see `planning.reasons.sketch`). In it, single
literals are tested, and the explanation follows what an unreachable literal is missing down to the cause: again one of
the reasons above, or a place. Last come pairs and larger sets of literals that exclude each other. Everything called
impossible here is proved, because the abstraction can do everything that the problem can. What remains is proved only
by the planner's search, and the reason says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from domains.model import Domain
from domains.problem import Problem
from planning.problem.reduced import without_inapplicable
from planning.reasons.effort import ENOUGH, LITTLE, Effort
from planning.reasons.explanation import Explainer
from planning.reasons.plain import plain_conflicts
from planning.reasons.reason import Kind, Reason, said
from semantics.logic.atoms import Literal
from semantics.logic.feedback import Feedback
from semantics.logic.vocabulary import Thing
from semantics.plain_text import together

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
    "out_of_reach",
    "plain_conflicts",
    "whereabouts",
]

UNPROVED = (Kind.ALREADY_TRUE, Kind.WHEREABOUTS_UNKNOWN, Kind.UNEXPLAINED)
"""The kinds of reasons that do not exclude a plan."""


def explain(problem: Problem, *, effort: int = ENOUGH) -> Reason:
    """Return why no plan reaches the goal, or that the goal holds already.

    Use it for goals that a planner failed on: for a reachable goal the answer is `Kind.UNEXPLAINED`. The effort is
    counted (`planning.reasons.effort`), so the answer does not depend on the machine. For a goal with alternatives,
    return the reason of the first alternative that is not proved impossible. If all are proved impossible, return the
    reason of the first one.

    Raises:
        KeyError: The goal names something that does not exist.
    """
    held, problem = problem.reached, problem.with_closed_state()
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
    return Explainer(without_inapplicable(problem), Effort(effort)).reason()


def no_plan(problem: Problem) -> Feedback:
    """Return which part of a conjunct is unreachable and why; otherwise, that the parts exclude each other."""
    return Explainer(without_inapplicable(problem)).reason().feedback


def impossible(problem: Problem, *, effort: int = ENOUGH) -> Feedback | None:
    """Return the reason if the goal is proved impossible without a search, usually within 50 ms; otherwise None.

    A search that tries everything takes seconds to prove what two facts that exclude each other show at once.
    """
    reason = explain(problem, effort=effort)
    return None if reason.kind in UNPROVED else reason.feedback


def out_of_reach(asked: Iterable[Literal], problem: Problem) -> tuple[Literal, ...]:
    """Return those of some literals, without derived ones, that are proved never to hold, each by itself."""
    effort = Effort()
    plain = (literal for literal in asked if literal.atom.predicate not in problem.domain.derived)
    alone = ((literal, Explainer(problem.with_goal(frozenset({literal})), effort).alone(literal)) for literal in plain)
    return tuple(literal for literal, reason in alone if reason is not None)


def whereabouts(problem: Problem) -> Feedback | None:
    """Return which object that a conjunct still needs has no known location; None when all have one.

    See `nowhere` for what counts as a location. A literal that may be reached without the location does not need it:
    an apple can be put on a tray by a robot that is told no more of the tray.
    """
    missing = [literal for literal in problem.state.missing(problem.conjunct) if literal.positive]
    lost = nowhere((arg for literal in missing for arg in literal.atom.args), problem)
    if not lost:
        return None
    explainer = Explainer(problem)
    hindered = [literal for literal in missing if set(lost) & set(literal.atom.args)]
    names = {arg for literal in hindered if not explainer.within_reach(literal) for arg in literal.atom.args}
    if not (lost := [name for name in lost if name in names]):
        return None
    why = f"nobody knows where {together(lost)} {'is' if len(lost) == 1 else 'are'}"
    return Reason(Kind.WHEREABOUTS_UNKNOWN, (), lost[0], why, "Look for it, or say where it is.", tuple(lost)).feedback


def nowhere(names: Iterable[str], problem: Problem) -> list[str]:
    """Return those of `names` that can be carried away and have no location in the state, sorted.

    A place where agents go and a piece of furniture stay where they are. An object that can be carried away has a
    location if one of these facts holds:

    - a fact that relates it, as a carried object, to another object (``on``, ``in``, ``inhand``);
    - a fact about a holder that names what it holds (``holding``);
    - a fact about where it was left for good (``in`` a drink);
    - a fact about it alone that becomes true when it leaves such a location (``ontable``).
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
    lost = sorted(name for name in set(names) - placed if name in things and _portable(things[name], domain, placing))
    if not lost:
        return lost
    holding = _starting(domain, placing, 2, 1)  # what a hand takes leaves its location
    left = _starting(domain, placing | holding, 2, 0, anywhere=True)
    leaving = (left | _standing(domain, placing)) & predicates.keys()
    held = {atom.args[1] for atom in state.atoms if atom.predicate in holding}
    held |= {atom.args[0] for atom in state.atoms if atom.predicate in leaving}
    return [name for name in lost if name not in held]


def _portable(thing: Thing, domain: Domain, placing: set[str]) -> bool:
    """Return whether a thing can be carried and an action may take it from where it is."""
    if domain.conventions.carry not in thing.affordances or domain.conventions.location in thing.affordances:
        return False
    known = domain.classes.get(thing.class_name)
    if known is not None and known.model is not None:
        return False
    return any(
        needs.get(part.args[0], set()) <= thing.affordances
        for capability in domain.capabilities.values()
        for needs in ({f"?{each.name}": set(each.affordances) - {"object"} for each in capability.parameters},)
        for part in (*capability.effect, *(part for effect in capability.conditional for part in effect.literals))
        if part.predicate in placing
    )


def _starting(domain: Domain, places: set[str], arity: int, index: int, *, anywhere: bool = False) -> set[str]:
    """Return the predicates of `arity` that become true of an object, as argument `index`, when it leaves a location.

    It leaves a location when a fact of `places` about it ends: as its first argument, or `anywhere` in it.
    """
    predicates = set()
    for capability in domain.capabilities.values():
        ended = (part.args for part in capability.effect if not part.positive and part.predicate in places)
        gone = {arg for args in ended for arg in (args if anywhere else args[:1])}
        predicates |= {
            part.predicate
            for part in capability.effect
            if part.positive and len(part.args) == arity and part.args[index] in gone
        }
    return predicates


def _standing(domain: Domain, placing: set[str]) -> set[str]:
    """Return the unary predicates that become true of an object when it leaves its location, directly or indirectly."""
    predicates: set[str] = set()
    while not (new := _starting(domain, placing | predicates, 1, 0)) <= predicates:
        predicates |= new
    return predicates
