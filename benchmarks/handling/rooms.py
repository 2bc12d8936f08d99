"""Rooms and tasks of the trials: what stands where, and what is to be done with it. One seed gives one task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, hypot, pi, sin
from random import Random
from typing import NamedTuple

from benchmarks.handling.judge import TURNS, Wanted
from domains.reader import load_domain
from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart, Shape
from semantics.geometry.geometry import PlanarPose

__all__ = ["RELATION_TASKS", "Placement", "Task", "carry_task", "kitchen_shapes", "relation_task", "stack_task"]

KITCHEN = (
    Furniture("counter0", "counter", PlanarPose(0.0, 1.9, -pi / 2), (1.6, 0.6, 0.85)),
    Furniture("table0", "table", PlanarPose(1.9, 0.5, pi), (1.2, 0.6, 0.72)),
    Furniture("shelf0", "shelf", PlanarPose(-2.1, 0.0, 0.0), (1.0, 0.35, 1.2)),
)
SOURCES = ("counter0", "table0")
BROAD = 0.2
"""What is longer than this goes to the counter or the table, which are deep enough for it whichever way, in metres."""
BYSTANDERS = 2
"""How many things stand on the source and on the target beside the thing that is carried."""
APART, FROM_EDGE = 0.1, 0.02
"""The least gap of the circles around two things, for the fingers; and from the edge, in metres."""
TRIES = 200
"""How many spots are tried for a thing; where none is free, it is left out."""

TABLE = Furniture("table0", "table", PlanarPose(0.53, 0.0, pi), (0.72, 0.68, 0.72))
ARM = RobotStart("robot0", PlanarPose(0.0, 0.0), "panda-fixed")
REACH = (0.34, 0.74)
"""Distances from the arm at which things stand that it takes, in metres."""
CUBE = Shape("box", (0.04, 0.04, 0.04), 0.05)
BOWL = Shape("open-box", (0.17, 0.17, 0.04), 0.3)
SHAPES = (
    CUBE,
    Shape("box", (0.07, 0.05, 0.08), 0.15),
    Shape("box", (0.12, 0.03, 0.03), 0.1),
    Shape("cylinder", (0.06, 0.06, 0.10), 0.2),
    Shape("open-cylinder", (0.066, 0.066, 0.085), 0.18),
)
"""What things of the relations look like."""
PERSON_AWAY = 1.5
"""How far from the middle of the table a person stands, in metres."""
DISTANCES = (0.03, 0.12)
"""The least and the largest distance that is said, in metres."""
IN_THE_MIDDLE = 0.08
"""How far from the middle of the table a thing stands beside which another one is put, at most, in metres."""


class Placement(NamedTuple):
    """A thing that is taken from a place and put, with the roles and values that `put` or `insert` gets."""

    thing: str
    source: str
    target: str
    roles: Mapping[str, str] = {}
    values: Mapping[str, float] = {}
    primitive: str = "put"


@dataclass(frozen=True)
class Task:
    """What is to be done in a room.

    Attributes:
        layout: The room.
        placements: What is done, in order.
        wanted: What has to be true then.
    """

    layout: Layout
    placements: tuple[Placement, ...]
    wanted: Wanted


@cache
def kitchen_shapes() -> Mapping[str, Shape]:
    """Return the shapes of all classes of the kitchen that can be carried, by class."""
    classes = load_domain("kitchen").classes
    return {name: model.shape for name, model in classes.items() if model.shape and "carry" in model.affordances}


class _Spots:
    """Random spots on surfaces, apart from each other."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._taken: list[tuple[str, float, float, float]] = []

    def spot(self, surface: Furniture, shape: Shape) -> tuple[float, float] | None:
        """Return an offset from the middle of a surface at which a thing is clear of the others and of the edges.

        None if there was none among `TRIES`.
        """
        width, depth, _ = surface.size
        radius = _radius(shape)
        x_room, y_room = (max(side / 2 - radius - FROM_EDGE, 0.0) for side in (width, depth))
        others = [taken[1:] for taken in self._taken if taken[0] == surface.name]
        for _ in range(TRIES):
            x, y = self._random.uniform(-x_room, x_room), self._random.uniform(-y_room, y_room)
            if all(hypot(x - a, y - b) > radius + other + APART for a, b, other in others):
                self._taken.append((surface.name, x, y, radius))
                return x, y
        return None


def _radius(shape: Shape) -> float:
    return shape.size[0] / 2 if shape.form not in ("box", "open-box") else hypot(*shape.size[:2]) / 2


