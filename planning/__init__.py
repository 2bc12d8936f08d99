"""From a checked goal to a plan, or to the reason why there is none.

Importing this room is cheap: the modelling library, the planner's process and the translator start at the first
problem, or beside other work after `warm_up`.
"""

from __future__ import annotations

import contextlib
import threading

from planning.adl import Admission, admits
from planning.anytime import Anytime
from planning.costs import CostModel, Tries
from planning.errors import PlannerUnavailableError, PlanningFailedError, UnplannableError
from planning.mutexes import exclusions
from planning.part import PartialPlan, best_part
from planning.planners.fast_downward import FastDownward
from planning.planners.stock import StockPlanner
from planning.portfolio import Kairos, Portfolio, TimedPlan, schedule
from planning.problem.grounding import ground, reachable
from planning.problem.text import load, pddl_text
from planning.problem.written import GroundText
from planning.reasons import Kind, Reason, explain
from planning.registry import PLANNERS, make_planner
from planning.relevance import Reduction, relevant
from planning.replanning.replan import Replanned, replan
from planning.service import ImprovingSearch, InProcess, OwnProcess, PlanningService
from planning.solver import solve
from planning.validation import Invalid, Valid, validate, validate_actions
from semantics.errors import OutsideError
from semantics.protocols import Planner

__all__ = [
    "PLANNERS",
    "Admission",
    "Anytime",
    "CostModel",
    "FastDownward",
    "GroundText",
    "ImprovingSearch",
    "InProcess",
    "Invalid",
    "Kairos",
    "Kind",
    "OwnProcess",
    "PartialPlan",
    "PlannerUnavailableError",
    "PlanningFailedError",
    "PlanningService",
    "Portfolio",
    "Reason",
    "Reduction",
    "Replanned",
    "StockPlanner",
    "TimedPlan",
    "Tries",
    "UnplannableError",
    "Valid",
    "admits",
    "best_part",
    "exclusions",
    "explain",
    "ground",
    "make_planner",
    "pddl_text",
    "reachable",
    "relevant",
    "replan",
    "schedule",
    "solve",
    "validate",
    "validate_actions",
    "warm_up",
]


def warm_up(planner: Planner | None = None) -> threading.Thread:
    """Start `planner`'s process and import the modelling library beside other work.

    Returns at once. Nothing needs to be waited for: whoever plans next waits for what is not ready by itself. The
    thread is returned for those who measure.
    """

    def work() -> None:
        if isinstance(planner, FastDownward):
            with contextlib.suppress(OutsideError):  # the first problem will tell
                planner.warm_up()
        load()

    thread = threading.Thread(target=work, name="planning.warm_up", daemon=True)
    thread.start()
    return thread
