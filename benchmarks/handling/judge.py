"""A judge of relations, written from the table of ``docs/relations.md`` alone.

It looks at the true poses of the simulator and shares no code with what senses relations or chooses places. A footprint
is the convex outline of a thing from above as a row of corners; a circle is a polygon of many corners, so that each
question is asked of polygons only. Lengths in metres, angles in radians, z up, the frame of the world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, pi, radians, sin

import numpy as np
from numpy.typing import NDArray

__all__ = ["RELATION_VERDICTS", "Lying", "Top", "TrueScene", "Wanted", "fulfils"]

Array = NDArray[np.float64]
CORNERS_OF_A_CIRCLE = 90
ROUND = ("cylinder", "open-cylinder")
UPRIGHT = 0.99
"""Cosine of the tilt up to which a cylinder stands, so that its outline is a circle."""
LEVEL, OVERLAP, CONTACT = 0.05, 0.01, 0.01
DEGREES_OFF = 45.0
DISTANCE_ERROR = 0.01
BESIDE = 0.10
SLIGHT = 1e-4
"""Errors of the arithmetic that do not count, in metres."""
TURNS = {"behind": 0.0, "left_of": pi / 2, "in_front_of": pi, "right_of": -pi / 2}
"""The direction of each relation, counter-clockwise from where the viewer looks, in radians."""
SIDES = {"top": 0.0, "left": pi / 2, "bottom": pi, "right": -pi / 2}
"""The directions of the sides of a surface, likewise."""


@dataclass(frozen=True)
class Lying:
    """A movable thing as it lies.

    Attributes:
        form: The form of its shape.
        size: Its extents along its own axes.
        centre: The middle of its solid.
        axes: Its own axes as the columns of a matrix.
    """

    form: str
    size: tuple[float, float, float]
    centre: tuple[float, float, float]
    axes: Array

    @property
    def outline(self) -> Array:
        """Corners of its footprint, counter-clockwise, of shape (n, 2)."""
        stands = self.form in ROUND and abs(float(self.axes[2, 2])) > UPRIGHT
        if self.form == "sphere" or stands:
            angles = np.linspace(0.0, 2 * pi, CORNERS_OF_A_CIRCLE, endpoint=False)
            ring = np.column_stack([np.cos(angles), np.sin(angles)]) * self.size[0] / 2
            return np.asarray(ring + np.array(self.centre[:2]))
        return _hull(self._corners()[:, :2])

    def _corners(self) -> Array:
        signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
        return np.asarray(np.array(self.centre) + (signs * np.array(self.size) / 2) @ self.axes.T)

    @property
    def middle(self) -> Array:
        """The middle of its footprint, of shape (2,)."""
        return np.array(self.centre[:2])

    @property
    def bottom(self) -> float:
        """The height of its underside."""
        return self.centre[2] - self._half_height

    @property
    def top(self) -> float:
        """The height of its highest point."""
        return self.centre[2] + self._half_height

    @property
    def _half_height(self) -> float:
        if self.form == "sphere":
            return self.size[0] / 2
        return float(np.abs(self.axes[2]) @ np.array(self.size)) / 2

    @property
    def as_top(self) -> Top:
        """The top of an upright box as a surface."""
        return Top(*self.centre[:2], self.yaw, *self.size[:2], self.top)

    @property
    def yaw(self) -> float:
        """The direction of its x axis."""
        return float(np.arctan2(self.axes[1, 0], self.axes[0, 0]))


@dataclass(frozen=True)
class Top:
    """A level rectangle of furniture on which things stand: its middle, heading, depth along it, width and height."""

    x: float
    y: float
    yaw: float
    depth: float
    width: float
    height: float

    @property
    def outward(self) -> tuple[Array, ...]:
        """The outward directions of its four edges."""
        angles = [self.yaw + quarter * pi / 2 for quarter in range(4)]
        return tuple(np.array([cos(angle), sin(angle)]) for angle in angles)

    def side(self, edge: int) -> float:
        """Return the length of the side across which the distance from an edge is measured."""
        return self.width if edge % 2 else self.depth

    def inwards(self, point: Array, edge: int) -> float:
        """Return the distance of a point from an edge; negative outside."""
        return self.side(edge) / 2 - float((point - np.array([self.x, self.y])) @ self.outward[edge])

    def covers(self, point: Array) -> bool:
        """Return whether a point is over it."""
        return all(self.inwards(point, edge) >= 0.0 for edge in range(4))


@dataclass(frozen=True)
class TrueScene:
    """Where everything is.

    Attributes:
        things: The movable things.
        tops: The tops of each piece of furniture.
        heading: Where the viewer looks.
    """

    things: Mapping[str, Lying]
    tops: Mapping[str, tuple[Top, ...]]
    heading: float

    def level(self, *names: str) -> bool:
        """Return whether the undersides of things differ by at most 5 cm."""
        heights = [self.things[name].bottom for name in names]
        return max(heights) - min(heights) <= LEVEL

    def is_on(self, name: str, below: str) -> bool:
        """Return whether a thing is on another one or on furniture."""
        thing = self.things[name]
        if below in self.tops:
            return any(
                abs(thing.bottom - top.height) <= CONTACT and top.covers(thing.middle) for top in self.tops[below]
            )
        other = self.things[below]
        return abs(thing.bottom - other.top) <= CONTACT and _inside(thing.middle, other.outline)

    def is_in(self, name: str, container: str) -> bool:
        """Return whether a thing is in an open one."""
        thing, other = self.things[name], self.things[container]
        sunk = other.bottom <= thing.bottom <= other.top - CONTACT
        return other.form.startswith("open-") and sunk and _inside(thing.middle, other.outline)

    def top_below(self, name: str, surface: str) -> Top | None:
        """Return the top of furniture, or of a box, on which a thing is."""
        tops = self.tops[surface] if surface in self.tops else (self.things[surface].as_top,)
        return next((top for top in tops if _stands_on(self.things[name], top)), None)

    def toward(self, turn: float) -> Array:
        """Return a unit vector, turned counter-clockwise from where the viewer looks."""
        return np.array([cos(self.heading + turn), sin(self.heading + turn)])


@dataclass(frozen=True)
class Wanted:
    """A relation that is to be true: its name, the things in its order, a word of a side or corner, a distance."""

    relation: str
    names: tuple[str, ...]
    word: str = ""
    distance: float | None = None


def fulfils(wanted: Wanted, scene: TrueScene) -> bool:
    """Return whether a relation is true of a scene."""
    return RELATION_VERDICTS[wanted.relation](wanted, scene)


def _stands_on(thing: Lying, top: Top) -> bool:
    return abs(thing.bottom - top.height) <= CONTACT and top.covers(thing.middle)


def _hull(points: Array) -> Array:
    """Return the convex hull of points, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted({(round(float(x), 9), round(float(y), 9)) for x, y in points})
    halves: list[list[tuple[float, float]]] = []
    for row in (ordered, ordered[::-1]):
        half: list[tuple[float, float]] = []
        for point in row:
            while len(half) > 1 and _turns_right(half[-2], half[-1], point):
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return np.array(halves[0] + halves[1])


