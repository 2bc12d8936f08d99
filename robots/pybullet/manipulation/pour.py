"""`pour`, `fill` and `drain`: tip what is in a held vessel over its lip into another vessel or a sink.

Liquids and grains are not simulated. What is planned and checked is where they would fall. The lip is the lowest point
of the rim, which is the upper end of the vessel. A stream leaves it with a horizontal speed from 0 to `SPEED`, and all
of it has to land inside the opening. So the hand moves while it tips the vessel: the lip stays over the opening, and
comes down as far as the vessel leaves room. While it is nearly upright, its lower end is still above the other vessel;
the farther it is tipped, the more its lower end is beside it. Metres, radians and seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import atan2, cos, degrees, hypot, inf, pi, sin, sqrt, tan
from typing import Final, NamedTuple

import numpy as np
import pybullet

from robots.arrangement import OPEN_BOX_WALL
from robots.pybullet.description import BASE, LIFT, Configuration
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.manipulation.level import LAST
from robots.pybullet.manipulation.reach import STEEP, Aim, Station, station, withdraw
from robots.pybullet.manipulation.search import ROBOT, ReachTask, search
from robots.pybullet.manipulation.work import check_fact, check_open
from robots.pybullet.motion import ArmPath, Failed, Steps, pause
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.world import PopulatedRoom
from semantics.atoms import Atom
from semantics.feedback import Code
from semantics.geometry import Vector

__all__ = ["Lip", "Opening", "drain", "lip_of", "opening_of", "pour"]

SPEED: Final = 0.4
"""The largest horizontal speed of a stream at the lip."""
GRAVITY: Final = 9.81
FULL: Final = 0.9
"""The share of its height up to which a vessel is filled."""
EMPTY: Final = (1.75, 1.4, 0.9)
"""The tilts at which a vessel counts as empty, the wanted one first, and the least one last."""
STILL: Final = 0.08
"""The tilt of a hand at rest or on its way from which on even a shallow vessel flows over."""
STEP: Final = 0.08
"""The tilt from one posture to the next."""
FIRST: Final = 0.04
"""The tilt of the first posture: the lip of an upright vessel is nowhere."""
LOW: Final = 0.03
"""The least height of the lip over the rim below it."""
CLEAR: Final = 0.01
"""The distance that the tipped vessel keeps from what is below it."""
FINGER: Final = 0.04
"""How far a finger is outside of the vessel that it holds, with the same distance."""
WALL: Final = 0.003
"""The thickness of the wall of a cup or bottle."""
EDGE: Final = 0.9
"""How far from the middle of an opening the lip may be, as a share of its half width."""
READY: Final = 0.03
"""The height of the upright vessel over the other one before it is tipped."""
FACINGS: Final = (0.0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2)
"""Directions from which the hand may come, from that of the stand."""
ASIDE: Final = 0.2
"""The share of a second turn that makes one corner of a vessel the lowest."""
UPRIGHT: Final = 0.35
"""The tilt up to which a vessel loses nothing."""
STANCES: Final = 4
FLOWING: Final = 1.0


class Opening(NamedTuple):
    """The opening of a vessel or a basin.

    Attributes:
        middle: Its middle, at the height of the rim.
        yaw: Its direction.
        half: Half its extents.
        outer: Half the extents of the whole at the rim.
        depth: The height of the rim over what is beside it: what the vessel stands on, or the furniture itself.
        is_round: Whether it is a circle.
    """

    middle: Vector
    yaw: float
    half: tuple[float, float]
    outer: tuple[float, float]
    depth: float
    is_round: bool

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point of the map is inside."""
        a, b = self._local(x - self.middle[0], y - self.middle[1])
        return hypot(a, b) <= self.half[0] if self.is_round else abs(a) <= self.half[0] and abs(b) <= self.half[1]

    def half_width(self, direction: float) -> float:
        """Return the distance from the middle to the wall, along a direction on the map."""
        if self.is_round:
            return self.half[0]
        a, b = self._local(cos(direction), sin(direction))
        return min(self.half[0] / max(abs(a), 1e-6), self.half[1] / max(abs(b), 1e-6))

    def extent(self, direction: float) -> float:
        """Return how far the whole extends from the middle, along a direction on the map."""
        a, b = self._local(cos(direction), sin(direction))
        return self.outer[0] if self.is_round else self.outer[0] * abs(a) + self.outer[1] * abs(b)

    def _local(self, x: float, y: float) -> tuple[float, float]:
        c, s = cos(self.yaw), sin(self.yaw)
        return c * x + s * y, c * y - s * x


