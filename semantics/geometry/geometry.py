"""Boxes and poses: the geometry that facts are computed from. Metres, radians, z up, world frame."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, sin

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-aligned box by its lowest and highest corner."""

    low: Vector
    high: Vector

    @property
    def centre(self) -> Vector:
        """Midpoint."""
        (a, b, c), (x, y, z) = self.low, self.high
        return ((a + x) / 2, (b + y) / 2, (c + z) / 2)

    @property
    def size(self) -> Vector:
        """Extent along x, y and z."""
        (a, b, c), (x, y, z) = self.low, self.high
        return (x - a, y - b, z - c)

    def distance(self, other: Box) -> float:
        """Return the distance between two boxes; 0 if they overlap."""
        corners = zip(self.low, self.high, other.low, other.high, strict=True)
        gaps = [max(low - other_high, other_low - high, 0.0) for low, high, other_low, other_high in corners]
        return hypot(*gaps)

    def contains(self, point: Vector, margin: float = 0.0) -> bool:
        """Return whether `point` lies inside the box grown by `margin` on every side."""
        low, high = self.low[2] - margin, self.high[2] + margin
        return low <= point[2] <= high and self.above(point, margin)

    def above(self, point: Vector, margin: float = 0.0) -> bool:
        """Return whether `point` lies over the footprint of the box, grown by `margin`."""
        (left, near, _), (right, far, _), (x, y, _) = self.low, self.high, point
        return left - margin <= x <= right + margin and near - margin <= y <= far + margin


@dataclass(frozen=True, slots=True)
class PlanarPose:
    """A pose on the floor: metres, and a heading in radians counter-clockwise from the x axis."""

    x: float
    y: float
    yaw: float = 0.0


def to_world(pose: PlanarPose, x: float, y: float) -> tuple[float, float]:
    """Transform the point (x, y) from the frame at `pose` into the world frame, in metres."""
    c, s = cos(pose.yaw), sin(pose.yaw)
    return pose.x + c * x - s * y, pose.y + s * x + c * y
