"""From a checked goal to a plan, or to the reason why there is none."""

from __future__ import annotations

import time
from collections.abc import Mapping

from domains.model import Domain
from planning.problem import problem
from planning.reasons import no_plan, whereabouts
from planning.relevance import relevant
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import NoPlan, Planner
from semantics.state import Plan, State, first_failure
from semantics.vocabulary import Thing

__all__ = ["solve"]


def solve(
    goal: CheckedGoal,
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    *,
    planner: Planner,
    seconds: float = 20.0,
) -> Plan | NoPlan:
    """Plan each disjunct of `goal` from `state`, and take the cheapest plan.

    Args:
        goal: What to reach.
        state: What is believed, bookkeeping facts included.
        things: Everything that exists, by name.
        domain: The world's model.
        planner: Who plans.
        seconds: Wall-clock budget for all disjuncts together.

    Returns:
        A plan that has been run through the model; it is empty when `goal` holds already, and `optimal` only when every
        disjunct was answered with proof. Or the reason why there is none, `proven` only when it is for every disjunct.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: `goal` or `state` names what does not exist.
    """
    started = time.monotonic()
    answers: list[Plan | NoPlan] = []
    for conjunct in goal.conjuncts:
        if state.satisfies(conjunct):
            return Plan((), conjunct, True, planner.name, time.monotonic() - started)
    for index, conjunct in enumerate(goal.conjuncts):
        left = seconds - (time.monotonic() - started)
        share = max(left / (len(goal.conjuncts) - index), 0.1)
        answers.append(_solve_one(conjunct, state, things, domain, planner, share))
    return _best(answers, time.monotonic() - started)


def _best(answers: list[Plan | NoPlan], seconds: float) -> Plan | NoPlan:
    plans = [answer for answer in answers if isinstance(answer, Plan)]
    failures = [answer for answer in answers if isinstance(answer, NoPlan)]
    if plans:
        best = min(plans, key=lambda plan: plan.cost)
        optimal = all(plan.optimal for plan in plans) and all(failure.proven for failure in failures)
        return Plan(best.steps, best.goal, optimal, best.planner, seconds)
    first = min(failures, key=lambda failure: _URGENCY.index(failure.feedback.code))
    return NoPlan(first.feedback, all(failure.proven for failure in failures), seconds)


_URGENCY = (Code.WHEREABOUTS_UNKNOWN, Code.PLANNER_TIMEOUT, Code.NO_PLAN, Code.INVALID_PLAN)
"""Which disjunct's failure is told: the one that more knowledge or time may mend comes first."""


def _solve_one(
    conjunct: Conjunct, state: State, things: Mapping[str, Thing], domain: Domain, planner: Planner, seconds: float
) -> Plan | NoPlan:
    lost = whereabouts(conjunct, state, things, domain)
    if lost is not None:
        return NoPlan(lost)
    kept = relevant(conjunct, state, things, domain)
    written = problem(domain, kept, state, conjunct)
    found = planner.solve(written.domain, written.problem, seconds=seconds)
    if isinstance(found, NoPlan):
        if found.feedback.code is not Code.NO_PLAN:
            return found
        return NoPlan(no_plan(conjunct, state, things, domain), found.proven, found.seconds)
    steps = tuple(domain.ground(written.read(action), things) for action in found.actions)
    failure = first_failure(steps, state, conjunct)
    if failure is not None:
        what = str(steps[failure[0]]) if failure[0] < len(steps) else "the goal"
        why = f"the planner's plan breaks there: {' '.join(map(str, failure[1]))} does not hold"
        return NoPlan(Feedback(Code.INVALID_PLAN, what, why, recoverable=False), False, found.seconds)
    return Plan(steps, conjunct, found.optimal, planner.name, found.seconds)
