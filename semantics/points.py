"""Points on the map of a scene, and what is reckoned with them: the geometry that programs are given.

Lengths are metres, in the frame of the scene. The map is the scene seen from above: y points to the top and x to the
right, unless a world says that another axis points to the top. A point may have a height z or none; one without a
height leaves the height of the other unchanged in a sum, and distances to it are measured on the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import atan2, cos, hypot, sin, tau

from semantics.errors import known_name
from semantics.geometry import Box

__all__ = [
    "CORNERS",
    "DIRECTIONS",
    "MAP_TOPS",
    "SIDES",
    "Directions",
    "MapPoint",
    "around",
    "between",
    "circle",
    "corner",
    "directions_of",
    "distance",
    "hull",
    "line",
    "middle",
    "offset",
    "side",
    "top_of",
    "toward",
]


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A point, or the way from one point to another.

    Attributes:
        x: Along the x axis of the scene.
        y: Along its y axis.
        z: Up; None without a height.
    """

    x: float
    y: float
    z: float | None = None

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


Directions = Mapping[str, MapPoint]
"""The names of directions, each with the way of one metre there."""
MAP_TOPS: Mapping[str, MapPoint] = {
    "y": MapPoint(0.0, 1.0),
    "x": MapPoint(1.0, 0.0),
    "-y": MapPoint(0.0, -1.0),
    "-x": MapPoint(-1.0, 0.0),
}
"""The axes of a scene that may point to the top of its map, by the name that a world gives them."""


@cache
def directions_of(axis: str) -> Directions:
    """Return the directions of a map whose top is where an axis of the scene points to.

    Args:
        axis: One of `MAP_TOPS`.

    Raises:
        UnknownNameError: There is no such axis.
    """
    known_name("axis", axis, MAP_TOPS)
    top = MAP_TOPS[axis]
    right = MapPoint(top.y, -top.x)
    left, bottom = (MapPoint(0.0 - way.x, 0.0 - way.y) for way in (right, top))
    return {
        "left": left,
        "right": right,
        "top": top,
        "bottom": bottom,
        "west": left,
        "east": right,
        "north": top,
        "south": bottom,
        **dict.fromkeys(("up", "above"), MapPoint(0.0, 0.0, 1.0)),
        **dict.fromkeys(("down", "below"), MapPoint(0.0, 0.0, -1.0)),
    }


DIRECTIONS: Directions = directions_of("y")
"""The directions of a map whose top is where the y axis of the scene points to."""
SIDES: tuple[str, ...] = ("left", "right", "top", "bottom")
"""The sides of a region."""
CORNERS: tuple[str, ...] = ("top left", "top right", "bottom right", "bottom left")
"""The corners of a region, clockwise."""


def _way(one: MapPoint, other: MapPoint) -> MapPoint:
    """Return the way from one point to another; on the map if one of them has no height."""
    height = None if one.z is None or other.z is None else other.z - one.z
    return MapPoint(other.x - one.x, other.y - one.y, height)


def distance(one: MapPoint, other: MapPoint) -> float:
    """Return the metres between two points; on the map if one of them has no height."""
    return hypot(*_way(one, other).coordinates)


def offset(one: MapPoint, other: MapPoint, direction: str, directions: Directions = DIRECTIONS) -> float:
    """Return how many metres a point lies from another in a direction; negative in the opposite direction.

    Raises:
        UnknownNameError: There is no such direction.
    """
    known_name("direction", direction, directions)
    way, along = _way(other, one), directions[direction]
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


def circle(centre: MapPoint, radius: float, count: int, directions: Directions = DIRECTIONS) -> list[MapPoint]:
    """Return points at equal distances on a level circle, counter-clockwise from the right."""
    right = directions["right"]
    first = atan2(right.y, right.x)
    turns = [first + tau * number / count for number in range(count)]
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


def side(region: Box, name: str, inset: float = 0.0, directions: Directions = DIRECTIONS) -> MapPoint:
    """Return the middle of a side of the upper face of a region.

    Args:
        region: The region.
        name: One of `SIDES`.
        inset: Distance from the edge, inwards.
        directions: The directions of the map.

    Raises:
        UnknownNameError: There is no such side.
    """
    known_name("side", name, SIDES)
    way = directions[name]
    half = MapPoint(region.size[0] / 2 - inset, region.size[1] / 2 - inset)
    return middle(region) + MapPoint(way.x * half.x, way.y * half.y)


def corner(region: Box, name: str, inset: float = 0.0, directions: Directions = DIRECTIONS) -> MapPoint:
    """Return a corner of the upper face of a region.

    Args:
        region: The region.
        name: One of `CORNERS`.
        inset: Distance from both edges, inwards.
        directions: The directions of the map.

    Raises:
        UnknownNameError: There is no such corner.
    """
    known_name("corner", name, CORNERS)
    centre = middle(region)
    upright, level = (side(region, word, inset, directions) for word in name.split())
    return MapPoint(upright.x + level.x - centre.x, upright.y + level.y - centre.y, centre.z)


def hull(boxes: Sequence[Box]) -> Box:
    """Return the smallest box that holds all of these, at least one."""
    lows: Iterable[tuple[float, ...]] = zip(*(box.low for box in boxes), strict=True)
    highs: Iterable[tuple[float, ...]] = zip(*(box.high for box in boxes), strict=True)
    (x, y, z), (right, top, up) = map(min, lows), map(max, highs)
    return Box((x, y, z), (right, top, up))
