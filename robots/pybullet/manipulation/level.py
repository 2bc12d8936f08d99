"""Level motions of the hand: it keeps its height and its heading in the world, and goes along straight lines.

A base that drives carries the arm along. An arm on a fixed base turns towards each point of the line and reaches
farther or less far; its last joint turns back by as much as the first one turns. Metres and radians.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, ceil, cos, dist, hypot, sin
from typing import Final

import numpy as np

from robots.furniture import wrapped
from robots.pybullet.description import LIFT, BodyDescription, Configuration, share_of_limit
from robots.pybullet.kinematics import LimitExcess, reach_of, solve
from robots.pybullet.manipulation.reach import Station, station
from robots.pybullet.navigation import obstacles
from robots.pybullet.rig import Rig
from semantics.geometry.geometry import Vector
from semantics.logic.state import Command

LAST: Final = LIFT + 7  # the index of the joint that turns the hand about its axis
STRIDE: Final = 0.015  # distance between two postures of a line
SAMPLES: Final = 20  # number of parts of a segment of a path in which the speed of the hand is measured


def place_of_work(rig: Rig, command: Command) -> Station:
    """Return the station at which the hand works: of the place that is said, or where the robot is."""
    at = command.roles.get("at")
    if at is not None or not rig.description.moves:
        return station(rig, at or "")
    return Station(rig.chassis.base(), obstacles(rig.world, rig.held))


def hand_at(description: BodyDescription, configuration: Configuration) -> Vector:
    """Return the position of the hand's point in a configuration."""
    reach = reach_of(description, configuration)
    x, y, yaw = (float(value) for value in configuration[:3])
    return x + reach.r * cos(yaw), y + reach.r * sin(yaw), reach.z


def moved_level(rig: Rig, configuration: Configuration, x: float, y: float) -> Configuration | LimitExcess:
    """Return a configuration with the hand moved by x and y on the map, or what would be beyond its limits."""
    if rig.description.moves:
        moved = configuration.copy()
        moved[:2] += x, y
        return moved
    reach, hand = reach_of(rig.description, configuration), hand_at(rig.description, configuration)
    ahead, aside = hand[0] + x - configuration[0], hand[1] + y - configuration[1]
    turn = wrapped(atan2(aside, ahead) - float(configuration[2]))
    arm = solve(rig.description, reach._replace(r=hypot(ahead, aside), roll=0.0), float(configuration[LIFT]))
    if isinstance(arm, LimitExcess):
        return arm
    moved = np.concatenate([configuration[:LIFT], arm])
    moved[2] += turn
    moved[LAST] = configuration[LAST] + turn
    return _within(rig.description, rig.mirror.origin, moved)


def _within(
    description: BodyDescription, origin: Configuration, configuration: Configuration
) -> Configuration | LimitExcess:
    """Return a configuration, or the first limit of a joint that it breaks."""
    for index in description.driven:
        coordinate, value = description.coordinates[index], float(configuration[index] - origin[index])
        if not coordinate.limits[0] <= value <= coordinate.limits[1]:
            return LimitExcess(coordinate.joint, value, *coordinate.limits)
    return configuration


def line(rig: Rig, start: Configuration, way: tuple[float, float]) -> list[Configuration] | LimitExcess:
    """Return the postures after `start` on a straight line, or what would be beyond its limits."""
    postures = []
    steps = max(1, ceil(hypot(*way) / STRIDE))
    for step in range(1, steps + 1):
        posture = moved_level(rig, start, way[0] * step / steps, way[1] * step / steps)
        if isinstance(posture, LimitExcess):
            return posture
        postures.append(posture)
    return postures


def hand_pace(rig: Rig, waypoints: Sequence[Configuration], speed: float | None) -> float:
    """Return the share of the cruising speed at which the hand is nowhere faster than `speed`, in metres per second."""
    if speed is None:
        return 1.0
    fastest = max((_fastest(rig.description, a, b) for a, b in pairwise([rig.now(), *waypoints])), default=0.0)
    return min(1.0, speed / fastest) if fastest > 0.0 else 1.0


def _fastest(description: BodyDescription, start: Configuration, end: Configuration) -> float:
    """Return the largest speed of the hand on a segment at the cruising speed."""
    seconds = float(share_of_limit(end - start, description.motion_limits.speed))
    if seconds < 1e-6:
        return 0.0
    points = [hand_at(description, start + share * (end - start)) for share in np.linspace(0.0, 1.0, SAMPLES + 1)]
    return max(dist(a, b) for a, b in pairwise(points)) * SAMPLES / seconds
