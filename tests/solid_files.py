"""Files of solids, written for tests: benches in OBJ, bolts in STL, and a world that has them."""

import struct
from collections.abc import Iterable
from pathlib import Path

from domains.scaffold import new_world
from semantics.geometry.geometry import Vector
from semantics.geometry.triangles import Triangles, box_surface, cylinder_surface

BENCH = (
    ((-0.3, -0.6, 0.68), (0.3, 0.6, 0.72)),
    ((-0.28, -0.58, 0.0), (-0.22, -0.52, 0.68)),
    ((0.22, 0.52, 0.0), (0.28, 0.58, 0.68)),
    ((-0.3, -0.6, 0.3), (0.3, 0.6, 0.32)),
)
"""A top and a board below it on two legs, in metres."""
BOLT = cylinder_surface(0.02, 0.09)
TOP = "top: {x: [-0.3, 0.3], y: [-0.6, 0.6], height: 0.72}"
PLACES = f"surfaces: {{{TOP}, under: {{x: [-0.3, 0.3], y: [-0.5, 0.5], height: 0.32}}}}"
MESH = f"model: mesh, mesh: {{file: meshes/bench.obj, scale: 0.001, up: y, {PLACES}}}}}"
SHAPE = "shape: {form: mesh, mesh: {file: meshes/bolt.stl}, density: 1000}"


def write_obj(path: Path, boxes: Iterable[tuple[Vector, Vector]], scale: float = 1000.0, up: str = "y") -> None:
    """Write boxes as an OBJ file."""
    lines, count = ["# a test"], 0
    for low, high in boxes:
        box = box_surface(low, high)
        for x, y, z in box.points:
            turned = (x, z, -y) if up == "y" else (x, y, z)
            lines.append("v " + " ".join(f"{scale * value:g}" for value in turned))
        lines += ["f " + " ".join(f"{index + 1 + count}//1" for index in face) for face in box.faces]
        count += len(box.points)
    path.write_text("\n".join(lines) + "\n")


def write_stl(path: Path, solid: Triangles, scale: float = 1.0) -> None:
    """Write a solid as a binary STL file."""
    records = [
        struct.pack("<12fH", 0, 0, 0, *(scale * value for index in face for value in solid.points[index]), 0)
        for face in solid.faces
    ]
    path.write_bytes(bytes(80) + struct.pack("<I", len(records)) + b"".join(records))


def shop(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write a world with a bench and bolts from files; return its folder."""
    new_world("shop", folder)
    world = folder / "shop"
    (world / "meshes").mkdir()
    write_obj(world / "meshes" / "bench.obj", BENCH)
    write_stl(world / "meshes" / "bolt.stl", BOLT)
    domain, scene = world / "domain.yaml", world / "scenes" / "room.yaml"
    text = domain.read_text()
    box = text[text.index("    shape: {form: box, size: [0.06") :].partition("\n")[0]
    in_scene = "size: [1.2, 0.6, 0.72]"
    for old, new in (("model: table}", MESH), (box, f"    {SHAPE}"), *changes):
        assert old in text, old
        text = text.replace(old, new, 1)
    domain.write_text(text)
    scene.write_text(scene.read_text().replace(f", {in_scene}", "").replace("on: bench0,", "on: bench0, level: 1,"))
    return world
