"""The ground plan of a room: the footprints of its furniture, and where they overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import hypot
from typing import NamedTuple

from robots.furniture import AREA, SLAB, drawer_slot, fittings
from robots.leaves import Leaf, leaves_of, pull_of
from robots.limits import LEAST_DOOR_ANGLE, LEAST_DRAWER_OPENING
from semantics.body.layout import Furniture
from semantics.geometry.fronts import panel_box
from semantics.geometry.geometry import PlanarPose, to_world
from semantics.geometry.ground_plan import FloorPlan, shift_apart

TOUCHING = 0.01  # the largest overlap that counts as touching, in metres


class Overlap(NamedTuple):
    """Two pieces of furniture that overlap."""

    first: Furniture  # the first piece
    second: Furniture  # the second piece
    shift: tuple[float, float]  # the shortest way to move the second piece out of the first, in metres

    @property
    def depth(self) -> float:
        """How far they overlap, in metres."""
        return hypot(*self.shift)


def plan_of(furniture: Furniture, margin: float = 0.0) -> FloorPlan:
    """Return the footprint of a piece of furniture, grown by a margin on every side."""
    return FloorPlan(furniture.pose, furniture.size[1] / 2 + margin, furniture.size[0] / 2 + margin)


def overlaps(furniture: Iterator[Furniture] | tuple[Furniture, ...]) -> Iterator[Overlap]:
    """Yield the pairs of furniture that overlap by more than `TOUCHING`; walls may meet, areas are no solids.

    A drawer is in its cabinet, and left out.
    """
    solid = (item for item in furniture if item.model != AREA)
    for first, second in combinations(solid, 2):
        if (
            first.part_of
            or second.part_of
            or first.model == second.model == "wall"
            or not _at_one_height(first, second)
        ):
            continue
        shift = shift_apart(plan_of(first), plan_of(second))
        if shift is not None and hypot(*shift) > TOUCHING:
            yield Overlap(first, second, shift)


def _at_one_height(first: Furniture, second: Furniture) -> bool:
    """Return whether the bodies share a height; a table is only its top, so that a bin may stand below it."""
    (low, high), (other_low, other_high) = span(first), span(second)
    return low < other_high and other_low < high


def span(furniture: Furniture) -> tuple[float, float]:
    """Return the heights between which a piece is solid, in metres; of a table only its top counts."""
    height = furniture.size[2]
    return (height - SLAB if furniture.model == "table" else 0.0, height)


STEPS = 24  # how many positions of a door or drawer are compared with the furniture around


class Blocked(NamedTuple):
    """A door or drawer that something keeps from opening far enough."""

    item: Furniture  # the furniture with the door, or the drawer
    by: Furniture  # what is in the way
    opening: float  # how far it opens: radians for a door, metres for a drawer
    needed: float  # how far it has to open


def blocked_openings(furniture: Iterable[Furniture]) -> Iterator[Blocked]:
    """Yield the doors and drawers that other furniture keeps from opening, each with what it meets first."""
    items = [item for item in furniture if item.model != AREA]
    for item in items:
        others = [other for other in items if not other.part_of and other.name not in (item.name, item.part_of)]
        found = [met for way in _ways(item) if (met := _first_met(item, way, others)) is not None]
        if found:
            yield min(found, key=lambda met: met.opening)


class _Way(NamedTuple):
    """The way of a leaf or drawer: how far it has to go, what it covers on the way, and between which heights."""

    needed: float
    covers: tuple[tuple[float, FloorPlan], ...]
    heights: tuple[float, float]


def _ways(item: Furniture) -> Iterator[_Way]:
    if item.part_of:
        needed = LEAST_DRAWER_OPENING * fittings(item).travel
        covers = tuple((out, _drawer_at(item, out)) for out in _steps(needed))
        yield _Way(needed, covers, drawer_slot(item))
    for leaf in leaves_of(item):
        needed = min(LEAST_DOOR_ANGLE, leaf.limit)
        covers = tuple((angle, _leaf_at(item, leaf, angle)) for angle in _steps(needed))
        heights = (0.0, item.size[2])
        if item.mesh is not None and leaf.front is not None:
            box = panel_box(item.mesh, leaf.front)
            heights = (box.low[2], box.high[2])
        yield _Way(needed, covers, heights)


def _steps(needed: float) -> Iterator[float]:
    return (needed * number / STEPS for number in range(1, STEPS + 1))


def _leaf_at(item: Furniture, leaf: Leaf, angle: float) -> FloorPlan:
    along, out = leaf.width / 2, leaf.thickness / 2
    x, y = to_world(item.pose, *leaf.point(angle, along, out))
    return FloorPlan(PlanarPose(x, y, item.pose.yaw + leaf.side * angle), abs(out), along)


def _drawer_at(item: Furniture, out: float) -> FloorPlan:
    """Return what a drawer covers in front of its cabinet."""
    pull = pull_of(item)
    width, middle = item.size[0], 0.0
    if item.mesh is not None:
        box = panel_box(item.mesh, item.mesh.drawers[item.level])
        width, middle = box.size[1], box.centre[1]
    x, y = to_world(item.pose, pull.face + out / 2, middle)
    return FloorPlan(PlanarPose(x, y, item.pose.yaw), out / 2, width / 2)


def _first_met(item: Furniture, way: _Way, others: Iterable[Furniture]) -> Blocked | None:
    low, high = way.heights
    near = [other for other in others if span(other)[0] < high and low < span(other)[1]]
    before = 0.0
    for opening, cover in way.covers:
        for other in near:
            shift = shift_apart(cover, plan_of(other))
            if shift is not None and hypot(*shift) > TOUCHING:
                return Blocked(item, other, before, way.needed)
        before = opening
    return None
