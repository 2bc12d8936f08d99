"""`pour`, `fill` and `drain`: tip what is in a held vessel over its lip into another vessel or a sink.

Liquids and grains are not simulated; planned and checked is where they would fall. The lip is the lowest point of the
rim, which is the upper end of the vessel. A stream leaves it with a horizontal speed from 0 to `_Lip.speed`, and all of
it has to land inside the opening. So the hand moves while it tips the vessel: the lip stays over the opening, and comes
down as far as the vessel leaves room. The farther it is tipped, the more its lower end is beside the other vessel
instead of above it. Metres, radians and seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import asin, atan2, cos, degrees, hypot, inf, pi, sin, sqrt, tan
from typing import Final, NamedTuple

import numpy as np

from robots.arrangement import OPEN_BOX_WALL
from robots.furniture import wrapped
from robots.pybullet.description import BASE, LIFT, Configuration
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.manipulation.grasps import Matrix, hand_axes
from robots.pybullet.manipulation.level import LAST
from robots.pybullet.manipulation.reach import STEEP, Aim, Station, station, withdraw
from robots.pybullet.manipulation.search import ROBOT, ReachTask, first_free
from robots.pybullet.manipulation.work import check_fact, check_open
from robots.pybullet.motion import ArmPath, Failed, Steps, pause
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.world import PopulatedRoom
from robots.pybullet.turns import spend
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code

SPEED, SLOW, GRAVITY = 0.4, 0.2, 9.81
"""The largest horizontal speed of a stream at the lip, that of what only flows over, and how it falls."""
FULL: Final = 0.9  # the share of its height up to which a vessel is filled
EMPTY: Final = (1.75, 1.4, 0.9)
"""The tilts at which a vessel counts as empty, the wanted one first, and the least one last."""
STILL, FIRST, STEP = 0.08, 0.04, 0.08
"""The tilt at which a shallow vessel flows over, that of the first posture, and that from one to the next."""
LOW, CLEAR, FINGER = 0.03, 0.01, 0.04
"""The least height of the lip over the rim, the distance of the vessels, and that with a finger between them."""
GAPS: Final = ((LOW, CLEAR), (LOW, FINGER), (2 * LOW, CLEAR))
"""Least heights over the rim, and distances beside the other vessel, that are tried."""
WALL, EDGE, MARGIN = 0.003, 0.95, 0.001
"""The thickness of a wall, how far from the middle a lip may be (of the half width), and a stream is off the wall."""
READY: Final = 0.03  # the height of the upright vessel over the other one before it is tipped
FACINGS: Final = (0.0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2)
"""Directions from which the hand may come, from that of the stand."""
SHIFTS: Final = sorted(
    product((0.0, 0.03, -0.03, 0.06, -0.06), (0.0, 0.04, -0.04, 0.08, -0.08)), key=lambda way: hypot(*way)
)
"""How much farther from the base and from the arm's foot the hand may be in the next posture."""
UPRIGHT: Final = 0.35
STANCES: Final = 4
FLOWING: Final = 1.0


class _Opening(NamedTuple):
    """The opening of an upright vessel or of a basin."""

    middle: Matrix  # its middle, at the height of the rim
    axes: Matrix  # its directions on the map, as columns
    half: Matrix  # half its extents
    outer: Matrix  # half the extents of the whole at the rim
    depth: float  # the height of the rim over what is beside it
    is_round: bool  # whether it is a circle

    def contains(self, point: Matrix, margin: float = 0.0) -> bool:
        """Return whether a point is inside, as seen from above, and so far from the wall."""
        local, half = self.axes.T @ (point[:2] - self.middle[:2]), self.half - margin
        return hypot(*local) <= half[0] if self.is_round else bool(np.all(np.abs(local) <= half))

    def half_width(self, direction: Matrix) -> float:
        """Return the distance from the middle to the wall."""
        along = np.maximum(np.abs(self.axes.T @ direction), 1e-6)
        return float(self.half[0] if self.is_round else np.min(self.half / along))

    def extent(self, direction: Matrix) -> float:
        """Return how far the whole extends from the middle."""
        return float(self.outer[0] if self.is_round else np.abs(self.axes.T @ direction) @ self.outer)


class _Lip(NamedTuple):
    """The lip outside and inside the wall, the direction of the tilt, the tilt, and when a full or half one pours."""

    point: Matrix
    inner: Matrix
    direction: Matrix
    tilt: float
    flows_at: float
    half_at: float

    @property
    def speed(self) -> float:
        """The largest speed of the stream; it is slow where the vessel only flows over."""
        return float(np.interp(self.tilt, (self.flows_at, self.half_at), (SLOW, SPEED)))


