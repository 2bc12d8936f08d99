"""Relations of things in space: one definition each, for sensing and for doing.

`holds` judges a relation on an `Arrangement`; the tolerances stand in docs/relations.md, and nowhere else but here.

A direction (left, right, in front, behind; the sides and corners of a surface) is said from a viewer with a heading:
*left* is a quarter turn counter-clockwise from it, *in front* is towards the viewer, *behind* away from the viewer.
Each relation with a direction has a twin that names its viewer as the last argument (`SEEN_FROM`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import atan2, cos, hypot, inf, pi, radians, sin
from typing import NamedTuple

from semantics.errors import known_name
from semantics.geometry.geometry import PlanarPose
from semantics.geometry.solids import Point, Solid, between_footprints, gap, height_gap, solid_distance, turn_between

CONTACT_HEIGHT = 0.01  # how far the underside of a thing may be from the top that it stands on, in metres
LEVEL = 0.05  # things whose undersides differ by no more are level, in metres
OVERLAP = 0.01  # how far two things that are side by side may overlap along the direction, in metres
DISTANCE = 0.01  # tolerance of a distance that was said, in metres
NEAR = 0.3  # the gap up to which things are near each other, in metres, sideways and in height
NEXT_TO = 0.1  # the gap up to which a thing is next to another, in metres
FLAT = 0.003  # what rises no more than this above the underside of two things does not stand between them, in metres
BETWEEN_FROM, BETWEEN_TO = 0.2, 0.8  # the part of the line between two things in which a third is between them
BETWEEN_OFF, BETWEEN_LEAST = 0.15, 0.02
"""How far it may be off this line: a share of the line's length, and at least so many metres."""
MIDDLE_SHARE, POINT = 0.1, 0.02  # how far from a middle or a point: a share of a surface's shorter side, and metres
EDGE_SHARE, EDGE_LEAST = 0.15, 0.08  # how far from an edge: a share of the side, and at least so many metres
STACK_OFF = 0.02  # how far the middles of things in a stack may be apart, in metres
ROW_SHARE, ROW_LEAST, ROW_SPACING = 0.05, 0.01, 2.0
"""How far off the line of a row: a share of its length, and at least so many metres; largest spacing by smallest."""
ALIGNED, ALIGNED_TURN = 0.01, radians(5.0)
"""How far the middles of aligned things may be apart along an axis, in metres, and their yaws, in radians."""
TOUCHING = 0.005  # the distance up to which solids touch, in metres
FACING = radians(15.0)  # how far a heading may be off the direction to what is faced, in radians
SQUARE = 1e-3  # a rectangle whose sides differ by no more is a square, in metres

DIRECTIONS: Mapping[str, float] = {"left": pi / 2, "right": -pi / 2, "front": pi, "behind": 0.0}
"""The turn from the viewer's heading to each direction, in radians."""
DIRECTED: Mapping[str, str] = {"left_of": "left", "right_of": "right", "in_front_of": "front", "behind": "behind"}
"""The relations to one side of a thing, each with its direction; a distance can be said of them."""
SIDES: Mapping[str, float] = {
    "left": pi / 2, "right": -pi / 2, "top": 0.0, "far": 0.0, "bottom": pi, "near": pi,
}  # fmt: skip
"""The turn from the viewer's heading to the outward direction of each side of a surface, in radians."""
SAID_PARTS: Mapping[str, tuple[str, str]] = {
    **{
        f"in_{far}_{side}_corner_of": ("in_corner_of", f"{far} {side}")
        for far in ("top", "bottom")
        for side in ("left", "right")
    },
    **{f"at_{side}_edge_of": ("at_edge_of", side) for side in ("left", "right", "top", "bottom")},
}
"""The relations that say which corner or edge is meant: the relation and its word."""
SEEN_FROM: Mapping[str, str] = {
    f"{relation}_seen_from": relation for relation in ("left_of", "right_of", "in_front_of", "behind", *SAID_PARTS)
}
"""The relations that name their viewer, and the relation that each is without."""
CORNERS: Mapping[str, tuple[str, str]] = {
    f"{far} {side}": (far, side) for far in ("top", "far", "bottom", "near") for side in ("left", "right")
}
"""The two sides that meet in each corner of a surface."""


@dataclass(frozen=True)
class Placed:
    """A thing as relations see it."""

    solid: Solid  # its outline
    # the solids that it is made of, where it has room below or within, as a table or a shelf; else empty
    parts: tuple[Solid, ...] = ()
    heading: float | None = None  # where its front looks, for agents and furniture
    inside: Solid | None = None  # the space in it into which things are put; None for what is no container

    @property
    def solids(self) -> tuple[Solid, ...]:
        """What it is made of."""
        return self.parts or (self.solid,)


