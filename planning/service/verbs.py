"""The functions of planning by name, as a planning process runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from planning.mutexes import found
from planning.part import best_part
from planning.planners.fast_downward import FastDownward
from planning.portfolio.kairos import Kairos
from planning.replanning.replan import replan
from planning.service.shared_values import PlanningRequest
from planning.solver import solve
from semantics.protocols import Planner

__all__ = ["VERBS", "Planners", "carry_out"]


class Planners:
    """The planners of a process: the one with the requested name, and quick ones, each made when it is first needed."""

    def __init__(self, named: Planner) -> None:
        self.named = named
        self._quick: dict[str, Planner] = {}

    def quick(self, question: PlanningRequest) -> Planner:
        """Return the planner that finds any plan soonest: Kairos if it is installed and suitable, else a greedy search.

        Kairos reads an ADL domain only as text.
        """
        name = "kairos" if find_spec("kairos") and not question.problem.domain.is_adl else "greedy"
        if name not in self._quick:
            self._quick[name] = Kairos() if name == "kairos" else FastDownward(proves=False)
        return self._quick[name]


def _solve(planner: Planner, asked: PlanningRequest) -> object:
    return solve(asked.problem, planner=planner, **asked.given)


def _replan(planner: Planner, asked: PlanningRequest) -> object:
    assert asked.expected is not None
    return replan(asked.problem, expected=asked.expected, planner=planner, **asked.given)


def _best_part(planner: Planner, asked: PlanningRequest) -> object:
    return best_part(asked.problem, planner=planner, **asked.given)


def _exclusions(planner: Planner, asked: PlanningRequest) -> object:
    return found(asked.problem.domain, asked.problem.objects, planner)


VERBS: Mapping[str, Callable[[Planner, PlanningRequest], Any]] = {
    "solve": _solve,
    "quick": _solve,
    "replan": _replan,
    "best_part": _best_part,
    "exclusions": _exclusions,
}
"""``quick`` is ``solve`` with the quickest planner."""


def carry_out(asked: PlanningRequest, planners: Planners) -> object:
    """Answer a question."""
    planner = planners.quick(asked) if asked.verb == "quick" else planners.named
    return VERBS[asked.verb](planner, asked)
