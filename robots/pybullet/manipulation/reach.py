"""From a pose of the fingertips to postures of the whole robot, and from one posture to another.

A pose fixes the plane of the arm. The distance of the base and the height of the column are free, so candidates are
tried in order of comfort and checked for joint limits and, in the mirror, for collisions. Paths between postures are
tried from the shortest to the most careful: straight; base first; over the top; backing out first. Where none of these
is free, a planner searches (`robots.pybullet.manipulation.planned`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import cos, hypot, sin
from typing import NamedTuple

import numpy as np

from robots.pybullet.chassis import COLUMN, RADIUS, Configuration
from robots.pybullet.kinematics import HAND, SHOULDER, WRIST, LimitExcess, Reach, posture, solve
from robots.pybullet.manipulation.planned import planned_path, with_nearest_heading
from robots.pybullet.manipulation.reasons import first_contact, listed, to_move_away
from robots.pybullet.mirror import AIR
from robots.pybullet.motion import ArmPath, Failed, Steps
from robots.pybullet.navigation import MARGIN, FloorObstacle, clearance, obstacles, route
from robots.pybullet.rig import Rig, with_base
from semantics.feedback import Code
from semantics.geometry import PlanarPose, Vector

__all__ = [
    "Aim",
    "Station",
    "backed",
    "planned_way",
    "raised",
    "stances",
    "standard_path",
    "station",
    "way",
    "way_behind",
    "withdraw",
]

DISTANCES = (0.64, 0.58, 0.7, 0.52, 0.76, 0.46, 0.82, 0.4, 0.34)
"""Metres from the centre of the base to the fingertips, the most comfortable first."""
COLUMN_OFFSETS = (-0.08, -0.25, 0.1, -0.42, 0.28, 0.45)
"""Heights of the shoulder above the wrist in metres, the most comfortable first."""
BACK_OFF = (0.0, 0.2, 0.4, 0.6)
"""Distances by which the base may back off to fold the arm, in metres."""
AROUND = 0.72
"""Largest distance of the base from its stand while it works there, in metres."""


class Aim(NamedTuple):
    """A pose of the fingertips: the grasp point, and azimuth, pitch and roll of the hand."""

    point: Vector
    azimuth: float
    phi: float
    roll: float = 0.0


class Station(NamedTuple):
    """A place where the robot works: its stand (None on the open floor), and the obstacles on the floor."""

    stand: PlanarPose | None
    around: list[FloorObstacle]


def station(rig: Rig, place: str) -> Station:
    """Return the station of a place or person."""
    has_stand = place in rig.world.offered or place in rig.world.persons
    stand = rig.world.standing_at(place) if has_stand else None
    return Station(stand, obstacles(rig.world, rig.held))


def stances(aim: Aim, where: Station) -> Iterator[Configuration]:
    """Yield configurations with the fingertips at `aim`, within joint limits and clear of obstacles on the floor."""
    for x, y, reach, lift in _placements(aim):
        if _off_stand(where, x, y) > 0.0:
            continue
        arm = posture(reach, lift)
        if arm is not None and float(clearance(where.around, x, y)) > -MARGIN / 2:
            yield np.concatenate([[x, y, aim.azimuth], arm])


class StanceRefusal(NamedTuple):
    """Why a placement of the robot is no stance: the first limit that it breaks, and by how much.

    Attributes:
        by: What refuses it: a joint's limit, an obstacle on the floor, or None for the distance from the stand.
        beyond: How far it is beyond the limit, in metres or radians.
    """

    by: LimitExcess | FloorObstacle | None
    beyond: float


def refusals(aim: Aim, where: Station) -> Iterator[StanceRefusal]:
    """Yield why each placement of the robot at an aim is refused; nothing for those that are stances."""
    for x, y, reach, lift in _placements(aim):
        solution = solve(reach, lift)
        if isinstance(solution, LimitExcess):
            yield StanceRefusal(solution, solution.beyond)
        elif _off_stand(where, x, y) > 0.0:
            yield StanceRefusal(None, _off_stand(where, x, y))
        elif float(clearance(where.around, x, y)) <= -MARGIN / 2:
            nearest = min(where.around, key=lambda obstacle: float(obstacle.distance(x, y)))
            yield StanceRefusal(nearest, RADIUS + MARGIN / 2 - float(nearest.distance(x, y)))


def _placements(aim: Aim) -> Iterator[tuple[float, float, Reach, float]]:
    """Yield positions of the base, reaches and heights of the column for an aim, the most comfortable first."""
    wrist = aim.point[2] + HAND * sin(aim.phi) - WRIST * cos(aim.phi)
    lifts = [float(np.clip(wrist + offset - SHOULDER, *COLUMN)) for offset in COLUMN_OFFSETS]
    pairs = product(DISTANCES, dict.fromkeys(lifts))
    for r, lift in sorted(pairs, key=lambda pair: DISTANCES.index(pair[0]) + lifts.index(pair[1])):
        x, y = aim.point[0] - r * cos(aim.azimuth), aim.point[1] - r * sin(aim.azimuth)
        yield x, y, Reach(r, aim.point[2], aim.phi, aim.roll), lift


def _off_stand(where: Station, x: float, y: float) -> float:
    """Return how far beyond its room at the stand the base would be, in metres; negative within."""
    return -AROUND if where.stand is None else hypot(x - where.stand.x, y - where.stand.y) - AROUND


def backed(configuration: Configuration, distance: float) -> Configuration:
    """Return a configuration with the base moved back."""
    moved = configuration.copy()
    moved[0] -= distance * cos(configuration[2])
    moved[1] -= distance * sin(configuration[2])
    return moved


def raised(configuration: Configuration, height: float) -> Configuration:
    """Return a configuration with the column raised, up to its limit."""
    moved = configuration.copy()
    moved[3] = min(COLUMN[1], moved[3] + height)
    return moved


def _with_arm(base: Configuration, arm: Configuration) -> Configuration:
    return np.concatenate([base[:3], arm[3:]])


def _ways(start: Configuration, goal: Configuration, carry: Configuration) -> Iterator[list[Configuration]]:
    """Yield candidate paths as waypoints after `start`, from the shortest to the most careful."""
    folded_at_goal, folded_at_start = _with_arm(goal, carry), _with_arm(start, carry)
    yield [folded_at_goal, goal]
    yield [goal]
    yield [folded_at_start, folded_at_goal, goal]
    for distance in (0.2, 0.4):
        behind = backed(start, distance)
        yield [behind, _with_arm(behind, carry), folded_at_goal, goal]
        before = backed(goal, distance)
        yield [_with_arm(before, carry), before, goal]
        yield [behind, _with_arm(behind, carry), _with_arm(before, carry), before, goal]
        yield [_with_arm(before, carry), raised(before, 0.25), raised(goal, 0.25), goal]
    for distance in (0.15, 0.3, 0.5):
        behind = backed(start, distance)
        yield [behind, _with_arm(behind, carry), folded_at_start, folded_at_goal, goal]
        yield [raised(start, 0.1), raised(behind, 0.1), _with_arm(behind, carry), folded_at_goal, goal]
    yield [raised(start, 0.3), raised(folded_at_start, 0.3), raised(folded_at_goal, 0.3), raised(goal, 0.3), goal]


def way(rig: Rig, goal: Configuration) -> ArmPath | frozenset[str]:
    """Return a free standard path from the current configuration to `goal`, or the names of the obstacles."""
    start = rig.now()
    goal = with_nearest_heading(goal, start)
    waypoints = standard_path(rig, start, goal)
    if not isinstance(waypoints, frozenset):
        return ArmPath(tuple(waypoints))
    # No standard path is free: fold the arm, and drive around the obstacles on the floor.
    carry = rig.carrying()
    corners = route(obstacles(rig.world, rig.held), rig.chassis.base(), PlanarPose(goal[0], goal[1], goal[2]))
    if corners is not None:
        driven = [with_base(carry, PlanarPose(x, y, float(goal[2]))) for x, y in corners[1:]]
        if not rig.mirror.path_clashes([start, carry, *driven, goal], rig.grip):
            return ArmPath((carry, *driven, goal))
    return waypoints


def standard_path(rig: Rig, start: Configuration, goal: Configuration) -> list[Configuration] | frozenset[str]:
    """Return the first free one of the standard paths as waypoints after `start`, or the names of the obstacles."""
    culprits: frozenset[str] = frozenset()
    for waypoints in _ways(start, goal, rig.carrying()):
        clashes = rig.mirror.path_clashes([start, *waypoints], rig.grip, air=AIR)
        if not clashes:
            return waypoints
        culprits |= clashes
    return culprits


def planned_way(rig: Rig, goal: Configuration) -> ArmPath | None:
    """Return a path from the current configuration to `goal` that a planner finds, or None.

    This takes up to a second where there is no path, so call it last.
    """
    path = planned_path(rig.mirror, rig.now(), goal, rig.grip)
    return None if path is None else ArmPath(tuple(path), halting=True)


def withdraw(rig: Rig, home: PlanarPose | None = None) -> Steps:
    """Fold the arm into its travelling posture and return to `home`, or back off only as far as folding needs.

    Raises:
        Failed: An object is in the way (`obstructed`).
    """
    goal = rig.carrying(home)
    if np.max(np.abs(goal - rig.now())) < 0.01:
        return
    rig.mirror.sync(rig.world)
    yield from rig.travel(way_behind(rig, goal, BACK_OFF, "arm"))


def way_behind(rig: Rig, goal: Configuration, distances: Iterable[float], what: str) -> ArmPath:
    """Return a path to the first reachable of the postures at some distances behind `goal`.

    Raises:
        Failed: An object is in the way of all (`obstructed`).
    """
    culprits: frozenset[str] = frozenset()
    goals = [backed(goal, distance) for distance in distances]
    for posture_behind in goals:
        path = way(rig, posture_behind)
        if not isinstance(path, frozenset):
            return path
        culprits |= path
    planned = next(filter(None, (planned_way(rig, posture_behind) for posture_behind in goals)), None)
    if planned is not None:
        return planned
    raise _no_way(rig, goals, what, sorted(culprits))


def _no_way(rig: Rig, goals: Sequence[Configuration], what: str, culprits: Sequence[str]) -> Failed:
    """Return the failure of a path to the first of some postures, with the first contact on the straight one."""
    contact = first_contact(rig, [rig.now(), with_nearest_heading(goals[0], rig.now())])
    why = f"{listed(culprits)} in the way{f': {contact}' if contact else ''}."
    removal = to_move_away(rig, what, culprits, lambda: any(isinstance(way(rig, goal), ArmPath) for goal in goals))
    how = removal.suggestion or f"Nothing that can be carried away frees the arm: move {rig.name} from {culprits[0]}."
    return Failed(Code.OBSTRUCTED, what, why, tuple(dict.fromkeys((*removal.names, *culprits))), how)
