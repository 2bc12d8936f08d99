"""`pick`: grasp an object where it is, lift it off or out, and return to the stand with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import atan2, hypot
from typing import NamedTuple

import numpy as np

from robots.pybullet.description import BodyDescription, Configuration
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.manipulation.drive import beside
from robots.pybullet.manipulation.grasps import FLAT, FROM_ABOVE, OPEN_ABOVE, UPRIGHT, aims, blocks
from robots.pybullet.manipulation.reach import Aim, Station, backed, raised, stances, station, way, withdraw
from robots.pybullet.motion import Failed, Steps
from robots.pybullet.navigation import LOW
from robots.pybullet.rig import Rig
from semantics.feedback import Code
from semantics.geometry import PlanarPose

__all__ = ["Approach", "pick", "roofed", "search", "unreachable"]

ADVANCE = 0.42
"""How far the base backs out of a space with a roof, in metres."""
DRAWN = 0.09
"""Distance between the hand and the grasp before the approach in the open, in metres."""
LIFTED = 0.1
UNDER_A_ROOF = 0.02
TALL = 0.1
"""From this height on, an object is grasped so that it can go under a roof upright, in metres."""
MOVED = 0.015
MOST_TRIED = 600
"""Number of postures tested in the mirror before the search for a grasp ends."""
LOW_RIM = 0.05
"""An open box that is lower is a plate or tray, on which things stand, metres."""
STANCES_AN_AIM = 10
"""Number of postures tested for one pose of the fingertips."""


class Approach(NamedTuple):
    """The last part of a motion: the posture before, the posture at the object, and the retreat from there."""

    before: Configuration
    at: Configuration
    retreat: tuple[Configuration, ...]


def roofed(rig: Rig, place: str, height: float) -> bool:
    """Return whether there is a board or a ceiling above a height at a place."""
    offered = rig.world.offered.get(place)
    if offered is None:
        return False
    boards = [board.low[2] for board in offered.surfaces]
    return offered.hinged or any(low > height for low in boards)


def approaches(description: BodyDescription, configuration: Configuration, under_roof: bool) -> list[Approach]:
    """Return approaches to a posture: in the open by moving the arm along the hand, and by driving ahead."""
    lift = UNDER_A_ROOF if under_roof else LIFTED
    up = raised(description, configuration, lift)
    options = [] if under_roof else _by_arm(description, configuration, up)
    if under_roof or (description.moves and reach_of(description, configuration).phi < 0.6):
        options.append(
            Approach(backed(description, configuration, ADVANCE), configuration, (up, backed(description, up, ADVANCE)))
        )
    return options


def _by_arm(description: BodyDescription, configuration: Configuration, up: Configuration) -> list[Approach]:
    reach = reach_of(description, configuration)
    drawn = Reach(reach.r - DRAWN * np.cos(reach.phi), reach.z + DRAWN * np.sin(reach.phi), reach.phi, reach.roll)
    arm = posture(description, drawn, float(configuration[3]))
    if arm is None or reach_of(description, up).z - reach.z < LIFTED / 2:
        return []
    return [Approach(np.concatenate([configuration[:3], arm]), configuration, (up,))]


def pick(rig: Rig, name: str, source: str, at: str) -> Steps:
    """Grasp an object and lift it; a grasp that misses is repeated once.

    Raises:
        Failed: The hand is full or the object is unknown (`refused-by-body`); no posture reaches it (`out-of-reach`,
            `obstructed`); the fingers missed it (`not-grasped`) or lost it (`dropped`).
    """
    if rig.held is not None:
        raise Failed(Code.REFUSED_BY_BODY, name, f"the hand holds {rig.held} already.", (rig.held,))
    if load := _load(rig, name):
        raise Failed(Code.OBSTRUCTED, name, f"{_listed(load)} on it would fall.", load)
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
    box = rig.world.box(name)
    above = (other for other in rig.world.touching(name) if other in rig.world.shapes)
    boxes = ((other, rig.world.box(other)) for other in above)
    return tuple(sorted(other for other, found in boxes if found.low[2] > box.low[2] and box.above(found.centre, 0.0)))


def _grasp(rig: Rig, name: str, source: str, at: str) -> Steps:
    """Approach an object, close the hand on it, and lift it off or out; after a miss, move the hand back."""
    rig.chassis.open_fingers()  # the fingers are still closed if someone took the held object out of them
    yield from withdraw(rig)
    if station(rig, at).stand is None and rig.world.box(name).low[2] < LOW:
        yield from beside(rig, *rig.world.pose(name)[0][:2])
    rig.mirror.sync(rig.world)
    was, _ = rig.world.pose(name)
    approach, waypoints = _plan(rig, name, source, at)
    yield from rig.move(*waypoints)
    now, _ = rig.world.pose(name)
    if hypot(*(a - b for a, b in zip(now, was, strict=True))) > MOVED:
        raise Failed(Code.NOT_GRASPED, name, "it moved while the hand was on its way.", (name,))
    yield from rig.move(approach.at, pace=0.6)
    try:
        yield from rig.close_on(name)
        rig.tie(name)
    except Failed:
        yield from rig.move(approach.before, pace=0.7)
        raise
    yield from rig.move(*approach.retreat, pace=0.7)


def _plan(rig: Rig, name: str, source: str, at: str) -> tuple[Approach, list[Configuration]]:
    """Return the first reachable grasp with a free approach, and the waypoints to its start.

    Raises:
        Failed: The object is far from the place, or no posture is free.
    """
    where = station(rig, at)
    position, _ = rig.world.pose(name)
    base = where.stand or rig.chassis.base()
    if hypot(position[0] - base.x, position[1] - base.y) > 2.0:
        raise Failed(Code.OUT_OF_REACH, name, f"it is nowhere near {at}.", (name,), f"Look for {name} first.")
    under_roof = roofed(rig, source, position[2])
    aims_there = ((aim, under_roof) for aim in _aims(rig, name, where, under_roof))
    return search(rig, aims_there, where, name, name, STANCES_AN_AIM, unreachable(name, set()))


def search(
    rig: Rig,
    aims_there: Iterable[tuple[Aim, bool]],
    where: Station,
    handled: str,
    what: str,
    most_stances: int,
    untried: Failed,
) -> tuple[Approach, list[Configuration]]:
    """Return the first reachable posture with a free approach, and the waypoints to its start.

    Args:
        rig: The robot.
        aims_there: Poses of the fingertips, the best first, and whether each is under a roof.
        where: The station.
        handled: The object to grasp, or the held object.
        what: The object or place to blame when nothing is reachable.
        most_stances: Number of postures tested for one pose of the fingertips.
        untried: The failure when there is no posture to test.

    Raises:
        Failed: No posture is free.
    """
    culprits: set[str] = set()
    tried = 0
    for aim, under_roof in aims_there:
        for configuration in islice(stances(rig.description, aim, where), most_stances):
            tried += 1
            clashes = rig.mirror.clashes(configuration, rig.grip)
            approach = None if clashes else _approach_to(rig, configuration, under_roof, culprits)
            if approach is not None:
                return approach
            culprits |= clashes
            if handled in clashes:  # the hand hits the object to grasp, so that other stances of this aim do not help
                break
        if tried > MOST_TRIED:
            break
    raise unreachable(what, culprits - {handled}) if tried else untried


def _approach_to(
    rig: Rig, configuration: Configuration, under_roof: bool, culprits: set[str]
) -> tuple[Approach, list[Configuration]] | None:
    """Return a free approach to a posture and the waypoints to its start; add obstacles to `culprits` if none is."""
    for approach in approaches(rig.description, configuration, under_roof):
        blocked = rig.mirror.path_clashes([approach.before, approach.at], rig.grip)
        blocked |= rig.mirror.clashes(approach.before, rig.grip)
        waypoints = blocked or way(rig, approach.before)
        if not isinstance(waypoints, frozenset):
            return approach, waypoints
        culprits |= waypoints
    return None


def unreachable(name: str, culprits: set[str]) -> Failed:
    """Return the failure of a search for a posture."""
    others = sorted(culprits - {name, "robot"})
    if others:
        return Failed(Code.OBSTRUCTED, name, f"{_listed(others)} in the way of every grasp.", others)
    return Failed(Code.OUT_OF_REACH, name, "no posture of the arm gets there.", (name,))


def _listed(names: Sequence[str]) -> str:
    """Return names as a subject with its verb: "a is", "a and b are", "a, b and c are"."""
    *others, last = names
    return f"{', '.join(others)} and {last} are" if others else f"{last} is"


def _aims(rig: Rig, name: str, where: Station, under_roof: bool) -> Iterator[Aim]:
    """Yield poses of the fingertips that grasp an object."""
    position, orientation = rig.world.pose(name)
    box = rig.world.box(name)
    phis: Sequence[float] = FLAT if under_roof else UPRIGHT if box.size[2] > TALL else OPEN_ABOVE
    if not rig.description.moves:
        phis = FROM_ABOVE
    for facing in _facings(rig, where, PlanarPose(position[0], position[1])):
        for block in blocks(rig.world.shapes[name], position, orientation):
            yield from aims(block, facing, phis, box.low[2])


def _facings(rig: Rig, where: Station, thing: PlanarPose) -> list[float]:
    base = rig.chassis.base()
    straight = atan2(thing.y - base.y, thing.x - base.x)
    if not rig.description.moves:
        return [straight]
    if where.stand is not None:
        return [where.stand.yaw]
    return [straight + turn for turn in (0.0, 1.2, -1.2, 2.4, -2.4, 3.1)]