@dataclass(frozen=True)
class Arrangement:
    """Where things are, and from where directions are said."""

    things: Mapping[str, Placed]  # each thing by name
    heading: float = 0.0  # heading of the viewer
    # heading of everybody and everything that can be named as the viewer: an agent's own, and of furniture that of who
    # stands at its front and faces it
    views: Mapping[str, float] = field(default_factory=dict)

    def solid(self, name: str) -> Solid:
        """Return the outline of a thing."""
        return self.things[name].solid

    def along(self, turn: float) -> Point:
        """Return the unit vector of a direction by its turn from the viewer's heading."""
        return cos(self.heading + turn), sin(self.heading + turn)

    def moved(self, name: str, solid: Solid) -> Arrangement:
        """Return the arrangement with one thing at another place."""
        return replace(self, things={**self.things, name: Placed(solid)})

    def seen_from(self, viewer: str) -> Arrangement:
        """Return the arrangement as another viewer sees it.

        Raises:
            UnknownNameError: It is not known where this viewer looks.
        """
        known_name("viewer", viewer, self.views)
        return replace(self, heading=self.views[viewer])


def viewing(persons: Sequence[PlanarPose], robot: PlanarPose | None) -> float:
    """Return the heading from which directions are said: that of the only person, else of the robot, else 0."""
    viewer = persons[0] if len(persons) == 1 else robot
    return 0.0 if viewer is None else viewer.yaw


Test = Callable[[Arrangement, Sequence[str], str], bool]


class SpatialRelation(NamedTuple):
    """One relation."""

    test: Test  # judges it: the arrangement, the names, and a word such as a corner (or empty)
    least: int = 2  # the least number of things
    most: float = 2  # the largest number of things
    words: tuple[str, ...] = ()  # the words that it takes, such as corners


def holds(relation: str, names: Sequence[str], arrangement: Arrangement, word: str = "") -> bool:
    """Return whether a relation holds.

    Args:
        relation: One of `RELATIONS`.
        names: The things, in the order of docs/relations.md.
        arrangement: Where things are.
        word: The corner or side that is meant; empty for any.

    Raises:
        UnknownNameError: There is no such relation, thing or word.
    """
    known_name("relation", relation, RELATIONS)
    meant = RELATIONS[relation]
    for name in names:
        known_name("thing", name, arrangement.things)
    if word:
        known_name(f"word of {relation}", word, meant.words)
    return len(set(names)) == len(names) and meant.test(arrangement, names, word)


def is_so(predicate: str, args: Sequence[str], arrangement: Arrangement, distance: float | None = None) -> bool:
    """Return whether a fact holds: of one of `RELATIONS`, `SAID_PARTS` or `SEEN_FROM`.

    A fact with a viewer of whom it is not known where they look does not hold.

    Args:
        predicate: The relation.
        args: The things, and after them the viewer if the relation names one.
        arrangement: Where things are.
        distance: For one of `DIRECTED`, the distance that it has to have, in metres from edge to edge; None for any.

    Raises:
        UnknownNameError: There is no such relation or thing.
    """
    if predicate in SEEN_FROM:
        *args, viewer = args
        if viewer not in arrangement.views:
            return False
        predicate, arrangement = SEEN_FROM[predicate], arrangement.seen_from(viewer)
    relation, word = SAID_PARTS.get(predicate, (predicate, ""))
    if distance is not None and not at_distance(arrangement, args[0], args[1], DIRECTED[relation], distance):
        return False
    return holds(relation, args, arrangement, word)


def at_distance(arrangement: Arrangement, first: str, second: str, direction: str, distance: float) -> bool:
    """Return whether a thing is so far on one side of another, in metres from edge to edge; see `DIRECTIONS`."""
    a, b = arrangement.solid(first), arrangement.solid(second)
    axis = arrangement.along(DIRECTIONS[direction])
    return _beside(a, b, axis) and abs(_space(a, b, axis) - distance) <= DISTANCE


def _level(*solids: Solid) -> bool:
    bottoms = [solid.bottom for solid in solids]
    return max(bottoms) - min(bottoms) <= LEVEL


def _offset(a: Solid, b: Solid, axis: Point) -> float:
    return (a.at[0] - b.at[0]) * axis[0] + (a.at[1] - b.at[1]) * axis[1]


def _space(a: Solid, b: Solid, axis: Point) -> float:
    """Return the space between the extents of two things along a direction; negative if they overlap."""
    return _offset(a, b, axis) - a.reach(axis) - b.reach(axis)


def _beside(a: Solid, b: Solid, axis: Point) -> bool:
    across = abs(_offset(a, b, (-axis[1], axis[0])))
    return _space(a, b, axis) >= -OVERLAP and across <= _offset(a, b, axis) and _level(a, b)


