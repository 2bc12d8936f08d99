"""`places`: where to put a thing so that a relation holds, free of collisions and within reach.

Each relation proposes points of a region; a point counts only if `semantics.geometry.relations` says that the relation
holds there, so that what is done is what is sensed. The first place is the one that a person would choose; the others
are spread evenly over the region (Halton's sequence), and one seed gives one order.

Room in a container is its opening against a thing at a yaw, its height, and its floor against the contents. What is
said to have no room has none, since things may be put closer together than anybody would, and what is in an open
container may stick out of it. Lengths are metres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import cos, dist, hypot, pi, sin, sqrt
from typing import NamedTuple

from semantics.errors import known_name
from semantics.geometry.relations import (
    CONTACT_HEIGHT,
    CORNERS,
    DIRECTED,
    DIRECTIONS,
    EDGE_LEAST,
    EDGE_SHARE,
    MIDDLE_SHARE,
    NEAR,
    NEXT_TO,
    POINT,
    Arrangement,
    Placed,
    at_distance,
    holds,
    outward_edge,
)
from semantics.geometry.solids import Point, Solid, gap, height_gap

CLEARANCE = 0.01  # the gap that is left to everything else, in metres
INSIDE = 0.9  # the share of a tolerance that is used, so that a small error of a hand does not break the relation
SPREAD = 0.3  # how far away from a thing a place beside it may be, in metres
CONTACT_GAP = 0.002  # the gap to a thing that is to be touched, in metres
TRIES = 400  # the number of points that are looked at before it is said that there is no place


class WantedPlace(NamedTuple):
    """A relation that a placement is to make true."""

    relation: str  # one of `PLACEABLE`
    names: tuple[str, ...]  # the things in the order of the relation; the first one is placed, in a stack the last
    word: str = ""  # a corner or side; empty for any
    distance: float | None = None  # the distance from edge to edge, for a direction; None for any
    viewer: str = ""  # from whose view a direction is said; empty for the viewer of the arrangement

    @property
    def placed(self) -> str:
        """The thing that is placed."""
        return self.names[-1 if self.relation == "stacked" else 0]


class Place(NamedTuple):
    """Where a thing can be put: middle of its footprint, height of its underside, yaw, and what it stands on."""

    x: float
    y: float
    bottom: float
    yaw: float
    on: str


@dataclass(frozen=True, slots=True)
class _Task:
    """One search: what is wanted, of which thing, where, on what."""

    wanted: WantedPlace
    thing: Solid
    arrangement: Arrangement
    surface: Solid

    def other(self, at: int = 1) -> Solid:
        """Return one of the other things."""
        return self.arrangement.solid(self.wanted.names[at])

    @property
    def container(self) -> Placed | None:
        """What the thing is put into, if the space in it is known."""
        around = self.arrangement.things[self.wanted.names[1]] if self.wanted.relation == "in" else None
        return around if around is not None and around.inside is not None else None


Spot = tuple[float, float, float]
"""A proposed middle and yaw."""
Proposal = Callable[[_Task, float, float], Spot]
"""Takes two numbers from 0 to 1, of which (0.5, 0.5) is what a person would choose."""


def places(
    wanted: WantedPlace,
    arrangement: Arrangement,
    surfaces: Sequence[str],
    *,
    reachable: Callable[[Place], bool] = lambda _: True,
    seed: int = 0,
    tries: int = TRIES,
) -> Iterator[Place]:
    """Yield places for a thing at which a relation holds.

    Args:
        wanted: The relation.
        arrangement: Where things are; the placed thing is among them, wherever it is now.
        surfaces: What it may stand on, the best first.
        reachable: Whether a body can put it there.
        seed: Another number gives another order after the first place.
        tries: The points that are looked at on each surface.

    Raises:
        UnknownNameError: No such relation, thing, word or viewer.
    """
    known_name("relation that can be made", wanted.relation, PLACEABLE)
    if wanted.viewer:
        arrangement = arrangement.seen_from(wanted.viewer)
    thing = arrangement.solid(wanted.placed)
    for name in surfaces:
        for surface in _tops(arrangement, name, wanted):
            task = _Task(wanted, thing, arrangement, surface)
            # A direction of nobody's in particular is best one for who stands at the front of the furniture as well.
            is_open = wanted.relation in DIRECTED and not wanted.viewer and name in arrangement.views
            front = _Task(wanted, thing, arrangement.seen_from(name), surface) if is_open else task
            for also in (front, task) if is_open else (task,):
                for place in _tried(task, name, seed, tries):
                    if (also is task or _is_so(also, thing.moved(*place[:4]))) and reachable(place):
                        yield place


def _tops(arrangement: Arrangement, name: str, wanted: WantedPlace) -> Sequence[Solid]:
    known_name("thing", name, arrangement.things)
    placed = arrangement.things[name]
    if wanted.relation == "in":
        return (placed.inside or placed.solid,)
    return sorted(placed.solids, key=lambda solid: -solid.top)


def _tried(task: _Task, on: str, seed: int, tries: int) -> Iterator[Place]:
    found = False
    for place, put in _proposed(task, on, seed, tries):
        if _is_free(task, put, on) and _is_so(task, put):
            found = True
            yield place
    # What finds no place beside the contents of a container may lie on them.
    if not found and task.container is not None:
        needed, offered = _floor_of(task, task.container)
        yield from (place for place, _ in _proposed(task, on, seed, tries) if needed <= offered)


def _proposed(task: _Task, on: str, seed: int, tries: int) -> Iterator[tuple[Place, Solid]]:
    """Yield the points of a region where what is below carries a thing, or walls and ceiling leave it room."""
    propose, surface, container = PLACEABLE[task.wanted.relation], task.surface, task.container
    bottom = surface.top if task.wanted.relation != "in" else surface.bottom + (container is None) * CLEARANCE / 2
    if container is not None and is_too_high(task.thing, container):
        return
    for u, v in spread(seed, tries):
        x, y, yaw = propose(task, u, v)
        put = task.thing.moved(x, y, bottom, yaw)
        if stands(surface, put) if container is None else is_within(surface, put):
            yield Place(x, y, bottom, yaw, on), put


def _floor_of(task: _Task, container: Placed) -> tuple[float, float]:
    """Return the floor that a thing needs in a container beside its contents, and what there is, in square metres."""
    others = (placed for name, placed in task.arrangement.things.items() if name not in task.wanted.names)
    return floor_needed(task.thing, [placed.solid for placed in others if not placed.parts], container)


def why_too_tight(wanted: WantedPlace, arrangement: Arrangement) -> str:
    """Return why there is no place for a thing on or in another one, with the lengths; empty for other relations."""
    name, target = wanted.names[:2]
    thing, around = arrangement.solid(name), arrangement.things[target]
    wide, deep, high = (round(1000 * length) for length in thing.size)
    if wanted.relation == "on":
        return f"there is no free place of {wide} by {deep} mm for {name} on {target}"
    space = around.inside
    if wanted.relation != "in" or space is None:
        return ""
    task = _Task(wanted, thing, arrangement, space)
    if is_too_high(thing, around):
        return f"{name} is {high} mm high, the space in {target} is {1000 * space.size[2]:.0f} mm high"
    if next(_proposed(task, target, 0, TRIES), None) is None:
        opening = round(1000 * min(space.size[:2]))
        return f"{name} is {max(wide, deep)} mm long, the opening of {target} is {opening} mm wide"
    needed, offered = (1e4 * area for area in _floor_of(task, around))
    return f"{target} is full: its contents and {name} would cover {needed:.0f} cm², and it has {offered:.0f} cm²"


def spread(seed: int, count: int) -> Iterator[Point]:
    """Yield points of the unit square: its middle, then Halton's sequence, shifted by the seed."""
    yield 0.5, 0.5
    shift = (seed * 0.618034) % 1.0, (seed * 0.414214) % 1.0
    for number in range(1, count):
        yield (_halton(number, 2) + shift[0]) % 1.0, (_halton(number, 3) + shift[1]) % 1.0


