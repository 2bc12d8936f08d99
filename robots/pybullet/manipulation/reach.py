"""From a pose of the fingertips to postures of the whole robot, and from one posture to another.

A pose fixes the plane of the arm. The distance of the base and the height of the column are free, so candidates are
tried in order of comfort and checked for joint limits and, in the mirror, for collisions. Paths between postures are
tried from the shortest to the most careful: straight; base first; over the top; backing out first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import atan2, cos, hypot, sin
from typing import NamedTuple

import numpy as np

from robots.furniture import wrapped
from robots.pybullet.description import LIFT, YAW, BodyDescription, Configuration
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.mirror import AIR
from robots.pybullet.motion import Failed, Steps
from robots.pybullet.navigation import MARGIN, FloorObstacle, clearance, obstacles, route
from robots.pybullet.rig import Rig, with_base
from semantics.feedback import Code
from semantics.geometry import PlanarPose, Vector

__all__ = ["STEEP", "Aim", "Station", "backed", "raised", "stances", "station", "way", "way_behind", "withdraw"]

DISTANCES = (0.64, 0.58, 0.7, 0.52, 0.76, 0.46, 0.82, 0.4, 0.34)
"""Metres from the centre of the base to the fingertips, the most comfortable first."""
COLUMN_OFFSETS = (-0.08, -0.25, 0.1, -0.42, 0.28, 0.45)
"""Heights of the shoulder above the wrist in metres, the most comfortable first."""
BACK_OFF = (0.0, 0.2, 0.4, 0.6)
"""Distances by which the base may back off to fold the arm, in metres."""
AROUND = 0.72
"""Largest distance of the base from its stand while it works there, in metres."""
STRAIGHT = 0.1
"""Largest angle by which the hand may point elsewhere than away from a fixed base, in radians, unless it comes from
above with a pitch of `STEEP`."""
STEEP = 1.5


class Aim(NamedTuple):
    """A pose of the fingertips: the grasp point, and azimuth, pitch and roll of the hand."""

    point: Vector
    azimuth: float
    phi: float
    roll: float = 0.0


class Station(NamedTuple):
    """A place where the robot works.

    Attributes:
        stand: Its stand; None on the open floor. Where the base is fixed, the pose of the base.
        around: The obstacles on the floor.
    """

    stand: PlanarPose | None
    around: list[FloorObstacle]


def station(rig: Rig, place: str) -> Station:
    """Return the station of a place or person."""
    if not rig.description.moves:
        return Station(rig.chassis.base(), [])
    has_stand = place in rig.world.offered or place in rig.world.persons
    stand = rig.world.standing_at(place) if has_stand else None
    return Station(stand, obstacles(rig.world, rig.held))


def stances(description: BodyDescription, aim: Aim, where: Station) -> Iterator[Configuration]:
    """Yield configurations with the fingertips at `aim`, within joint limits and clear of obstacles on the floor."""
    if not description.moves:
        yield from _turned(description, aim, where)
        return
    links = description.links
    wrist = aim.point[2] + links.hand * sin(aim.phi) - links.wrist * cos(aim.phi)
    lifts = [float(np.clip(wrist + offset - links.shoulder, *description.column)) for offset in COLUMN_OFFSETS]
    pairs = product(DISTANCES, dict.fromkeys(lifts))
    for r, lift in sorted(pairs, key=lambda pair: DISTANCES.index(pair[0]) + lifts.index(pair[1])):
        x, y = aim.point[0] - r * cos(aim.azimuth), aim.point[1] - r * sin(aim.azimuth)
        if where.stand is not None and hypot(x - where.stand.x, y - where.stand.y) > AROUND:
            continue
        arm = posture(description, Reach(r, aim.point[2], aim.phi, aim.roll), lift)
        if arm is not None and float(clearance(where.around, description.base.radius, x, y)) > -MARGIN / 2:
            yield np.concatenate([[x, y, aim.azimuth], arm])


def _turned(description: BodyDescription, aim: Aim, where: Station) -> Iterator[Configuration]:
    """Yield the configuration of an arm on a fixed base, if it reaches `aim` by turning towards it.

    The hand points away from the base. From above, it may point elsewhere and be rolled instead, so that the fingers
    close along the same line.
    """
    base = where.stand
    if base is None:
        return
    ahead, left = aim.point[0] - base.x, aim.point[1] - base.y
    turn = wrapped(atan2(left, ahead) - base.yaw)
    deviation = wrapped(base.yaw + turn - aim.azimuth)
    low, high = description.coordinates[YAW].limits
    if not low <= turn <= high or (abs(deviation) > STRAIGHT and aim.phi < STEEP):
        return
    lift = description.column[0]
    arm = posture(description, Reach(hypot(ahead, left), aim.point[2], aim.phi, aim.roll + deviation), lift)
    if arm is not None:
        yield np.concatenate([[base.x, base.y, base.yaw + turn], arm])


def backed(description: BodyDescription, configuration: Configuration, distance: float) -> Configuration:
    """Return a configuration with the base moved back; on a fixed base, with the hand drawn back if the arm can."""
    moved = configuration.copy()
    if not description.moves:
        reach = reach_of(description, configuration)
        return _with_reach(description, configuration, reach._replace(r=reach.r - distance))
    moved[0] -= distance * cos(configuration[2])
    moved[1] -= distance * sin(configuration[2])
    return moved


def raised(description: BodyDescription, configuration: Configuration, height: float) -> Configuration:
    """Return a configuration with the hand raised, by the column up to its limit, or by the arm if it can."""
    low, high = description.column
    if low == high:
        reach = reach_of(description, configuration)
        return _with_reach(description, configuration, reach._replace(z=reach.z + height))
    moved = configuration.copy()
    moved[LIFT] = min(high, moved[LIFT] + height)
    return moved


def _with_reach(description: BodyDescription, configuration: Configuration, reach: Reach) -> Configuration:
    """Return a configuration with another reach of the arm; the same one if the arm does not get there."""
    arm = posture(description, reach, float(configuration[LIFT]))
    return configuration if arm is None else np.concatenate([configuration[:LIFT], arm])


def _with_arm(base: Configuration, arm: Configuration) -> Configuration:
    return np.concatenate([base[:3], arm[3:]])


def _ways(
    description: BodyDescription, start: Configuration, goal: Configuration, carry: Configuration
) -> Iterator[list[Configuration]]:
    """Yield candidate paths as waypoints after `start`, from the shortest to the most careful."""
    folded_at_goal, folded_at_start = _with_arm(goal, carry), _with_arm(start, carry)
    yield [folded_at_goal, goal]
    yield [goal]
    yield [folded_at_start, folded_at_goal, goal]
    for distance in (0.2, 0.4):
        behind = backed(description, start, distance)
        yield [behind, _with_arm(behind, carry), folded_at_goal, goal]
        before = backed(description, goal, distance)
        yield [_with_arm(before, carry), before, goal]
        yield [behind, _with_arm(behind, carry), _with_arm(before, carry), before, goal]
        yield [_with_arm(before, carry), raised(description, before, 0.25), raised(description, goal, 0.25), goal]
    for distance in (0.15, 0.3, 0.5):
        behind = backed(description, start, distance)
        yield [behind, _with_arm(behind, carry), folded_at_start, folded_at_goal, goal]
        yield [
            raised(description, start, 0.1),
            raised(description, behind, 0.1),
            _with_arm(behind, carry),
            folded_at_goal,
            goal,
        ]
    yield [
        raised(description, start, 0.3),
        raised(description, folded_at_start, 0.3),
        raised(description, folded_at_goal, 0.3),
        raised(description, goal, 0.3),
        goal,
    ]


def way(rig: Rig, goal: Configuration) -> list[Configuration] | frozenset[str]:
    """Return collision-free waypoints from the current configuration to `goal`, or the names of the obstacles."""
    start = rig.now()
    if rig.description.moves:
        goal = with_base(goal, PlanarPose(*(float(v) for v in goal[:3])))
        goal[2] = start[2] + (goal[2] - start[2] + np.pi) % (2 * np.pi) - np.pi
    culprits: frozenset[str] = frozenset()
    carry = rig.carrying()
    for waypoints in _ways(rig.description, start, goal, carry):
        clashes = rig.mirror.path_clashes([start, *waypoints], rig.grip, air=AIR)
        if not clashes:
            return waypoints
        culprits |= clashes
    if not rig.description.moves:
        return culprits
    # No standard path is free: fold the arm, and drive around the obstacles on the floor.
    corners = route(
        obstacles(rig.world, rig.held),
        rig.description.base.radius,
        rig.chassis.base(),
        PlanarPose(goal[0], goal[1], goal[2]),
    )
    if corners is not None:
        driven = [with_base(carry, PlanarPose(x, y, float(goal[2]))) for x, y in corners[1:]]
        if not rig.mirror.path_clashes([start, carry, *driven, goal], rig.grip):
            return [carry, *driven, goal]
    return culprits


def withdraw(rig: Rig, home: PlanarPose | None = None) -> Steps:
    """Fold the arm into its travelling posture and return to `home`, or back off only as far as folding needs.

    Raises:
        Failed: An object is in the way (`obstructed`).
    """
    goal = rig.carrying(home)
    if np.max(np.abs(goal - rig.now())) < 0.01:
        return
    rig.mirror.sync(rig.world)
    yield from rig.move(*way_behind(rig, goal, BACK_OFF, "arm"))


def way_behind(rig: Rig, goal: Configuration, distances: Iterable[float], what: str) -> list[Configuration]:
    """Return waypoints to the first reachable of the postures at some distances behind `goal`.

    Raises:
        Failed: An object is in the way of all (`obstructed`).
    """
    culprits: frozenset[str] = frozenset()
    for distance in distances:
        waypoints = way(rig, backed(rig.description, goal, distance))
        if not isinstance(waypoints, frozenset):
            return waypoints
        culprits |= waypoints
    raise Failed(Code.OBSTRUCTED, what, f"{', '.join(sorted(culprits))} is in the way.", sorted(culprits))