def _turns_right(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0.0


def _inside(point: Array, outline: Array) -> bool:
    edges = np.roll(outline, -1, axis=0) - outline
    away = point - outline
    return bool(np.all(edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0] >= -SLIGHT * np.hypot(*edges.T)))


def _overlap(first: Array, second: Array) -> bool:
    """Return whether two convex outlines overlap: the normal of no edge parts them."""
    for outline in (first, second):
        for edge in np.roll(outline, -1, axis=0) - outline:
            normal = np.array([edge[1], -edge[0]])
            a, b = first @ normal, second @ normal
            if a.max() <= b.min() or b.max() <= a.min():
                return False
    return True


def _nearest_on(outline: Array, point: Array) -> Array:
    """Return the point of the rim of an outline that is nearest to a point."""
    ends = np.roll(outline, -1, axis=0)
    edges = ends - outline
    shares = np.clip(np.sum((point - outline) * edges, axis=1) / np.sum(edges**2, axis=1), 0.0, 1.0)
    feet = outline + shares[:, None] * edges
    return np.asarray(feet[np.argmin(np.hypot(*(feet - point).T))])


def _shortest(first: Array, second: Array) -> tuple[float, Array, Array]:
    """Return the length and the ends of the shortest line between two outlines that do not overlap.

    Where sides are parallel many lines are as short; the middle one is returned.
    """
    lines = [(corner, _nearest_on(second, corner)) for corner in first]
    lines += [(_nearest_on(first, corner), corner) for corner in second]
    lengths = [hypot(*(b - a)) for a, b in lines]
    least = [line for line, length in zip(lines, lengths, strict=True) if length <= min(lengths) + 1e-3]
    return min(lengths), np.mean([a for a, _ in least], axis=0), np.mean([b for _, b in least], axis=0)