def _side(direction: str) -> Test:
    def test(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
        a, b = map(arrangement.solid, names)
        return _beside(a, b, arrangement.along(DIRECTIONS[direction]))

    return test


def _on(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a = arrangement.solid(names[0])
    tops = arrangement.things[names[1]].solids
    return any(abs(a.bottom - b.top) <= CONTACT_HEIGHT and b.covers(a.middle) for b in tops)


def _in(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a, b = map(arrangement.solid, names)
    rim = b.top - CONTACT_HEIGHT
    return b.is_open and b.covers(a.middle) and b.bottom - CONTACT_HEIGHT <= a.bottom <= rim


def _under(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a = arrangement.solid(names[0])
    over = arrangement.things[names[1]].solids
    beneath = any(b.covers(a.middle) and a.top <= b.bottom + CONTACT_HEIGHT for b in over)
    return beneath or _on(arrangement, names[::-1], "")


def _above(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a, b = map(arrangement.solid, names)
    return b.covers(a.middle) and a.bottom >= b.top - CONTACT_HEIGHT


def _near(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a, b = map(arrangement.solid, names)
    return gap(a, b) <= NEAR and height_gap(a, b) <= NEAR


def _next_to(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a, b = map(arrangement.solid, names)
    if gap(a, b) > NEXT_TO or not _level(a, b) or _carry(arrangement, names) or _carry(arrangement, names[::-1]):
        return False
    line, below = between_footprints(a, b), max(a.bottom, b.bottom) + FLAT
    return not any(
        _level(a, placed.solid, b) and placed.solid.top > below and _meets(placed.solid, line)
        for name, placed in arrangement.things.items()
        if name not in names and not _carried(arrangement, names[0], name)
    )


def _carried(arrangement: Arrangement, name: str, carrier: str) -> bool:
    return _on(arrangement, (name, carrier), "") or _in(arrangement, (name, carrier), "")


def _carry(arrangement: Arrangement, names: Sequence[str]) -> bool:
    return any(test(arrangement, names, "") for test in (_on, _in, _under))


def _meets(solid: Solid, line: tuple[Point, Point]) -> bool:
    """Return whether a line meets a footprint."""
    start, end = map(solid.own, line)
    if solid.is_round:
        return _from_line((0.0, 0.0), start, end) <= solid.radius
    low, high = 0.0, 1.0
    for begin, finish, half in zip(start, end, (solid.size[0] / 2, solid.size[1] / 2), strict=True):
        run = finish - begin
        if run == 0.0:
            if abs(begin) > half:
                return False
            continue
        near, far = sorted(((-half - begin) / run, (half - begin) / run))
        low, high = max(low, near), min(high, far)
    return low <= high


def _from_line(point: Point, start: Point, end: Point) -> float:
    """Return the distance of a point to the line from start to end."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0.0 if length == 0.0 else ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length
    share = min(max(share, 0.0), 1.0)
    return hypot(start[0] + share * dx - point[0], start[1] + share * dy - point[1])


def _between(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a, b, c = map(arrangement.solid, names)
    length = hypot(c.at[0] - b.at[0], c.at[1] - b.at[1])
    if length == 0.0 or not _level(a, b, c) or gap(a, b) == 0.0 or gap(a, c) == 0.0:
        return False
    axis = ((c.at[0] - b.at[0]) / length, (c.at[1] - b.at[1]) / length)
    off = abs(_offset(a, b, (-axis[1], axis[0])))
    share = _offset(a, b, axis) / length
    return BETWEEN_FROM <= share <= BETWEEN_TO and off <= max(BETWEEN_OFF * length, BETWEEN_LEAST)


def _in_middle_of(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a, surface = map(arrangement.solid, names)
    allowed = max(MIDDLE_SHARE * min(surface.size[:2]), POINT)
    return _on(arrangement, names, "") and hypot(a.at[0] - surface.at[0], a.at[1] - surface.at[1]) <= allowed


def outward_edge(arrangement: Arrangement, surface: Solid, word: str) -> tuple[Point, float]:
    """Return the outward direction of a side of a surface, and the extent of the surface along it, in metres."""
    (ux, uy), (vx, vy) = surface.axes
    x, y = arrangement.along(SIDES[word])
    outward = (((ux, uy), 0), ((-ux, -uy), 0), ((vx, vy), 1), ((-vx, -vy), 1))
    direction, at = max(outward, key=lambda edge: edge[0][0] * x + edge[0][1] * y)
    return direction, surface.size[at]


def _at_edges(arrangement: Arrangement, names: Sequence[str]) -> set[str]:
    """Return the sides at which a thing on a surface is."""
    a, surface = map(arrangement.solid, names)
    if surface.is_round or not _on(arrangement, names, ""):
        return set()
    edges = {word: outward_edge(arrangement, surface, word) for word in SIDES}
    return {
        word
        for word, (outward, side) in edges.items()
        if side / 2 - _offset(a, surface, outward) <= max(EDGE_SHARE * side, EDGE_LEAST)
    }


def _at_edge_of(arrangement: Arrangement, names: Sequence[str], word: str) -> bool:
    sides = _at_edges(arrangement, names)
    return word in sides if word else bool(sides)


def _in_corner_of(arrangement: Arrangement, names: Sequence[str], word: str) -> bool:
    sides = _at_edges(arrangement, names)
    return any(sides.issuperset(CORNERS[corner]) for corner in ((word,) if word else CORNERS))


def _stacked(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    def piled(lower: str, upper: str) -> bool:
        a, b = arrangement.solid(upper), arrangement.solid(lower)
        apart = hypot(a.at[0] - b.at[0], a.at[1] - b.at[1])
        return apart <= STACK_OFF and _on(arrangement, (upper, lower), "")

    return all(piled(lower, upper) for lower, upper in pairwise(names))


def _in_row(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    solids = [arrangement.solid(name) for name in names]
    middle, axis = _fitted([solid.middle for solid in solids])
    along = sorted(
        ((x - middle[0]) * axis[0] + (y - middle[1]) * axis[1], (x, y)) for x, y in (s.middle for s in solids)
    )
    off = max(abs((x - middle[0]) * axis[1] - (y - middle[1]) * axis[0]) for _, (x, y) in along)
    spaces = [hypot(q[0] - p[0], q[1] - p[1]) for (_, p), (_, q) in pairwise(along)]
    length = hypot(along[-1][1][0] - along[0][1][0], along[-1][1][1] - along[0][1][1])
    straight = off <= max(ROW_SHARE * length, ROW_LEAST)
    return straight and max(spaces) <= ROW_SPACING * min(spaces) and _level(*solids)


def _fitted(points: Sequence[Point]) -> tuple[Point, Point]:
    """Return the middle and the unit direction of the line that fits points best (total least squares)."""
    mx, my = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    xx = sum((x - mx) ** 2 for x, _ in points)
    yy = sum((y - my) ** 2 for _, y in points)
    xy = sum((x - mx) * (y - my) for x, y in points)
    angle = atan2(2 * xy, xx - yy) / 2
    return (mx, my), (cos(angle), sin(angle))


def _aligned(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    solids = [arrangement.solid(name) for name in names]
    boxes = [solid for solid in solids if not solid.is_round]
    if any(turn_between(box.yaw, boxes[0].yaw, _period(box, boxes[0])) > ALIGNED_TURN for box in boxes):
        return False
    axes = boxes[0].axes if boxes else solids[0].axes
    return any(all(abs(_offset(other, solids[0], axis)) <= ALIGNED for other in solids) for axis in axes)


def _period(*boxes: Solid) -> float:
    """Return the turn after which boxes look the same to each other."""
    return pi / 2 if any(abs(box.size[0] - box.size[1]) <= SQUARE for box in boxes) else pi


def _touching(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    first, second = (arrangement.things[name].solids for name in names)
    return min((solid_distance(a, b) for a in first for b in second), default=inf) <= TOUCHING


def _facing(arrangement: Arrangement, names: Sequence[str], _: str) -> bool:
    a, b = map(arrangement.solid, names)
    heading = arrangement.things[names[0]].heading
    return heading is not None and turn_between(atan2(b.at[1] - a.at[1], b.at[0] - a.at[0]), heading) <= FACING


RELATIONS: Mapping[str, SpatialRelation] = {
    "above": SpatialRelation(_above),
    "aligned": SpatialRelation(_aligned, most=inf),
    "at_edge_of": SpatialRelation(_at_edge_of, words=tuple(SIDES)),
    "behind": SpatialRelation(_side("behind")),
    "between": SpatialRelation(_between, 3, 3),
    "facing": SpatialRelation(_facing),
    "in": SpatialRelation(_in),
    "in_corner_of": SpatialRelation(_in_corner_of, words=tuple(CORNERS)),
    "in_front_of": SpatialRelation(_side("front")),
    "in_middle_of": SpatialRelation(_in_middle_of),
    "in_row": SpatialRelation(_in_row, 3, inf),
    "left_of": SpatialRelation(_side("left")),
    "near": SpatialRelation(_near),
    "next_to": SpatialRelation(_next_to),
    "on": SpatialRelation(_on),
    "right_of": SpatialRelation(_side("right")),
    "stacked": SpatialRelation(_stacked, most=inf),
    "touching": SpatialRelation(_touching),
    "under": SpatialRelation(_under),
}
"""The relations, by name; docs/relations.md says when each is true."""
