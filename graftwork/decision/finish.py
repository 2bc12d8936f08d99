"""`finish_plan`: the last that is done to a plan before it is carried out, whatever made it.

One pass: the values that were said go to the steps that take them, what is set down gets room, equal hands share the
steps, and the result is validated in the model of the complete world.
"""

from __future__ import annotations

from dataclasses import replace

from domains.model import Domain
from domains.planned_values import MANNERS, idle_values, measures_left, valued, valued_or_misfit
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import Decision, FinalDecision, PlanDecision
from graftwork.record.episode import Outcome
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal
from semantics.logic.state import Plan, State

__all__ = ["finish_plan"]

SETTING_DOWN = frozenset({"insert", "put"})
"""The primitives that set a thing down."""


def finish_plan(decision: Decision, context: DecisionContext, state: State) -> Decision:
    """Return a decision whose plan can be carried out as it is, or a refusal.

    A value that does not fit its step refuses the goal, and so does a measure, such as an amount, that no step takes.
    A manner, such as a speed, that no step takes is told in the notes of the goal.

    Args:
        decision: A decision with a plan; one that looks for something first is returned as it is.
        context: Tells what is where, plans anew and validates.
        state: The state from which the plan was made.

    Raises:
        OutsideError: The planner cannot be started.
    """
    if isinstance(decision, FinalDecision):
        return _without_idle(context.domain, decision) if decision.outcome is Outcome.ALREADY else decision
    if decision.looks_for:
        return decision
    finished: Decision = _with_values(context.domain, decision) if decision.goal.goal.values else decision
    if isinstance(finished, PlanDecision) and finished.partly is None:
        done = {step.command.primitive for step in finished.plan.steps if step.command is not None}
        if context.senses is not None and done & SETTING_DOWN:
            from graftwork.decision.room import with_room  # the geometry of places, for a body that senses them

            finished = with_room(finished, context, state)
        if isinstance(finished, PlanDecision) and not context.foresees and context.plans.options.sharing is not None:
            plan = context.plans.shared(finished.plan, state)
            finished = replace(finished, plan=valued(context.domain, plan, finished.goal.goal))
    if isinstance(finished, FinalDecision):
        return finished
    plans = context.plans
    if finished.obstacles:
        from bt.recovery import domain_with, known_with  # trees, which nothing needs that only plans

        plans = plans.within(domain_with(context.domain, finished.obstacles))
        state = known_with(finished.obstacles, state)
    valid = plans.admitted(finished.plan, state)
    return replace(finished, plan=valid) if isinstance(valid, Plan) else _refused(valid, finished.goal)


def _with_values(domain: Domain, decision: PlanDecision) -> Decision:
    goal = decision.goal.goal
    idle = idle_values(domain, decision.plan, goal)
    plan = idle.refused[0] if idle.refused else valued_or_misfit(domain, decision.plan, goal)
    if isinstance(plan, Feedback):
        return _refused(plan, decision.goal)
    noted = replace(goal, notes=tuple(dict.fromkeys((*goal.notes, *idle.notes))))
    return replace(decision, plan=plan, goal=replace(decision.goal, goal=noted))


def _refused(feedback: Feedback, goal: CheckedGoal) -> FinalDecision:
    return FinalDecision(Outcome.REFUSED, str(feedback), (feedback,), goal)


def _without_idle(domain: Domain, decision: FinalDecision) -> FinalDecision:
    """Return the decision about a goal that holds already: a measure refuses it, and of a manner a note tells.

    A distance at which the goal holds is neither.
    """
    checked = decision.goal
    if not isinstance(checked, CheckedGoal) or not checked.goal.values:
        return decision
    goal = checked.goal
    measures = [f":{name} {quantity}" for name, quantity in measures_left(domain, goal)]
    if measures:
        why, how = "it holds already, so that no step would take this value.", "Ask for something that does not hold."
        return _refused(Feedback(Code.NOT_UNDERSTOOD, ", ".join(measures), why, how), checked)
    manners = (f"{name} {quantity}" for name, quantity in goal.values if quantity.dimension in MANNERS)
    notes = tuple(f"Nothing is done, so {manner} makes no difference." for manner in manners)
    noted = replace(goal, notes=(*goal.notes, *notes))
    return replace(decision, goal=replace(checked, goal=noted), message=" ".join((decision.message, *notes)))
