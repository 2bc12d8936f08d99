"""The functions of planning by name, as a planning process runs them; it imports late what few questions need."""

from __future__ import annotations

import resource
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from planning.fewer_objects import solve_with_fewer
from planning.mutexes import found
from planning.planners.fast_downward import FastDownward
from planning.replanning.replan import replan
from planning.satisficing import satisfice
from planning.service.shared_values import PlanningRequest
from planning.solver import solve_optimally
from semantics.body.protocols import Planner

SHARES = {"floor": 0.56, "few": 0.09}
"""The shares of a race's memory for the satisficing searches: one translates the whole problem, one a part of it."""


class Planners:
    """The planners of a process: the one with the requested name, and others, each made when it is first needed.

    Args:
        named: The planner with the requested name.
        memory: How much memory all processes of a race may use, bytes.
    """

    def __init__(self, named: Planner, memory: int) -> None:
        self.named = named
        self._memory = memory
        self._quick: FastDownward | None = None
        self._floor = named if isinstance(named, FastDownward) else None

    def floor(self) -> FastDownward:
        """Return the planner that searches for any plan of the whole problem."""
        self._floor = self._floor or FastDownward()
        return self._floor

    def limit(self, verb: str) -> None:
        """Leave the planners the share of the memory that a function has, without what this process uses."""
        share = SHARES.get(verb, 1 - sum(SHARES.values()))
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        for planner in (self.named, self._floor, self._quick):
            if isinstance(planner, FastDownward):
                planner.memory = int(share * self._memory) - pages * resource.getpagesize()

    def quick(self) -> FastDownward:
        """Return the planner that finds any plan soonest: a greedy search."""
        self._quick = self._quick or FastDownward(proves=False)
        return self._quick


def _solve(planner: Planner, asked: PlanningRequest) -> object:
    return solve_optimally(asked.problem, planner=planner, **asked.given)


def _replan(planner: Planner, asked: PlanningRequest) -> object:
    assert asked.expected is not None
    return replan(asked.problem, expected=asked.expected, planner=planner, **asked.given)


def _best_part(planner: Planner, asked: PlanningRequest) -> object:
    from planning.part import best_part

    return best_part(asked.problem, planner=planner, **asked.given)


def _exclusions(planner: Planner, asked: PlanningRequest) -> object:
    return found(asked.problem.domain, asked.problem.objects, planner)


def _floor(planner: Planner, asked: PlanningRequest) -> object:
    assert isinstance(planner, FastDownward)
    return satisfice(asked.problem, planner=planner, **asked.given)


def _few(planner: Planner, asked: PlanningRequest) -> object:
    assert isinstance(planner, FastDownward)
    return solve_with_fewer(asked.problem, planner=planner, **asked.given)


VERBS: Mapping[str, Callable[[Planner, PlanningRequest], Any]] = {
    "solve": _solve,
    "quick": _solve,
    "floor": _floor,
    "few": _few,
    "replan": _replan,
    "best_part": _best_part,
    "exclusions": _exclusions,
}
"""``quick`` is ``solve`` with the quickest planner, ``floor`` the satisficing search on the whole problem, ``few``
that on parts of it."""


def carry_out(asked: PlanningRequest, planners: Planners) -> object:
    """Answer a question."""
    planner = planners.named
    if asked.verb == "quick":
        planner = planners.quick()
    elif asked.verb in SHARES:
        planner = planners.floor()
    planners.limit(asked.verb)
    return VERBS[asked.verb](planner, asked)
