"""`turn`: grasp a thing from above, lift it a little, turn it about the vertical, and set it down where it stood."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from math import atan2, ceil, cos, degrees, radians, sin, tau
from typing import Final, NamedTuple

from robots.furniture import wrapped
from robots.limits import THICKEST
from robots.pybullet.description import Configuration
from robots.pybullet.kinematics import LimitExcess
from robots.pybullet.manipulation.grasps import aims, blocks
from robots.pybullet.manipulation.hand import DOWN, FACINGS
from robots.pybullet.manipulation.level import LAST, hand_at, moved_level, place_of_work
from robots.pybullet.manipulation.pick import seize, thinnest, too_wide
from robots.pybullet.manipulation.place import lower
from robots.pybullet.manipulation.reach import Aim, Station, raised, withdraw
from robots.pybullet.manipulation.reasons import listed
from robots.pybullet.manipulation.search import ApproachSearch, ReachTask, openings, search
from robots.pybullet.motion import Failed, Steps
from robots.pybullet.rig import Rig
from robots.pybullet.turns import take_turns
from semantics.geometry.geometry import Vector
from semantics.logic.feedback import Code
from semantics.logic.state import Command

LIFTED: Final = 0.025  # how far a thing is lifted, in metres
UP: Final = 0.1  # how far the hand rises after its work, in metres
STRIDE: Final = radians(10.0)  # largest angle between two postures of a turn, in radians
SPARE: Final = 0.05  # what the last joint keeps from its limit, for a thing that the closing fingers turned, in radians
EXACT: Final = radians(5.0)  # largest deviation after the turn, in radians
STANCES: Final = 10


class _Turn(NamedTuple):
    """A turn of a thing: its name, where its middle is, its heading, and the angle to turn, in radians."""

    name: str
    middle: Vector
    before: float
    angle: float


def turn(rig: Rig, command: Command) -> Steps:
    """Turn a thing that stands about the vertical, counter-clockwise as seen from above.

    Raises:
        Failed: The hand is full (`precondition`), the thing is too wide, or no joint turns as far (`out-of-reach`);
            something is on the thing or beside it (`obstructed`); the fingers missed it or lost it (`not-grasped`,
            `dropped`); or it did not turn as far (`effect-missing`).
    """
    name = command.roles["object"]
    rig.check_empty(name, Code.PRECONDITION)
    load = rig.load_on(name)
    if load:
        how = f"Take {' and '.join(load)} off {name} first."
        raise Failed(Code.OBSTRUCTED, name, f"{listed(load)} on it.", (name, *load), how)
    where = place_of_work(rig, command)
    work = _Turn(name, rig.world.pose(name)[0], rig.world.yaw(name), radians(command.values["angle"]))
    approach = yield from seize(rig, name, command.roles.get("at", ""), partial(_plan, rig, work, where))
    lifted = raised(rig.description, approach.at, LIFTED)
    yield from rig.move(lifted, pace=0.4)
    failure = yield from _turned(rig, work, lifted)
    yield from lower(rig, name)
    yield from rig.release(approach.opening)
    yield from rig.move(raised(rig.description, rig.now(), UP), pace=0.6)
    yield from withdraw(rig, where.stand if command.roles.get("at") else None)
    yield from rig.open_fully()
    if failure is not None:
        raise failure
    _check(rig, work)


def _check(rig: Rig, work: _Turn) -> None:
    """Check how far a thing was turned.

    Raises:
        Failed: Not as far as was wanted (`effect-missing`).
    """
    off = wrapped(rig.world.yaw(work.name) - work.before - work.angle)
    if abs(off) > EXACT:
        why = f"it is {degrees(abs(off)):.0f} deg off, and {degrees(EXACT):.0f} deg is the most."
        raise Failed(Code.EFFECT_MISSING, work.name, why, (work.name,), f"Turn it by {degrees(-off):.0f} deg more.")


def _plan(rig: Rig, work: _Turn, where: Station) -> ApproachSearch:
    """Search the first grasp from above from which the last joint turns as far, and the path to it.

    Raises:
        Failed: There is none.
    """
    if (thin := thinnest(rig, work.name)) > THICKEST:
        raise too_wide(work.name, thin)
    last = rig.description.coordinates[LAST].joint
    why, how = "it has no level side for the fingers.", "Pick it up and put it down turned."
    askew = Failed(Code.OUT_OF_REACH, work.name, why, (work.name,), how)
    task = ReachTask(
        lambda: ((aim, False) for aim in _aims(rig, work, where)),
        where,
        work.name,
        work.name,
        STANCES,
        lambda: askew,
        also_free=lambda posture: frozenset(() if _ways(rig, work.angle, posture) else (last,)),
        openings=openings(rig, thin),
    )
    try:
        return (yield from search(rig, task))
    except Failed as failure:
        if last in failure.feedback.culprits:
            raise _not_as_far(rig, work, last) from failure
        raise


def _not_as_far(rig: Rig, work: _Turn, last: str) -> Failed:
    low, high = rig.description.coordinates[LAST].limits
    why = f"{last} turns from {degrees(low):.0f} to {degrees(high):.0f} deg, which is not enough from any grasp there."
    how = f"Turn it by {degrees(work.angle / 2):.0f} deg, twice."
    return Failed(Code.OUT_OF_REACH, work.name, why, (work.name, last), how)


def _aims(rig: Rig, work: _Turn, where: Station) -> Iterator[Aim]:
    position, orientation = rig.world.pose(work.name)
    base = where.stand or rig.chassis.base()
    straight = atan2(position[1] - base.y, position[0] - base.x)
    for facing in FACINGS if rig.description.moves else FACINGS[:1]:
        for block in blocks(rig.world.shapes[work.name], position, orientation):
            yield from aims(block, straight + facing, (DOWN,), rig.world.box(work.name).low[2])


def _ways(rig: Rig, angle: float, posture: Configuration) -> list[float]:
    """Return the angles, one way around and the other, by which the last joint can turn from a posture."""
    low, high = rig.description.coordinates[LAST].limits
    ends = [(way, float(posture[LAST]) - way) for way in (angle, angle - tau if angle > 0 else angle + tau)]
    return [way for way, end in ends if low + SPARE <= end <= high - SPARE]


def _turned(rig: Rig, work: _Turn, lifted: Configuration) -> Generator[float, None, Failed | None]:
    """Turn what is held in the air; return the failure if this is not possible, or None."""
    left = wrapped(work.before + work.angle - rig.world.yaw(work.name))
    reasons: list[Failed] = []
    for way in _ways(rig, left, lifted):
        postures = _postures(rig, work.middle, lifted, way)
        if isinstance(postures, LimitExcess):
            how = "Turn it by a smaller angle, or from another place."
            reasons.append(Failed(Code.OUT_OF_REACH, work.name, f"{postures}.", (work.name, postures.what), how))
            continue
        rig.mirror.sync(rig.world)
        clashes = sorted((yield from take_turns(partial(rig.mirror.path_clashes, [lifted, *postures], rig.grip))))
        if not clashes:
            yield from rig.move(*postures, pace=0.5)
            return None
        how = f"Move {' and '.join(clashes)} away, or pick it up and put it down elsewhere."
        why = f"{listed(clashes)} in the way of the turn."
        reasons.append(Failed(Code.OBSTRUCTED, work.name, why, (work.name, *clashes), how))
    return reasons[0] if reasons else _not_as_far(rig, work, rig.description.coordinates[LAST].joint)


def _postures(rig: Rig, middle: Vector, lifted: Configuration, angle: float) -> list[Configuration] | LimitExcess:
    """Return the postures of a turn of the hand about the middle of what it holds."""
    postures, hand = [], hand_at(rig.description, lifted)
    x, y = hand[0] - middle[0], hand[1] - middle[1]
    steps = max(1, ceil(abs(angle) / STRIDE))
    for step in range(1, steps + 1):
        share = angle * step / steps
        c, s = cos(share), sin(share)
        moved = moved_level(rig, lifted, c * x - s * y - x, s * x + c * y - y)
        if isinstance(moved, LimitExcess):
            return moved
        moved[LAST] -= share
        low, high = rig.description.coordinates[LAST].limits
        if not low <= moved[LAST] <= high:
            return LimitExcess(rig.description.coordinates[LAST].joint, float(moved[LAST]), low, high)
        postures.append(moved)
    return postures
