"""Boxes and poses: the geometry that facts are computed from. Metres, radians, z up, world frame."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Box", "PlanarPose", "Vector"]

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

    def contains(self, point: Vector, margin: float = 0.0) -> bool:
        """Return whether `point` lies inside the box grown by `margin` on every side."""
        return all(low - margin <= p <= high + margin for low, p, high in zip(self.low, point, self.high, strict=True))

    def above(self, point: Vector, margin: float = 0.0) -> bool:
        """Return whether `point` lies over the footprint of the box, grown by `margin`."""
        return all(
            low - margin <= p <= high + margin
            for low, p, high in zip(self.low[:2], point[:2], self.high[:2], strict=True)
        )


@dataclass(frozen=True, slots=True)
class PlanarPose:
    """A pose on the floor: metres, and a heading in radians counter-clockwise from the x axis."""

    x: float
    y: float
    yaw: float = 0.0