def _fall(height: float, speed: float = SPEED) -> float:
    """Return how far a stream gets during a fall; by default the fastest one."""
    return speed * sqrt(2.0 * max(height, 0.0) / GRAVITY)


def _opening(world: PopulatedRoom, name: str) -> _Opening:
    if name in world.offered:
        offered = world.offered[name]
        basin = offered.compartments[0] if offered.compartments else offered.box
        half, outer = np.array(basin.size[:2]) / 2, np.array(offered.box.size[:2]) / 2
        return _Opening(np.array([*basin.centre[:2], basin.high[2]]), np.eye(2), half, outer, 0.0, is_round=False)
    shape, (middle, _) = world.shapes[name], world.pose(name)
    outer, wall = np.array(shape.size[:2]) / 2, OPEN_BOX_WALL if shape.form == "open-box" else WALL
    top = np.array([middle[0], middle[1], middle[2] + shape.size[2] / 2])
    return _Opening(top, world.axes(name)[:2, :2], outer - wall, outer, shape.size[2], is_round=shape.is_cylinder)


def _lip(world: PopulatedRoom, name: str) -> _Lip:
    """Return the lip of a vessel as it is: the lowest point of its upper end."""
    shape, axes = world.shapes[name], world.axes(name)
    half, up, slope = np.array(shape.size) / 2, axes[:, 2], axes[2, :2]
    lowest = -np.copysign(half[:2], slope)
    if shape.is_cylinder:
        lowest = -slope / max(hypot(*slope), 1e-9) * half[0]
    inner = lowest - np.copysign(OPEN_BOX_WALL if shape.form == "open-box" else 0.0, lowest)
    point, begin = (np.array(world.pose(name)[0]) + axes @ (*place, half[2]) for place in (lowest, inner))
    flows_at = max(STILL, atan2(2.0 * (1.0 - FULL) * half[2], hypot(*lowest)))
    half_at = max(flows_at, atan2(half[2], hypot(*lowest)))
    return _Lip(point, begin, up[:2] / max(hypot(*up[:2]), 1e-9), world.tilt(name), flows_at, half_at)


def pour(rig: Rig, contents: str, source: str, target: str, at: str, *, predicate: str = "stuff_in") -> Steps:
    """Pour grain, or a liquid if `predicate` is ``liquid_in``, from the held vessel into another one or a sink.

    Raises:
        Failed: It is not held (`dropped`), or does not hold this (`precondition`); a lid is on, or something is in the
            way (`obstructed`); no posture gets there or tips it far enough (`out-of-reach`); the stream would be wider
            than the opening (`no-room`), or was beside it (`effect-missing`).
    """
    check_open(rig, source)
    check_open(rig, target)
    contents_in_source, home = Atom(predicate, (contents, source)), station(rig, at)
    check_fact(rig, contents_in_source)
    rig.holding(source)
    yield from withdraw(rig, None)
    work = _Pour(rig, source, target)
    path, ready, tipping = yield from rig.find(partial(work.plan, home))
    yield from rig.travel(path)
    yield from work.watch(rig.move(*tipping, pace=0.35))
    yield from work.watch(pause(FLOWING, 0.8))
    yield from work.watch(rig.move(*tipping[-2::-1], ready, pace=0.35))
    yield from withdraw(rig, home.stand)
    work.check_stream()
    soiled = () if target == at else (Atom("clean", (target,)),)  # a sink is there to pour things away
    rig.become(Atom(predicate, (contents, target)), no_more=(contents_in_source, *soiled))


def drain(rig: Rig, contents: str, source: str, at: str) -> Steps:
    """Pour a liquid from the held vessel into a sink; raises as `pour` does."""
    return pour(rig, contents, source, at, at, predicate="liquid_in")


