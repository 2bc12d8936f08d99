"""`drive`: fold the arm and drive to the stand of a place, or in front of a person.

`beside` drives to a pose from which an object on the floor is within reach, because the floor has no stand of its own.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import dist, hypot, pi
from typing import NamedTuple

import numpy as np

from robots.pybullet.description import Configuration
from robots.pybullet.manipulation.reach import withdraw
from robots.pybullet.manipulation.reasons import length_text
from robots.pybullet.motion import ArmPath, Failed, Steps
from robots.pybullet.navigation import COMFORT, MARGIN, FloorObstacle, clearance, obstacles, route
from robots.pybullet.rig import Rig
from robots.pybullet.turns import take_turns
from semantics.geometry.geometry import PlanarPose
from semantics.geometry.points import hull
from semantics.logic.feedback import Code

ASIDE = (0.0, 0.1, 0.2, 0.3, 0.4, 0.55)
STANDOFFS = (0.65, 0.8, 0.95)  # distances of the base from an object on the floor, in metres
SIDES = 24  # number of directions from which the base may approach an object on the floor
WITHIN = 1.0  # largest distance at which an object on the floor is within reach, in metres
HAND_ROOM = 0.1  # room that the hand needs to either side on its way to the object, in metres
DETOUR = 6.0  # cost of reaching one metre across an obstacle, in metres of driving


def drive(rig: Rig, to: str, speed: float | None = None) -> Steps:
    """Drive to a place or a person, at most as fast as `speed` in metres per second, as in what is done there.

    Raises:
        Failed: It is no place (`refused-by-body`), no pose near it is free (`no-room`), there is no path
            (`obstructed`), or the robot is blocked (`stuck`).
    """
    rig.base_speed = speed
    yield from withdraw(rig)
    base = rig.chassis.base()
    around = obstacles(rig.world, rig.held)
    radius, stand = rig.description.base.radius, _stand(rig, to)
    goal = _free_near(around, radius, stand)
    if goal is None:
        raise _no_standing(rig, around, stand, to)
    corners = yield from take_turns(partial(route, around, radius, base, goal))
    if corners is None:
        raise (yield from take_turns(partial(_shut_in, rig, around, base, goal, to)))
    yield from _follow(rig, around, corners, goal)


def _follow(rig: Rig, around: list[FloorObstacle], corners: list[tuple[float, float]], goal: PlanarPose) -> Steps:
    """Drive along a route; where it turns, the base cuts the corner by a part of the clearance that it has."""
    radius = rig.description.base.radius
    least = max(0.0, min(COMFORT, float(clearance(around, radius, *np.transpose(corners)).min())) - MARGIN)
    path = ArmPath(tuple(_legs(rig, corners, goal)))
    yield from rig.travel(path, free=lambda at: float(clearance(around, radius, *at[:2])) >= least)


def _shut_in(rig: Rig, around: list[FloorObstacle], base: PlanarPose, goal: PlanarPose, to: str) -> Failed:
    """Return the failure of a drive without a way, with the obstacle without which there is one."""
    for name in dict.fromkeys(obstacle.name for obstacle in around):
        doors = [obstacle for obstacle in around if obstacle.name == name and obstacle.door]
        removed = doors or [obstacle for obstacle in around if obstacle.name == name]
        left = [obstacle for obstacle in around if obstacle not in removed]
        if route(left, rig.description.base.radius, base, goal) is not None:
            how = f"{_removal(rig, name, door=bool(doors))}: then there is a way."
            return Failed(Code.OBSTRUCTED, to, f"{name} is in the only way to it.", (to, name), how)
    gap = min(around, key=lambda obstacle: float(obstacle.distance(goal.x, goal.y)))
    why = f"there is no way around the furniture; nearest to the end of it is {gap.name}."
    return Failed(Code.OBSTRUCTED, to, why, (to, gap.name), f"Clear more than one thing, {gap.name} among them.")


def _removal(rig: Rig, name: str, *, door: bool) -> str:
    """Return how an obstacle on the floor is got out of the way."""
    if door:
        return f"Shut {name}" if rig.world.furniture[name].part_of else f"Shut the door of {name}"
    return f"Ask {name} to step aside" if name in rig.world.persons else f"Move {name} away"


class _Side(NamedTuple):
    """A pose of the base from which an object can be reached, and the cost of driving and reaching, in metres."""

    pose: PlanarPose
    cost: float


def beside(rig: Rig, x: float, y: float) -> Steps:
    """Drive to a pose from which a point on the floor is within reach, unless it already is.

    Prefer a near pose without obstacles between the base and the point. Without any such pose the robot does not move,
    and the later search for a posture reports the reason.
    """
    base = rig.chassis.base()
    around = obstacles(rig.world, rig.held)
    radius = rig.description.base.radius
    if hypot(base.x - x, base.y - y) <= WITHIN and not _crossed(around, base, x, y):
        return
    for side in _sides(around, radius, base, x, y):
        corners = yield from take_turns(partial(route, around, radius, base, side.pose))
        if corners is not None:
            yield from _follow(rig, around, corners, side.pose)
            return


def _sides(around: list[FloorObstacle], radius: float, base: PlanarPose, x: float, y: float) -> list[_Side]:
    """Return the free poses around a point, the best first."""
    sides = []
    for turn in np.arange(SIDES) * (2 * pi / SIDES):
        for distance in STANDOFFS:
            pose = PlanarPose(float(x - distance * np.cos(turn)), float(y - distance * np.sin(turn)), float(turn))
            if float(clearance(around, radius, pose.x, pose.y)) >= 0.0:
                driven = hypot(pose.x - base.x, pose.y - base.y)
                sides.append(_Side(pose, driven + DETOUR * _crossed(around, pose, x, y)))
    return sorted(sides, key=lambda side: side.cost)


def _crossed(around: list[FloorObstacle], base: PlanarPose, x: float, y: float) -> float:
    """Return the length in metres of the part of the line from a base to a point that is too near to obstacles.

    The end of the line does not count, because the object itself stands there and is an obstacle, too.
    """
    distance = hypot(base.x - x, base.y - y)
    share = np.linspace(0.0, max(0.0, 1.0 - 2 * HAND_ROOM / max(distance, 0.01)), 16)
    xs, ys = base.x + share * (x - base.x), base.y + share * (y - base.y)
    gaps = np.minimum.reduce([obstacle.distance(xs, ys) for obstacle in around]) if around else np.full(16, 9.0)
    return float(np.mean(gaps < HAND_ROOM)) * distance


def _stand(rig: Rig, to: str) -> PlanarPose:
    stand = rig.world.standing_at(to) if to in rig.world.offered or to in rig.world.persons else None
    if stand is not None:
        return stand
    if rig.world.layout.is_ground(to):
        return _middle(rig)
    places = sorted((*rig.world.offered, *rig.world.persons))
    x, y, _ = rig.world.box(to).centre
    nearest = min(places, key=lambda place: dist((x, y), rig.world.box(place).centre[:2]), default=None)
    how = f"The place nearest to it is {nearest}; drive there." if nearest else ""
    raise Failed(Code.REFUSED_BY_BODY, to, "it is no place to drive to.", (to,), how)


def _middle(rig: Rig) -> PlanarPose:
    """Return the middle of the room, facing as now."""
    boxes = [offered.box for offered in rig.world.offered.values()]
    if not boxes:
        return rig.chassis.base()
    x, y, _ = hull(boxes).centre
    return PlanarPose(x, y, rig.chassis.base().yaw)


def _free_near(around: list[FloorObstacle], radius: float, stand: PlanarPose) -> PlanarPose | None:
    """Return the stand, or a free place beside it, or None."""
    for aside in ASIDE:
        for turn in np.arange(0.0, 2 * np.pi, np.pi / 4) if aside else (0.0,):
            x, y = stand.x + aside * np.cos(turn), stand.y + aside * np.sin(turn)
            if float(clearance(around, radius, x, y)) >= 0.0:
                return PlanarPose(float(x), float(y), stand.yaw)
    return None


def _no_standing(rig: Rig, around: list[FloorObstacle], stand: PlanarPose, to: str) -> Failed:
    """Return the failure of a place without room for the base, with what takes the room."""
    nearest = min(around, key=lambda obstacle: float(obstacle.distance(stand.x, stand.y)))
    missing = rig.description.base.radius + MARGIN - float(nearest.distance(stand.x, stand.y))
    why = (
        f"there is no room to stand at it: {nearest.name} is {length_text(missing)} too near, also {ASIDE[-1]} m aside."
    )
    how = f"{_removal(rig, nearest.name, door=nearest.door)}, by {length_text(missing)} or more."
    return Failed(Code.NO_ROOM, to, why, (to, nearest.name), how)


def _legs(rig: Rig, corners: list[tuple[float, float]], goal: PlanarPose) -> list[Configuration]:
    """Return the waypoints of a drive, with the heading turning evenly towards that of the goal."""
    carry = rig.carrying()
    lengths = np.cumsum([0.0, *(dist(corner, following) for corner, following in pairwise(corners))])
    turn = (goal.yaw - carry[2] + np.pi) % (2 * np.pi) - np.pi
    legs: list[Configuration] = []
    for (x, y), length in zip(corners[1:], lengths[1:], strict=True):
        leg = carry.copy()
        leg[0], leg[1] = x, y
        leg[2] = carry[2] + turn * (length / lengths[-1] if lengths[-1] > 0.01 else 1.0)
        legs.append(leg)
    return legs
