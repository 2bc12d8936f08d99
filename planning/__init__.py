"""From a checked goal to a plan, or to the reason why there is none.

Each public name is imported when it is first used. The planner's process and the translator start with the first
problem, or when a planning service warms up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semantics.lazy import imported_from

if TYPE_CHECKING:
    from planning.anytime import Anytime
    from planning.costs import CostModel, Tries
    from planning.errors import PlannerUnavailableError, PlanningFailedError, UnplannableError
    from planning.part import PartialPlan, best_part
    from planning.planners.fast_downward import FastDownward
    from planning.problem.text import pddl_text
    from planning.reasons import explain
    from planning.registry import make_planner
    from planning.replanning.replan import Replanned, replan
    from planning.service import OwnProcess
    from planning.solver import solve
    from planning.validation import Invalid, Valid, validate, validate_actions

__all__ = [
    "Anytime",
    "CostModel",
    "FastDownward",
    "Invalid",
    "OwnProcess",
    "PartialPlan",
    "PlannerUnavailableError",
    "PlanningFailedError",
    "Replanned",
    "Tries",
    "UnplannableError",
    "Valid",
    "best_part",
    "explain",
    "make_planner",
    "pddl_text",
    "replan",
    "solve",
    "validate",
    "validate_actions",
]

__getattr__ = imported_from(
    __name__,
    {
        "anytime": "Anytime",
        "costs": "CostModel Tries",
        "planners.fast_downward": "FastDownward",
        "validation": "Invalid Valid validate validate_actions",
        "service": "OwnProcess",
        "part": "PartialPlan best_part",
        "errors": "PlannerUnavailableError PlanningFailedError UnplannableError",
        "replanning.replan": "Replanned replan",
        "reasons": "explain",
        "registry": "make_planner",
        "problem.text": "pddl_text",
        "solver": "solve",
    },
)
