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
    """A leaf of a door, or a drawer, of a solid from a file: shut, in the frame of the solid.

    Attributes:
        name: What the world calls it.
        handle: Where the fingers close.
        limit: How far it opens: radians for a leaf, metres for a drawer.
        parts: The parts of the file that move.
        region: Where the triangles are that move, for a file that names no parts.
        hinge: Where the upright hinge of a leaf is, x and y; None for a drawer.
        inside: The space inside a drawer.
    """

    name: str
    handle: Vector
    limit: float
    parts: tuple[str, ...] = ()
    region: Box | None = None
    hinge: tuple[float, float] | None = None
    inside: Box | None = None


@dataclass(frozen=True, slots=True)
class Mesh:
    """A solid that a file describes.

    Attributes:
        file: Path of the file.
        scale: Metres of one unit of the file.
        up: The axis of the file that points up: ``y`` or ``z``.
        turn: Rotation about the vertical after that, in radians, counter-clockwise as seen from above.
        surfaces: Slabs on whose tops things stand, the lowest first, in the frame of the solid.
        insides: Spaces into which things are put, the lowest first, in the frame of the solid.
        doors: The leaves of its door, which open and close as one.
        drawers: Its drawers, the lowest first.
    """

    file: str
    scale: float = 1.0
    up: str = "z"
    turn: float = 0.0
    surfaces: tuple[Box, ...] = ()
    insides: tuple[Box, ...] = ()
    doors: tuple[Front, ...] = ()
    drawers: tuple[Front, ...] = ()


def to_world(pose: PlanarPose, x: float, y: float) -> tuple[float, float]:
    """Transform the point (x, y) from the frame at `pose` into the world frame, in metres."""
    c, s = cos(pose.yaw), sin(pose.yaw)
    return pose.x + c * x - s * y, pose.y + s * x + c * y
