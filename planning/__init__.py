"""From a checked goal to a plan, or to the reason why there is none.

Each public name is imported when it is first used. The planner's process and the translator start with the first
problem, or when a planning service warms up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

_MODULES = {
    "Anytime": "anytime",
    "CostModel": "costs",
    "FastDownward": "planners.fast_downward",
    "Invalid": "validation",
    "OwnProcess": "service",
    "PartialPlan": "part",
    "PlannerUnavailableError": "errors",
    "PlanningFailedError": "errors",
    "Replanned": "replanning.replan",
    "Tries": "costs",
    "UnplannableError": "errors",
    "Valid": "validation",
    "best_part": "part",
    "explain": "reasons",
    "make_planner": "registry",
    "pddl_text": "problem.text",
    "replan": "replanning.replan",
    "solve": "solver",
    "validate": "validation",
    "validate_actions": "validation",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name when it is first used, so that importing one part of the package loads no other part."""
    if name not in _MODULES:
        raise AttributeError(f"module 'planning' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"planning.{_MODULES[name]}"), name)