def _halton(number: int, base: int) -> float:
    value, share = 0.0, 1.0
    while number:
        share /= base
        number, digit = divmod(number, base)
        value += share * digit
    return value


def stands(surface: Solid, put: Solid) -> bool:
    """Return whether what carries a thing is under it: all of it, or its middle where the carrier is smaller."""
    if surface.is_round:
        off = hypot(put.at[0] - surface.at[0], put.at[1] - surface.at[1])
        return off <= max(surface.radius - put.radius, 0.25 * surface.radius)
    sides = zip(map(abs, surface.own(put.middle)), surface.axes, surface.size[:2], strict=True)
    return all(offset <= max(side / 2 - put.reach(axis), side / 8) for offset, axis, side in sides)


def least_covered(thing: Solid, tops: Sequence[Solid]) -> float:
    """Return the area in square metres that a thing covers at least of one of these tops, wherever it stands there."""
    width = min(side for top in tops for side in top.size[:2])
    # The middle is 3/8 of the width from each edge, or the thing is all on the top: so this circle about it is.
    return pi * min(*thing.size[:2], 0.75 * width) ** 2 / 4


def _is_free(task: _Task, put: Solid, on: str) -> bool:
    least = 0.0 if task.wanted.relation == "touching" else CLEARANCE
    others = (placed for name, placed in task.arrangement.things.items() if name not in (task.wanted.placed, on))
    return all(
        hypot(solid.at[0] - put.at[0], solid.at[1] - put.at[1]) >= solid.radius + put.radius + least
        or height_gap(put, solid) != 0.0
        or is_clear(put, solid, least)
        for placed in others
        for solid in placed.solids
    )


