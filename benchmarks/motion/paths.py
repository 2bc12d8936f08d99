"""How long it takes to find a path among boxes, and how often one is found, with and without the planner."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np

from benchmarks.motion.scenes import boxes_on_furniture, grasp_postures
from robots.pybullet.description import Configuration
from robots.pybullet.manipulation.reach import standard_path
from robots.pybullet.paths import planned_path
from robots.pybullet.rig import Rig

__all__ = ["BOXES", "PathTrial", "path_trials"]

BOXES = 20
FINE = 4
"""How many times finer than the planner the found paths are tested."""


@dataclass(frozen=True, slots=True)
class PathTrial:
    """One search for a path between two postures.

    Attributes:
        seconds: How long the planner took.
        processor: How much processor time of this process that was.
        planned: Whether the planner found a path.
        standard: Whether one of the standard paths was free.
        touched: The names of what the planned path touches, tested more finely.
    """

    seconds: float
    processor: float
    planned: bool
    standard: bool
    touched: frozenset[str]


def path_trials(seed: int, count: int) -> Iterator[PathTrial]:
    """Search `count` paths in the scene of a seed: between postures at two boxes, and from the folded arm to one."""
    rig = Rig(boxes_on_furniture(seed, BOXES))
    try:
        postures = [posture for _, posture in grasp_postures(rig)]
        random, folded = Random(seed), rig.now()
        for number in range(count):
            start, goal = random.sample(postures, 2)
            yield _trial(rig, folded if number % 2 else start, goal)
    finally:
        rig.close()


def _trial(rig: Rig, start: Configuration, goal: Configuration) -> PathTrial:
    goal = rig.description.unwound([start, goal])[-1]
    began, spent = time.perf_counter(), time.process_time()
    path = planned_path(rig.mirror, start, goal)
    seconds, processor = time.perf_counter() - began, time.process_time() - spent
    standard = isinstance(standard_path(rig, start, goal), list)
    touched = frozenset() if path is None else _touched(rig, [start, *path])
    return PathTrial(seconds, processor, path is not None, standard, touched)


def _touched(rig: Rig, points: list[Configuration]) -> frozenset[str]:
    """Return what a path touches; the boxes that the hand is around at both ends do not count."""
    ends = rig.mirror.gaps(points[0]).keys() | rig.mirror.gaps(points[-1]).keys()
    touched: set[str] = set()
    for start, end in pairwise(points):
        steps = max(1, int(np.ceil(FINE * np.max(np.abs(end - start) / rig.description.strides))))
        for share in np.linspace(0.0, 1.0, steps + 1):
            touched |= rig.mirror.clashes(start + share * (end - start))
    return frozenset(touched - {name for name in ends if name.startswith("box")})
