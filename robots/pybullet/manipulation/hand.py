"""`move_to`, `grip` and `release`: the hand goes to a point, and its fingers close and open where they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from math import atan2, dist, hypot, pi, radians
from typing import Final

import pybullet

from robots.furniture import wrapped
from robots.hand import AROUND, SAFE_HEIGHT, hand_target, height_over, high_drop
from robots.pybullet.description import Configuration
from robots.pybullet.kinematics import LimitExcess
from robots.pybullet.manipulation.grasps import FROM_ABOVE
from robots.pybullet.manipulation.level import hand_at, hand_pace, moved_level, place_of_work
from robots.pybullet.manipulation.reach import STEEP, Aim, Station, raised, stances
from robots.pybullet.manipulation.reasons import length_text
from robots.pybullet.manipulation.search import ReachTask, search
from robots.pybullet.motion import Failed, Steps, pause
from robots.pybullet.navigation import obstacles
from robots.pybullet.rig import CLOSING_TIME, Rig
from robots.pybullet.timing import TICK
from robots.pybullet.turns import take_turns
from semantics.geometry.geometry import Box, Vector
from semantics.geometry.points import MapPoint
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command

EXACT: Final = 0.01  # largest distance of the hand from the point that was said, in metres
DOWN: Final = 1.55  # pitch of a hand that points down, in radians
PITCHES: Final = (*FROM_ABOVE, 0.35, 0.17, 0.0)  # pitches of a hand whose base can come from any side, in radians
TURNS: Final = tuple(radians(15.0 * step) for step in range(12))
"""Directions in which the fingers may close, in radians."""
FACINGS: Final = (0.0, 0.6, -0.6, 1.2, -1.2, 2.4, -2.4, 3.1)
"""Directions from which a base that drives may come, from the straight one, in radians."""
FIRM: Final = 9  # number of control ticks for which both fingers touch a thing that is held then
STANCES_A_POINT: Final = 6
CORRECTIONS: Final = 2  # the most corrections of the hand's position
PARTS: Final = 30  # number of points that are tested to find the nearest one within reach
HIGHER: Final = 0.005  # distance between two such points above a point that is not free, in metres
FALLING: Final = 0.3  # seconds in which a thing that was let go comes to rest


def failed(feedback: Feedback) -> Failed:
    """Return the failure of a motion for a reason."""
    return Failed(feedback.code, feedback.what, feedback.why, feedback.culprits, feedback.how)


def move_to(rig: Rig, command: Command) -> Steps:
    """Bring the point between the fingers to a point, with what they hold.

    Raises:
        Failed: No posture reaches the point (`out-of-reach`), something is in the way (`obstructed`), the robot is
            blocked (`stuck`), or what it held fell (`dropped`).
    """
    speed = command.values.get("speed")
    where = place_of_work(rig, command)
    yield from rise(rig, speed)
    point, is_high = _goal(rig, command)
    turn = command.values.get("turn")
    told, why = f"the point {_told(point)}", "no direction of the hand is possible there."
    none = Failed(Code.OUT_OF_REACH, told, why, ("to",), "Take another point.")
    task = ReachTask(
        lambda: ((aim, False) for aim in _aims(rig, point, where, None if turn is None else radians(turn))),
        where,
        rig.held or "",
        told,
        STANCES_A_POINT,
        lambda: none,
        is_direct=is_high,
        straight=True,
        work="posture there",
    )
    try:
        approach, path = yield from search(rig, task)
    except Failed as failure:
        raise (yield from take_turns(partial(_with_nearest, rig, failure, point, where))) from failure
    yield from rig.travel(path, pace=hand_pace(rig, path.waypoints, speed))
    yield from rig.move(approach.at, pace=min(0.6, hand_pace(rig, [approach.at], speed)))
    yield from _settle(rig, point, speed)
    away = dist(rig.chassis.tool()[0], point)
    if away > EXACT:
        why = f"the hand is {length_text(away)} from it, and {length_text(EXACT)} is the most."
        raise Failed(Code.STUCK, told, why, ("to",), "Move it there again, or less fast.")


def _settle(rig: Rig, point: Vector, speed: float | None) -> Steps:
    """Move the hand by what is left to a point: the motors of the joints give way a little under the weight."""
    for _ in range(CORRECTIONS):
        left = [end - now for now, end in zip(rig.chassis.tool()[0], point, strict=True)]
        if hypot(*left) < EXACT / 4:
            return
        moved = moved_level(rig, rig.now(), left[0], left[1])
        if isinstance(moved, LimitExcess):
            return
        goal = raised(rig.description, moved, left[2])
        yield from rig.move(goal, pace=min(0.2, hand_pace(rig, [goal], speed)))


def _with_nearest(rig: Rig, failure: Failed, point: Vector, where: Station) -> Failed:
    """Return the failure of a point with the nearest one that a posture reaches: on the way to it, or above it."""
    told, here = failure.feedback, hand_at(rig.description, rig.now())
    if told.code is Code.OUT_OF_REACH:
        shares = (step / PARTS for step in range(PARTS - 1, 0, -1))
        points = [tuple(a + (b - a) * share for a, b in zip(here, point, strict=True)) for share in shares]
    else:
        points = [(point[0], point[1], point[2] + step * HIGHER) for step in range(1, PARTS)]
    for x, y, z in points:
        if any(not rig.mirror.clashes(posture, rig.grip) for posture in _some_postures(rig, (x, y, z), where)):
            nearest = MapPoint(round(x, 3), round(y, 3), round(z, 3))
            return Failed(
                told.code, told.what, told.why, told.culprits, f"The nearest point within reach is {nearest}."
            )
    return failure


def _told(point: Vector) -> MapPoint:
    """Return a point in whole millimetres."""
    return MapPoint(*(round(value, 3) + 0.0 for value in point))


def _some_postures(rig: Rig, point: Vector, where: Station) -> Iterator[Configuration]:
    for aim in _aims(rig, point, where, None):
        yield from islice(stances(rig.description, aim, where), 1)


def _goal(rig: Rig, command: Command) -> tuple[Vector, bool]:
    """Return where the hand goes, and whether this is a safe height above what is there."""
    world, over = rig.world, command.roles.get("over")
    target = hand_target(command, None if over is None else _bounds(rig, over))
    tops = [world.box(name) for name in world.shapes if name != rig.held]
    tops += [surface for offered in world.offered.values() for surface in offered.surfaces]
    hanging = 0.0 if rig.held is None else max(0.0, rig.chassis.tool()[0][2] - world.box(rig.held).low[2])
    ground = height_over(tops, target.x, target.y) + hanging
    height = ground + target.above if target.z is None else target.z
    return (target.x, target.y, height), height >= ground + SAFE_HEIGHT - EXACT


def _bounds(rig: Rig, name: str) -> Box:
    return rig.world.offered[name].box if name in rig.world.offered else rig.world.box(name)


def rise(rig: Rig, speed: float | None = None) -> Steps:
    """Raise a hand that is low among things, if there is room above it."""
    now = rig.now()
    x, y, z = hand_at(rig.description, now)
    near = [rig.world.box(name) for name in rig.world.shapes if name != rig.held]
    near += [surface for offered in rig.world.offered.values() for surface in offered.surfaces]
    if z > height_over((box for box in near if box.low[2] < z + AROUND), x, y) + SAFE_HEIGHT:
        return
    rig.mirror.sync(rig.world)
    up = raised(rig.description, now, SAFE_HEIGHT)
    if not (yield from take_turns(lambda: rig.mirror.path_clashes([now, up], rig.grip))):
        yield from rig.move(up, pace=min(0.7, hand_pace(rig, [up], speed)))


def _aims(rig: Rig, point: Vector, where: Station, turn: float | None) -> Iterator[Aim]:
    """Yield poses of the fingertips at a point, those from above first; what is held keeps its tilt."""
    base = where.stand or rig.chassis.base()
    straight = atan2(point[1] - base.y, point[0] - base.x)
    facings = [straight + facing for facing in (FACINGS if rig.description.moves else FACINGS[:1])]
    pitches: tuple[float, ...] = PITCHES if rig.description.moves else FROM_ABOVE
    if turn is not None:
        pitches = (DOWN,)
    elif rig.held is not None:
        pitches = (rig.taken[0], *pitches)
    for phi in pitches:
        for facing in facings:
            yield from (Aim(point, facing, phi, roll) for roll in _rolls(rig, point, facing, phi, turn))


def _rolls(rig: Rig, point: Vector, facing: float, phi: float, turn: float | None) -> list[float]:
    """Return the rolls of a hand; from above, the fingers may close in every direction, also across a thing there."""
    if turn is None and rig.held is not None:
        return list(dict.fromkeys((rig.taken[1], 0.0)))
    if phi <= STEEP:
        return [0.0]
    if turn is not None:
        return [_roll(facing, turn)]
    there = [name for name in sorted(rig.world.shapes) if rig.world.box(name).contains(point)]
    along = [rig.world.yaw(name) + quarter for name in there for quarter in (0.0, pi / 2)]
    return [_roll(facing, across) for across in (*along, *(facing + pi / 2 + each for each in TURNS))]


def _roll(facing: float, across: float) -> float:
    """Return the roll of a hand that points down, with fingers that close along a direction on the map."""
    return wrapped(2 * (facing + pi / 2 - across)) / 2


def grip(rig: Rig, command: Command) -> Steps:
    """Close the fingers; what both touch then is held.

    Raises:
        Failed: They lost it at once (`not-grasped`).
    """
    rig.chassis.move_fingers(0.0, command.values.get("force"))
    firm: dict[str, int] = {}
    for _ in range(int(CLOSING_TIME / TICK)):
        yield 0.5
        if rig.held is not None:
            continue
        touched = sorted(name for name in rig.world.shapes if rig.grasps(name))
        firm = {name: firm.get(name, 0) + 1 for name in touched}
        ready = next((name for name, ticks in firm.items() if ticks >= FIRM), None)
        if ready is not None:
            rig.tie(ready)
            return


def release(rig: Rig, _: Command) -> Steps:
    """Open the fingers; what they held falls, for a safe way at most.

    Raises:
        Failed: It would fall too far (`refused-by-body`), or something keeps the fingers from opening (`stuck`).
    """
    name = rig.held
    if name is not None:
        drop = rig.world.box(name).low[2] - _below(rig, name)
        refusal = high_drop("release", name, drop, rig.chassis.tool()[0])
        if refusal is not None:
            raise failed(refusal)
    yield from rig.release()
    yield from _opened(rig)
    yield from pause(FALLING, 0.9)


def _opened(rig: Rig) -> Steps:
    """Wait until the fingers are open.

    Raises:
        Failed: Something keeps them from opening (`stuck`).
    """
    yield from rig.open_fully()
    if rig.is_open():
        return
    full = 2 * rig.description.hand.opening
    touched = {rig.world.names[body] for _, body in rig.chassis.touches() if body in rig.world.names}
    names = sorted(touched - {rig.world.layout.ground})
    why = f"the fingers opened {1000 * rig.chassis.width():.0f} mm of {1000 * full:.0f} mm"
    why = f"{why}, and touch {' and '.join(names)}." if names else f"{why}."
    how = f"Move the hand away from {' and '.join(names)}." if names else "Move the hand, and open it again."
    raise Failed(Code.STUCK, "release", why, (*rig.description.hand.fingers, *names), how)


def _below(rig: Rig, name: str) -> float:
    """Return the height of what a held thing would fall onto."""
    (left, near, low), (right, far, _) = rig.world.box(name).low, rig.world.box(name).high
    spots = [(left + a * (right - left), near + b * (far - near)) for a, b in _SPOTS]
    own = {rig.chassis.body, rig.world.body(name)}
    return max(_hit(rig, x, y, low, own) for x, y in spots)


_SPOTS: Final = ((0.5, 0.5), (0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75))
"""Points under a thing, as shares of its extents."""


def _hit(rig: Rig, x: float, y: float, z: float, own: set[int]) -> float:
    """Return the height of the first thing below a point that is none of `own`."""
    while z > 0.0:
        body, _, _, position, _ = pybullet.rayTest((x, y, z), (x, y, -0.1), physicsClientId=rig.world.client)[0]
        if body not in own:
            return float(position[2]) if body >= 0 else 0.0
        z = float(position[2]) - 0.004
    return 0.0


LOWERED: Final = 0.02  # height above a point from which the hand comes down, in metres


def reaches(rig: Rig, point: Vector) -> bool:
    """Return whether the hand can work at a point, in metres, from where the robot stands, and come down to it."""
    around = obstacles(rig.world, rig.held) if rig.description.moves else []
    where = Station(rig.chassis.base(), around)
    above = (point[0], point[1], point[2] + LOWERED)
    return all(any(can_work(rig, aim, where) for aim in _aims_down(rig, at)) for at in (point, above))


def can_work(rig: Rig, aim: Aim, where: Station) -> bool:
    """Return whether some posture within the limits of the joints is at an aim, without a look at what is in the way.

    A base that drives may move about its station, where the floor is free.
    """
    return next(stances(rig.description, aim, where), None) is not None


def _aims_down(rig: Rig, point: Vector) -> Iterator[Aim]:
    base = rig.chassis.base()
    straight = atan2(point[1] - base.y, point[0] - base.x)
    facings = FACINGS if rig.description.moves else FACINGS[:1]
    yield from (Aim(point, straight + facing, phi) for phi in FROM_ABOVE for facing in facings)
