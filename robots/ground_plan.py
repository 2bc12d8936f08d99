"""The ground plan of a room: the footprints of its furniture as turned rectangles, and where they overlap.

Two convex shapes are apart if some axis separates them; for rectangles it is enough to try the axes of their sides. The
axis on which they overlap least is the shortest way to move one out of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import cos, hypot, sin
from typing import NamedTuple

from robots.furniture import SLAB, to_world
from semantics.geometry import PlanarPose
from semantics.layout import Furniture

__all__ = ["FloorPlan", "Overlap", "overlaps", "plan_of", "shift_apart"]

TOUCHING = 0.01
"""The largest overlap that counts as touching, in metres."""


class FloorPlan(NamedTuple):
    """A rectangle on the floor: its pose, and half its extents ahead and aside, in metres."""

    pose: PlanarPose
    ahead: float
    aside: float

    def corners(self) -> list[tuple[float, float]]:
        """Return the four corners."""
        return [to_world(self.pose, x * self.ahead, y * self.aside) for x in (-1, 1) for y in (-1, 1)]

    def axes(self) -> list[tuple[float, float]]:
        """Return the directions of its sides."""
        c, s = cos(self.pose.yaw), sin(self.pose.yaw)
        return [(c, s), (-s, c)]


class Overlap(NamedTuple):
    """Two pieces of furniture that overlap.

    Attributes:
        first: The first piece.
        second: The second piece.
        shift: The shortest way to move the second piece out of the first, in metres.
    """

    first: Furniture
    second: Furniture
    shift: tuple[float, float]

    @property
    def depth(self) -> float:
        """How far they overlap, in metres."""
        return hypot(*self.shift)


def plan_of(furniture: Furniture, margin: float = 0.0) -> FloorPlan:
    """Return the footprint of a piece of furniture, grown by a margin on every side."""
    return FloorPlan(furniture.pose, furniture.size[1] / 2 + margin, furniture.size[0] / 2 + margin)


def shift_apart(first: FloorPlan, second: FloorPlan) -> tuple[float, float] | None:
    """Return the shortest way to move the second rectangle out of the first; None if they are apart."""
    best: tuple[float, float] | None = None
    for x, y in (*first.axes(), *second.axes()):
        spans = [[x * a + y * b for a, b in plan.corners()] for plan in (first, second)]
        (low, high), (other_low, other_high) = ((min(span), max(span)) for span in spans)
        onward, back = high - other_low, other_high - low
        if min(onward, back) <= 0.0:
            return None
        distance = onward if onward <= back else -back
        if best is None or abs(distance) < hypot(*best):
            best = (x * distance, y * distance)
    return best


def overlaps(furniture: Iterator[Furniture] | tuple[Furniture, ...]) -> Iterator[Overlap]:
    """Yield the pairs of furniture that overlap by more than `TOUCHING`; walls may meet each other.

    A drawer is in its cabinet, and left out.
    """
    for first, second in combinations(furniture, 2):
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
    (low, high), (other_low, other_high) = _span(first), _span(second)
    return low < other_high and other_low < high


def _span(furniture: Furniture) -> tuple[float, float]:
    height = furniture.size[2]
    return (height - SLAB if furniture.model == "table" else 0.0, height)
