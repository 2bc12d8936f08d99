"""Points on the map of a scene, and what is reckoned with them: the geometry that programs are given.

Lengths are metres, in the frame of the scene. The map is the scene seen from above. A point may have a height z or
none; one without a height leaves the height of the other unchanged in a sum, and distances to it are measured on the
map.

Directions are said from a viewer, as in `semantics.geometry.relations`: the top, or north, is where the viewer looks.
Without a viewer the top is where the y axis of the scene points to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cos, hypot, pi, sin, tau

from semantics.errors import known_name
from semantics.geometry.geometry import Box


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A point, or the way from one point to another."""

    x: float  # to the right on the map
    y: float  # to the top of the map
    z: float | None = None  # up; None without a height

    @property
    def coordinates(self) -> tuple[float, ...]:
        """Return x and y, and z where it has one."""
        return (self.x, self.y) if self.z is None else (self.x, self.y, self.z)

    def __add__(self, other: MapPoint) -> MapPoint:
        heights = [z for z in (self.z, other.z) if z is not None]
        return MapPoint(self.x + other.x, self.y + other.y, sum(heights) if heights else None)

    def __sub__(self, other: MapPoint) -> MapPoint:
        z = None if self.z is None else self.z - (other.z or 0.0)
        return MapPoint(self.x - other.x, self.y - other.y, z)

    def __mul__(self, factor: float) -> MapPoint:
        return MapPoint(self.x * factor, self.y * factor, None if self.z is None else self.z * factor)

    def __str__(self) -> str:
        return f"({', '.join(f'{round(number, 4):g}' for number in self.coordinates)})"


NORTH = pi / 2  # the heading of who looks along the y axis of the scene, in radians
_SEEN: Mapping[str, float] = {
    "left": pi / 2, "right": -pi / 2, "top": 0.0, "bottom": pi,
    "west": pi / 2, "east": -pi / 2, "north": 0.0, "south": pi,
}  # fmt: skip
"""The turn from the viewer's heading to each direction, in radians."""
_UPRIGHT: Mapping[str, MapPoint] = {
    **dict.fromkeys(("up", "above"), MapPoint(0.0, 0.0, 1.0)),
    **dict.fromkeys(("down", "below"), MapPoint(0.0, 0.0, -1.0)),
}
DIRECTIONS: tuple[str, ...] = (*_SEEN, *_UPRIGHT)  # the names of the directions
SIDES: tuple[str, ...] = ("left", "right", "top", "bottom")  # the sides of a region
_EDGES = (MapPoint(1.0, 0.0), MapPoint(-1.0, 0.0), MapPoint(0.0, 1.0), MapPoint(0.0, -1.0))
CORNERS: tuple[str, ...] = ("top left", "top right", "bottom right", "bottom left")
"""The corners of a region, clockwise."""


def direction(name: str, heading: float = NORTH) -> MapPoint:
    """Return the way of one metre in a direction.

    Args:
        name: One of `DIRECTIONS`.
        heading: Where the viewer looks, in radians.

    Raises:
        UnknownNameError: There is no such direction.
    """
    known_name("direction", name, DIRECTIONS)
    if name in _UPRIGHT:
        return _UPRIGHT[name]
    turn = heading + _SEEN[name]
    return MapPoint(round(cos(turn), 12), round(sin(turn), 12))


def _way(one: MapPoint, other: MapPoint) -> MapPoint:
    """Return the way from one point to another; on the map if one of them has no height."""
    height = None if one.z is None or other.z is None else other.z - one.z
    return MapPoint(other.x - one.x, other.y - one.y, height)


def distance(one: MapPoint, other: MapPoint) -> float:
    """Return the metres between two points; on the map if one of them has no height."""
    return hypot(*_way(one, other).coordinates)


def offset(one: MapPoint, other: MapPoint, name: str, heading: float = NORTH) -> float:
    """Return how many metres a point lies from another in a direction; negative in the opposite direction.

    Raises:
        UnknownNameError: There is no such direction.
    """
    way, along = _way(other, one), direction(name, heading)
    return way.x * along.x + way.y * along.y + (way.z or 0.0) * (along.z or 0.0)


def between(one: MapPoint, other: MapPoint, share: float = 0.5) -> MapPoint:
    """Return the point at a share of the way from one to another: 0 is the first, 1 the second.

    It has a height if both have one.
    """
    way = _way(one, other)
    return MapPoint(one.x, one.y, None if way.z is None else one.z) + way * share


def toward(one: MapPoint, other: MapPoint, metres: float) -> MapPoint:
    """Return the point so many metres from one towards another; away from it if negative, the first if they are one."""
    far = distance(one, other)
    return between(one, other, metres / far) if far else one


def line(one: MapPoint, other: MapPoint, count: int) -> list[MapPoint]:
    """Return points at equal distances from one point to another, both included; the first alone for a count of 1."""
    return [between(one, other, number / max(count - 1, 1)) for number in range(count)]


def circle(centre: MapPoint, radius: float, count: int, heading: float = NORTH) -> list[MapPoint]:
    """Return points at equal distances on a level circle, counter-clockwise from the right."""
    turns = [heading + _SEEN["right"] + tau * number / count for number in range(count)]
    return [MapPoint(centre.x + radius * cos(turn), centre.y + radius * sin(turn), centre.z) for turn in turns]


def around(box: Box) -> MapPoint:
    """Return the middle of a box in space."""
    return MapPoint(*box.centre)


def top_of(box: Box) -> Box:
    """Return the upper face of a box: a region without height."""
    return Box((*box.low[:2], box.high[2]), box.high)


def middle(region: Box) -> MapPoint:
    """Return the middle of the upper face of a region."""
    return around(top_of(region))


def side(region: Box, name: str, inset: float = 0.0, heading: float = NORTH) -> MapPoint:
    """Return the middle of a side of the upper face of a region: the side that lies most in the direction.

    Args:
        region: The region.
        name: One of `SIDES`.
        inset: Distance from the edge, inwards.
        heading: Where the viewer looks, in radians.

    Raises:
        UnknownNameError: There is no such side.
    """
    known_name("side", name, SIDES)
    seen = direction(name, heading)
    way = max(_EDGES, key=lambda edge: edge.x * seen.x + edge.y * seen.y)
    half = MapPoint(region.size[0] / 2 - inset, region.size[1] / 2 - inset)
    return middle(region) + MapPoint(way.x * half.x, way.y * half.y)


def corner(region: Box, name: str, inset: float = 0.0, heading: float = NORTH) -> MapPoint:
    """Return a corner of the upper face of a region.

    Args:
        region: The region.
        name: One of `CORNERS`.
        inset: Distance from both edges, inwards.
        heading: Where the viewer looks, in radians.

    Raises:
        UnknownNameError: There is no such corner.
    """
    known_name("corner", name, CORNERS)
    centre = middle(region)
    one, other = (side(region, word, inset, heading) - centre for word in name.split())
    return centre + MapPoint(one.x + other.x, one.y + other.y)


def hull(boxes: Iterable[Box]) -> Box:
    """Return the smallest box that holds all of these, at least one."""
    lows, highs = zip(*((box.low, box.high) for box in boxes), strict=True)
    (x, y, z), (right, top, up) = map(min, zip(*lows, strict=True)), map(max, zip(*highs, strict=True))
    return Box((x, y, z), (right, top, up))
