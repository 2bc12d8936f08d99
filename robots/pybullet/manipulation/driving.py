"""`drive`: fold the arm and go to the stand of a place, or in front of a person."""

from __future__ import annotations

from itertools import pairwise
from math import dist

import numpy as np

from robots.arrangement import FLOOR
from robots.pybullet.chassis import Configuration
from robots.pybullet.manipulation.reaching import withdraw
from robots.pybullet.motion import Failed, Steps
from robots.pybullet.navigation import Obstacle, clearance, obstacles, route
from robots.pybullet.rig import Rig
from semantics.feedback import Code
from semantics.geometry import PlanarPose

__all__ = ["drive"]

ASIDE = (0.0, 0.1, 0.2, 0.3, 0.4, 0.55)


def drive(rig: Rig, to: str) -> Steps:
    """Drive to a place or a person.

    Raises:
        Failed: It is no place (`refused-by-body`), nothing free is near it (`no-room`), there is no way
            (`obstructed`), or the body is blocked (`stuck`).
    """
    yield from withdraw(rig)
    here = rig.chassis.base()
    around = obstacles(rig.world, rig.held)
    goal = _free_near(around, _stand(rig, to), to)
    corners = route(around, here, goal)
    if corners is None:
        raise Failed(Code.OBSTRUCTED, to, "there is no way around the furniture.", (to,))
    yield from rig.move(*_legs(rig, corners, goal))


def _stand(rig: Rig, to: str) -> PlanarPose:
    if to in rig.world.offered or to in rig.world.persons:
        return rig.world.standing_at(to)
    if to.startswith(FLOOR):
        return _middle(rig)
    raise Failed(Code.REFUSED_BY_BODY, to, "it is no place to drive to.", (to,))


def _middle(rig: Rig) -> PlanarPose:
    """Return the middle of the room, facing as now."""
    boxes = [offered.box for offered in rig.world.offered.values()]
    if not boxes:
        return rig.chassis.base()
    x = (min(box.low[0] for box in boxes) + max(box.high[0] for box in boxes)) / 2
    y = (min(box.low[1] for box in boxes) + max(box.high[1] for box in boxes)) / 2
    return PlanarPose(x, y, rig.chassis.base().yaw)


def _free_near(around: list[Obstacle], stand: PlanarPose, to: str) -> PlanarPose:
    """Return the stand, or a free place beside it."""
    for radius in ASIDE:
        for turn in np.arange(0.0, 2 * np.pi, np.pi / 4) if radius else (0.0,):
            x, y = stand.x + radius * np.cos(turn), stand.y + radius * np.sin(turn)
            if float(clearance(around, x, y)) >= 0.0:
                return PlanarPose(float(x), float(y), stand.yaw)
    raise Failed(Code.NO_ROOM, to, "there is no room to stand at it.", (to,))


def _legs(rig: Rig, corners: list[tuple[float, float]], goal: PlanarPose) -> list[Configuration]:
    """Return the waypoints of a drive, turning to the goal's heading evenly on the way."""
    carry = rig.carrying()
    lengths = np.cumsum([0.0, *(dist(one, other) for one, other in pairwise(corners))])
    turn = (goal.yaw - carry[2] + np.pi) % (2 * np.pi) - np.pi
    legs: list[Configuration] = []
    for (x, y), length in zip(corners[1:], lengths[1:], strict=True):
        leg = carry.copy()
        leg[0], leg[1] = x, y
        leg[2] = carry[2] + turn * (length / lengths[-1] if lengths[-1] > 0.01 else 1.0)
        legs.append(leg)
    return legs
