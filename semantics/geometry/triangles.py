"""`Triangles`: a surface of triangles, and the surfaces of boxes, cylinders and spheres."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from semantics.geometry.geometry import Box, Vector

SIDES = 24  # sides of a round solid


class Triangles(NamedTuple):
    """A surface of triangles."""

    points: tuple[Vector, ...]  # the corners, in metres
    faces: tuple[tuple[int, int, int], ...]  # the numbers of three corners each

    @property
    def box(self) -> Box:
        """Its bounds."""
        xs, ys, zs = zip(*self.points, strict=True)
        return Box((min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs)))

    @property
    def is_closed(self) -> bool:
        """Whether each edge belongs to two triangles, so that it encloses a volume."""
        edges = Counter(frozenset(pair) for a, b, c in self.faces for pair in ((a, b), (b, c), (c, a)))
        return all(count == 2 for count in edges.values())

    @property
    def volume(self) -> float:
        """The enclosed volume in cubic metres, of a closed surface."""
        return abs(sum(_signed_volume(*(self.points[index] for index in face)) for face in self.faces))

    def heights(self, x: float, y: float) -> list[float]:
        """Return the heights at which the vertical through a point meets it, the lowest first."""
        met = (_height(x, y, *(self.points[index] for index in face)) for face in self.faces)
        return sorted(height for height in met if height is not None)


class Part(NamedTuple):
    """A part of a file: its name, empty if it has none, and its surface."""

    name: str
    solid: Triangles


def joined(solids: Iterable[Triangles]) -> Triangles:
    """Return several surfaces as one; equal corners stay apart."""
    points: list[Vector] = []
    faces: list[tuple[int, int, int]] = []
    for solid in solids:
        faces += [(a + len(points), b + len(points), c + len(points)) for a, b, c in solid.faces]
        points += solid.points
    return Triangles(tuple(points), tuple(faces))


def _signed_volume(a: Vector, b: Vector, c: Vector) -> float:
    cross = (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0])
    return (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0


def _height(x: float, y: float, a: Vector, b: Vector, c: Vector) -> float | None:
    """Return the height of a triangle at a point; None beside it, and for an upright triangle."""
    whole = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    if abs(whole) < 1e-12:
        return None
    of_b = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / whole
    of_c = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / whole
    if min(of_b, of_c, 1.0 - of_b - of_c) < -1e-9:
        return None
    return a[2] + of_b * (b[2] - a[2]) + of_c * (c[2] - a[2])


def compact(found: Triangles) -> Triangles:
    """Return the same surface without corners that no triangle has, and with equal corners as one."""
    numbers: dict[Vector, int] = {}
    faces = []
    for face in found.faces:
        a, b, c = (numbers.setdefault(found.points[index], len(numbers)) for index in face)
        if len({a, b, c}) == 3:
            faces.append((a, b, c))
    return Triangles(tuple(numbers), tuple(faces))


def box_surface(low: Vector, high: Vector) -> Triangles:
    """Return the surface of a box."""
    points = tuple((x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2]))
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return Triangles(points, tuple(face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))))


def cylinder_surface(radius: float, length: float) -> Triangles:
    """Return the surface of a cylinder along z, around its centre."""
    half = length / 2.0
    return _revolved([(0.0, -half), (radius, -half), (radius, half), (0.0, half)])


def ball_surface(radius: float) -> Triangles:
    """Return the surface of a sphere around its centre."""
    angles = [math.pi * step / 12 - math.pi / 2 for step in range(13)]
    return _revolved([(radius * abs(math.cos(angle)), radius * math.sin(angle)) for angle in angles])


def _revolved(profile: list[tuple[float, float]]) -> Triangles:
    """Return the surface of a body of revolution about z, from radii and heights from below; it is closed there."""
    points: list[Vector] = []
    for distance, z in profile:
        radius = distance if distance > 1e-9 else 0.0
        angles = (2 * math.pi * side / SIDES for side in range(SIDES))
        points += [(radius * math.cos(angle), radius * math.sin(angle), z) for angle in angles]
    faces: list[tuple[int, int, int]] = []
    for ring in range(len(profile) - 1):
        for side in range(SIDES):
            a, b = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
            faces += [(a, b, a + SIDES), (b, b + SIDES, a + SIDES)]
    return compact(Triangles(tuple(points), tuple(faces)))