class Lip(NamedTuple):
    """The lip of a vessel.

    Attributes:
        point: Where it is.
        direction: The direction on the map to which the vessel is tipped.
        tilt: How far it is tipped.
        flows_at: The tilt from which on a full vessel flows over.
        height: The height of the upright vessel.
    """

    point: Vector
    direction: float
    tilt: float
    flows_at: float
    height: float

    def lands(self, rim: float) -> tuple[float, float]:
        """Return where the fastest stream passes the height of a rim."""
        way = SPEED * _falling(self.point[2] - rim)
        return self.point[0] + way * cos(self.direction), self.point[1] + way * sin(self.direction)


class _Turn(NamedTuple):
    """How a hand tips what it holds: a turn about its axis before, and the shares of its pitch and of its roll."""

    spin: float
    pitch: float
    roll: float


class _Gap(NamedTuple):
    """The least height of the lip over the rim, and what the vessel keeps from the other one beside it."""

    low: float
    beside: float


GAPS: Final = (_Gap(LOW, CLEAR), _Gap(LOW, FINGER), _Gap(2 * LOW, CLEAR))
"""The gaps that are tried."""
SHIFTS: Final = sorted(
    product((0.0, 0.03, -0.03, 0.06, -0.06), (0.0, 0.04, -0.04, 0.08, -0.08)), key=lambda way: hypot(*way)
)
"""How much farther from the base and from the arm's foot the hand may be in the next posture."""


def _falling(height: float) -> float:
    """Return the seconds of a fall."""
    return sqrt(2.0 * max(height, 0.0) / GRAVITY)


def opening_of(world: PopulatedRoom, name: str) -> Opening:
    """Return the opening of an upright vessel, or of the basin of a piece of furniture."""
    if name in world.offered:
        offered = world.offered[name]
        basin = offered.compartments[0] if offered.compartments else offered.box
        x, y, _ = basin.centre
        return Opening((x, y, basin.high[2]), 0.0, _half(basin.size), _half(offered.box.size), 0.0, is_round=False)
    shape, (middle, _) = world.shapes[name], world.pose(name)
    wall = OPEN_BOX_WALL if shape.form == "open-box" else WALL
    outer = _half(shape.size)
    top = (middle[0], middle[1], middle[2] + shape.size[2] / 2)
    return Opening(
        top, world.yaw(name), (outer[0] - wall, outer[1] - wall), outer, shape.size[2], is_round=shape.is_cylinder
    )


def _half(size: Vector) -> tuple[float, float]:
    return size[0] / 2, size[1] / 2


def lip_of(world: PopulatedRoom, name: str) -> Lip:
    """Return the lip of a vessel as it is now: the lowest point of its upper end."""
    shape, (position, orientation) = world.shapes[name], world.pose(name)
    axes = np.array(pybullet.getMatrixFromQuaternion(orientation)).reshape(3, 3)
    up, middle = axes[:, 2], np.array(position) + axes[:, 2] * shape.size[2] / 2
    if shape.is_cylinder:
        down = up * up[2] - (0.0, 0.0, 1.0)
        lowest = middle + down / max(float(np.linalg.norm(down)), 1e-9) * shape.size[0] / 2
    else:
        corners = [middle + a * axes[:, 0] + b * axes[:, 1] for a, b in _corners(shape.size)]
        heights = np.array([corner[2] for corner in corners])
        # Of an edge that is level, the lip is the middle.
        low = heights - heights.min() <= 0.1 * np.ptp(heights)
        lowest = np.array(corners)[low].mean(axis=0)
    across = 2.0 * float(np.linalg.norm(lowest - middle))
    x, y, z = (float(value) for value in lowest)
    flows_at = max(STILL, atan2(2.0 * (1.0 - FULL) * shape.size[2], across))
    return Lip((x, y, z), atan2(up[1], up[0]), world.tilt(name), flows_at, shape.size[2])