def is_clear(put: Solid, solid: Solid, least: float) -> bool:
    """Return whether two things whose heights meet are apart; one that only stands on the other is."""
    if put.bottom >= solid.top - CLEARANCE / 2 or solid.bottom >= put.top - CLEARANCE / 2:
        return True
    space = gap(put, solid)
    return space >= least and space > 0.0


def _is_so(task: _Task, put: Solid) -> bool:
    wanted = task.wanted
    if task.container is not None:
        return True  # it is within the walls
    after = task.arrangement.moved(wanted.placed, put)
    if wanted.distance is not None:
        return at_distance(after, wanted.names[0], wanted.names[1], DIRECTED[wanted.relation], wanted.distance)
    return holds(wanted.relation, wanted.names, after, wanted.word)


def _shifted(start: Point, axis: Point, along: float, across: float = 0.0) -> Point:
    return start[0] + along * axis[0] - across * axis[1], start[1] + along * axis[1] + across * axis[0]


def _later(share: float) -> float:
    """Return a share counted from the middle, so that 0.5 is 0: what a person would choose is the least."""
    return (share - 0.5) % 1.0


def _on_side(turn: float) -> Proposal:
    def propose(task: _Task, u: float, v: float) -> Spot:
        other, axis, yaw = task.other(), task.arrangement.along(turn), task.thing.yaw
        least = task.thing.reach(axis) + other.reach(axis)
        wanted = task.wanted.distance
        along = least + 3 * CLEARANCE + SPREAD * _later(u) if wanted is None else least + wanted
        across = (2 * v - 1) * INSIDE * min(along, SPREAD)
        return *_shifted(other.middle, axis, along, across), yaw

    return propose


def _anywhere(task: _Task, u: float, v: float) -> Spot:
    """Propose a point of a surface, and every other time that the thing is turned by a quarter."""
    surface, thing = task.surface, task.thing.moved(*task.thing.at, task.thing.yaw + pi / 2 * (int(32 * v) % 2))
    sides = zip(surface.size[:2], surface.axes, strict=True)
    wide, deep = (max(side / 2 - thing.reach(axis), side / 8) for side, axis in sides)
    return *_shifted(surface.middle, surface.axes[0], (2 * u - 1) * wide, (2 * v - 1) * deep), thing.yaw


def _onto(task: _Task, u: float, v: float) -> Spot:
    """Propose a point near the middle of what a thing is stacked on."""
    far, turn = INSIDE * POINT * _later(u), 2 * pi * v
    below = task.surface
    return below.at[0] + far * cos(turn), below.at[1] + far * sin(turn), below.yaw


def _within(task: _Task, u: float, v: float) -> Spot:
    """Propose a point in a container, and a yaw: what is long may have room from corner to corner only."""
    space, yaw = task.surface, task.surface.yaw + pi * _later((u + v + 0.5) % 1.0)
    put = task.thing.moved(0.0, 0.0, 0.0, yaw)
    if space.is_round:
        far, turn = max(space.radius - put.radius - TO_WALL, 0.0) * sqrt(_later(u)), 2 * pi * v
        return space.at[0] + far * cos(turn), space.at[1] + far * sin(turn), yaw
    sides = zip(space.size[:2], space.axes, strict=True)
    wide, deep = (max(side / 2 - put.reach(axis) - TO_WALL, 0.0) for side, axis in sides)
    return *_shifted(space.middle, space.axes[0], (2 * u - 1) * wide, (2 * v - 1) * deep), yaw


