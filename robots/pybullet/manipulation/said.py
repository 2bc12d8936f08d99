"""Placing at a point or in a region that was said, and turned as was said: the poses of the hand for it.

From above, the hand rolls to turn what it holds; otherwise it comes from another side. Of a thing that looks the same
after part of a turn, the nearest of the orientations that look alike is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, product
from math import atan2, cos, degrees, hypot, pi, radians
from typing import NamedTuple

import numpy as np

from robots.furniture import wrapped
from robots.placement import SaidPlace, Site, misplacement, said_spots
from robots.pybullet.manipulation.grasps import Matrix
from robots.pybullet.manipulation.hand import can_work
from robots.pybullet.manipulation.pick import roofed
from robots.pybullet.manipulation.reach import STEEP, Aim, Station
from robots.pybullet.manipulation.spots import LOWERED, Target, standing, targets
from robots.pybullet.motion import Failed
from robots.pybullet.rig import Rig
from semantics.body.layout import Shape
from semantics.geometry.geometry import Vector
from semantics.geometry.points import MapPoint
from semantics.geometry.solids import Solid
from semantics.logic.feedback import Code
from semantics.logic.place_value import PlaceValue, place_text

SIDEWAYS = (0.0, 0.4, -0.4, 0.8, -0.8)  # angles by which the hand may come from another side, in radians
WIDEST = 1.9  # the largest of them that is tried to turn a thing
LEVEL = 0.95  # cosine of the tilt up to which an axis counts as upright
AS_LOW = 0.002  # corners whose heights differ by less touch together, in metres
LEAST_SLOPE = 0.02  # the least slope of the end of a cylinder that counts
ON_FLOOR = 1.6  # the largest distance from the base at which a thing is put on the floor, in metres
MOST_TIPPED = 0.03
"""How far the middle of an object may move when it tips flat, in metres: it does not always tip as reckoned."""
TURNS = tuple(range(10, 190, 10))
"""How much more or less a thing may be turned than was said, in degrees, when that is not possible."""
MOST_OFF = 0.02  # the largest distance of a thing from the point that was said, in metres
MOST_SPOTS = 7  # the number of spots of a region that are tried for one orientation of the hand
MOST_SEEN = 40  # the number of spots among which an arm on a fixed base looks for those within its reach


HandTurn = tuple[float, float, float]
"""Azimuth, pitch and roll of the hand."""


class Holding(NamedTuple):
    """How a held object hangs for an orientation of the hand, and how it will stand."""

    offset: Vector  # the middle of the object relative to the fingertips, as it will be on the map once it stands
    low: float  # how far it extends below its middle while it hangs
    axes: Matrix  # its axes as columns, once it stands
    tips: float = 0.0  # how far its middle moves on the map when it is let go, in metres


def check_where(rig: Rig, name: str, target: str, said: SaidPlace) -> None:
    """Check that an object lies at the point that was said.

    Raises:
        Failed: It is farther from it than `MOST_OFF` (`effect-missing`).
    """
    if not isinstance(said.where, MapPoint):
        return
    x, y, _ = rig.world.box(name).centre
    off = hypot(x - said.where.x, y - said.where.y)
    if off > MOST_OFF:
        why = f"it came to rest {100 * off:.1f} cm from {place_text(said.where)}, at {place_text(MapPoint(x, y))}."
        raise Failed(Code.EFFECT_MISSING, target, why, (name,), "Take it up, and put it there again.")


def settled(offset: Vector, low: float, axes: Matrix, shape: Shape) -> Holding:
    """Return how an object stands that is let go where it touches the surface: it tips about what touches first.

    A hand that reaches far cannot point down, so what it took from above is tilted when it comes down.
    """
    if shape.form == "sphere":
        return Holding(offset, low, axes)
    upright = int(np.argmax(np.abs(axes[2])))
    flat = _tipped(axes, upright)
    x, y, _ = (flat - axes) @ -_touching(axes, shape, upright)
    return Holding((offset[0] + float(x), offset[1] + float(y), offset[2]), low, flat, hypot(x, y))


def _tipped(axes: Matrix, upright: int) -> Matrix:
    """Return axes that are turned by the smallest angle with which one of them is vertical."""
    up = np.array([0.0, 0.0, np.sign(axes[2, upright])])
    start = axes[:, upright]
    normal, c = np.cross(start, up), float(start @ up)
    cross = np.array([[0.0, -normal[2], normal[1]], [normal[2], 0.0, -normal[0]], [-normal[1], normal[0], 0.0]])
    turned: Matrix = (np.eye(3) + cross + cross @ cross / (1.0 + c)) @ axes
    return turned


def _touching(axes: Matrix, shape: Shape, upright: int) -> Matrix:
    """Return the point of an object that touches first when it is lowered, in its own frame; the mean of several."""
    half = np.array(shape.size) / 2
    if shape.is_cylinder and upright == 2:
        slope = axes[2].copy()
        slope[2] = 0.0
        steep = float(np.linalg.norm(slope))
        rim = -half[0] * slope / steep if steep > LEAST_SLOPE else np.zeros(3)
        point: Matrix = rim + np.array([0.0, 0.0, -half[2] * np.sign(axes[2, 2])])
        return point
    corners = half * np.array(list(product((-1.0, 1.0), repeat=3)))
    heights = corners @ axes[2]
    mean: Matrix = corners[heights <= heights.min() + AS_LOW].mean(axis=0)
    return mean


class SaidTask:
    """A placement of the held object where, or turned as, was said.

    Args:
        rig: The robot, which holds something.
        where: The station.
        target: What it is placed on or in.
        relation: ``on`` or ``in``.
        said: What was said.
        hold: Returns how the object hangs for an azimuth, a pitch and a roll of the hand.
        turns: Pitches and rolls for placing, the best first, for a place with a roof and one without.
    """

    def __init__(
        self,
        rig: Rig,
        where: Station,
        target: str,
        relation: str,
        said: SaidPlace,
        hold: Callable[[float, float, float], Holding],
        turns: Callable[[bool], list[tuple[float, float]]],
    ) -> None:
        assert rig.grip is not None
        self._rig = rig
        self._where = where
        self._target = target
        self._said = said
        self._hold = hold
        self._turns = turns
        self._shape = rig.world.shapes[rig.grip.name]
        self._regions = targets(rig.world, target, relation) or _floor(rig)
        self._site = Site(target, tuple(map(_surface, self._regions)), _others(rig, target))
        self._place: PlaceValue = said.where if said.where is not None else self._site.everywhere

    def aims(self) -> Iterator[tuple[Aim, bool]]:
        """Yield poses of the fingertips that hold the object over a spot, and whether the spot has a roof."""
        for azimuth, phi, roll in self._steady(self._orientations(self._said.turn)):
            for put, drop in self._spots(azimuth, phi, roll):
                yield self._aim(put, drop, azimuth, phi, roll), roofed(self._rig, self._target, put.bottom)

    def _spots(self, azimuth: float, phi: float, roll: float) -> Iterator[tuple[Solid, float]]:
        thing, way = self._thing(azimuth, phi, roll), (azimuth, phi, roll)
        spots = list(islice(said_spots(self._place, thing, self._site), MOST_SEEN))
        if not self._rig.description.moves:  # it cannot come nearer
            spots = [put for put in spots if self._can(put, way)] or spots
        for put in spots[:MOST_SPOTS]:
            region = min(self._regions, key=lambda region: abs(region.top - put.bottom))
            yield from ((put, drop) for drop in region.drops)

    def _aim(self, put: Solid, drop: float, azimuth: float, phi: float, roll: float) -> Aim:
        offset, low, *_ = self._hold(azimuth, phi, roll)
        (x, y, z), (dx, dy, dz) = put.at, offset
        return Aim((x - dx, y - dy, z + low + drop - dz), azimuth, phi, roll, min(drop, LOWERED))

    def _steady(self, ways: Iterable[HandTurn]) -> Iterator[HandTurn]:
        """Yield those orientations of the hand in which the object does not tip far when it is let go."""
        return (way for way in ways if self._hold(*way).tips <= MOST_TIPPED)

    def _orientations(self, turn: float | None) -> Iterator[HandTurn]:
        """Yield azimuth, pitch and roll of the hand, with the object turned so."""
        facing = self._facing()
        roof = all(roofed(self._rig, self._target, region.top) for region in self._regions)
        for phi, roll in self._turns(roof):
            if turn is None:
                yield from ((facing + side, phi, roll) for side in SIDEWAYS)
            else:
                yield from self._turned(facing, phi, roll, turn)

    def _turned(self, facing: float, phi: float, roll: float, turn: float) -> Iterator[HandTurn]:
        """Yield the orientations of the hand that turn the object so, the least detour first."""
        period = self._period(self._hold(facing, phi, roll).axes)
        if period == 0.0:
            yield from ((facing + side, phi, roll) for side in SIDEWAYS)
            return
        if phi >= STEEP:
            for azimuth in (facing + side for side in SIDEWAYS):
                missing = turn - _yaw(self._hold(azimuth, phi, roll).axes)
                equal = sorted((wrapped(roll - missing - number * period) for number in range(_count(period))), key=abs)
                yield from ((azimuth, phi, rolled) for rolled in equal)
        missing = turn - _yaw(self._hold(facing, phi, roll).axes)
        sides = sorted((wrapped(missing + number * period) for number in range(_count(period))), key=abs)
        yield from ((facing + side, phi, roll) for side in sides if abs(side) <= WIDEST)

    def _period(self, axes: Matrix) -> float:
        """Return after which turn the object looks the same, in radians; 0 if any turn does."""
        size, upright = self._shape.size, abs(axes[2, 2]) > LEVEL
        if self._shape.form == "sphere" or (self._shape.is_cylinder and upright):
            return 0.0
        return pi / 2 if upright and abs(size[0] - size[1]) < 0.001 else pi

    def _facing(self) -> float:
        if self._rig.description.moves and self._where.stand is not None:
            return self._where.stand.yaw
        base, point = self._rig.chassis.base(), self._middle()
        return atan2(point.y - base.y, point.x - base.x)

    def _middle(self) -> MapPoint:
        if isinstance(self._place, MapPoint):
            return self._place
        x, y, _ = self._place.centre
        return MapPoint(x, y)

    def _thing(self, azimuth: float, phi: float, roll: float) -> Solid:
        """Return the object as it would stand, at no place yet."""
        axes, size, form = self._hold(azimuth, phi, roll).axes, self._shape.size, self._shape.form
        if form == "sphere" or abs(axes[2, 2]) > LEVEL:
            return Solid(form, size, (0.0, 0.0, 0.0), _yaw(axes))
        across, along = (1, 0) if abs(axes[2, 0]) < LEVEL else (2, 1)
        yaw = atan2(axes[1, along], axes[0, along])
        high = next(axis for axis in (2, 1, 0) if axis not in (along, across))
        return Solid("box", (size[along], size[across], size[high]), (0.0, 0.0, 0.0), yaw)

    def full(self) -> Failed:
        """Return the failure where the object cannot stand, or no orientation of the hand puts it there."""
        thing = self._any_thing()
        if next(said_spots(self._place, thing, self._site), None) is not None:
            why = f"{self._rig.held} is held so that it would tip over when it is let go there."
            how = self._nearest_turn() or "Choose a place that is nearer, or take it up in another way."
            return Failed(Code.OUT_OF_REACH, self._target, why, (self._target,), how)
        wrong = misplacement(self._place, thing, self._site, self._reachable)
        return Failed(wrong.code, self._target, wrong.why, wrong.culprits, wrong.how)

    def with_nearest(self, failed: Failed) -> Failed:
        """Return the failure to reach a place with the nearest free point that is in reach."""
        feedback = failed.feedback
        wrong = misplacement(self._place, self._any_thing(), self._site, self._reachable)
        if feedback.code not in (Code.OUT_OF_REACH, Code.OBSTRUCTED) or feedback.how == wrong.how:
            return failed
        how = self._nearest_turn() or f"{wrong.how} {feedback.how}"
        return Failed(feedback.code, feedback.what, feedback.why, feedback.culprits, how)

    def _nearest_turn(self) -> str:
        """Return the suggestion of the nearest turn with which the place can be reached; empty if there is none."""
        if self._said.turn is None:
            return ""
        for step in (sign * step for step in TURNS for sign in (1, -1)):
            turn = self._said.turn + radians(step)
            ways = self._steady(self._orientations(turn))
            spots = ((put, way) for way in ways for put in said_spots(self._place, self._thing(*way), self._site))
            if any(self._can(put, way) for put, way in spots):
                return f"The nearest turn with which it can be put there is {degrees(wrapped(turn)):.0f}deg."
        return ""

    def _any_thing(self) -> Solid:
        return self._thing(*next(self._orientations(self._said.turn), (self._facing(), STEEP, 0.0)))

    def _reachable(self, put: Solid) -> bool:
        """Return whether some posture holds the object there, without a look at what is in the way."""
        return any(self._can(put, way) for way in self._steady(self._orientations(self._said.turn)))

    def _can(self, put: Solid, way: HandTurn) -> bool:
        """Return whether some posture holds the object there, in an orientation of the hand."""
        return can_work(self._rig, self._aim(put, 0.02, *way), self._where)


def _yaw(axes: Matrix) -> float:
    """Return the yaw of an object with these axes: that of its x axis, or of its y axis where x is upright."""
    along = 0 if abs(axes[2, 0]) < LEVEL else 1
    return atan2(axes[1, along], axes[0, along])


def _count(period: float) -> int:
    return round(2 * pi / period)


def _surface(region: Target) -> Solid:
    return Solid("box", (2 * region.ahead, 2 * region.aside, 0.0), (region.x, region.y, region.top), region.yaw)


def _floor(rig: Rig) -> list[Target]:
    base = rig.chassis.base()
    return [Target(base.x, base.y, base.yaw, ON_FLOOR * cos(pi / 4), ON_FLOOR * cos(pi / 4), 0.0)]


def _others(rig: Rig, target: str) -> Mapping[str, Solid]:
    """Return the things that take room: all but the held one, the target, and the bowl or tray that it is in."""
    solids = {name: standing(rig.world, name) for name in rig.world.shapes if name != rig.held}
    own = solids.pop(target, None)
    if own is None:
        return solids
    return {name: solid for name, solid in solids.items() if not (solid.is_open and solid.covers(own.middle))}
