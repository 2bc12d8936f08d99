"""Planned paths of the whole robot, for where no standard path is free.

The base, the column and the joints of the arm's plane move together. The base roams at most a little beyond its places
at both ends; longer drives are the task of `robots.pybullet.navigation`.
"""

from __future__ import annotations

from math import inf
from typing import Final

import numpy as np

from robots.pybullet.description import BASE, YAW, Configuration
from robots.pybullet.kinematics import bounds
from robots.pybullet.mirror import AIR, Grip, Mirror
from robots.pybullet.paths import MOST_TESTS, PathQuery, free_path, planner_installed

__all__ = ["path_query", "planned_path"]

ROAM: Final = np.array([0.8, 0.8, 1.0])
"""How far the base may go beyond its poses at both ends, in metres and radians."""
SEEDS: Final = (1, 2, 3)
"""Seeds of the searches: the later ones are for a path that fails the final test of its segments."""
FINER: Final = 4.0
"""How many times finer than those of the standard paths the steps of this test are."""


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
