"""`pick`: grasp an object where it is, lift it off or out, and return to the stand with it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from math import atan2, cos, hypot

from robots.limits import THICKEST
from robots.pybullet.manipulation.drive import beside
from robots.pybullet.manipulation.grasps import (
    FLAT,
    FROM_ABOVE,
    OPEN_ABOVE,
    TIPPED,
    UPRIGHT,
    aims,
    blocks,
    can_set_upright,
    has_to_stand,
    thinnest_side,
)
from robots.pybullet.manipulation.reach import Aim, Station, station, withdraw
from robots.pybullet.manipulation.reasons import listed
from robots.pybullet.manipulation.search import Approach, ApproachSearch, ReachTask, openings, search
from robots.pybullet.motion import Failed, Steps
from robots.pybullet.navigation import LOW
from robots.pybullet.rig import Rig
from semantics.geometry.geometry import PlanarPose
from semantics.logic.feedback import Code

TALL = 0.1  # from this height on, an object is grasped so that it can go under a roof upright, in metres
MOVED = 0.015  # how far an object may move while the hand is on its way, in metres
FAR = 2.0  # distance from the stand of a place at which an object is not at the place, in metres
LOW_RIM = 0.05  # an open box that is lower is a plate or tray, on which things stand, metres
STANCES_AN_AIM = 10  # number of postures tested for one pose of the fingertips


def roofed(rig: Rig, place: str, height: float) -> bool:
    """Return whether there is a board or a ceiling above a height at a place."""
    offered = rig.world.offered.get(place)
    if offered is None:
        return False
    boards = [board.low[2] for board in offered.surfaces]
    return offered.hinged or any(low > height for low in boards)


def pick(rig: Rig, name: str, source: str, at: str, speed: float | None = None) -> Steps:
    """Grasp an object and lift it; a grasp that misses is repeated once.

    The base goes at most at `speed`, in metres per second; without it, at most as the drive there was told.

    Raises:
        Failed: The hand is full or the object is unknown (`refused-by-body`); no posture reaches it (`out-of-reach`,
            `obstructed`); the fingers missed it (`not-grasped`) or lost it (`dropped`).
    """
    rig.base_speed = speed or rig.base_speed
    if rig.held is not None:
        how = f"Put {rig.held} down first."
        raise Failed(Code.REFUSED_BY_BODY, name, f"the hand holds {rig.held} already.", (rig.held,), how)
    if load := _load(rig, name):
        how = f"Take {' and '.join(load)} off {name} first."
        raise Failed(Code.OBSTRUCTED, name, f"{listed(load)} on it and would fall.", load, how)
    try:
        yield from _grasp(rig, name, source, at)
    except Failed as failed:
        if failed.feedback.code is not Code.NOT_GRASPED:
            raise
        yield from _grasp(rig, name, source, at)
    yield from withdraw(rig, station(rig, at).stand)
    rig.holding(name)


def _load(rig: Rig, name: str) -> tuple[str, ...]:
    """Return what stands on a plate or tray, which this arm would tilt; bowls hold what is in them."""
    shape = rig.world.shapes.get(name)
    if shape is None or shape.form != "open-box" or shape.size[2] >= LOW_RIM:
        return ()
    return rig.load_on(name)


def _grasp(rig: Rig, name: str, source: str, at: str) -> Steps:
    """Approach an object, close the hand on it, and lift it off or out; after a miss, move the hand back."""
    approach = yield from seize(rig, name, at, lambda: search(rig, grasp_task(rig, name, source, at)))
    yield from rig.move(*approach.retreat, pace=0.9)
    rig.taken = rig.reach()[2:]  # the arm is in its plane again


def seize(rig: Rig, name: str, at: str, plan: Callable[[], ApproachSearch]) -> Generator[float, None, Approach]:
    """Approach an object and close the hand on it; return the approach. After a miss, move the hand back.

    Args:
        rig: The robot.
        name: The object.
        at: The place of work.
        plan: Searches a grasp and the path to it, when the arm is folded.

    Raises:
        Failed: No posture is free, or the fingers missed the object (`not-grasped`).
    """
    rig.chassis.open_fingers()  # the fingers are still closed if someone took the held object out of them
    yield from withdraw(rig)
    if station(rig, at).stand is None and rig.world.box(name).low[2] < LOW:
        yield from beside(rig, *rig.world.pose(name)[0][:2])
    was, _ = rig.world.pose(name)
    approach, path = yield from plan()
    rig.chassis.open_fingers(approach.opening)  # they are there long before the hand is beside anything
    yield from rig.travel(path)
    now, _ = rig.world.pose(name)
    moved = hypot(*(a - b for a, b in zip(now, was, strict=True)))
    if moved > MOVED:
        why = f"it moved {moved:.2f} m while the hand was on its way."
        how = f"Grasp it where it is now, {rig.resting_place(name)}."
        raise Failed(Code.NOT_GRASPED, name, why, (name,), how)
    yield from rig.move(approach.at, pace=0.8)
    try:
        yield from rig.close_on(name, approach.opening)
        rig.tie(name)
    except Failed:
        yield from rig.move(approach.before, pace=0.7)
        raise
    return approach


def grasp_task(rig: Rig, name: str, source: str, at: str) -> ReachTask:
    """Return the grasps of an object to choose from.

    Raises:
        Failed: The object is far from the place, or too wide.
    """
    where = station(rig, at)
    position, _ = rig.world.pose(name)
    base = where.stand or rig.chassis.base()
    away = hypot(position[0] - base.x, position[1] - base.y)
    if away > FAR:
        why = f"it is nowhere near {at}: {away:.2f} m from where the robot works there, and {FAR:.0f} m is the most."
        raise Failed(Code.OUT_OF_REACH, name, why, (name,), f"It is {rig.resting_place(name)}; pick it there.")
    if (thin := thinnest(rig, name)) > THICKEST:
        raise too_wide(name, thin)
    under_roof = roofed(rig, source, position[2])
    return ReachTask(
        lambda: ((aim, under_roof) for aim in grasp_aims(rig, name, where, under_roof)),
        where,
        name,
        name,
        STANCES_AN_AIM,
        lambda: _askew(rig, name),
        openings=openings(rig, thin),
    )


def thinnest(rig: Rig, name: str) -> float:
    """Return the thinnest level side of an object, in metres; 0 if it has none."""
    sides = [thinnest_side(block) for block in blocks(rig.world.shapes[name], *rig.world.pose(name))]
    return min((side for side in sides if side is not None), default=0.0)


def too_wide(name: str, thin: float) -> Failed:
    """Return the failure for an object whose thinnest side, in metres, does not go between the fingers."""
    why = f"the fingers close across {1000 * THICKEST:.0f} mm, and its thinnest level side is {1000 * thin:.0f} mm."
    how = f"Ask a person for it, or take another thing that is at least {1000 * (thin - THICKEST):.0f} mm thinner."
    return Failed(Code.OUT_OF_REACH, name, why, (name,), how)


def _askew(rig: Rig, name: str) -> Failed:
    """Return the failure for an object that has no level side to close the fingers across."""
    how = f"Ask a person to lay {name} flat: it is {rig.resting_place(name)}."
    return Failed(Code.OUT_OF_REACH, name, "it lies askew, with no level side for the fingers.", (name,), how)


def grasp_aims(rig: Rig, name: str, where: Station, under_roof: bool) -> Iterator[Aim]:
    """Yield poses of the fingertips that grasp an object; those from which a lying vessel can be set upright first."""
    shape, (position, orientation), box = rig.world.shapes[name], rig.world.pose(name), rig.world.box(name)
    phis: tuple[float, ...] = FLAT if under_roof else UPRIGHT if box.size[2] > TALL else OPEN_ABOVE
    if not rig.description.moves:
        phis = FROM_ABOVE
    up = rig.world.axes(name)[:, 2]
    lies = has_to_stand(shape) and up[2] < cos(TIPPED)
    parts, facings = blocks(shape, position, orientation), _facings(rig, where, PlanarPose(position[0], position[1]))

    def grasps(pitches: Sequence[float]) -> Iterator[Aim]:
        return (aim for facing in facings for block in parts for aim in aims(block, facing, pitches, box.low[2]))

    if lies:
        yield from (aim for aim in grasps(tuple(dict.fromkeys((*phis, *FLAT)))) if can_set_upright(aim, up))
    yield from grasps(phis)


def _facings(rig: Rig, where: Station, thing: PlanarPose) -> list[float]:
    base = rig.chassis.base()
    straight = atan2(thing.y - base.y, thing.x - base.x)
    if not rig.description.moves:
        return [straight]
    if where.stand is not None:
        return [where.stand.yaw]
    return [straight + turn for turn in (0.0, 1.2, -1.2, 2.4, -2.4, 3.1)]
