"""`pick`: grasp an object where it is, lift it off or out, and return to the stand with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import atan2, hypot
from typing import NamedTuple

import numpy as np

from robots.pybullet.chassis import OPEN_WIDTH, Configuration
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.manipulation.drive import beside
from robots.pybullet.manipulation.grasps import FLAT, OPEN_ABOVE, UPRIGHT, aims, blocks
from robots.pybullet.manipulation.planned import planned_path
from robots.pybullet.manipulation.reach import (
    Aim,
    Station,
    backed,
    planned_way,
    raised,
    stances,
    station,
    way,
    withdraw,
)
from robots.pybullet.motion import ArmPath, Failed, Steps
from robots.pybullet.navigation import LOW
from robots.pybullet.rig import Rig, carried
from semantics.feedback import Code
from semantics.geometry import PlanarPose

__all__ = ["Approach", "grasp_aims", "pick", "roofed", "search", "unreachable"]

ADVANCE = 0.42
"""How far the base backs out of a space with a roof, in metres."""
DRAWN = 0.09
"""Distance between the hand and the grasp before the approach in the open, in metres."""
LIFTED = 0.1
UNDER_A_ROOF = 0.02
TALL = 0.1
"""From this height on, an object is grasped so that it can go under a roof upright, in metres."""
MOVED = 0.015
MOST_TRIED = 3000
"""Number of postures tested in the mirror before the search for a grasp ends."""
LOW_RIM = 0.05
"""An open box that is lower is a plate or tray, on which things stand, metres."""
MOST_PLANNED = 4
"""Number of postures to which a planner searches a path when no standard path is free."""
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


def approaches(configuration: Configuration, under_roof: bool) -> list[Approach]:
    """Return approaches to a posture: in the open by moving the arm along the hand, and by driving ahead."""
    lift = UNDER_A_ROOF if under_roof else LIFTED
    up = raised(configuration, lift)
    options = [] if under_roof else _by_arm(configuration, up)
    if under_roof or reach_of(configuration).phi < 0.6:
        options.append(Approach(backed(configuration, ADVANCE), configuration, (up, backed(up, ADVANCE))))
    return options


def _by_arm(configuration: Configuration, up: Configuration) -> list[Approach]:
    reach = reach_of(configuration)
    drawn = Reach(reach.r - DRAWN * np.cos(reach.phi), reach.z + DRAWN * np.sin(reach.phi), reach.phi, reach.roll)
    arm = posture(drawn, float(configuration[3]))
    if arm is None or up[3] - configuration[3] < LIFTED / 2:
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
    rig.chassis.move_fingers(OPEN_WIDTH)  # the fingers are still closed if someone took the held object out of them
    yield from withdraw(rig)
    if station(rig, at).stand is None and rig.world.box(name).low[2] < LOW:
        yield from beside(rig, *rig.world.pose(name)[0][:2])
    rig.mirror.sync(rig.world)
    was, _ = rig.world.pose(name)
    approach, path = _plan(rig, name, source, at)
    yield from rig.travel(path)
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


def _plan(rig: Rig, name: str, source: str, at: str) -> tuple[Approach, ArmPath]:
    """Return the first reachable grasp with a free approach, and the path to its start.

    Raises:
        Failed: The object is far from the place, or no posture is free.
    """
    where = station(rig, at)
    position, _ = rig.world.pose(name)
    base = where.stand or rig.chassis.base()
    if hypot(position[0] - base.x, position[1] - base.y) > 2.0:
        raise Failed(Code.OUT_OF_REACH, name, f"it is nowhere near {at}.", (name,), f"Look for {name} first.")
    under_roof = roofed(rig, source, position[2])
    aims_there = ((aim, under_roof) for aim in grasp_aims(rig, name, where, under_roof))
    return search(rig, aims_there, where, name, name, STANCES_AN_AIM, unreachable(name, set()))


def search(
    rig: Rig,
    aims_there: Iterable[tuple[Aim, bool]],
    where: Station,
    handled: str,
    what: str,
    most_stances: int,
    untried: Failed,
) -> tuple[Approach, ArmPath]:
    """Return the first reachable posture with a free approach, and the path to its start.

    Standard paths are tried to all postures first; then a planner searches paths to a few.

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
    attempt = _Search(rig, where, handled, most_stances)
    approach = attempt.by_standard_paths(aims_there) or attempt.by_planned_paths()
    if approach is None:
        raise unreachable(what, attempt.culprits - {handled}) if attempt.tried else untried
    return approach