class _Pour:
    """A pour from a held vessel into an opening: its plan, and what was seen of the stream."""

    def __init__(self, rig: Rig, source: str, target: str) -> None:
        assert rig.grip is not None  # `pour` has looked
        self._rig, self._source, self._target = rig, source, target
        self._opening = _opening(rig.world, target)
        self._grip = rig.grip._replace(level=False)
        self._tipping: list[Configuration] = []
        self._farthest = self._beside = 0.0

    def plan(self, where: Station) -> tuple[ArmPath, Configuration, list[Configuration]]:
        """Return the path to a posture over the opening, this posture, and those that tip the vessel from there.

        Raises:
            Failed: There is none.
        """
        self._check_width()
        for wanted in EMPTY:
            task = ReachTask(
                lambda: ((aim, False) for aim in self._aims(where)),
                where,
                self._source,
                self._target,
                STANCES,
                lambda: self._failure(Code.PRECONDITION, f"{self._source} is not upright.", "Set it upright first."),
                is_direct=True,
                work="posture over it",
                also_free=partial(self._hindrances, wanted),
            )
            try:
                approach, path = first_free(self._rig, task)
            except Failed as failed:
                failure = failed
            else:
                return ArmPath((*path.waypoints, approach.at), path.halting), approach.at, self._tipping
        if failure.feedback.code is not Code.OUT_OF_REACH or not self._farthest:
            raise failure
        angles = f"{degrees(self._farthest):.0f} deg there, and {degrees(EMPTY[-1]):.0f} deg is the least"
        how = f"Grasp {self._source} by another side, or put {self._target} where there is more room."
        raise self._failure(Code.OUT_OF_REACH, f"the hand tips {self._source} by {angles}.", how) from failure

    def _failure(self, code: Code, why: str, how: str) -> Failed:
        return Failed(code, self._target, why, (self._source, self._target), how)

    def _check_width(self) -> None:
        """Check that the opening is wide enough for a stream."""
        opening, lip = self._opening, _lip(self._rig.world, self._source)
        wall, widest = hypot(*(lip.point - lip.inner)), 2.0 * hypot(*opening.half[: 1 if opening.is_round else 2])
        starting = lip._replace(tilt=lip.flows_at, direction=opening.axes[:, 0])
        for height in (LOW, float(self._place_of(starting, GAPS[0])[2] - opening.middle[2])):
            spread = _fall(height) + wall
            if spread > widest:
                widths = f"{1000 * spread:.0f} mm wide, its opening {1000 * widest:.0f} mm"
                why = f"a stream from {height:.2f} m above is {widths}."
                raise self._failure(Code.NO_ROOM, why, "Pour into a wider vessel.")

    def _aims(self, where: Station) -> Iterator[Aim]:
        """Yield poses of the fingertips that hold the upright vessel above the opening, pitched and rolled as now."""
        rig, reach, (x, y, z) = self._rig, self._rig.reach(), self._opening.middle
        if rig.world.tilt(self._source) > UPRIGHT:
            return
        straight = where.stand.yaw if where.stand else atan2(y - rig.now()[1], x - rig.now()[0])
        for facing in FACINGS:
            ahead, aside, below = rig.mirror.held_at(rig.now(), self._grip, straight + facing)
            yield Aim((x - ahead, y - aside, z + READY + below), straight + facing, reach.phi, reach.roll)

    def _hindrances(self, wanted: float, ready: Configuration) -> frozenset[str]:
        """Return what hinders every way of tipping from a posture; keep the first free way."""
        culprits = frozenset[str]()
        self._rig.mirror.pose(ready, self._grip)
        for gap, lean in product(GAPS, self._leans(ready)):
            postures, tilt, clashes = self._tip(ready, lean, gap)
            self._farthest = max(self._farthest, tilt)
            if tilt >= wanted:
                clashes = self._rig.mirror.path_clashes([ready, *postures], self._grip)
                if not clashes:
                    self._tipping = postures
                    return clashes
            culprits |= clashes or {ROBOT}
        return culprits

    def _leans(self, ready: Configuration) -> list[Matrix]:
        """Return directions in the frame of the vessel to tip it to: those that roll the hand, then the others.

        A vessel with corners is tipped over a corner, where its stream is narrow.
        """
        rig, yaw = self._rig, float(ready[2])
        ahead = rig.mirror.world.axes(self._source).T @ (cos(yaw), sin(yaw), 0.0)
        leans = [np.array([a, b, 0.0]) / sqrt(2.0) for a, b in product((1.0, -1.0), repeat=2)]
        if rig.world.shapes[self._source].is_cylinder:
            aside = np.cross((0.0, 0.0, 1.0), ahead)
            leans = [aside, -aside, ahead, -ahead]
        rolls = 1 if reach_of(rig.description, ready).phi < STEEP else -1
        return sorted(leans, key=lambda lean: rolls * round(abs(float(lean @ ahead)), 2))

    def _tip(
        self, ready: Configuration, lean: Matrix, gap: tuple[float, float]
    ) -> tuple[list[Configuration], float, frozenset[str]]:
        """Return postures that tip the vessel, how far they do, and what is in the way of more.

        The vessel turns about one axis of its own, so that one point of its rim stays the lip.
        """
        mirror, reach = self._rig.mirror, reach_of(self._rig.description, ready)
        mirror.pose(ready, self._grip)
        held = hand_axes(float(ready[2]), reach.phi, reach.roll).T @ mirror.world.axes(self._source)
        postures, tilt, clashes = [ready], 0.0, frozenset[str]()
        while tilt < EMPTY[0]:
            angle = FIRST + STEP * (len(postures) - 1)
            tipped = self._tipped(postures[-1], held @ (*(-sin(angle) * lean[:2]), cos(angle)), gap)
            if tipped is None:
                break
            lips = []
            for share in (0.5, 1.0):
                clashes = mirror.clashes(postures[-1] + share * (tipped - postures[-1]), self._grip)
                lips.append(_lip(mirror.world, self._source))
            if clashes or any(self._misses(lip, MARGIN) for lip in lips):
                break
            postures.append(tipped)
            tilt = angle
        return postures[1:], tilt, clashes

    def _tipped(self, before: Configuration, up: Matrix, gap: tuple[float, float]) -> Configuration | None:
        """Return the posture with `up`, in the frame of the hand, upwards, and the lip where it belongs; None for none.

        Two pitches and rolls of the hand do; that which is nearer to the posture before is taken.
        """
        rig, reach, shift = self._rig, reach_of(self._rig.description, before), np.zeros(3)
        pitch, roll = -asin(np.clip(up[2], -1.0, 1.0)), atan2(-up[1], up[0])
        ways = ((wrapped(p - reach.phi), wrapped(r - reach.roll)) for p, r in ((pitch, roll), (pi - pitch, roll + pi)))
        turn, spin = min(ways, key=lambda way: hypot(*way))
        low, high = rig.description.coordinates[LAST].limits
        if not low <= before[LAST] + spin <= high:
            return None
        for _ in range(2):  # the first posture shows where the lip is, the second one has it in its place
            wanted = reach._replace(z=reach.z + float(shift[2]), phi=reach.phi + turn)
            tipped = _turned(rig, before, wanted, float(before[LAST]) + spin)
            if tipped is None:
                return None
            tipped[:2] += shift[:2]
            spend()
            rig.mirror.pose(tipped, self._grip)
            lip = _lip(rig.mirror.world, self._source)
            shift += self._place_of(lip, gap) - lip.point
        return tipped

    def _place_of(self, lip: _Lip, gap: tuple[float, float]) -> Matrix:
        """Return where the lip belongs: the middle of where the stream lands is the middle of the opening."""
        opening, tall, (low, distance) = self._opening, self._rig.world.shapes[self._source].size[2], gap
        wall = float((lip.point - lip.inner)[:2] @ lip.direction)
        farthest = behind = EDGE * opening.half_width(lip.direction) - wall
        height, room = low, opening.extent(lip.direction) + distance
        for _ in range(6):  # the higher the lip, the farther behind; the farther behind, the lower it may be
            hanging = tall * cos(lip.tilt)
            above = (room - behind) / tan(lip.tilt) if FIRST < lip.tilt < pi / 2 else inf
            height = max(low, hanging - opening.depth + CLEAR, min(above, hanging) + CLEAR)
            behind = (behind + min(farthest, (_fall(height) - wall) / 2)) / 2
        x, y = behind * lip.direction
        place: Matrix = opening.middle + np.array([-x, -y, height])
        return place

    def _misses(self, lip: _Lip, margin: float = 0.0) -> float:
        """Return how far from the middle a stream at this lip falls beside the opening, or near its wall; 0 if none."""
        if lip.tilt < lip.flows_at:
            return 0.0
        ends = lip.inner[:2], lip.point[:2] + _fall(lip.point[2] - self._opening.middle[2], lip.speed) * lip.direction
        outside = [end for end in ends if not self._opening.contains(end, margin)]
        return max((hypot(*(end - self._opening.middle[:2])) for end in outside), default=0.0)

    def watch(self, steps: Steps) -> Steps:
        """Do a part of the pour, and note how far beside the opening a stream would fall."""
        for fraction in steps:
            self._opening = _opening(self._rig.world, self._target)
            self._beside = max(self._beside, self._misses(_lip(self._rig.world, self._source)))
            yield fraction

    def check_stream(self) -> None:
        """Check that no stream fell beside the opening.

        Raises:
            Failed: One did (`effect-missing`).
        """
        if self._beside:
            wall = 1000 * min(self._opening.half)
            why = f"the stream fell {1000 * self._beside:.0f} mm from its middle, and its wall is at {wall:.0f} mm."
            how = f"Fill {self._source} again and repeat it, with nothing that touches {self._target}."
            raise self._failure(Code.EFFECT_MISSING, why, how)


def _turned(rig: Rig, before: Configuration, reach: Reach, last: float) -> Configuration | None:
    """Return the posture with another reach and another turn of the hand that differs least from the one before.

    The base gives way: the fingertips are as far along the hand's direction as the reach says.
    """
    rise = reach.z - reach_of(rig.description, before).z
    for farther, higher in SHIFTS:
        lift = float(np.clip(before[LIFT] + rise + higher, *rig.description.column))
        arm = posture(rig.description, reach._replace(r=reach.r + farther), lift)
        if arm is not None:
            arm[-1] = last
            turned: Configuration = np.concatenate([before[:BASE], arm])
            turned[:2] -= farther * cos(before[2]), farther * sin(before[2])
            return turned
    return None
