"""Turned rectangles on the floor, and the shortest way to move one out of another.

Two convex shapes are apart if some axis separates them; for rectangles it is enough to try the axes of their sides. The
axis on which they overlap least is the shortest way apart.
"""

from __future__ import annotations

from math import cos, hypot, sin
from typing import NamedTuple

from semantics.geometry.geometry import PlanarPose, to_world


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
