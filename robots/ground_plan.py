"""The ground plan of a room: the footprints of its furniture, and where they overlap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import hypot
from typing import NamedTuple

from robots.furniture import AREA, SLAB
from semantics.body.layout import Furniture
from semantics.geometry.ground_plan import FloorPlan, shift_apart

TOUCHING = 0.01
"""The largest overlap that counts as touching, in metres."""


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