def _corners(size: Vector) -> Iterator[tuple[float, float]]:
    x, y = _half(size)
    return product((-x, x), (-y, y))


def pour(rig: Rig, contents: str, source: str, target: str, at: str, *, predicate: str = "stuff_in") -> Steps:
    """Pour grain, or a liquid if `predicate` is ``liquid_in``, from the held vessel into another one or a sink.

    Raises:
        Failed: It is not held (`dropped`), or does not hold this (`precondition`); a lid is on, or something is in the
            way (`obstructed`); no posture gets there or tips it far enough (`out-of-reach`); the stream would be wider
            than the opening (`no-room`), or was beside it (`effect-missing`).
    """
    for vessel in (source, target):
        check_open(rig, vessel)
    contents_in_source, home = Atom(predicate, (contents, source)), station(rig, at)
    check_fact(rig, contents_in_source)
    rig.holding(source)
    yield from withdraw(rig, None)
    rig.mirror.sync(rig.world)
    work = _Pour(rig, source, target)
    work.check_room()
    path, ready, tipping = work.plan(home)
    yield from rig.travel(path)
    for way in (tipping, tipping[-1:], [*tipping[-2::-1], ready]):
        moving = pause(FLOWING, 0.8) if way == tipping[-1:] else rig.move(*way, pace=0.35)
        for fraction in moving:
            work.watch()
            yield fraction
    yield from withdraw(rig, home.stand)
    work.check_stream()
    rig.become(Atom(predicate, (contents, target)), no_more=(contents_in_source,))


def drain(rig: Rig, contents: str, source: str, at: str) -> Steps:
    """Pour a liquid from the held vessel into a sink; raises as `pour` does."""
    return pour(rig, contents, source, at, at, predicate="liquid_in")


