"""Solids from files: `semantics.layout.Mesh` says which file, and how it is turned.

The formats are OBJ, STL (of text and binary) and URDF, of whose links the collision shapes count, with every joint at
zero. The triangles of every format are returned in the frame of `robots.furniture`: metres, z up, x towards the front,
the origin on the floor at the centre of the footprint.
"""

from __future__ import annotations

import math
import struct
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from semantics.errors import MeshError
from semantics.geometry import Vector
from semantics.layout import Mesh
from semantics.reading import read_bounded
from semantics.triangles import Triangles, compact
from semantics.urdf import solids_of

__all__ = ["ENDINGS", "parsed_mesh", "triangles"]

ENDINGS: Final = (".obj", ".stl", ".urdf")
MOST_BYTES: Final = 30_000_000
MOST_TRIANGLES: Final = 40_000
"""More would make each test for a collision slow."""


def triangles(mesh: Mesh) -> Triangles:
    """Return the triangles of a solid in its own frame.

    Raises:
        MeshError: The file cannot be read, or is no mesh.
    """
    return _placed(mesh.file, mesh.scale, mesh.up, mesh.turn)


@lru_cache(maxsize=64)
def _placed(file: str, scale: float, up: str, turn: float) -> Triangles:
    points, faces = parsed_mesh(Path(file))
    if up == "y":
        points = tuple((x, -z, y) for x, y, z in points)
    c, s = math.cos(turn), math.sin(turn)
    points = tuple((scale * (c * x - s * y), scale * (s * x + c * y), scale * z) for x, y, z in points)
    box = Triangles(points, faces).box
    (x0, y0, _), low = box.centre, box.low[2]
    return Triangles(tuple((x - x0, y - y0, z - low) for x, y, z in points), faces)


def parsed_mesh(file: Path) -> Triangles:
    """Return the triangles of a file, in its units and its frame.

    Raises:
        MeshError: It cannot be read, is no mesh, or has too many triangles.
    """
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise MeshError(f"'{file.name}' is no mesh; expected a file that ends in {', '.join(ENDINGS)}")
    try:
        found = reader(read_bounded(file, MOST_BYTES), file)
    except OSError as error:
        raise MeshError(f"'{file.name}' cannot be read: {error.strerror}") from error
    except (ValueError, IndexError, OverflowError) as error:
        raise MeshError(f"'{file.name}' is damaged: {error}") from error
    if not found.faces:
        raise MeshError(f"'{file.name}' has no triangles")
    if len(found.faces) > MOST_TRIANGLES:
        message = f"'{file.name}' has {len(found.faces)} triangles; expected at most {MOST_TRIANGLES}: simplify it"
        raise MeshError(message)
    if any(not 0 <= index < len(found.points) for face in found.faces for index in face):
        raise MeshError(f"'{file.name}' is damaged: a face has a corner that is not there")
    if not all(math.isfinite(value) for point in found.points for value in point):
        raise MeshError(f"'{file.name}' is damaged: a corner is no finite number")
    return compact(found)


def _vector(words: list[str]) -> Vector:
    x, y, z = (float(word) for word in words[:3])
    return x, y, z


def _read_obj(data: bytes, _: Path) -> Triangles:
    points: list[Vector] = []
    faces: list[tuple[int, int, int]] = []
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append(_vector(words[1:]))
        elif words[:1] == ["f"]:
            corners = [int(word.partition("/")[0]) for word in words[1:]]
            corners = [index - 1 if index > 0 else len(points) + index for index in corners]
            faces += [(corners[0], *pair) for pair in pairwise(corners[1:])]
    return Triangles(tuple(points), tuple(faces))


STL_HEAD: Final = 84
STL_FACE: Final = 50


def _read_stl(data: bytes, _: Path) -> Triangles:
    count = int.from_bytes(data[80:STL_HEAD], "little") if len(data) >= STL_HEAD else 0
    if len(data) == STL_HEAD + STL_FACE * count and count:
        records = (struct.unpack_from("<12f", data, STL_HEAD + STL_FACE * number) for number in range(count))
        points = [record[start : start + 3] for record in records for start in (3, 6, 9)]
    else:
        lines = (line.split() for line in data.decode("ascii", "replace").splitlines())
        points = [_vector(words[1:]) for words in lines if words[:1] == ["vertex"]]
        if len(points) % 3:
            raise ValueError("its last triangle is not complete")
    faces = ((index, index + 1, index + 2) for index in range(0, len(points), 3))
    return Triangles(tuple((x, y, z) for x, y, z in points), tuple(faces))


def _read_urdf(data: bytes, file: Path) -> Triangles:
    points: list[Vector] = []
    faces: list[tuple[int, int, int]] = []
    for solid in solids_of(data, file.parent, _parts_of):
        faces += [(a + len(points), b + len(points), c + len(points)) for a, b, c in solid.faces]
        points += solid.points
    return Triangles(tuple(points), tuple(faces))


def _parts_of(file: Path) -> Triangles:
    if file.suffix.lower() == ".urdf":
        raise ValueError(f"'{file.name}' is no mesh")
    return parsed_mesh(file)


READERS: Final = {".obj": _read_obj, ".stl": _read_stl, ".urdf": _read_urdf}
