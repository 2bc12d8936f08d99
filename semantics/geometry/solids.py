"""`Solid`: an upright thing with its footprint, and the distances between such things. Pure geometry.

A footprint is the outline from above: a rectangle, turned by a yaw, or a circle. Metres, radians, z up, world frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import cos, hypot, inf, pi, sin

from semantics.geometry.geometry import Box, Vector

Point = tuple[float, float]
ROUND = ("cylinder", "open-cylinder", "sphere")
ALIKE = 1e-3  # shortest lines between two footprints that differ by less than this are as short, in metres
WALL = 0.005  # thickness of the floor of a bowl, as far as contacts go, in metres


@dataclass(frozen=True)
class Solid:
    """A thing as it stands in the world."""

    form: str  # a form of `semantics.body.layout.Shape`
    size: Vector  # extents along its own x and y, and its height; a round thing has its diameter twice
    at: Vector  # middle of its footprint, and the height of its underside
    yaw: float = 0.0  # rotation about the vertical

    @property
    def middle(self) -> Point:
        """The middle of its footprint."""
        return self.at[:2]

    @property
    def bottom(self) -> float:
        """The height of its underside."""
        return self.at[2]

    @property
    def top(self) -> float:
        """The height of its top."""
        return self.at[2] + self.size[2]

    @property
    def is_round(self) -> bool:
        """Whether its footprint is a circle."""
        return self.form in ROUND

    @property
    def is_open(self) -> bool:
        """Whether it is open above, as a bowl is."""
        return self.form.startswith("open-")

    @property
    def radius(self) -> float:
        """Radius of a round footprint; the radius around one that is a rectangle."""
        return self.size[0] / 2 if self.is_round else hypot(self.size[0], self.size[1]) / 2

    @property
    def area(self) -> float:
        """Area of its footprint."""
        return self.size[0] * self.size[1] * (pi / 4 if self.is_round else 1.0)

    @cached_property
    def axes(self) -> tuple[Point, Point]:
        """Unit vectors along its own x and y."""
        c, s = cos(self.yaw), sin(self.yaw)
        return (c, s), (-s, c)

    @cached_property
    def corners(self) -> tuple[Point, ...]:
        """Corners of a rectangular footprint, counter-clockwise; of the square around a circle."""
        (x, y), ((ux, uy), (vx, vy)) = self.middle, self.axes
        a, b = self.size[0] / 2, self.size[1] / 2
        signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        return tuple((x + i * a * ux + j * b * vx, y + i * a * uy + j * b * vy) for i, j in signs)

    def own(self, point: Point) -> Point:
        """Return a point in the frame of its middle and axes."""
        dx, dy = point[0] - self.at[0], point[1] - self.at[1]
        (ux, uy), (vx, vy) = self.axes
        return dx * ux + dy * uy, dx * vx + dy * vy

    def covers(self, point: Point, margin: float = 0.0) -> bool:
        """Return whether a point lies in the footprint, grown by `margin`."""
        x, y = self.own(point)
        if self.is_round:
            return hypot(x, y) <= self.radius + margin
        return abs(x) <= self.size[0] / 2 + margin and abs(y) <= self.size[1] / 2 + margin

    def reach(self, direction: Point) -> float:
        """Return how far its footprint goes from its middle along a unit vector."""
        if self.is_round:
            return self.radius
        (ux, uy), (vx, vy) = self.axes
        x, y = direction
        return abs(x * ux + y * uy) * self.size[0] / 2 + abs(x * vx + y * vy) * self.size[1] / 2

    def moved(self, x: float, y: float, bottom: float, yaw: float | None = None) -> Solid:
        """Return the same thing at another place."""
        return Solid(self.form, self.size, (x, y, bottom), self.yaw if yaw is None else yaw)


def solid_of(box: Box) -> Solid:
    """Return a box whose sides are along the axes of the world as a solid."""
    (x, y, _), (width, depth, height) = box.centre, box.size
    return Solid("box", (width, depth, height), (x, y, box.low[2]))


def gap(first: Solid, second: Solid) -> float:
    """Return the horizontal distance of two footprints; 0 if they overlap."""
    apart = hypot(first.at[0] - second.at[0], first.at[1] - second.at[1])
    if first.is_round and second.is_round:
        return max(apart - first.radius - second.radius, 0.0)
    if first.is_round or second.is_round:
        circle, rectangle = (first, second) if first.is_round else (second, first)
        return max(_outside(rectangle, circle.middle) - circle.radius, 0.0)
    return 0.0 if _overlap(first, second) else min(length for length, _, _ in _shortest(first, second))


def _outside(rectangle: Solid, point: Point) -> float:
    """Return the distance of a point to a rectangle; 0 inside."""
    x, y = rectangle.own(point)
    return hypot(max(abs(x) - rectangle.size[0] / 2, 0.0), max(abs(y) - rectangle.size[1] / 2, 0.0))


def _overlap(first: Solid, second: Solid) -> bool:
    """Return whether two rectangles overlap: no side of either parts them."""
    dx, dy = second.at[0] - first.at[0], second.at[1] - first.at[1]
    return all(
        abs(dx * x + dy * y) <= first.reach((x, y)) + second.reach((x, y)) for x, y in (*first.axes, *second.axes)
    )


def _shortest(first: Solid, second: Solid) -> Iterator[tuple[float, Point, Point]]:
    """Yield for each corner of either rectangle the line to the other one: length, start at `first`, end."""
    for corner in first.corners:
        near = _nearest(second, corner)
        yield hypot(near[0] - corner[0], near[1] - corner[1]), corner, near
    for corner in second.corners:
        near = _nearest(first, corner)
        yield hypot(near[0] - corner[0], near[1] - corner[1]), near, corner


def _nearest(solid: Solid, point: Point) -> Point:
    """Return the point of a footprint that is nearest to a point."""
    x, y = solid.own(point)
    if solid.is_round:
        share = min(1.0, solid.radius / (hypot(x, y) or inf))
        return solid.at[0] + share * (point[0] - solid.at[0]), solid.at[1] + share * (point[1] - solid.at[1])
    a, b = solid.size[0] / 2, solid.size[1] / 2
    x, y = min(max(x, -a), a), min(max(y, -b), b)
    (ux, uy), (vx, vy) = solid.axes
    return solid.at[0] + x * ux + y * vx, solid.at[1] + x * uy + y * vy


def between_footprints(first: Solid, second: Solid) -> tuple[Point, Point]:
    """Return the shortest line between two footprints; the middle one where sides are parallel."""
    if first.is_round:
        end = _nearest(second, first.middle)
        return _nearest(first, end), end
    if second.is_round:
        start = _nearest(first, second.middle)
        return start, _nearest(second, start)
    lines = sorted(_shortest(first, second))
    least = [line for line in lines if line[0] <= lines[0][0] + ALIKE]
    starts, ends = [line[1] for line in least], [line[2] for line in least]
    return _mean(starts), _mean(ends)


def _mean(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def height_gap(first: Solid, second: Solid) -> float:
    """Return the distance between the heights that two things take up; 0 if they overlap."""
    return max(first.bottom - second.top, second.bottom - first.top, 0.0)


def solid_distance(first: Solid, second: Solid) -> float:
    """Return the shortest distance of two solids; a thing in an open one is measured to its floor and walls."""
    for inner, outer in ((first, second), (second, first)):
        if outer.is_open and _is_inside(inner, outer):
            return max(min(inner.bottom - outer.bottom - WALL, _wall_gap(inner, outer)), 0.0)
    spheres = [solid for solid in (first, second) if solid.form == "sphere"]
    if not spheres:
        return hypot(gap(first, second), height_gap(first, second))
    radius = sum(sphere.radius for sphere in spheres)
    points = [_centre(solid) if solid.form == "sphere" else solid for solid in (first, second)]
    return max(hypot(gap(*points), height_gap(*points)) - radius, 0.0)


def _centre(sphere: Solid) -> Solid:
    x, y, bottom = sphere.at
    return Solid("cylinder", (0.0, 0.0, 0.0), (x, y, bottom + sphere.radius))


def _is_inside(inner: Solid, outer: Solid) -> bool:
    return (
        outer.covers(inner.middle) and outer.bottom - WALL <= inner.bottom < outer.top and _wall_gap(inner, outer) > 0
    )


def _wall_gap(inner: Solid, outer: Solid) -> float:
    """Return the distance of a thing to the walls of what it is in; negative if it juts out."""
    if outer.is_round:
        points = [inner.middle] if inner.is_round else list(inner.corners)
        furthest = max(hypot(x - outer.at[0], y - outer.at[1]) for x, y in points)
        return outer.radius - WALL - furthest - (inner.radius if inner.is_round else 0.0)
    x, y = map(abs, outer.own(inner.middle))
    along, across = (inner.reach(axis) for axis in outer.axes)
    return min(outer.size[0] / 2 - WALL - x - along, outer.size[1] / 2 - WALL - y - across)


def turn_between(first: float, second: float, period: float = 2 * pi) -> float:
    """Return the smallest angle between two headings that count as the same after each `period`."""
    difference = (first - second) % period
    return min(difference, period - difference)