def carry_task(seed: int) -> Task:
    """Return a task in the kitchen: a thing of a random class goes from the table or counter to another surface."""
    random = Random(seed)
    shapes, spots = kitchen_shapes(), _Spots(random)
    shape = shapes[random.choice(sorted(shapes))]
    source = random.choice(SOURCES)
    targets = [
        item for item in KITCHEN if item.name != source and (_radius(shape) <= BROAD / 2 or item.name in SOURCES)
    ]
    target = random.choice(targets).name
    pieces = _piece(random, spots, "thing0", shape, source)
    for number in range(2 * BYSTANDERS):
        other = shapes[random.choice(sorted(shapes))]
        where = source if number < BYSTANDERS or target not in SOURCES else target
        pieces += _piece(random, spots, f"other{number}", other, where)
    start = RobotStart("robot0", PlanarPose(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), pi / 2))
    put = Placement("thing0", source, target)
    return Task(Layout(start, KITCHEN, tuple(pieces)), (put,), Wanted("on", ("thing0", target)))


def _piece(random: Random, spots: _Spots, name: str, shape: Shape, where: str) -> list[MovableObject]:
    spot = spots.spot(next(item for item in KITCHEN if item.name == where), shape)
    turn = random.uniform(-pi, pi)
    return [] if spot is None else [MovableObject(name, shape, "on", where, spot, yaw=turn)]


def stack_task(seed: int) -> Task:
    """Return a task at the table of the arm: three blocks at random poses become a stack."""
    random = Random(seed)
    pieces = _strewn(random, {f"block{number}": CUBE for number in range(3)}, 0.09)
    puts = tuple(Placement(f"block{number}", "table0", f"block{number - 1}") for number in (1, 2))
    return Task(Layout(ARM, (TABLE,), pieces), puts, Wanted("stacked", ("block0", "block1", "block2")))


def _strewn(
    random: Random, shapes: Mapping[str, Shape], apart: float, fixed: Sequence[MovableObject] = ()
) -> tuple[MovableObject, ...]:
    """Return things at random poses within the reach of the arm, after those that stand already."""
    pieces = list(fixed)
    for name, shape in shapes.items():
        while True:
            far, turn = random.uniform(*REACH), random.uniform(-0.6, 0.6)
            piece = _standing(name, shape, far * cos(turn), far * sin(turn), random.uniform(-pi, pi))
            others = ((other, _radius(shape) + _radius(other.shape)) for other in pieces)
            stands = all(
                abs(way) < side / 2 - _radius(shape) - FROM_EDGE
                for way, side in zip(piece.offset, TABLE.size[:2], strict=True)
            )
            if stands and all(hypot(*_way(piece, other)) > apart + radii for other, radii in others):
                pieces.append(piece)
                break
    return tuple(pieces)


def _standing(name: str, shape: Shape, x: float, y: float, yaw: float = 0.0) -> MovableObject:
    """Return a thing at a point of the world on the table, whose front looks at the arm."""
    return MovableObject(name, shape, "on", TABLE.name, (-y, TABLE.pose.x - x), yaw=yaw)


def _way(first: MovableObject, second: MovableObject) -> tuple[float, float]:
    return first.offset[0] - second.offset[0], first.offset[1] - second.offset[1]


class _Kind(NamedTuple):
    """A kind of task of a relation: the relation, what is said of it, and whether a distance is."""

    relation: str
    word: str = ""
    at_distance: bool = False


RELATION_TASKS: Mapping[str, _Kind] = {
    "on a surface": _Kind("on"),
    "on a thing": _Kind("on", "block0"),
    "in": _Kind("in"),
    **{relation: _Kind(relation) for relation in TURNS},
    **{f"{relation}, distance": _Kind(relation, at_distance=True) for relation in TURNS},
    "next_to": _Kind("next_to"),
    "between": _Kind("between"),
    "in_middle_of": _Kind("in_middle_of"),
    "in_corner_of": _Kind("in_corner_of"),
    "in_corner_of, named": _Kind("in_corner_of", "named"),
    "at_edge_of": _Kind("at_edge_of"),
    "at_edge_of, named": _Kind("at_edge_of", "named"),
    "stacked": _Kind("stacked"),
    "in_row": _Kind("in_row"),
}
"""The twenty relations of the trials, by name."""
CORNERS = ("top left", "top right", "bottom left", "bottom right")
EDGES = ("top", "bottom", "left", "right")


def relation_task(name: str, seed: int) -> Task:
    """Return a task at the table of the arm: a put, or several, after which a relation is to be true."""
    random = Random(f"{name} {seed}")
    kind = RELATION_TASKS[name]
    persons = (_person(random),) if random.random() < 0.5 else ()
    pieces, placements, wanted = _MAKERS[kind.relation](random, kind)
    return Task(Layout(ARM, (TABLE,), pieces, persons), placements, wanted)


