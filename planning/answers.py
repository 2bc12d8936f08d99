"""Combines the answers for the alternatives of a goal: the cheapest plan, or the most useful failure."""

from __future__ import annotations

from dataclasses import replace

from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import Operator, Plan, State, first_failure

__all__ = ["best", "proved"]

URGENCY = (
    Code.CANCELLED,
    Code.WHEREABOUTS_UNKNOWN,
    Code.PLANNER_TIMEOUT,
    Code.NO_PLAN,
    Code.INVALID_PLAN,
    Code.UNSUPPORTED,
)
"""Which alternative's failure is reported: first those that more knowledge or more time may resolve."""


def best(answers: list[Plan | NoPlan], seconds: float) -> Plan | NoPlan:
    """Return the best of `answers`, which took `seconds` in total.

    The answer is optimal, or proven, only if all answers are.
    """
    plans = [answer for answer in answers if isinstance(answer, Plan)]
    failures = [answer for answer in answers if isinstance(answer, NoPlan)]
    proven = all(failure.proven for failure in failures)
    if plans:
        best = min(plans, key=lambda plan: plan.cost)
        optimal = proven and all(plan.optimal for plan in plans)
        return replace(best, optimal=optimal, seconds=seconds, bound=None if optimal else _bound(plans, failures))
    first = min(failures, key=lambda failure: URGENCY.index(failure.feedback.code))
    return NoPlan(first.feedback, proven, seconds)


def _bound(plans: list[Plan], failures: list[NoPlan]) -> int | None:
    """Return a lower bound of the cost of a plan for any alternative; None when one of them has no known bound."""
    least = [plan.cost if plan.optimal else plan.bound or 0 for plan in plans]
    least += [failure.bound for failure in failures if not failure.proven]
    return min(least) or None


def proved(
    steps: tuple[Operator, ...], goal: Conjunct, state: State, *, optimal: bool, planner: str, seconds: float
) -> Plan | NoPlan:
    """Validate the steps that a planner returned with the model."""
    failure = first_failure(steps, state, goal)
    if failure is None:
        return Plan(steps, goal, optimal, planner, seconds)
    what = str(steps[failure[0]]) if failure[0] < len(steps) else "the goal"
    why = f"the planner's plan breaks there: {' '.join(map(str, failure[1]))} does not hold"
    return NoPlan(Feedback(Code.INVALID_PLAN, what, why, recoverable=False), False, seconds)
