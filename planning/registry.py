"""Planners by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from planning.planners.fast_downward import FastDownward
from planning.planners.stock import StockPlanner
from planning.portfolio import Kairos, Portfolio
from semantics.errors import UnknownNameError
from semantics.protocols import Planner

__all__ = ["PLANNERS", "STOCK", "make_planner"]

PLANNERS: Mapping[str, Callable[[], Planner]] = {
    "fast-downward": FastDownward,
    "kairos": Kairos,
    "portfolio": Portfolio,
}
"""Planners by name. In addition, ``up:ENGINE`` stands for any engine of unified-planning that plans, and
``up:ENGINE/PROFILE`` for one that gets a certain profile of PDDL, such as ``up:tamer/durative``."""

STOCK = "up:"


def make_planner(name: str = "fast-downward") -> Planner:
    """Make the planner called `name`, one of `PLANNERS`, ``up:ENGINE`` or ``up:ENGINE/PROFILE``.

    Raises:
        UnknownNameError: No such planner or engine.
    """
    if name.startswith(STOCK):
        return StockPlanner(name.removeprefix(STOCK))
    if name in PLANNERS:
        return PLANNERS[name]()
    raise UnknownNameError("planner", name, PLANNERS)
