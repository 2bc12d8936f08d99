"""Solids from files: `semantics.geometry.geometry.Mesh` says which file, and how it is turned.

The formats are OBJ, STL (of text and binary) and URDF, of whose links the collision shapes count, with every joint at
zero. Parts are what a file gives a name: the groups and objects of OBJ, the links of URDF. The triangles of every
format are returned in the frame of `robots.furniture`: metres, z up, x towards the front, the origin on the floor at
the centre of the footprint.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from semantics.errors import MeshError
from semantics.geometry.geometry import Mesh, Vector
from semantics.geometry.triangles import Part, Triangles, compact, joined
from semantics.geometry.urdf import Joint, joints_of, solids_of
from semantics.process.reading import read_bounded

ENDINGS: Final = (".obj", ".stl", ".urdf")
MOST_BYTES: Final = 30_000_000
MOST_TRIANGLES: Final = 40_000  # more would make each test for a collision slow

Parsed = tuple[tuple[Part, ...], tuple[Joint, ...]]


class PlacedFile(NamedTuple):
    """The content of a file in the frame of the solid."""

    # the parts with their names, of which several may be equal; a file without names has one without
    parts: tuple[Part, ...]
    whole: Triangles  # all parts as one surface
    joints: tuple[Joint, ...] = ()  # the joints of a URDF file


def triangles(mesh: Mesh) -> Triangles:
    """Return the triangles of a solid in its own frame.

    Raises:
        MeshError: The file cannot be read, or is no mesh.
    """
    return placed_file(mesh).whole


def placed_file(mesh: Mesh) -> PlacedFile:
    """Return the parts and joints of a solid in its own frame.

    Raises:
        MeshError: The file cannot be read, or is no mesh.
    """
    return _placed(mesh.file, mesh.scale, mesh.up, mesh.turn)


@lru_cache(maxsize=64)
def _placed(file: str, scale: float, up: str, turn: float) -> PlacedFile:
    parts, joints = _parsed(Path(file))
    c, s = math.cos(turn), math.sin(turn)

    def turned(point: Vector) -> Vector:
        x, y, z = (point[0], -point[2], point[1]) if up == "y" else point
        return c * x - s * y, s * x + c * y, z

    def scaled(point: Vector) -> Vector:
        x, y, z = turned(point)
        return scale * x, scale * y, scale * z

    moved = [part._replace(solid=_moved(part.solid, scaled)) for part in parts]
    box = joined(part.solid for part in moved).box
    (x0, y0, _), low = box.centre, box.low[2]

    def shifted(point: Vector) -> Vector:
        return point[0] - x0, point[1] - y0, point[2] - low

    placed = tuple(part._replace(solid=_moved(part.solid, shifted)) for part in moved)
    found = tuple(
        joint._replace(
            point=shifted(scaled(joint.point)),
            axis=turned(joint.axis),
            range=tuple(end * scale for end in joint.range) if joint.slides and joint.range else joint.range,
        )
        for joint in joints
    )
    return PlacedFile(placed, compact(joined(part.solid for part in placed)), found)


def _moved(solid: Triangles, move: Callable[[Vector], Vector]) -> Triangles:
    return solid._replace(points=tuple(map(move, solid.points)))


def parsed_mesh(file: Path) -> Triangles:
    """Return the triangles of a file, in its units and its frame.

    Raises:
        MeshError: It cannot be read, is no mesh, or has too many triangles.
    """
    parts, _ = _parsed(file)
    return compact(joined(part.solid for part in parts))


def _parsed(file: Path) -> Parsed:
    """Return the parts and the joints of a file, in its units and its frame; see `parsed_mesh`."""
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise MeshError(f"'{file.name}' is no mesh; expected a file that ends in {', '.join(ENDINGS)}")
    try:
        parts, joints = reader(read_bounded(file, MOST_BYTES), file)
    except OSError as error:
        raise MeshError(f"'{file.name}' cannot be read: {error.strerror}") from error
    except (ValueError, IndexError, OverflowError) as error:
        raise MeshError(f"'{file.name}' is damaged: {error}") from error
    found = joined(part.solid for part in parts)
    if not found.faces:
        raise MeshError(f"'{file.name}' has no triangles")
    if len(found.faces) > MOST_TRIANGLES:
        message = f"'{file.name}' has {len(found.faces)} triangles; expected at most {MOST_TRIANGLES}: simplify it"
        raise MeshError(message)
    if any(not 0 <= index < len(part.solid.points) for part in parts for face in part.solid.faces for index in face):
        raise MeshError(f"'{file.name}' is damaged: a face has a corner that is not there")
    if not all(math.isfinite(value) for point in found.points for value in point):
        raise MeshError(f"'{file.name}' is damaged: a corner is no finite number")
    # A corner that no triangle has would count for the bounds.
    compacted = (part._replace(solid=compact(part.solid)) for part in parts)
    return tuple(part for part in compacted if part.solid.faces), joints


def _vector(words: list[str]) -> Vector:
    x, y, z = (float(word) for word in words[:3])
    return x, y, z


def _read_obj(data: bytes, _: Path) -> Parsed:
    points: list[Vector] = []
    groups: dict[str, list[tuple[int, int, int]]] = {}
    faces = groups.setdefault("", [])
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append(_vector(words[1:]))
        elif words[:1] in (["g"], ["o"]):
            faces = groups.setdefault(" ".join(words[1:]), [])
        elif words[:1] == ["f"]:
            corners = [int(word.partition("/")[0]) for word in words[1:]]
            corners = [index - 1 if index > 0 else len(points) + index for index in corners]
            faces += [(corners[0], *pair) for pair in pairwise(corners[1:])]
    everything = tuple(points)
    return tuple(Part(name, Triangles(everything, tuple(faces))) for name, faces in groups.items() if faces), ()


STL_HEAD: Final = 84
STL_FACE: Final = 50


def _read_stl(data: bytes, _: Path) -> Parsed:
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
    return (Part("", Triangles(tuple((x, y, z) for x, y, z in points), tuple(faces))),), ()


def _read_urdf(data: bytes, file: Path) -> Parsed:
    return tuple(solids_of(data, file.parent, _parts_of)), tuple(joints_of(data))


def _parts_of(file: Path) -> Triangles:
    if file.suffix.lower() == ".urdf":
        raise ValueError(f"'{file.name}' is no mesh")
    return parsed_mesh(file)


READERS: Final = {".obj": _read_obj, ".stl": _read_stl, ".urdf": _read_urdf}