def _extent(outline: Array, direction: Array) -> tuple[float, float]:
    along = outline @ direction
    return float(along.min()), float(along.max())


def _on(wanted: Wanted, scene: TrueScene) -> bool:
    return scene.is_on(*wanted.names)


def _in(wanted: Wanted, scene: TrueScene) -> bool:
    return scene.is_in(*wanted.names)


def _directed(wanted: Wanted, scene: TrueScene) -> bool:
    """Return whether one thing lies in a direction from another one, and so far away if that is said."""
    first, second = (scene.things[name] for name in wanted.names)
    direction = scene.toward(TURNS[wanted.relation])
    way = first.middle - second.middle
    off = np.degrees(np.arccos(np.clip(way @ direction / np.hypot(*way), -1.0, 1.0)))
    space = _extent(first.outline, direction)[0] - _extent(second.outline, direction)[1]
    near_enough = wanted.distance is None or abs(space - wanted.distance) <= DISTANCE_ERROR
    return bool(space >= -OVERLAP and off <= DEGREES_OFF and scene.level(*wanted.names) and near_enough)


def _next_to(wanted: Wanted, scene: TrueScene) -> bool:
    name, other = wanted.names
    first, second = scene.things[name].outline, scene.things[other].outline
    if _overlap(first, second) or not scene.level(name, other):
        return False
    length, start, end = _shortest(first, second)
    if length > BESIDE or any(_one_carries(scene, a, b) for a, b in ((name, other), (other, name))):
        return False
    others = [third for third in scene.things if third not in wanted.names and scene.level(third, name, other)]
    return not any(_crosses(scene.things[third].outline, start, end) for third in others)


def _one_carries(scene: TrueScene, name: str, other: str) -> bool:
    return scene.is_on(name, other) or scene.is_in(name, other)


def _crosses(outline: Array, start: Array, end: Array) -> bool:
    return any(_inside(start + share * (end - start), outline) for share in np.linspace(0.0, 1.0, 50))


def _between(wanted: Wanted, scene: TrueScene) -> bool:
    thing, first, last = (scene.things[name] for name in wanted.names)
    way = last.middle - first.middle
    length = hypot(*way)
    along = float((thing.middle - first.middle) @ way) / length**2
    off = abs(float(way[0] * (thing.middle - first.middle)[1] - way[1] * (thing.middle - first.middle)[0])) / length
    clear = not any(_overlap(thing.outline, other.outline) for other in (first, last))
    return 0.2 <= along <= 0.8 and off <= max(0.15 * length, 0.02) and clear and scene.level(*wanted.names)