class _Search:
    """A search for a posture and a path to it, and what was in its way."""

    def __init__(self, rig: Rig, where: Station, handled: str, most_stances: int) -> None:
        self.culprits: set[str] = set()
        self.tried = 0
        self._rig = rig
        self._where = where
        self._handled = handled
        self._most_stances = most_stances
        self._cut_off: dict[Aim, tuple[Configuration, bool]] = {}

    def by_standard_paths(self, aims_there: Iterable[tuple[Aim, bool]]) -> tuple[Approach, ArmPath] | None:
        """Return the first posture with a free standard path; remember those that are free without one."""
        for aim, under_roof in aims_there:
            approach = self._at(aim, under_roof)
            if approach is not None:
                return approach
            if self.tried > MOST_TRIED:
                break
        return None

    def _at(self, aim: Aim, under_roof: bool) -> tuple[Approach, ArmPath] | None:
        for configuration in islice(stances(aim, self._where), self._most_stances):
            self.tried += 1
            clashes = self._rig.mirror.clashes(configuration, self._rig.grip)
            if not clashes:
                approach = _approach_to(self._rig, configuration, under_roof, self.culprits)
                if approach is not None:
                    return approach
                self._cut_off.setdefault(aim, (configuration, under_roof))
            self.culprits |= clashes
            if self._handled in clashes:  # the hand hits the object to grasp: other stances of this aim do not help
                return None
        return None

    def by_planned_paths(self) -> tuple[Approach, ArmPath] | None:
        """Return the first of the remembered postures to which a planner finds a path, from which it can retreat."""
        spread = max(1, len(self._cut_off) // MOST_PLANNED)
        for configuration, under_roof in list(self._cut_off.values())[::spread][:MOST_PLANNED]:
            path = planned_way(self._rig, configuration)
            up = raised(configuration, UNDER_A_ROOF if under_roof else LIFTED)
            if path is not None and self._can_retreat(configuration, up):
                before = path.waypoints[-2] if len(path.waypoints) > 1 else self._rig.now()
                return Approach(before, configuration, (up,)), path._replace(waypoints=path.waypoints[:-1])
        return None

    def _can_retreat(self, at: Configuration, up: Configuration) -> bool:
        """Return whether a hand that holds the object after its work can rise from a posture and fold."""
        grip = self._rig.grip or self._rig.mirror.grip_of(self._handled, at)
        if self._rig.mirror.path_clashes([at, up], grip):
            return False
        reach = reach_of(at)
        folded = np.concatenate([self._rig.now()[:3], carried(reach.phi, reach.roll)])
        return planned_path(self._rig.mirror, up, folded, grip) is not None


def _approach_to(
    rig: Rig, configuration: Configuration, under_roof: bool, culprits: set[str]
) -> tuple[Approach, ArmPath] | None:
    """Return a free approach to a posture and the path to its start; add obstacles to `culprits` if none is."""
    for approach in approaches(configuration, under_roof):
        blocked = rig.mirror.path_clashes([approach.before, approach.at], rig.grip)
        blocked |= rig.mirror.clashes(approach.before, rig.grip)
        path = blocked or way(rig, approach.before)
        if not isinstance(path, frozenset):
            return approach, path
        culprits |= path
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


def grasp_aims(rig: Rig, name: str, where: Station, under_roof: bool) -> Iterator[Aim]:
    """Yield poses of the fingertips that grasp an object."""
    position, orientation = rig.world.pose(name)
    box = rig.world.box(name)
    phis = FLAT if under_roof else UPRIGHT if box.size[2] > TALL else OPEN_ABOVE
    for facing in _facings(rig, where, PlanarPose(position[0], position[1])):
        for block in blocks(rig.world.shapes[name], position, orientation):
            yield from aims(block, facing, phis, box.low[2])


def _facings(rig: Rig, where: Station, thing: PlanarPose) -> list[float]:
    if where.stand is not None:
        return [where.stand.yaw]
    base = rig.chassis.base()
    straight = atan2(thing.y - base.y, thing.x - base.x)
    return [straight + turn for turn in (0.0, 1.2, -1.2, 2.4, -2.4, 3.1)]