def _below(task: _Task, u: float, v: float) -> Spot:
    over = task.other()
    x, y = (u - 0.5) * over.size[0] * INSIDE, (v - 0.5) * over.size[1] * INSIDE
    return *_shifted(over.middle, over.axes[0], x, y), task.thing.yaw


def _around(least: float, most: float) -> Proposal:
    """Propose points beside a thing with a gap from `least` to `most`, in metres."""

    def propose(task: _Task, u: float, v: float) -> Spot:
        other, thing = task.other(), task.thing
        space = least + (most - least) * _later(v)
        if other.is_round and thing.is_round:
            turn = 2 * pi * u
            far = other.radius + thing.radius + space
            return other.at[0] + far * cos(turn), other.at[1] + far * sin(turn), thing.yaw
        side, slide = divmod(4 * u, 1.0)
        axis = _turned(other.axes[0], side * pi / 2)
        turned = thing.moved(*thing.at, other.yaw)
        across = (2 * ((slide + 0.5) % 1.0) - 1) * other.reach((-axis[1], axis[0]))
        far = other.reach(axis) + turned.reach(axis) + space
        yaw = thing.yaw if thing.is_round else other.yaw
        return *_shifted(other.middle, axis, far, across * (not other.is_round)), yaw

    return propose


def _turned(axis: Point, angle: float) -> Point:
    c, s = cos(angle), sin(angle)
    return c * axis[0] - s * axis[1], s * axis[0] + c * axis[1]


def _amid(task: _Task, u: float, v: float) -> Spot:
    """Propose a point between two things."""
    first, second = task.other(1), task.other(2)
    dx, dy = second.at[0] - first.at[0], second.at[1] - first.at[1]
    length = hypot(dx, dy) or 1.0
    along, across = length * (0.5 + 0.3 * (2 * u - 1) * INSIDE), 0.15 * length * (2 * v - 1) * INSIDE
    return *_shifted(first.middle, (dx / length, dy / length), along, across), task.thing.yaw


def _central(task: _Task, u: float, v: float) -> Spot:
    surface = task.surface
    far = INSIDE * max(MIDDLE_SHARE * min(surface.size[:2]), POINT) * sqrt(_later(u))
    return surface.at[0] + far * cos(2 * pi * v), surface.at[1] + far * sin(2 * pi * v), task.thing.yaw


def _by_edges(task: _Task, sides: Sequence[str], u: float, v: float) -> Spot:
    """Propose a point near one side, or two that meet."""
    x, y = task.surface.middle
    shares = (u, v)
    for number, word in enumerate(sides):
        outward, side = outward_edge(task.arrangement, task.surface, word)
        most = INSIDE * max(EDGE_SHARE * side, EDGE_LEAST)
        least = min(task.thing.reach(outward) + CLEARANCE, most)
        from_edge = least + (most - least) * shares[number]
        x, y = _shifted((x, y), outward, side / 2 - from_edge)
    if len(sides) == 1:
        outward, _ = outward_edge(task.arrangement, task.surface, sides[0])
        along = (-outward[1], outward[0])
        room = max(task.surface.reach(along) - task.thing.reach(along) - CLEARANCE, 0.0)
        x, y = _shifted((x, y), along, (2 * v - 1) * room)
    return x, y, task.thing.yaw


def _cornered(task: _Task, u: float, v: float) -> Spot:
    if task.wanted.word:
        return _by_edges(task, CORNERS[task.wanted.word], u, v)
    corner, rest = divmod(4 * _later(u), 1.0)
    return _by_edges(task, _FOUR_CORNERS[int(corner)], rest, v)


def _edged(task: _Task, u: float, v: float) -> Spot:
    if task.wanted.word:
        return _by_edges(task, (task.wanted.word,), u, v)
    side, rest = divmod(4 * _later(u), 1.0)
    return _by_edges(task, (_FOUR_SIDES[int(side)],), rest, v)