def _in_middle_of(wanted: Wanted, scene: TrueScene) -> bool:
    name, surface = wanted.names
    top = scene.top_below(name, surface)
    if top is None:
        return False
    x, y = scene.things[name].middle
    return hypot(x - top.x, y - top.y) <= max(0.1 * min(top.depth, top.width), 0.02)


def _meant(scene: TrueScene, top: Top, side: str) -> int:
    """Return the number of the edge whose outward direction is the nearest to that of a word."""
    direction = scene.toward(SIDES[side])
    return int(np.argmax([outward @ direction for outward in top.outward]))


def _is_near_edge(scene: TrueScene, top: Top, name: str, edge: int) -> bool:
    return top.inwards(scene.things[name].middle, edge) <= max(0.15 * top.side(edge), 0.08)


def _at_edges(wanted: Wanted, scene: TrueScene, groups: Sequence[tuple[int, ...]]) -> bool:
    """Return whether a thing is near every edge that was said, and near every edge of one of some groups."""
    name, surface = wanted.names
    top = scene.top_below(name, surface)
    if top is None:
        return False
    said = tuple(_meant(scene, top, side) for side in wanted.word.split())
    return any(all(_is_near_edge(scene, top, name, edge) for edge in (*said, *group)) for group in groups)


def _at_edge_of(wanted: Wanted, scene: TrueScene) -> bool:
    return _at_edges(wanted, scene, [(0,), (1,), (2,), (3,)])


def _in_corner_of(wanted: Wanted, scene: TrueScene) -> bool:
    return _at_edges(wanted, scene, [(0, 1), (1, 2), (2, 3), (3, 0)])


def _stacked(wanted: Wanted, scene: TrueScene) -> bool:
    return all(
        scene.is_on(above, below) and hypot(*(scene.things[above].middle - scene.things[below].middle)) <= 0.02
        for below, above in pairwise(wanted.names)
    )


def _in_row(wanted: Wanted, scene: TrueScene) -> bool:
    middles = np.array([scene.things[name].middle for name in wanted.names])
    centred = middles - middles.mean(axis=0)
    line = np.linalg.svd(centred)[2][0]
    along = np.sort(centred @ line)
    off = np.abs(centred @ np.array([-line[1], line[0]]))
    spacings = np.diff(along)
    straight = off.max() <= max(0.05 * (along[-1] - along[0]), 0.01)
    return bool(straight and spacings.max() <= 2 * spacings.min() and scene.level(*wanted.names))


def _aligned(wanted: Wanted, scene: TrueScene) -> bool:
    things = [scene.things[name] for name in wanted.names]
    boxes = [thing for thing in things if thing.form not in (*ROUND, "sphere")]
    turned = [_turn_between(boxes[0], box) for box in boxes[1:]]
    base = boxes[0].yaw if boxes else 0.0
    spreads = []
    for angle in (base, base + pi / 2):
        across = [float(thing.middle @ np.array([cos(angle), sin(angle)])) for thing in things]
        spreads.append(max(across) - min(across))
    return all(turn <= radians(5.0) for turn in turned) and min(spreads) <= 0.01


def _turn_between(first: Lying, second: Lying) -> float:
    """Return the smallest turn that makes two boxes parallel; a square looks the same after a quarter turn."""
    square = all(abs(box.size[0] - box.size[1]) < 1e-3 for box in (first, second))
    period = pi / 2 if square else pi
    turn = (first.yaw - second.yaw) % period
    return min(turn, period - turn)


RELATION_VERDICTS: Mapping[str, Callable[[Wanted, TrueScene], bool]] = {
    "on": _on,
    "in": _in,
    **dict.fromkeys(TURNS, _directed),
    "next_to": _next_to,
    "between": _between,
    "in_middle_of": _in_middle_of,
    "in_corner_of": _in_corner_of,
    "at_edge_of": _at_edge_of,
    "stacked": _stacked,
    "in_row": _in_row,
    "aligned": _aligned,
}
"""The test of each relation."""
