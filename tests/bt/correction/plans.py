"""Corrections of a plan that is not carried out yet."""

from bt.correction import correct
from bt.correction.correct import program_of_plan
from domains.problem import Problem
from semantics.logic.correction import Correction
from semantics.logic.goal import Rejection
from semantics.logic.state import Plan


def correct_plan(plan: Plan, correction: Correction, problem: Problem) -> tuple[Plan, tuple[str, ...]] | Rejection:
    """Return the plan as it was carried out on the model, and what changed; or why it does not reach its goal."""
    corrected = correct(program_of_plan(plan), correction, problem.with_goal(plan.goal))
    if isinstance(corrected, Rejection):
        return corrected
    return Plan(corrected.rehearsed.steps, plan.goal, False, "a correction"), corrected.difference
