"""Free paths between two configurations, found by OMPL's RRT-Connect and then shortened.

Two trees of random configurations grow from the start and from the goal until they meet. The path between them is a
detour, so that random shortcuts and straight connections that are free replace parts of it. One seed gives one path,
also on a busy machine: the number of tested configurations bounds the search, not time. J. J. Kuffner, S. M. LaValle,
"RRT-Connect: An efficient approach to single-query path planning", ICRA 2000; the library is the Open Motion Planning
Library (ompl.kavrakilab.org).

`planned_path` is for where no standard path is free: the base, the column and the joints of the arm's plane move
together. The base roams at most a little beyond its places at both ends; longer drives are the task of
`robots.pybullet.navigation`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import numpy as np

from robots.pybullet.description import Configuration

if TYPE_CHECKING:
    from ompl import base, geometric
from math import inf

from robots.pybullet.description import BASE, YAW
from robots.pybullet.kinematics import bounds
from robots.pybullet.mirror import AIR, Grip, Mirror

MOST_TESTS: Final = 6000  # number of configurations that one search tests at most before it gives up
SEED: Final = 1
FINENESS: Final = 0.4  # distance between two tests on a segment, in strides
EXTENSION: Final = 12.0  # largest extension of a tree, in strides
SHORTCUTS: Final = 6  # number of shortcuts that are tried on a path in one round


@dataclass(frozen=True)
class PathQuery:
    """A search for a path; all vectors have one number per joint."""

    start: Configuration  # the first configuration
    goal: Configuration  # the last configuration
    low: Configuration  # The least value of each joint. A joint whose `low` and `high` are equal does not move.
    high: Configuration  # the largest value of each joint
    stride: Configuration  # the largest step of each joint between two configurations that are tested
    free: Callable[[Configuration], bool]  # whether a configuration is free of collisions


def planner_installed() -> bool:
    """Return whether OMPL is installed, and ruckig, which times its paths."""
    return find_spec("ompl") is not None and find_spec("ruckig") is not None


def free_path(query: PathQuery, *, seed: int = SEED, most_tests: int = MOST_TESTS) -> list[Configuration] | None:
    """Return a free path from `start` to `goal`, both included; None if an end is not free, or no path was found.

    Args:
        query: The ends, the limits and the test of collisions.
        seed: The seed of the random configurations, from 1.
        most_tests: The number of configurations to test at most.
    """
    return _TreeSearch(query, most_tests).run(seed)


class _TreeSearch:
    """One search, in the space of the moving joints divided by their strides."""

    def __init__(self, query: PathQuery, most_tests: int) -> None:
        self._query = query
        self._moving = np.flatnonzero(query.high > query.low)
        self._scale = query.stride[self._moving]
        self._left = most_tests

    def run(self, seed: int) -> list[Configuration] | None:
        from ompl import base, geometric, util

        util.setLogLevel(util.LOG_NONE)  # a new seed is an error in its log, although later generators obey it
        util.RNG.setSeed(seed)
        space = self._space()
        start, goal = self._state(space, self._query.start), self._state(space, self._query.goal)
        if not all(space.satisfiesBounds(end) and self._valid(end) for end in (goal, start)):
            return None  # the planner would wait for another goal
        setup = geometric.SimpleSetup(space)
        setup.setStateValidityChecker(self._valid)
        setup.setStartAndGoalStates(start, goal)
        planner = geometric.RRTConnect(setup.getSpaceInformation())
        planner.setRange(EXTENSION)
        setup.setPlanner(planner)
        setup.solve(base.PlannerTerminationCondition(self._over))
        if not setup.haveExactSolutionPath():
            return None
        path = setup.getSolutionPath()
        self._shorten(setup.getSpaceInformation(), path)
        return [self._configuration(state) for state in path.getStates()]

    def _space(self) -> base.RealVectorStateSpace:
        from ompl import base

        space = base.RealVectorStateSpace(len(self._moving))
        bounds = base.RealVectorBounds(len(self._moving))
        for i, joint in enumerate(self._moving):
            bounds.setLow(i, float(self._query.low[joint] / self._scale[i]))
            bounds.setHigh(i, float(self._query.high[joint] / self._scale[i]))
        space.setBounds(bounds)
        space.setup()
        space.setLongestValidSegmentFraction(FINENESS / space.getMaximumExtent())
        return space

    def _state(self, space: base.RealVectorStateSpace, configuration: Configuration) -> base.State:
        state = space.allocState()
        for i, value in enumerate(configuration[self._moving] / self._scale):
            state[i] = float(value)
        return state

    def _configuration(self, state: base.State) -> Configuration:
        configuration = self._query.start.copy()
        configuration[self._moving] = [state[i] for i in range(len(self._moving))]
        configuration[self._moving] *= self._scale
        return configuration

    def _valid(self, state: base.State) -> bool:
        self._left -= 1
        return bool(self._query.free(self._configuration(state)))

    def _over(self) -> bool:
        return self._left <= 0

    def _shorten(self, information: base.SpaceInformation, path: geometric.PathGeometric) -> None:
        from ompl import geometric

        simplifier = geometric.PathSimplifier(information)
        simplifier.reduceVertices(path, SHORTCUTS, SHORTCUTS)
        simplifier.partialShortcutPath(path, SHORTCUTS, SHORTCUTS)
        simplifier.reduceVertices(path, SHORTCUTS, SHORTCUTS)
        simplifier.collapseCloseVertices(path, SHORTCUTS, SHORTCUTS)


ROAM: Final = np.array([0.8, 0.8, 1.0])  # how far the base may go beyond its poses at both ends, in metres and radians
SEEDS: Final = (1, 2, 3)
"""Seeds of the searches: the later ones are for a path that fails the final test of its segments."""
FINER: Final = 4.0  # how many times finer than those of the standard paths the steps of this test are


def planned_path(
    mirror: Mirror, start: Configuration, goal: Configuration, grip: Grip | None = None, end: float = inf
) -> list[Configuration] | None:
    """Return free waypoints after `start` that end at `goal`, or None; `goal` has the heading of the shorter turn.

    The first search misses small gaps until its path is tested as a whole; the later ones see them at each step.
    The searches with all seeds together make `MOST_TESTS` tests at most, and end when the mirror has made `end` tests.
    """
    if not planner_installed():
        return None
    end = min(mirror.tests + MOST_TESTS, end)
    goal = mirror.description.unwound([start, goal])[-1]
    for seed in SEEDS:
        query = path_query(mirror, start, goal, grip, seed != SEEDS[0])
        path = free_path(query, seed=seed, most_tests=int(end) - mirror.tests)
        if path is None:
            return None
        if not mirror.path_clashes(path, grip, air=AIR, finer=FINER):
            return path[1:]
    return None


def path_query(
    mirror: Mirror, start: Configuration, goal: Configuration, grip: Grip | None = None, exact: bool = True
) -> PathQuery:
    """Return the search for a path of the robot with what it holds; `exact` is that of `Mirror.corridor`."""
    low, high = bounds(mirror.description)
    if mirror.description.moves:
        low[:BASE] = np.minimum(start[:BASE], goal[:BASE]) - ROAM
        high[:BASE] = np.maximum(start[:BASE], goal[:BASE]) + ROAM
    else:  # a joint of the arm turns it on its base
        low[:YAW], high[:YAW] = start[:YAW], start[:YAW]
        low[YAW] += mirror.origin[YAW]
        high[YAW] += mirror.origin[YAW]
    ends = np.array([start, goal])
    return PathQuery(
        start,
        goal,
        np.minimum(low, ends.min(axis=0)),
        np.maximum(high, ends.max(axis=0)),
        mirror.description.strides,
        mirror.corridor(start, goal, grip, exact),
    )