class _Pour:
    """A pour from a held vessel into an opening: its plan, and what was seen of the stream."""

    def __init__(self, rig: Rig, source: str, target: str) -> None:
        self._rig = rig
        self._source = source
        self._target = target
        self._opening = opening_of(rig.world, target)
        self._grip = None if rig.grip is None else rig.grip._replace(level=False)
        self._tipping: list[Configuration] = []
        self._farthest = 0.0
        self._beside = 0.0

    def check_room(self) -> None:
        """Check that a stream is not wider than the opening.

        Raises:
            Failed: It is (`no-room`).
        """
        spread = SPEED * _falling(LOW)
        widest = 2.0 * max(self._opening.half_width(step * pi / 8) for step in range(8))
        if spread > widest:
            why = f"a stream from {LOW:.2f} m above it is {1000 * spread:.0f} mm wide, and its opening is"
            how = "Pour into a wider vessel."
            raise Failed(Code.NO_ROOM, self._target, f"{why} {1000 * widest:.0f} mm.", (self._target,), how)

    def plan(self, where: Station) -> tuple[ArmPath, Configuration, list[Configuration]]:
        """Return the path to a posture over the opening, this posture, and those that tip the vessel from there.

        Raises:
            Failed: There is none.
        """
        for wanted in EMPTY:
            self._tipping = []

            def hinders(ready: Configuration, wanted: float = wanted) -> frozenset[str]:
                return self._hinders_tipping(ready, wanted)

            task = ReachTask(
                lambda: ((aim, False) for aim in self._aims(where)),
                where,
                self._source,
                self._target,
                STANCES,
                self._without_aims,
                is_direct=True,
                work="posture over it",
                also_free=hinders,
            )
            try:
                approach, path = search(self._rig, task)
            except Failed as failed:
                if wanted == EMPTY[-1]:
                    raise self._not_far_enough(failed) from failed
                continue
            return ArmPath((*path.waypoints, approach.at), path.halting), approach.at, self._tipping
        raise AssertionError("EMPTY has a last one")

    def _without_aims(self) -> Failed:
        how = f"Take {self._source} upright."
        return Failed(Code.PRECONDITION, self._target, f"{self._source} is not upright.", (self._source,), how)

    def _not_far_enough(self, failed: Failed) -> Failed:
        """Return the failure of a search, with the farthest tilt if nothing was in the way."""
        if failed.feedback.code is not Code.OUT_OF_REACH or not self._farthest:
            return failed
        why = f"the hand tips {self._source} by {degrees(self._farthest):.0f} deg there, and {degrees(EMPTY[-1]):.0f}"
        how = f"Take {self._source} by another side, or put {self._target} where there is more room around it."
        return Failed(Code.OUT_OF_REACH, self._target, f"{why} deg is the least.", (self._source, self._target), how)

    def _aims(self, where: Station) -> Iterator[Aim]:
        """Yield poses of the fingertips that hold the upright vessel above the opening, with the tilt it has now."""
        rig, reach = self._rig, self._rig.reach()
        rig.mirror.pose(rig.now(), rig.grip)
        if lip_of(rig.mirror.world, self._source).tilt > UPRIGHT:
            return
        middle, tip = rig.mirror.world.pose(self._source)[0], rig.mirror.tip()
        ahead, aside = middle[0] - tip[0], middle[1] - tip[1]
        below = tip[2] - middle[2] + rig.world.shapes[self._source].size[2] / 2
        x, y, z = self._opening.middle
        yaw = float(rig.now()[2])
        straight = where.stand.yaw if where.stand else atan2(y - rig.now()[1], x - rig.now()[0])
        for facing in FACINGS:
            c, s = cos(straight + facing - yaw), sin(straight + facing - yaw)
            point = (x - c * ahead + s * aside, y - s * ahead - c * aside, z + READY + below)
            yield Aim(point, straight + facing, reach.phi, reach.roll)

    def _hinders_tipping(self, ready: Configuration, wanted: float) -> frozenset[str]:
        """Return what hinders every way of tipping from a posture; keep the first free way."""
        culprits = frozenset[str]()
        for gap, turn in product(GAPS, list(_turns(self._rig, self._source, ready))):
            postures, tilt, clashes = self._tip(ready, turn, gap)
            self._farthest = max(self._farthest, tilt)
            clashes = (clashes or frozenset({ROBOT})) if tilt < wanted else self._clashes_on([ready, *postures])
            if not clashes:
                self._tipping = postures
                return clashes
            culprits |= clashes
        return culprits

    def _clashes_on(self, postures: Sequence[Configuration]) -> frozenset[str]:
        return self._rig.mirror.path_clashes(postures, self._grip)

    def _tip(self, ready: Configuration, turn: _Turn, gap: _Gap) -> tuple[list[Configuration], float, frozenset[str]]:
        """Return postures that tip the vessel, how far they do, and what is in the way of more."""
        postures, tilt, angle, pitch = [ready], 0.0, FIRST, reach_of(self._rig.description, ready).phi
        while tilt < EMPTY[0]:
            last = float(ready[LAST]) + turn.spin + angle * turn.roll
            tipped = self._tipped(postures[-1], pitch + angle * turn.pitch, last, gap)
            if tipped is None:
                return postures[1:], tilt, frozenset()
            clashes = self._rig.mirror.clashes(tipped, self._grip)
            reached = lip_of(self._rig.mirror.world, self._source)
            if clashes or reached.tilt < tilt or not self._stays_inside(reached):
                return postures[1:], tilt, clashes
            postures.append(tipped)
            tilt, angle = reached.tilt, angle + STEP
        return postures[1:], tilt, frozenset()

    def _tipped(self, before: Configuration, pitch: float, last: float, gap: _Gap) -> Configuration | None:
        """Return the posture with the hand turned, and with the lip where it belongs; None if there is none.

        Args:
            before: The posture before.
            pitch: Of the hand.
            last: Of the joint that turns the hand about its axis.
            gap: What the lip and the vessel keep from the other one.
        """
        rig, reach, shift = self._rig, reach_of(self._rig.description, before), np.zeros(3)
        least, most = rig.description.coordinates[LAST].limits
        if not least <= last <= most:
            return None
        for _ in range(2):  # where the lip is, shows the first posture; the second one has it in its place
            tipped = _turned(rig, before, reach._replace(z=reach.z + float(shift[2]), phi=pitch), last)
            if tipped is None:
                return None
            tipped[:2] += shift[:2]
            rig.mirror.pose(tipped, rig.grip)
            lip = lip_of(rig.mirror.world, self._source)
            shift += np.subtract(_place_of_lip(lip, self._opening, gap), lip.point)
        return tipped

    def _stays_inside(self, lip: Lip) -> bool:
        """Return whether a stream at this lip lands inside; an upright vessel has none."""
        rim = self._opening.middle[2]
        return lip.tilt < lip.flows_at or all(self._opening.contains(x, y) for x, y in (lip.point[:2], lip.lands(rim)))

    def watch(self) -> None:
        """Note how far outside of the opening a stream would fall now."""
        lip = lip_of(self._rig.world, self._source)
        self._opening = opening_of(self._rig.world, self._target)
        if not self._stays_inside(lip):
            x, y, rim = self._opening.middle
            ends = lip.point[:2], lip.lands(rim)
            self._beside = max(self._beside, *(hypot(a - x, b - y) for a, b in ends))

    def check_stream(self) -> None:
        """Check that no stream fell beside the opening.

        Raises:
            Failed: One did (`effect-missing`).
        """
        if self._beside:
            wall = 1000 * min(self._opening.half)
            why = f"the stream fell {1000 * self._beside:.0f} mm from its middle, and its wall is {wall:.0f} mm"
            how = f"Fill {self._source} again and repeat it, with nothing that touches {self._target}."
            raise Failed(Code.EFFECT_MISSING, self._target, f"{why} from there.", (self._source, self._target), how)