def _person(random: Random) -> Person:
    """Return a person on a free side of the table, who looks about at its middle."""
    turn = random.uniform(-0.75 * pi, 0.75 * pi)
    x, y = TABLE.pose.x + PERSON_AWAY * cos(turn), PERSON_AWAY * sin(turn)
    return Person("human0", PlanarPose(x, y, turn + pi + random.uniform(-0.3, 0.3)))


_Made = tuple[tuple[MovableObject, ...], tuple[Placement, ...], Wanted]


def _shape(random: Random) -> Shape:
    return random.choice(SHAPES)


def _central(random: Random, name: str, shape: Shape) -> MovableObject:
    """Return a thing near the middle of the table, so that there is room on all its sides."""
    x, y = (random.uniform(-IN_THE_MIDDLE, IN_THE_MIDDLE) for _ in range(2))
    return _standing(name, shape, TABLE.pose.x + x, y, random.uniform(-pi, pi))


def _beside(random: Random, kind: _Kind) -> _Made:
    anchor = _central(random, "other0", _shape(random))
    pieces = _strewn(random, {"thing0": _shape(random)}, 0.12, [anchor])
    values = {"distance": round(random.uniform(*DISTANCES), 2)} if kind.at_distance else {}
    put = Placement("thing0", "table0", "table0", {kind.relation: "other0"}, values)
    return pieces, (put,), Wanted(kind.relation, ("thing0", "other0"), distance=values.get("distance"))


def _on(random: Random, kind: _Kind) -> _Made:
    below = kind.word or "table0"
    anchor = _central(random, "block0", CUBE)
    pieces = _strewn(random, {"thing0": CUBE if kind.word else _shape(random)}, 0.1, [anchor])
    return pieces, (Placement("thing0", "table0", below),), Wanted("on", ("thing0", below))


def _in(random: Random, _: _Kind) -> _Made:
    bowl = _central(random, "bowl0", BOWL)
    pieces = _strewn(random, {"thing0": random.choice(SHAPES[:2])}, 0.1, [bowl])
    put = Placement("thing0", "table0", "bowl0", primitive="insert")
    return pieces, (put,), Wanted("in", ("thing0", "bowl0"))


def _between(random: Random, _: _Kind) -> _Made:
    half, turn = random.uniform(0.11, 0.15), random.uniform(-pi, pi)
    ends = [
        _standing(f"other{n}", _shape(random), TABLE.pose.x + way * cos(turn), way * sin(turn), random.uniform(-pi, pi))
        for n, way in enumerate((half, -half))
    ]
    pieces = _strewn(random, {"thing0": _shape(random)}, 0.08, ends)
    put = Placement("thing0", "table0", "table0", {"between": "other0", "and": "other1"})
    return pieces, (put,), Wanted("between", ("thing0", "other0", "other1"))


def _at_part(random: Random, kind: _Kind) -> _Made:
    """Return a task for the middle, a corner or an edge of the table, with another thing somewhere on it."""
    words = CORNERS if kind.relation == "in_corner_of" else EDGES
    word = random.choice(words) if kind.word else ""
    role = kind.relation.replace("_corner", f"_{word.replace(' ', '_')}_corner") if word else kind.relation
    role = role.replace("at_edge", f"at_{word}_edge") if word else role
    middle = _standing("nothing", Shape("cylinder", (0.14, 0.14, 0.01)), TABLE.pose.x, 0.0)
    free = [middle] if kind.relation == "in_middle_of" else []
    strewn = _strewn(random, {"thing0": _shape(random), "other0": _shape(random)}, 0.1, free)
    pieces = tuple(piece for piece in strewn if piece is not middle)
    put = Placement("thing0", "table0", "table0", {role: "table0"})
    return pieces, (put,), Wanted(kind.relation, ("thing0", "table0"), word)


def _stacked(random: Random, _: _Kind) -> _Made:
    task = stack_task(random.randrange(10**6))
    return task.layout.pieces, task.placements, task.wanted


def _in_row(random: Random, _: _Kind) -> _Made:
    """Return a put to the right of a thing, and one in a row with both."""
    shapes = {f"thing{number}": random.choice(SHAPES[:2]) for number in (1, 2)}
    pieces = _strewn(random, shapes, 0.12, [_central(random, "thing0", CUBE)])
    puts = (
        Placement("thing1", "table0", "table0", {"right_of": "thing0"}, {"distance": 0.03}),
        Placement("thing2", "table0", "table0", {"in_row": "thing0", "and": "thing1"}),
    )
    return pieces, puts, Wanted("in_row", ("thing0", "thing1", "thing2"))


_MAKERS = {
    "on": _on,
    "in": _in,
    **dict.fromkeys((*TURNS, "next_to"), _beside),
    "between": _between,
    **dict.fromkeys(("in_middle_of", "in_corner_of", "at_edge_of"), _at_part),
    "stacked": _stacked,
    "in_row": _in_row,
}
