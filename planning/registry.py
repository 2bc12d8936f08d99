"""Planners by name."""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name

from semantics.body.protocols import Planner
from semantics.errors import UnknownNameError

PORTFOLIO = "portfolio"
PLANNERS: Mapping[str, str] = {
    "fast-downward": "planning.planners.fast_downward:FastDownward",
    "kairos": "planning.portfolio.kairos:Kairos",
    PORTFOLIO: "planning.portfolio.planner:Portfolio",
}
"""Where the planners are, by name; only the one that is made is imported. In addition, ``up:ENGINE`` stands for any
engine of unified-planning that plans, and ``up:ENGINE/PROFILE`` for one that gets a certain profile of PDDL, such as
``up:tamer/durative``."""

STOCK = "up:"


def make_planner(name: str = "fast-downward") -> Planner:
    """Make the planner called `name`, one of `PLANNERS`, ``up:ENGINE`` or ``up:ENGINE/PROFILE``.

    Raises:
        UnknownNameError: No such planner or engine.
    """
    if name.startswith(STOCK):
        from planning.planners.stock import StockPlanner

        return StockPlanner(name.removeprefix(STOCK))
    if name not in PLANNERS:
        raise UnknownNameError("planner", name, PLANNERS)
    planner: Planner = resolve_name(PLANNERS[name])()
    return planner