def _turned(rig: Rig, before: Configuration, reach: Reach, last: float) -> Configuration | None:
    """Return the posture with another reach and another turn of the hand that differs least from the one before.

    The base gives way: it keeps the fingertips where the reach says, whatever their distance from it.
    """
    for farther, higher in SHIFTS:
        lift = float(
            np.clip(before[LIFT] + reach.z - reach_of(rig.description, before).z + higher, *rig.description.column)
        )
        arm = posture(rig.description, reach._replace(r=reach.r + farther), lift)
        if arm is not None:
            arm[-1] = last
            turned: Configuration = np.concatenate([before[:BASE], arm])
            turned[:2] -= farther * cos(before[2]), farther * sin(before[2])
            return turned
    return None


def _place_of_lip(lip: Lip, opening: Opening, gap: _Gap) -> Vector:
    """Return where the lip belongs: the middle of where the stream lands is the middle of the opening.

    Args:
        lip: The lip, wherever it is.
        opening: The opening below it.
        gap: What it keeps from the other vessel.
    """
    half, behind, height = opening.half_width(lip.direction), inf, gap.low
    room = opening.extent(lip.direction) + gap.beside
    for _ in range(4):  # the higher the lip, the farther behind; the farther behind, the lower it may be
        behind = min(EDGE * half, behind, SPEED * _falling(height) / 2 if behind < inf else inf)
        beside = lip.height * cos(lip.tilt) - opening.depth
        above = (room - behind) / tan(lip.tilt) if FIRST < lip.tilt < pi / 2 else inf
        height = max(gap.low, beside + CLEAR, min(above, beside + opening.depth) + CLEAR)
    x, y, z = opening.middle
    return x - behind * cos(lip.direction), y - behind * sin(lip.direction), z + height


def _turns(rig: Rig, source: str, ready: Configuration) -> Iterator[_Turn]:
    """Yield the ways to tip a vessel; one with corners is tipped over a corner, where its stream is narrow."""
    aside = 0.0 if rig.world.shapes[source].is_cylinder else ASIDE
    if reach_of(rig.description, ready).phi > STEEP:
        spins = (pi / 4, -pi / 4, 3 * pi / 4, -3 * pi / 4) if aside else (0.0,)
        yield from (_Turn(spin, pitch, 0.0) for spin in spins for pitch in (-1.0, 1.0))
        return
    yield from (_Turn(0.0, aside, roll) for roll in (1.0, -1.0))
    yield from (_Turn(0.0, pitch, roll) for pitch in (1.0, -1.0) for roll in ((aside, -aside) if aside else (0.0,)))
