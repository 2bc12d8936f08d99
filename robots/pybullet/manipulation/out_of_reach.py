"""The reason why no posture gets to a place, and the smallest shift with which one would."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import cos, sin
from typing import Final

from robots.pybullet.kinematics import LimitExcess
from robots.pybullet.manipulation.reach import Aim, StanceRefusal, Station, refusals, stances
from robots.pybullet.manipulation.reasons import length_text
from robots.pybullet.motion import Failed
from robots.pybullet.navigation import FloorObstacle
from robots.pybullet.rig import Rig
from semantics.geometry.geometry import Vector
from semantics.logic.feedback import Code

MOST_EXPLAINED: Final = 60  # number of poses of the fingertips that are looked at again for the reason
SHIFTS: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)  # shifts that are tried, in metres
NO_SHIFT: Final = f"No shift of up to {SHIFTS[-1]:.0f} m helps: choose another place."
"""The suggestion where none of them brings a posture."""


def out_of_reach(rig: Rig, what: str, aims: Sequence[Aim], where: Station) -> Failed:
    """Return the failure of a search in which no posture keeps all limits, with the nearest one's limit."""
    some = spread(aims)
    if (failed := door_in_the_way(rig, what, where, lambda _, there: _any_stance(rig, some, there))) is not None:
        return failed
    every = [refusal for aim in some for refusal in refusals(rig.description, aim, where)]
    within_limits = [refusal for refusal in every if not isinstance(refusal.by, LimitExcess)]
    nearest = min(within_limits or every, key=lambda refusal: refusal.beyond)
    how = _room_made(rig, nearest, some, where) or shift_that_helps(
        some, where, lambda aims: _any_stance(rig, aims, where)
    )
    how = how or NO_SHIFT
    return Failed(Code.OUT_OF_REACH, what, _why(nearest), _culprits(what, nearest), how)


def door_in_the_way(rig: Rig, what: str, where: Station, works: Callable[[str, Station], bool]) -> Failed | None:
    """Return the failure that blames the open door or drawer without which it `works`; None if there is none.

    That behind which the thing or place itself is has to be open.
    """
    for name in dict.fromkeys(obstacle.name for obstacle in where.around if obstacle.door):
        if name == what or (what in rig.world.shapes and rig.world.offered[name].box.contains(rig.world.pose(what)[0])):
            continue
        others = [obstacle for obstacle in where.around if not (obstacle.door and obstacle.name == name)]
        if works(name, where._replace(around=others)):
            why = f"{name} is open, and leaves the base no place from which it is reached."
            return Failed(Code.OBSTRUCTED, what, why, (name,), f"Shut {name}: then the base has room.")
    return None


def spread(aims: Sequence[Aim]) -> Sequence[Aim]:
    """Return at most `MOST_EXPLAINED` of the poses, evenly spaced."""
    return aims[:: max(1, len(aims) // MOST_EXPLAINED)][:MOST_EXPLAINED]


def _why(nearest: StanceRefusal) -> str:
    start = "no posture of the arm gets there"
    if isinstance(nearest.by, LimitExcess):
        return f"{start}: {nearest.by}."
    if isinstance(nearest.by, FloorObstacle):
        return f"{start}: the base would be {length_text(nearest.beyond)} too near to {nearest.by.name}."
    return f"{start}: the base would be {length_text(nearest.beyond)} too far from where it works."


def _culprits(what: str, nearest: StanceRefusal) -> tuple[str, ...]:
    if isinstance(nearest.by, LimitExcess):
        return (what, nearest.by.what) if nearest.by.what.startswith("panda") else (what,)
    return (what, nearest.by.name) if isinstance(nearest.by, FloorObstacle) else (what,)


def _room_made(rig: Rig, nearest: StanceRefusal, aims: Sequence[Aim], where: Station) -> str:
    """Return the suggestion to move what stands on the floor, if this is a thing and it helps."""
    if not isinstance(nearest.by, FloorObstacle) or nearest.by.name not in rig.world.shapes:
        return ""
    name = nearest.by.name
    cleared = where._replace(around=[obstacle for obstacle in where.around if obstacle.name != name])
    return f"Move {name} off the floor there: then the base has room." if _any_stance(rig, aims, cleared) else ""


def _any_stance(rig: Rig, aims: Sequence[Aim], where: Station) -> bool:
    return any(True for aim in aims for _ in stances(rig.description, aim, where))


def shift_that_helps(aims: Sequence[Aim], where: Station, works: Callable[[Sequence[Aim]], bool]) -> str:
    """Return the suggestion of the smallest shift with which `works` is true of the poses; empty if there is none."""
    for distance in SHIFTS:
        for said, (x, y, z) in _directions(aims, where):
            shifted = [
                aim._replace(point=_moved(aim.point, (distance * x, distance * y, distance * z))) for aim in aims
            ]
            if shifted[0].point[2] > 0.0 and works(shifted):
                return f"{length_text(distance)} {said} it would be within reach."
    return ""


def _directions(aims: Sequence[Aim], where: Station) -> Iterator[tuple[str, Vector]]:
    """Yield directions as the robot sees them at its stand, in words and as unit vectors."""
    facing = aims[0].azimuth if where.stand is None else where.stand.yaw
    ahead, left = (cos(facing), sin(facing)), (-sin(facing), cos(facing))
    yield "nearer to the robot", (-ahead[0], -ahead[1], 0.0)
    yield "higher", (0.0, 0.0, 1.0)
    yield "lower", (0.0, 0.0, -1.0)
    yield "to the robot's left", (*left, 0.0)
    yield "to the robot's right", (-left[0], -left[1], 0.0)


def _moved(point: Vector, by: Vector) -> Vector:
    return (point[0] + by[0], point[1] + by[1], point[2] + by[2])
