"""From a pose of the fingertips to postures of the whole robot, and from one posture to another.

A pose fixes the plane of the arm. The distance of the base and the height of the column are free, so candidates are
tried in order of comfort and checked for joint limits and, in the mirror, for collisions. Paths between postures are
tried from the shortest to the most careful: straight; base first; over the top; backing out first. Where none of these
is free, a planner searches (`robots.pybullet.paths`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import product
from math import atan2, cos, hypot, sin
from typing import NamedTuple

import numpy as np

from robots.furniture import wrapped
from robots.pybullet.description import LIFT, YAW, BodyDescription, Configuration
from robots.pybullet.kinematics import LimitExcess, Reach, posture, reach_of, solve
from robots.pybullet.manipulation.reasons import first_contact, listed, to_move_away
from robots.pybullet.mirror import AIR
from robots.pybullet.motion import ArmPath, Failed, Steps
from robots.pybullet.navigation import MARGIN, FloorObstacle, clearance, obstacles, route
from robots.pybullet.paths import MOST_TESTS, planned_path
from robots.pybullet.rig import Rig, with_base
from robots.pybullet.turns import spend
from semantics.geometry.geometry import PlanarPose, Vector
from semantics.logic.feedback import Code

DISTANCES = (0.64, 0.58, 0.7, 0.52, 0.76, 0.46, 0.82, 0.4, 0.34, 0.88)
"""Metres from the centre of the base to the fingertips, the most comfortable first."""
COLUMN_OFFSETS = (-0.08, -0.25, 0.1, -0.42, 0.28, 0.45)
"""Heights of the shoulder above the wrist in metres, the most comfortable first."""
BACK_OFF = (0.0, 0.2, 0.4, 0.6)  # distances by which the base may back off to fold the arm, in metres
AROUND, AT_BOARDS = 0.72, 1.0
"""Largest distance of the base from its stand while it works there, and at boards, in metres."""
STRAIGHT = 0.1
"""Largest angle by which the hand may point elsewhere than away from a fixed base, in radians, unless it comes from
above with a pitch of `STEEP`."""
STEEP = 1.5
PLACEMENT = 0.02  # what it costs to compute one posture, in tests of a posture in the mirror


class Aim(NamedTuple):
    """A pose of the fingertips."""

    point: Vector  # the grasp point
    azimuth: float  # the direction of the hand on the map, in radians
    phi: float  # its pitch
    roll: float = 0.0  # its roll
    lowered: float = 0.0
    """How far the hand goes down from there until what it holds stands, in metres; 0 to grasp something."""


class Station(NamedTuple):
    """A place where the robot works."""

    stand: PlanarPose | None  # Its stand; None on the open floor. Where the base is fixed, the pose of the base.
    around: list[FloorObstacle]  # the obstacles on the floor
    farthest: float = AROUND  # the largest distance of the base from the stand, in metres


def station(rig: Rig, place: str) -> Station:
    """Return the station of a place or person."""
    if not rig.description.moves:
        return Station(rig.chassis.base(), [])
    has_stand = place in rig.world.offered or place in rig.world.persons
    stand = rig.world.standing_at(place) if has_stand else None
    has_boards = place in rig.world.offered and rig.world.offered[place].has_boards
    return Station(stand, obstacles(rig.world, rig.held), AT_BOARDS if has_boards else AROUND)


def stances(description: BodyDescription, aim: Aim, where: Station) -> Iterator[Configuration]:
    """Yield configurations with the fingertips at `aim`, within joint limits and clear of obstacles on the floor."""
    if not description.moves:
        yield from _turned(description, aim, where)
        return
    for x, y, reach, lift in _placements(description, aim):
        if _off_stand(where, x, y) > 0.0:
            continue
        arm = posture(description, reach, lift)
        if arm is not None and float(clearance(where.around, description.base.radius, x, y)) > -MARGIN / 2:
            yield np.concatenate([[x, y, aim.azimuth], arm])


class StanceRefusal(NamedTuple):
    """Why a placement of the robot is no stance: the first limit that it breaks, and by how much."""

    by: LimitExcess | FloorObstacle | None
    """What refuses it: a joint's limit, an obstacle on the floor, or None for the distance from the stand."""
    beyond: float  # how far it is beyond the limit, in metres or radians


