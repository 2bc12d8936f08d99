"""From a checked goal to a plan, or to the reason why there is none.

Importing this room is cheap: the modelling library, the planner's process and the translator start at the first
problem, or beside other work after `warm_up`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping

from planning.anytime import Anytime
from planning.costs import CostModel, Priced, Tries
from planning.errors import PlannerUnavailableError, UnplannableError
from planning.excluding import exclusions
from planning.part import Part, best_part
from planning.planners.fast_downward import FastDownward
from planning.planners.stock import StockPlanner
from planning.portfolio import Kairos, Portfolio
from planning.problem.grounding import ground, reachable
from planning.problem.text import Written, load, problem
from planning.reasons import Kind, Reason, explain
from planning.relevance import Reduction, relevant
from planning.replanning.replan import Replanned, replan
from planning.rich import Admission, admits
from planning.solving import solve
from planning.validation import Invalid, Valid, validate, validate_actions
from semantics.errors import OutsideError, UnknownNameError
from semantics.protocols import Planner

__all__ = [
    "PLANNERS",
    "Admission",
    "Anytime",
    "CostModel",
    "FastDownward",
    "Invalid",
    "Kairos",
    "Kind",
    "Part",
    "PlannerUnavailableError",
    "Portfolio",
    "Priced",
    "Reason",
    "Reduction",
    "Replanned",
    "StockPlanner",
    "Tries",
    "UnplannableError",
    "Valid",
    "Written",
    "admits",
    "best_part",
    "exclusions",
    "explain",
    "ground",
    "make_planner",
    "problem",
    "reachable",
    "relevant",
    "replan",
    "solve",
    "validate",
    "validate_actions",
    "warm_up",
]

PLANNERS: Mapping[str, Callable[[], Planner]] = {
    "fast-downward": FastDownward,
    "kairos": Kairos,
    "portfolio": Portfolio,
}
"""Planners by name. Besides these, ``up:ENGINE`` stands for any engine of unified-planning."""

STOCK = "up:"


def make_planner(name: str = "fast-downward") -> Planner:
    """Make the planner called `name`, one of `PLANNERS` or ``up:ENGINE``.

    Raises:
        UnknownNameError: No such planner or engine.
    """
    if name.startswith(STOCK):
        return StockPlanner(name.removeprefix(STOCK))
    if name in PLANNERS:
        return PLANNERS[name]()
    raise UnknownNameError("planner", name, PLANNERS)


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
