"""The values that were said of a goal, put to its plan: each step gets those that it takes, and none is dropped."""

from __future__ import annotations

from dataclasses import replace

from domains.model import Domain
from domains.planned_values import MANNERS, idle_values, measures_left, valued_or_misfit
from graftwork.decision.model import Decision, FinalDecision
from graftwork.record.episode import Outcome
from graftwork.setup.plans import Plans
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import State


def with_values(decision: Decision, plans: Plans, state: State) -> Decision:
    """Return a decision whose plan has the values of its goal.

    A value that does not fit its step refuses the goal, and so does a measure, such as an amount, that no step takes.
    A manner, such as a speed, that no step takes is told in the notes of the goal.

    Args:
        decision: The decision.
        plans: Validates the plan, since an amount may be too large for a vessel.
        state: The state from which it was made.
    """
    goal = decision.goal.goal if isinstance(decision.goal, CheckedGoal) else decision.goal
    if goal is None or not goal.values:
        return decision
    if isinstance(decision, FinalDecision):
        return _already(plans.domain, decision, goal) if decision.outcome is Outcome.ALREADY else decision
    if decision.looks_for:
        return decision
    idle = idle_values(plans.domain, decision.plan, goal)
    plan = idle.refused[0] if idle.refused else valued_or_misfit(plans.domain, decision.plan, goal)
    plan = plan if isinstance(plan, Feedback) else plans.admitted(plan, state)
    if isinstance(plan, Feedback):
        return FinalDecision(Outcome.REFUSED, str(plan), (plan,), decision.goal)
    noted = replace(goal, notes=tuple(dict.fromkeys((*goal.notes, *idle.notes))))
    return replace(decision, plan=plan, goal=replace(decision.goal, goal=noted))


def _already(domain: Domain, decision: FinalDecision, goal: Goal) -> FinalDecision:
    """Return the decision about a goal that holds already: a measure refuses it, and of a manner a note tells.

    A distance at which the goal holds is neither.
    """
    measures = [f":{name} {quantity}" for name, quantity in measures_left(domain, goal)]
    if measures:
        why, how = "it holds already, so that no step would take this value.", "Ask for something that does not hold."
        feedback = Feedback(Code.NOT_UNDERSTOOD, ", ".join(measures), why, how)
        return replace(decision, outcome=Outcome.REFUSED, message=str(feedback), feedback=(feedback,))
    manners = (f"{name} {quantity}" for name, quantity in goal.values if quantity.dimension in MANNERS)
    notes = tuple(f"Nothing is done, so {manner} makes no difference." for manner in manners)
    noted = replace(goal, notes=(*goal.notes, *notes))
    told = replace(decision.goal, goal=noted) if isinstance(decision.goal, CheckedGoal) else noted
    return replace(decision, goal=told, message=" ".join((decision.message, *notes)))