_FOUR_SIDES = ("top", "left", "bottom", "right")
_FOUR_CORNERS = tuple(CORNERS[f"{far} {side}"] for far in ("top", "bottom") for side in ("left", "right"))


def _in_line(task: _Task, u: float, v: float) -> Spot:
    """Propose a point along an axis of the first other thing."""
    other = task.other()
    side, rest = divmod(4 * _later(u), 1.0)
    axis = _turned(other.axes[0], side * pi / 2)
    turned = task.thing.moved(*task.thing.at, other.yaw)
    along = other.reach(axis) + turned.reach(axis) + 3 * CLEARANCE + SPREAD * rest
    return *_shifted(other.middle, axis, along, 0.01 * (2 * v - 1) * INSIDE), other.yaw


def _rowed(task: _Task, u: float, v: float) -> Spot:
    """Propose a point that goes on with a row, or stands in its largest space."""
    points = [task.other(at).middle for at in range(1, len(task.wanted.names))]
    first, last = max(product(points, repeat=2), key=lambda pair: dist(*pair))
    length = dist(first, last) or 1.0
    axis = ((last[0] - first[0]) / length, (last[1] - first[1]) / length)
    along = sorted((x - first[0]) * axis[0] + (y - first[1]) * axis[1] for x, y in points)
    spaces = [(q - p, (p + q) / 2) for p, q in pairwise(along)]
    mean = length / len(spaces)
    options = (length + mean, -mean, max(spaces)[1])
    where, rest = divmod(3 * _later(u), 1.0)
    beside = 0.4 * mean * (rest if rest < 0.5 else rest - 1.0)
    return *_shifted(first, axis, options[int(where)] + beside), task.thing.yaw


PLACEABLE: Mapping[str, Proposal] = {
    "aligned": _in_line,
    "at_edge_of": _edged,
    "between": _amid,
    "in": _within,
    "in_corner_of": _cornered,
    "in_middle_of": _central,
    "in_row": _rowed,
    "near": _around(3 * CLEARANCE, INSIDE * NEAR),
    "next_to": _around(1.5 * CLEARANCE, INSIDE * NEXT_TO),
    "on": _anywhere,
    "stacked": _onto,
    "touching": _around(CONTACT_GAP, CONTACT_GAP),
    "under": _below,
    **{relation: _on_side(DIRECTIONS[direction]) for relation, direction in DIRECTED.items()},
}
"""How each relation that a placement can make true proposes points."""


TO_WALL = 0.005  # the gap that is left to the walls of a container
DENSEST = 0.9069  # the largest share of a floor that circles of one size cover
ROUNDING = 1e-9


def is_within(space: Solid, put: Solid) -> bool:
    """Return whether the walls around a space leave room for a thing."""
    if space.is_round:
        return hypot(*space.own(put.middle)) + put.radius <= space.radius - TO_WALL + ROUNDING
    sides = zip(map(abs, space.own(put.middle)), space.axes, space.size[:2], strict=True)
    return all(offset + put.reach(axis) <= side / 2 - TO_WALL + ROUNDING for offset, axis, side in sides)


def is_too_high(thing: Solid, container: Placed) -> bool:
    """Return whether a thing is higher than the space under a ceiling; it may stick out of what is open above."""
    space = container.inside or container.solid
    return space.top < container.solid.top - CONTACT_HEIGHT and thing.size[2] > space.size[2] + ROUNDING


def floor_needed(thing: Solid, others: Iterable[Solid], container: Placed) -> tuple[float, float]:
    """Return the floor that a thing and the contents of a container cover at least, and that which there is.

    Args:
        thing: The thing that is to be put into the container.
        others: Where other things are.
        container: The container; what is low can be put into it in several layers.

    Returns: Both in square metres.
    """
    space = container.inside or container.solid
    least, most = -CONTACT_HEIGHT, space.size[2] + CONTACT_HEIGHT
    over = (other for other in others if space.covers(other.middle))
    content = [thing, *(other for other in over if least <= other.bottom - space.bottom <= most)]
    layers = max(1, int(space.size[2] / max(each.size[2] for each in content)))
    return sum(map(_area, content)), layers * space.area


def _area(solid: Solid) -> float:
    """Return the least floor that a thing takes among others of its form."""
    return solid.area / (DENSEST if solid.is_round else 1.0)