def refusals(description: BodyDescription, aim: Aim, where: Station) -> Iterator[StanceRefusal]:
    """Yield why each placement of the robot at an aim is refused; nothing for those that are stances."""
    if not description.moves:
        yield from _refused_turn(description, aim, where)
        return
    radius = description.base.radius
    for x, y, reach, lift in _placements(description, aim):
        solution = solve(description, reach, lift)
        if isinstance(solution, LimitExcess):
            yield StanceRefusal(solution, solution.beyond)
        elif _off_stand(where, x, y) > 0.0:
            yield StanceRefusal(None, _off_stand(where, x, y))
        elif float(clearance(where.around, radius, x, y)) <= -MARGIN / 2:
            nearest = min(where.around, key=lambda obstacle: float(obstacle.distance(x, y)))
            yield StanceRefusal(nearest, radius + MARGIN / 2 - float(nearest.distance(x, y)))


def _placements(description: BodyDescription, aim: Aim) -> Iterator[tuple[float, float, Reach, float]]:
    """Yield positions of the base, reaches and heights of the column for an aim, the most comfortable first."""
    links = description.links
    wrist = aim.point[2] + links.hand * sin(aim.phi) - links.wrist * cos(aim.phi)
    lifts = [float(np.clip(wrist + offset - links.shoulder, *description.column)) for offset in COLUMN_OFFSETS]
    pairs = product(DISTANCES, dict.fromkeys(lifts))
    for r, lift in sorted(pairs, key=lambda pair: DISTANCES.index(pair[0]) + lifts.index(pair[1])):
        spend(PLACEMENT)
        x, y = aim.point[0] - r * cos(aim.azimuth), aim.point[1] - r * sin(aim.azimuth)
        yield x, y, Reach(r, aim.point[2], aim.phi, aim.roll), lift


def _off_stand(where: Station, x: float, y: float) -> float:
    """Return how far beyond its room at the stand the base would be, in metres; negative within."""
    return -where.farthest if where.stand is None else hypot(x - where.stand.x, y - where.stand.y) - where.farthest


def _turned(description: BodyDescription, aim: Aim, where: Station) -> Iterator[Configuration]:
    """Yield the configuration of an arm on a fixed base, if it reaches `aim` by turning towards it.

    The hand points away from the base. From above, it may point elsewhere and be rolled instead, so that the fingers
    close along the same line.
    """
    base = where.stand
    if base is None:
        return
    turn, arm = _turn_and_arm(description, aim, base)
    if isinstance(arm, np.ndarray):
        yield np.concatenate([[base.x, base.y, base.yaw + turn], arm])


def _refused_turn(description: BodyDescription, aim: Aim, where: Station) -> Iterator[StanceRefusal]:
    """Yield why an arm on a fixed base does not reach `aim`."""
    if where.stand is not None:
        _, arm = _turn_and_arm(description, aim, where.stand)
        if isinstance(arm, LimitExcess):
            yield StanceRefusal(arm, arm.beyond)


def _turn_and_arm(
    description: BodyDescription, aim: Aim, base: PlanarPose
) -> tuple[float, Configuration | LimitExcess]:
    """Return the turn of an arm on a fixed base towards `aim`, and its joints, or what is beyond its limits."""
    ahead, left = aim.point[0] - base.x, aim.point[1] - base.y
    turn = wrapped(atan2(left, ahead) - base.yaw)
    deviation = wrapped(base.yaw + turn - aim.azimuth)
    low, high = description.coordinates[YAW].limits
    if not low <= turn <= high:
        return turn, LimitExcess(description.coordinates[YAW].joint, turn, low, high)
    if abs(deviation) > STRAIGHT and aim.phi < STEEP:
        return turn, LimitExcess("the hand's turn from the line to the base", deviation, -STRAIGHT, STRAIGHT)
    reach = Reach(hypot(ahead, left), aim.point[2], aim.phi, aim.roll + deviation)
    return turn, solve(description, reach, description.column[0])


def backed(
    description: BodyDescription, configuration: Configuration, distance: float, azimuth: float | None = None
) -> Configuration:
    """Return a configuration with the base moved back; on a fixed base, with the hand drawn back if the arm can.

    The base moves away from where it looks, or from another `azimuth` on the map, in radians.
    """
    moved = configuration.copy()
    if not description.moves:
        reach = reach_of(description, configuration)
        return _with_reach(description, configuration, reach._replace(r=reach.r - distance))
    azimuth = float(configuration[2]) if azimuth is None else azimuth
    moved[0] -= distance * cos(azimuth)
    moved[1] -= distance * sin(azimuth)
    return moved


def raised(description: BodyDescription, configuration: Configuration, height: float) -> Configuration:
    """Return a configuration with the hand raised, by the column up to its limit, or by the arm if it can."""
    low, high = description.column
    if low == high:
        reach = reach_of(description, configuration)
        return _with_reach(description, configuration, reach._replace(z=reach.z + height))
    moved = configuration.copy()
    moved[LIFT] = min(max(moved[LIFT] + height, low), high)
    return moved


