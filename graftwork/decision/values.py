"""The values that were said of a goal, put to its plan: each step gets those that it takes, and none is dropped."""

from __future__ import annotations

from dataclasses import replace

from domains.model import Domain
from domains.planned_values import idle_values, valued_or_misfit
from graftwork.decision.model import Decision, FinalDecision
from graftwork.record.episode import Outcome
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal, Goal

__all__ = ["with_values"]


def with_values(decision: Decision, domain: Domain) -> Decision:
    """Return a decision whose plan has the values of its goal.

    A value that does not fit its step refuses the goal, and so does a measure, such as an amount, that no step takes.
    A manner, such as a speed, that no step takes is told in the notes of the goal.
    """
    goal = decision.goal.goal if isinstance(decision.goal, CheckedGoal) else decision.goal
    if goal is None or not goal.values:
        return decision
    if isinstance(decision, FinalDecision):
        return _already(decision, goal) if decision.outcome is Outcome.ALREADY else decision
    if decision.looks_for:
        return decision
    plan, idle = valued_or_misfit(domain, decision.plan, goal), idle_values(domain, decision.plan, goal)
    refused = (plan,) if isinstance(plan, Feedback) else idle.refused
    if refused or isinstance(plan, Feedback):
        return FinalDecision(Outcome.REFUSED, " ".join(map(str, refused)), refused, decision.goal)
    noted = replace(goal, notes=tuple(dict.fromkeys((*goal.notes, *idle.notes))))
    return replace(decision, plan=plan, goal=replace(decision.goal, goal=noted))


def _already(decision: FinalDecision, goal: Goal) -> FinalDecision:
    """Return the decision that a goal holds already, which tells that its values make no difference."""
    notes = tuple(f"Nothing is done, so {name} {quantity} makes no difference." for name, quantity in goal.values)
    noted = replace(goal, notes=(*goal.notes, *notes))
    told = replace(decision.goal, goal=noted) if isinstance(decision.goal, CheckedGoal) else noted
    return replace(decision, goal=told, message=" ".join((decision.message, *notes)))
