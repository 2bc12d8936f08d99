"""From a checked goal to a plan, or to the reason why there is none."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from domains.model import Domain
from planning.answers import best, proved
from planning.by_text import ByText
from planning.cheapest.reach import Cheapest, Splits, distinct, reach
from planning.costs import CostModel, Priced
from planning.errors import UnplannableError
from planning.planners.search import Search
from planning.reasons import ENOUGH, LITTLE, UNPROVED, explain, impossible, no_plan, plain_conflicts, whereabouts
from planning.rich import is_rich
from planning.rich.solving import solve_rich
from planning.undisturbed import undisturbed
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import NoPlan, Planner
from semantics.state import Plan, State
from semantics.vocabulary import Thing

__all__ = ["solve"]

PATIENCE = 1.0
"""How long the search tries before the goal itself is looked at, seconds."""

NOT_TRIED = NoPlan(
    Feedback(Code.PLANNER_TIMEOUT, "planning", "no time was left for some alternatives", "Give it more time.")
)


def solve(
    goal: CheckedGoal,
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    *,
    planner: Planner,
    seconds: float = 20.0,
    costs: CostModel | None = None,
) -> Plan | NoPlan:
    """Plan each disjunct of `goal` from `state`, and take the cheapest plan.

    Args:
        goal: What to reach.
        state: What is believed, bookkeeping facts included.
        things: Everything that exists, by name.
        domain: The world's model.
        planner: Who plans.
        seconds: Wall-clock budget for all disjuncts together.
        costs: What actions cost; by default what `domain` says.

    Returns:
        A plan that has been run through the model; it is empty when `goal` holds already, and `optimal` only when every
        disjunct was answered with proof. Or the reason why there is none, `proven` only when it is for every disjunct.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: `goal` or `state` names what does not exist.
    """
    started = time.monotonic()
    domain = domain if costs is None else Priced.of(domain, costs, things)
    for conjunct in goal.conjuncts:
        if state.satisfies(conjunct):
            return Plan((), conjunct, True, planner.name, time.monotonic() - started)
    with undisturbed():
        answers = _answers(list(goal.conjuncts), state, things, domain, planner, seconds)
    return best(answers, time.monotonic() - started)


def _answers(
    goals: list[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Planner,
    seconds: float,
) -> list[Plan | NoPlan]:
    started = time.monotonic()
    answers: list[Plan | NoPlan] = []
    if is_rich(domain):
        return _rich(goals, state, things, domain, planner, seconds)
    if isinstance(planner, Search):
        goals, answers = _quick(goals, state, things, domain, planner, seconds)
    for waiting, conjunct in zip(range(len(goals), 0, -1), goals, strict=True):
        left = seconds - (time.monotonic() - started)
        case = ByText(conjunct, state, things, domain, planner, left / waiting)
        answers.append(case.solve() if left > 0 else NOT_TRIED)
    return answers


def _rich(
    goals: list[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Planner,
    seconds: float,
) -> list[Plan | NoPlan]:
    """Refuse at once what a short look proves impossible: a search that tries everything takes a minute and more."""
    _check(goals, things, domain)
    goals, refused = _possible(goals, state, things, domain, effort=LITTLE)
    if not goals:
        return refused
    found = solve_rich(goals, state, things, domain, planner, seconds)
    return [*refused, *(_reasoned(one, goals, state, things, domain) for one in found)]


def _reasoned(
    answer: Plan | NoPlan, goals: list[Conjunct], state: State, things: Mapping[str, Thing], domain: Domain
) -> Plan | NoPlan:
    """Say why nobody knows a plan in a rich domain, where more than that is known."""
    if isinstance(answer, Plan) or answer.feedback.code is not Code.NO_PLAN:
        return answer
    lost = [whereabouts(goal, state, things, domain) for goal in goals]
    if all(lost) and lost[0] is not None:
        return NoPlan(lost[0], False, answer.seconds)
    return replace(answer, feedback=no_plan(goals[0], state, things, domain))


def _quick(
    conjuncts: list[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Search,
    seconds: float,
) -> tuple[list[Conjunct], list[Plan | NoPlan]]:
    """Plan for all `conjuncts` at once; return those that this way is not open to, and the answers for the others."""
    _check(conjuncts, things, domain)
    end = time.monotonic() + seconds
    lost: list[Feedback | None] = [None] * len(conjuncts)
    if whereabouts(frozenset[Literal]().union(*conjuncts), state, things, domain) is not None:
        lost = [whereabouts(conjunct, state, things, domain) for conjunct in conjuncts]
    answers: list[Plan | NoPlan] = [NoPlan(feedback) for feedback in lost if feedback is not None]
    known = [conjunct for conjunct, feedback in zip(conjuncts, lost, strict=True) if feedback is None]
    goals = [known[number] for number in distinct(known, state, things, domain)]
    if not goals:
        return [], answers
    goals, plainly = _plain(goals, state, things, domain)
    answers += plainly
    if not goals:
        return [], answers
    world, splits = (state, things, domain, planner), Splits()
    first = reach(goals, *world, min(seconds, PATIENCE), splits)
    if seconds <= PATIENCE or _settled(first):
        return _told(first, goals, answers, *world, end)
    possible, refused = _possible(goals, *world[:3])  # what excludes each other shows without trying everything
    second = reach(possible, *world, seconds - PATIENCE, splits) if possible else None
    if isinstance(first, Cheapest) and not isinstance(second, Cheapest):
        return _told(first, goals, answers, *world, end)
    return _told(second, possible, [*answers, *refused], *world, end)


def _told(
    found: Cheapest | NoPlan | None,
    goals: list[Conjunct],
    answers: list[Plan | NoPlan],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Search,
    end: float,
) -> tuple[list[Conjunct], list[Plan | NoPlan]]:
    if found is None:
        return goals, answers
    if isinstance(found, NoPlan):
        return [], [*answers, _refused(found, goals, state, things, domain, planner, end)]
    steps, goal = found.steps, goals[found.number]
    answer = proved(steps, goal, state, optimal=found.optimal, planner=planner.name, seconds=0.0)
    if isinstance(answer, Plan) and not found.optimal and found.bound:
        answer = replace(answer, bound=found.bound)
    return [], [*answers, answer]


def _refused(
    found: NoPlan,
    goals: list[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Search,
    end: float,
) -> Plan | NoPlan:
    """Say why there is none. Where nobody knows, the whole problem is asked: nothing may hang on what was left out."""
    if found.feedback.code is not Code.NO_PLAN:
        return found
    effort = max(LITTLE, ENOUGH // len(goals))
    reasons = [explain(goal, state, things, domain, effort=effort) for goal in goals]
    proofs = [reason for reason in reasons if reason.kind not in UNPROVED]
    told = (proofs or reasons)[0].feedback
    if len(proofs) == len(goals):
        return replace(found, feedback=told, proven=True)
    left = end - time.monotonic()
    whole = solve_rich(goals, state, things, domain, planner, left)[0] if left > 0 else NOT_TRIED
    if isinstance(whole, Plan):
        return whole
    return replace(found, feedback=told, proven=whole.proven and whole.feedback.code is Code.NO_PLAN)


def _settled(found: Cheapest | NoPlan | None) -> bool:
    return found is None or (found.optimal if isinstance(found, Cheapest) else found.proven)


def _possible(
    goals: list[Conjunct], state: State, things: Mapping[str, Thing], domain: Domain, *, effort: int = ENOUGH
) -> tuple[list[Conjunct], list[Plan | NoPlan]]:
    """Return the goals that nothing is known against, and the proofs against the others."""
    against = [impossible(goal, state, things, domain, effort=effort) for goal in goals]
    possible = [goal for goal, feedback in zip(goals, against, strict=True) if feedback is None]
    return possible, [NoPlan(feedback, True) for feedback in against if feedback is not None]


def _plain(
    goals: list[Conjunct], state: State, things: Mapping[str, Thing], domain: Domain
) -> tuple[list[Conjunct], list[Plan | NoPlan]]:
    """Return the goals without a plain conflict, which shows in milliseconds, and why the others cannot be had."""
    conflicts = plain_conflicts(goals, state, things, domain)
    refused = [goal for goal in goals if any(conflict <= goal for conflict in conflicts)]
    possible = [goal for goal in goals if goal not in refused]
    return possible, [NoPlan(no_plan(goal, state, things, domain), True) for goal in refused]


def _check(conjuncts: list[Conjunct], things: Mapping[str, Thing], domain: Domain) -> None:
    """Raise when a goal names what does not exist."""
    for literal in sorted({literal for conjunct in conjuncts for literal in conjunct}):
        for name in literal.atom.args:
            if name not in things:
                raise UnplannableError(name, "no such thing in the problem")
        if literal.atom.predicate not in domain.predicates:
            raise UnplannableError(literal.atom.predicate, "no such predicate in the domain")