def _with_reach(description: BodyDescription, configuration: Configuration, reach: Reach) -> Configuration:
    """Return a configuration with another reach of the arm; the same one if the arm does not get there."""
    arm = posture(description, reach, float(configuration[LIFT]))
    if arm is None:
        return configuration
    arm[-1] = configuration[-1]  # the same roll, and not the one that differs by half a turn
    return np.concatenate([configuration[:LIFT], arm])


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
        up = [raised(description, each, 0.1) for each in (start, behind)]
        yield [*up, _with_arm(behind, carry), folded_at_goal, goal]
    over = [raised(description, each, 0.3) for each in (start, folded_at_start, folded_at_goal, goal)]
    yield [*over, goal]


def way(rig: Rig, goal: Configuration) -> ArmPath | frozenset[str]:
    """Return a free standard path from the current configuration to `goal`, or the names of the obstacles."""
    start = rig.now()
    waypoints = standard_path(rig, start, goal)
    if not isinstance(waypoints, frozenset):
        return ArmPath(tuple(waypoints))
    if not rig.description.moves:
        return waypoints
    # No standard path is free: fold the arm, and drive around the obstacles on the floor.
    carry = rig.carrying()
    around, base = obstacles(rig.world, rig.held), rig.chassis.base()
    corners = route(around, rig.description.base.radius, base, PlanarPose(goal[0], goal[1], goal[2]))
    if corners is not None:
        driven = [with_base(carry, PlanarPose(x, y, float(goal[2]))) for x, y in corners[1:]]
        if not rig.mirror.path_clashes([start, carry, *driven, goal], rig.grip):
            return ArmPath((carry, *driven, goal))
    return waypoints


def standard_path(rig: Rig, start: Configuration, goal: Configuration) -> list[Configuration] | frozenset[str]:
    """Return the first free one of the standard paths as waypoints after `start`, or the names of the obstacles."""
    culprits: frozenset[str] = frozenset()
    for waypoints in _ways(rig.description, start, goal, rig.carrying()):
        clashes = rig.mirror.path_clashes([start, *waypoints], rig.grip, air=AIR)
        if not clashes:
            return waypoints
        culprits |= clashes
    return culprits


def planned_way(rig: Rig, goal: Configuration, end: int) -> ArmPath | None:
    """Return a path from the current configuration to `goal` that a planner finds, or None.

    This takes thousands of tests where there is no path, so call it last. It ends when the mirror has made `end` tests.
    """
    path = planned_path(rig.mirror, rig.now(), goal, rig.grip, end)
    return None if path is None else ArmPath(tuple(path), halting=True)


def withdraw(rig: Rig, home: PlanarPose | None = None) -> Steps:
    """Fold the arm into its travelling posture and return to `home`, or back off only as far as folding needs.

    Raises:
        Failed: An object is in the way (`obstructed`).
    """
    goal = rig.carrying(home)
    if np.max(np.abs(goal - rig.now())) < 0.01:
        return
    yield from rig.travel((yield from way_behind(rig, goal, BACK_OFF, "arm")))


def way_behind(rig: Rig, goal: Configuration, distances: Iterable[float], what: str) -> Generator[float, None, ArmPath]:
    """Search a path to the first reachable of the postures at some distances behind `goal`.

    Raises:
        Failed: An object is in the way of all (`obstructed`).
    """
    goals = [backed(rig.description, goal, distance) for distance in distances]
    return (yield from rig.find(lambda: _way_to_any(rig, goals, what)))


def _way_to_any(rig: Rig, goals: Sequence[Configuration], what: str) -> ArmPath:
    culprits: frozenset[str] = frozenset()
    for posture_behind in goals:
        path = way(rig, posture_behind)
        if not isinstance(path, frozenset):
            return path
        culprits |= path
    end = rig.mirror.tests + MOST_TESTS
    planned = next(filter(None, (planned_way(rig, posture_behind, end) for posture_behind in goals)), None)
    if planned is not None:
        return planned
    raise _no_way(rig, goals, what, sorted(culprits))


def _no_way(rig: Rig, goals: Sequence[Configuration], what: str, culprits: Sequence[str]) -> Failed:
    """Return the failure of a path to the first of some postures, with the first contact on the straight one."""
    contact = first_contact(rig, [rig.now(), goals[0]])
    why = f"{listed(culprits)} in the way{f': {contact}' if contact else ''}."
    removal = to_move_away(rig, what, culprits, lambda: any(isinstance(way(rig, goal), ArmPath) for goal in goals))
    how = removal.suggestion or f"Nothing that can be carried away frees the arm: move {rig.name} from {culprits[0]}."
    return Failed(Code.OBSTRUCTED, what, why, tuple(dict.fromkeys((*removal.names, *culprits))), how)
