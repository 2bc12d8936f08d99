"""`put`, `insert` and `give`: place the held object on a surface, in a container, or in a person's hand.

The search for a free spot begins at the middle of the front. The object is turned as little as possible from its
orientation at the grasp. The hand lowers it until it touches, opens, and returns to the stand.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice, product
from math import atan2, cos, hypot, inf, pi, remainder

import numpy as np

from robots.furniture import wrapped
from robots.placement import SaidPlace
from robots.primitives import no_place
from robots.pybullet.kinematics import reach_of
from robots.pybullet.manipulation.grasps import FLAT, FROM_ABOVE, OPEN_ABOVE, TIPPED, Matrix, hand_axes, has_to_stand
from robots.pybullet.manipulation.level import hand_pace
from robots.pybullet.manipulation.pick import roofed
from robots.pybullet.manipulation.reach import STEEP, Aim, Station, raised, station, withdraw
from robots.pybullet.manipulation.said import HandTurn, Holding, SaidTask, check_where, settled
from robots.pybullet.manipulation.search import Approach, ApproachSearch, ReachTask, openings, search
from robots.pybullet.manipulation.spots import (
    ABOVE,
    AIR,
    LOWERED,
    MOST_SPOTS,
    Target,
    floor_target,
    free_spots,
    occupies,
    related_spots,
    standing,
    targets,
    tight_spots,
)
from robots.pybullet.mirror import Grip
from robots.pybullet.motion import Failed, Steps, halt, pause
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.world import axes_of
from robots.pybullet.turns import take_turns
from semantics.geometry.geometry import Vector
from semantics.geometry.places import WantedPlace
from semantics.geometry.solids import Solid
from semantics.logic.feedback import Code

STANCES_A_SPOT = 5  # number of postures tested for one spot and one orientation of the hand
LOWERING_SPEED = 0.03
LOWERING_STEPS = 13
SIDEWAYS = (0.0, 0.4, -0.4)
SPINS = (0.0, pi / 2, -pi / 2)
"""Turns of the hand about its own axis: beside the wall of a bowl the fingers have room along it."""
CENTRAL = 0.055  # how far from the middle of an area or a bowl a thing is put, in metres, where it can be
MOST_SUSPECTS = 2
"""Number of things beside a wanted place of which each is tested for whether there is a way without it."""
LEVEL = 0.95  # cosine of the tilt up to which a cylinder counts as standing


def set_down(
    rig: Rig,
    name: str,
    target: str,
    at: str,
    *,
    relation: str,
    wanted: WantedPlace | None = None,
    said: SaidPlace | None = None,
) -> Steps:
    """Place the held object ``on`` a surface or a person's hand, or ``in`` a container.

    Args:
        rig: The robot.
        name: The object.
        target: Where it is placed.
        at: The place of work.
        relation: ``on`` or ``in``.
        wanted: A relation to other things that the placement is to make true, if any.
        said: Where, and how turned, it was said to be placed, if it was.

    Raises:
        Failed: It is not held (`dropped`), no spot is free (`no-room`), or no posture reaches one (`out-of-reach`,
            `obstructed`), or it did not come to rest where it was said (`effect-missing`).
    """
    where = station(rig, at)
    approach = yield from over(rig, name, target, at, relation, wanted, said)
    yield from lower(rig, name)
    yield from rig.release(approach.opening)
    with rig.mirror.fingers_at(approach.opening):
        yield from _leave(rig, approach)
        yield from withdraw(rig, where.stand)
    yield from rig.open_fully()
    if said is not None:
        check_where(rig, name, target, said)


def over(
    rig: Rig,
    name: str,
    target: str,
    at: str,
    relation: str,
    wanted: WantedPlace | None = None,
    said: SaidPlace | None = None,
) -> Generator[float, None, Approach]:
    """Bring the held object above a free spot on or in a target; return the approach.

    Raises:
        Failed: As `set_down` does.
    """
    rig.holding(name)
    where = station(rig, at)
    yield from withdraw(rig, None)
    approach, path = yield from (
        _plan(rig, where, target, relation, wanted) if said is None else _plan_said(rig, where, target, relation, said)
    )
    rig.holding(name)  # it may have slipped out meanwhile
    yield from rig.travel(path)
    yield from rig.move(approach.at, pace=0.8)
    return approach


def _leave(rig: Rig, approach: Approach) -> Steps:
    """Move the open hand back along its approach, at its current height or above, or straight up, if that is free."""
    rig.mirror.sync(rig.world)  # the object stands where it was released
    now, height = rig.now(), rig.reach().z
    sunk = reach_of(rig.description, approach.at).z - height
    for goals in ((approach.before,), approach.retreat, approach.retreat[:1]):
        rises = (max(-sunk, height - reach_of(rig.description, goal).z) for goal in goals)
        level = [raised(rig.description, goal, rise) for goal, rise in zip(goals, rises, strict=True)]
        if not (yield from take_turns(partial(rig.mirror.path_clashes, [now, *level]))):
            yield from rig.move(*level, pace=0.7)
            return


def lower(rig: Rig, name: str) -> Steps:
    """Lower the hand until the held object or a finger touches something; what slips out by that is down, too."""
    ways = [raised(rig.description, rig.now(), -float(way)) for way in np.linspace(0.0, LOWERED, LOWERING_STEPS)[1:]]
    try:
        for _ in rig.move(*ways, pace=hand_pace(rig, ways, LOWERING_SPEED)):
            if set(rig.world.touching(name)) - {rig.name} or rig.chassis.stands_on() - {rig.world.body(name)}:
                break
            yield 0.7
    except Failed as failed:
        if failed.feedback.code is not Code.DROPPED:
            raise
    yield from halt(rig.chassis)
    yield from pause(0.1, 0.7)


def _plan(rig: Rig, where: Station, target: str, relation: str, wanted: WantedPlace | None) -> ApproachSearch:
    grip = rig.grip
    if grip is None:
        raise Failed(Code.DROPPED, target, "nothing is held.", (), "Pick the thing up first.")

    def aims(within: float = inf) -> Iterator[tuple[Aim, bool]]:
        if wanted is not None:
            return _aims_beside(rig, grip, where, target, wanted, MOST_SPOTS if within == inf else 1)
        roomy = _aims(rig, grip, where, target, relation, within)
        first = next(roomy, None)
        return _tight_aims(rig, grip, where, target, relation) if first is None else chain([first], roomy)

    def full() -> Failed:
        if wanted is None:
            return _full(rig, grip, where, target, relation)
        how = f"Make room beside {' and '.join(wanted.names[1:])}, or choose another place."
        return Failed(Code.NO_ROOM, target, f"{no_place(wanted, target)}.", wanted.names[1:], how)

    ways, near = openings(rig, rig.chassis.width()), _near(rig, grip, wanted) if wanted is not None else ()
    task = ReachTask(aims, where, grip.name, target, STANCES_A_SPOT, full, openings=ways, suspects=near)
    if wanted is not None or any(region.centred for region in targets(rig.world, target, relation)):
        # Fingers that open less come before another spot than a person would choose, or one far from the middle.
        with suppress(Failed):
            return (yield from search(rig, replace(task, aims=partial(aims, CENTRAL))))
    return (yield from search(rig, task))


def _near(rig: Rig, grip: Grip, wanted: WantedPlace) -> tuple[str, ...]:
    """Return the things next to those beside which an object is placed, the nearest first."""
    beside = [rig.world.box(name) for name in wanted.names[1:]]
    others = rig.world.shapes.keys() - {grip.name, *wanted.names}
    far = {name: sum(box.distance(rig.world.box(name)) for box in beside) for name in others}
    return tuple(heapq.nsmallest(MOST_SUSPECTS, far, key=lambda name: (far[name], name)))


def _plan_said(rig: Rig, where: Station, target: str, relation: str, said: SaidPlace) -> ApproachSearch:
    """Search an approach and a path to the place that was said.

    Raises:
        Failed: The object cannot stand there, or nothing reaches there; with the nearest free point.
    """
    grip = rig.grip
    assert grip is not None  # `over` has looked

    def hold(azimuth: float, phi: float, roll: float) -> Holding:
        offset, low, _ = _hanging(rig, grip, azimuth, phi, roll)
        return settled(offset, low, _axes(grip, azimuth, phi, roll), rig.world.shapes[grip.name])

    task = SaidTask(rig, where, target, relation, said, hold, partial(_turns, rig, grip))
    ways = openings(rig, rig.chassis.width())
    reach = ReachTask(task.aims, where, grip.name, target, STANCES_A_SPOT, task.full, openings=ways)
    try:
        return (yield from search(rig, reach))
    except Failed as failed:
        raise (yield from take_turns(partial(task.with_nearest, failed))) from None


def _aims_beside(
    rig: Rig, grip: Grip, where: Station, target: str, wanted: WantedPlace, most: int
) -> Iterator[tuple[Aim, bool]]:
    """Yield poses of the fingertips that hold the object over the first `most` spots at which a relation holds."""
    base = rig.chassis.base()
    facing = where.stand.yaw if where.stand else base.yaw
    for turn in _turns(rig, grip, under_roof=False):
        for azimuth in _azimuths_beside(rig, grip, facing, turn, wanted):
            offset, low, radius = _hanging(rig, grip, azimuth, *turn)
            # However it is turned in the hand, it stands within this circle; a distance is that of its own sides.
            circle = Solid("cylinder", (2 * radius, 2 * radius, 2 * low), (0.0, 0.0, 0.0))
            by_sides = wanted.distance is not None or wanted.relation == "aligned"
            thing = _as_it_stands(rig, grip, azimuth, *turn) if by_sides else circle
            spots = related_spots(rig.world, wanted, thing, target, base, rig.mirror.away)
            for x, y, z in islice(spots, most):
                point = (x - offset[0], y - offset[1], z + low + ABOVE - offset[2])
                yield Aim(point, azimuth, *turn, lowered=ABOVE), roofed(rig, target, z)


def _azimuths_beside(
    rig: Rig, grip: Grip, facing: float, turn: tuple[float, float], wanted: WantedPlace
) -> list[float]:
    """Return from where the hand comes: such that a thing that is to be aligned stands parallel to the other one."""
    if wanted.relation != "aligned":
        return [facing + side for side in SIDEWAYS]
    off = standing(rig.world, wanted.names[1]).yaw - _as_it_stands(rig, grip, facing, *turn).yaw
    nearest = facing + remainder(off, pi / 2)
    return [nearest, nearest - pi / 2, nearest + pi / 2]


def _full(rig: Rig, grip: Grip, where: Station, target: str, relation: str) -> Failed:
    """Return the failure for a target without a free spot: what takes the room, and what to move away."""
    regions = targets(rig.world, target, relation) or floor_target(rig.chassis.base())
    facing = where.stand.yaw if where.stand else rig.chassis.base().yaw
    turns = _turns(rig, grip, roofed(rig, target, regions[0].top))
    radius = min(_hanging(rig, grip, facing, *turn)[2] for turn in turns)
    spot = f"{grip.name} needs a spot of {2 * (radius + AIR):.2f} m across"
    takers = [name for name in rig.world.shapes if any(occupies(rig.world, region, name) for region in regions)]

    def room_without(*names: str) -> bool:
        away = (grip.name, *names)
        return any(True for region in regions for _ in free_spots(rig.world, region, radius, away))

    helpful = next(filter(room_without, takers), None)
    if helpful is not None:
        how = f"Take {helpful} away from {target}: then there is a spot."
    elif room_without(*takers):
        how = f"Take {' and '.join(takers)} away from {target}: then there is a spot."
    else:
        how = f"Choose another target: {target} has no such spot even when it is empty."
    return Failed(Code.NO_ROOM, target, f"there is no free spot for {grip.name}: {spot}.", (target, *takers), how)


def _aims(
    rig: Rig, grip: Grip, where: Station, target: str, relation: str, within: float = inf
) -> Iterator[tuple[Aim, bool]]:
    """Yield poses of the fingertips that hold the object over a free spot, and whether the spot has a roof.

    The nearest to the middle come first where a region is filled from there, and only those `within` so many metres.
    """
    base = rig.chassis.base()
    regions = targets(rig.world, target, relation) or floor_target(base)
    facing = where.stand.yaw if where.stand else base.yaw
    if not rig.description.moves:
        facing = atan2(regions[0].y - base.y, regions[0].x - base.x)
    is_deep = any(region.depth for region in regions)
    for turn, from_above in _ways_down(rig, grip, roofed(rig, target, regions[0].top), is_deep):
        for region in regions:
            under_roof = roofed(rig, target, region.top)
            for drop in (drop for drop in region.drops if region.is_above_rim(drop) in from_above):
                is_tight = region.centred and not region.is_above_rim(drop)
                found: list[tuple[float, Aim]] = []
                for side, spin in product(SIDEWAYS, SPINS if is_tight else SPINS[:1]):
                    held = facing + side, turn[0], wrapped(turn[1] + spin)
                    held = _parallel(rig, grip, region, *held) if is_tight else held
                    offset, low, radius = _hanging(rig, grip, *held)
                    if is_tight:
                        thing = _as_it_stands(rig, grip, *held)
                        spots = tight_spots(rig.world, region, thing, (grip.name, target))
                    else:
                        spots = free_spots(rig.world, region, radius, (grip.name,), drop=drop)
                    for x, y, z in spots:
                        point = (x - offset[0], y - offset[1], z + low + drop - offset[2])
                        off = round(hypot(x - region.x, y - region.y), 3) if region.centred else 0.0
                        found += [(off, Aim(point, *held, lowered=min(drop, LOWERED)))] if off <= within else []
                yield from ((aim, under_roof) for _, aim in sorted(found, key=lambda each: each[0]))


def _parallel(rig: Rig, grip: Grip, region: Target, azimuth: float, phi: float, roll: float) -> HandTurn:
    """Return how a hand from above is turned to set a thing down parallel to the sides: others find room beside it."""
    off = remainder(region.yaw - _as_it_stands(rig, grip, azimuth, phi, roll).yaw, pi / 2)
    return azimuth, phi, wrapped(roll - off) if phi >= STEEP else roll


def _ways_down(
    rig: Rig, grip: Grip, under_roof: bool, is_deep: bool
) -> list[tuple[tuple[float, float], tuple[bool, ...]]]:
    """Return the turns of the hand to try, in order, each with whether it may lower (False) or drop (True) the object.

    A tall object that is dropped over a rim topples, and may come to lie behind the front of a drawer, where the camera
    does not see it. So it is laid down inside before that is tried, unless it is open and would spill.
    """
    turns, shape = _turns(rig, grip, under_roof), rig.world.shapes[grip.name]
    if not is_deep or shape.is_open or not has_to_stand(shape):
        return [(turn, (False, True)) for turn in turns]
    lowering = dict.fromkeys((*turns, *_usual_turns(rig, grip, under_roof)))
    return [*((turn, (False,)) for turn in lowering), *((turn, (True,)) for turn in turns)]


def _tight_aims(rig: Rig, grip: Grip, where: Station, target: str, relation: str) -> Iterator[tuple[Aim, bool]]:
    """Yield poses of the fingertips as `_aims` does, where an object that is not round has room one way only."""
    regions = [region for region in targets(rig.world, target, relation) if not region.depth and not region.centred]
    facing = where.stand.yaw if where.stand else rig.chassis.base().yaw
    for region in regions:
        under_roof = roofed(rig, target, region.top)
        for turn in _turns(rig, grip, under_roof):
            for azimuth in (facing + side for side in SIDEWAYS):
                offset, low, _ = _hanging(rig, grip, azimuth, *turn)
                thing = _as_it_stands(rig, grip, azimuth, *turn)
                for x, y, z in tight_spots(rig.world, region, thing, (grip.name,)):
                    point = (x - offset[0], y - offset[1], z + low + ABOVE - offset[2])
                    yield Aim(point, azimuth, *turn, lowered=ABOVE), under_roof


def _turns(rig: Rig, grip: Grip, under_roof: bool) -> list[tuple[float, float]]:
    """Return pitches and rolls of the hand for placing, those that tilt the object least first.

    What has to stand is not laid down where it can be set upright; under a roof, what has no opening may lie.
    """
    options, shape = _usual_turns(rig, grip, under_roof), rig.world.shapes[grip.name]
    if not has_to_stand(shape) or (under_roof and not shape.is_open):
        return options
    more = _sorted_turns(rig, grip, (*FLAT, *FROM_ABOVE))
    upright = ([turn for turn in turns if _axes(grip, 0.0, *turn)[2, 2] > cos(TIPPED)] for turns in (options, more))
    return next(filter(None, upright), options)


def _usual_turns(rig: Rig, grip: Grip, under_roof: bool) -> list[tuple[float, float]]:
    """Return the turn at the grasp and the usual ones, those that tilt the object least first."""
    return _sorted_turns(rig, grip, (rig.taken[0], *(FLAT if under_roof else OPEN_ABOVE)))


def _sorted_turns(rig: Rig, grip: Grip, pitches: Iterable[float]) -> list[tuple[float, float]]:
    options = product(dict.fromkeys(pitches), dict.fromkeys((rig.taken[1], 0.0)))
    return sorted(options, key=lambda turn: round(_tilt(rig, grip, *turn), 1))


def _axes(grip: Grip, azimuth: float, phi: float, roll: float) -> Matrix:
    held = axes_of(grip.orientation)
    turned: Matrix = hand_axes(azimuth, phi, roll) @ held
    return turned


def _tilt(rig: Rig, grip: Grip, phi: float, roll: float) -> float:
    """Return the tilt of the held object from a flat pose in radians, plus a penalty if it would fall over."""
    shape = rig.world.shapes[grip.name]
    if shape.form == "sphere":
        return 0.0
    axes = _axes(grip, 0.0, phi, roll)
    flat = float(np.arccos(np.clip(np.max(np.abs(axes[2])), 0.0, 1.0)))
    upright = float(np.arccos(np.clip(axes[2, 2], -1.0, 1.0)))
    return flat + (1.0 if upright > TIPPED and shape.size[2] > 0.06 else 0.0)


def _as_it_stands(rig: Rig, grip: Grip, azimuth: float, phi: float, roll: float) -> Solid:
    """Return the held object as it stands once it is set down, on the side that is nearest to level."""
    shape, axes = rig.world.shapes[grip.name], _axes(grip, azimuth, phi, roll)
    up = 2 if shape.form == "sphere" else int(np.argmax(np.abs(axes[2])))
    along, across = (axis for axis in range(3) if axis != up)
    size = (shape.size[along], shape.size[across], shape.size[up])
    yaw = atan2(axes[1, along], axes[0, along])
    return Solid(shape.form if up == 2 else "box", size, (0.0, 0.0, 0.0), yaw)


def _hanging(rig: Rig, grip: Grip, azimuth: float, phi: float, roll: float) -> tuple[Vector, float, float]:
    """Return the held object's centre relative to the fingertips, how far it extends below, and its radius."""
    axes = _axes(grip, azimuth, phi, roll)
    x, y, z = (float(v) for v in hand_axes(azimuth, phi, roll) @ np.array(grip.position))
    shape = rig.world.shapes[grip.name]
    spans = np.abs(axes) @ (np.array(shape.size) / 2)
    if shape.form == "sphere":
        spans = np.array(shape.size) / 2
    stands = shape.form == "sphere" or (shape.is_cylinder and abs(axes[2, 2]) > LEVEL)
    radius = float(spans[0]) if stands else hypot(spans[0], spans[1])
    return (x, y, z), float(spans[2]), radius
