"""Boxes, poses and solids of files: the geometry that facts are computed from. Metres, radians, z up, world frame."""

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


@dataclass(frozen=True, slots=True)
class Front:
    """A leaf of a door, or a drawer, of a solid from a file: shut, in the frame of the solid."""

    name: str  # what the world calls it
    handle: Vector  # where the fingers close
    limit: float  # how far it opens: radians for a leaf, metres for a drawer
    parts: tuple[str, ...] = ()  # the parts of the file that move
    region: Box | None = None  # where the triangles are that move, for a file that names no parts
    hinge: tuple[float, float] | None = None  # where the upright hinge of a leaf is, x and y; None for a drawer
    inside: Box | None = None  # the space inside a drawer


@dataclass(frozen=True, slots=True)
class Mesh:
    """A solid that a file describes."""

    file: str  # path of the file
    scale: float = 1.0  # metres of one unit of the file
    up: str = "z"  # the axis of the file that points up: ``y`` or ``z``
    turn: float = 0.0  # rotation about the vertical after that, in radians, counter-clockwise as seen from above
    surfaces: tuple[Box, ...] = ()  # slabs on whose tops things stand, the lowest first, in the frame of the solid
    insides: tuple[Box, ...] = ()  # spaces into which things are put, the lowest first, in the frame of the solid
    doors: tuple[Front, ...] = ()  # the leaves of its door, which open and close as one
    drawers: tuple[Front, ...] = ()  # its drawers, the lowest first


def to_world(pose: PlanarPose, x: float, y: float) -> tuple[float, float]:
    """Transform the point (x, y) from the frame at `pose` into the world frame, in metres."""
    c, s = cos(pose.yaw), sin(pose.yaw)
    return pose.x + c * x - s * y, pose.y + s * x + c * y
