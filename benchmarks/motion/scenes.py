"""A table and a shelf with boxes at random places, and postures of the hand at the boxes. One seed gives one scene."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import hypot, pi
from random import Random

from robots.pybullet.description import Configuration
from robots.pybullet.manipulation.pick import grasp_aims, roofed
from robots.pybullet.manipulation.reach import stances, station
from robots.pybullet.rig import Rig
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.geometry.geometry import PlanarPose

__all__ = ["boxes_on_furniture", "grasp_postures"]

FURNITURE = (
    Furniture("table0", "table", PlanarPose(0.0, 1.6, -pi / 2), (1.4, 0.7, 0.75)),
    Furniture("shelf0", "shelf", PlanarPose(-1.9, 0.2, 0.0), (1.0, 0.4, 1.3)),
)
BOARDS = 3
"""Number of boards of the shelf."""
START = RobotStart("robot0", PlanarPose(0.0, 0.5, pi / 2))
SIDES, HEIGHTS = (0.04, 0.068), (0.06, 0.2)
"""Least and largest sides and heights of a box, in metres."""
TURN = 0.5
"""Largest turn of a box, in radians."""
INSET, APART = 0.06, 0.11
"""Least distances of a box's centre from an edge and from the centres of others, in metres."""
MOST_TRIED = 600
"""Number of postures tested for one box."""

Spot = tuple[float, float]


def boxes_on_furniture(seed: int, count: int) -> Layout:
    """Return a scene with `count` boxes, half of them on the table and half on the boards of the shelf."""
    random = Random(seed)
    taken: dict[tuple[str, int], list[Spot]] = {}
    return Layout(START, FURNITURE, tuple(_box(random, number, taken) for number in range(count)))


def _box(random: Random, number: int, taken: dict[tuple[str, int], list[Spot]]) -> MovableObject:
    item = FURNITURE[number % len(FURNITURE)]
    shape = Shape("box", (random.uniform(*SIDES), random.uniform(*SIDES), random.uniform(*HEIGHTS)), 0.2)
    while True:
        level = random.randrange(BOARDS) if item.model == "shelf" else 0
        x, y = (random.uniform(INSET - side / 2, side / 2 - INSET) for side in item.size[:2])
        others = taken.setdefault((item.name, level), [])
        if all(hypot(x - a, y - b) >= APART for a, b in others):
            others.append((x, y))
            turn = random.uniform(-TURN, TURN)
            return MovableObject(f"box{number}", shape, "on", item.name, (x, y), level=level, yaw=turn)


def grasp_postures(rig: Rig) -> Iterator[tuple[str, Configuration]]:
    """Yield a free posture with the fingers around each box that has one, with the name of the box."""
    rig.mirror.sync(rig.world)
    for piece in rig.world.layout.pieces:
        free = (posture for posture in _postures(rig, piece) if not rig.mirror.clashes(posture))
        yield from ((piece.name, posture) for posture in islice(free, 1))


def _postures(rig: Rig, piece: MovableObject) -> Iterator[Configuration]:
    where = station(rig, piece.where)
    under_roof = roofed(rig, piece.where, rig.world.pose(piece.name)[0][2])
    aims = grasp_aims(rig, piece.name, where, under_roof)
    return islice((posture for aim in aims for posture in stances(rig.description, aim, where)), MOST_TRIED)
