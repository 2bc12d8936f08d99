"""The reader of solids from files: furniture of the model ``mesh``, and movable things of the form ``mesh``.

A file is named relative to the folder of the world, and has to be in it, unless the table says ``outside: true``. A
place is compared with the solid: it has to lie within its bounds, and the solid has to have a floor there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from domains.conventions import Conventions
from domains.declarations import ObjectClass
from domains.reader.furnishing import LARGEST_FURNITURE, interval
from domains.reader.keys import open_table
from domains.reader.nodes.document import Entry, Node
from domains.reader.nodes.fields import Fields, entries
from semantics.body.layout import Shape
from semantics.errors import MeshError
from semantics.geometry.furnishing import MESH
from semantics.geometry.geometry import Box, Mesh, Vector

SMALLEST: Final = 0.005
LARGEST_PIECE: Final = 3.0
"""Bounds of the longest side of a solid, in metres, as is `LARGEST_FURNITURE`; beyond, the file has another unit."""
UNITS: Final = {0.001: "millimetres", 0.01: "centimetres", 0.0254: "inches", 1.0: "metres", 1000.0: "kilometres"}
SLAB: Final = 0.03  # thickness of a surface, in metres
BESIDE: Final = 0.01  # how far a place may reach over the edge of the solid, in metres
UNEVEN: Final = 0.02  # how far the solid may be from the height that a place states, in metres
USUAL_DENSITY: Final = 500.0
"""Kilograms per cubic metre of a movable thing that states neither mass nor density: light wood, or a full bottle."""
MASSES: Final = (0.001, 50.0)
EMPTY: Final = Shape(MESH, (SMALLEST, SMALLEST, SMALLEST))  # what stands for a mesh that could not be read


def mesh_size(mesh: Mesh | None) -> Vector:
    """Return the width across the front, the depth and the height of furniture; small if it is unreadable."""
    if mesh is None:
        return EMPTY.size
    from semantics.geometry.meshes import triangles  # few worlds have files of solids

    depth, width, height = triangles(mesh).box.size
    return (width, depth, height)


def refuse_mesh(fields: Fields, of: str) -> None:
    """Report keys of meshes that stand in a table of something else."""
    for key in ("mesh", "density"):
        node = fields.get(key)
        if node is not None:
            message = f"{fields.what} has '{key}' and {of}; expected '{MESH}' instead of that, or no '{key}'"
            node.report(message, "keys-contradict", key)


def furniture_mesh(fields: Fields, model: str, source: str) -> Mesh | None:
    """Read the solid of a class of furniture, and its places; None for other models, and for what cannot be read."""
    if model != MESH:
        if fields.get("mesh") is not None and fields.get("shape") is None:
            refuse_mesh(fields, f"the model '{model}'" if model else "no model")
        return None
    node = fields.get("mesh")
    if node is None:
        message = f"{fields.what} has the model '{MESH}' and no 'mesh'; expected one such as {{file: bench.obj}}"
        fields.node.report(message, "missing-key")
        return None
    table = open_table(node, "mesh", f"the mesh of {fields.what}")
    bare = _read(table, source, LARGEST_FURNITURE)
    if bare is None:
        return None
    places = _Places(bare)
    surfaces = sorted(places.read(table.get("surfaces"), "surface"), key=_height)
    insides = sorted(places.read(table.get("insides"), "inside"), key=_height)
    placed = replace(bare, surfaces=tuple(surfaces), insides=tuple(insides))
    if not {"doors", "drawers"} & table.values.keys():
        return placed
    from domains.reader.mesh_fronts import with_fronts

    return with_fronts(placed, table)


def check_meshes(node: Node | None, classes: Mapping[str, ObjectClass], conventions: Conventions) -> None:
    """Report classes of meshes that afford what needs a place or a door which their mesh does not have."""
    for entry in entries(node, "classes"):
        found = classes.get(entry.key.text)
        if found is None or found.mesh is None:
            continue
        needs = (
            (conventions.support, bool(found.mesh.surfaces), "names no 'surfaces'", "some in its mesh"),
            (conventions.contain, bool(found.mesh.insides), "names no 'insides'", "some in its mesh"),
            (conventions.open, bool(found.mesh.doors), "has no door with a hinge", "'doors' in its mesh"),
        )
        for affordance, is_there, lack, valid in needs:
            if affordance in found.affordances and not is_there:
                message = f"class '{found.name}' affords {affordance} and its mesh {lack}; expected {valid}"
                entry.key.report(message, "keys-contradict", affordance)


def _height(box: Box) -> float:
    return box.high[2]


def mesh_shape(fields: Fields, source: str) -> Shape:
    """Read the solid of a movable thing; its mass is stated, or that of its volume."""
    node = fields.get("mesh")
    if node is None:
        message = f"the shape of {fields.what} has no 'mesh'; expected one such as {{file: bolt.stl}}"
        fields.node.report(message, "missing-key")
        return EMPTY
    if (size := fields.get("size")) is not None:
        size.report(
            f"a mesh has the size of its file; expected 'scale' in the mesh of {fields.what}", "keys-contradict"
        )
    table = open_table(node, "mesh", f"the mesh of {fields.what}")
    for key in ("surfaces", "insides", "doors", "drawers"):
        if (places := table.get(key)) is not None:
            places.report(f"{fields.what} can be moved; expected '{key}' of furniture only", "keys-contradict", key)
    mesh = _read(table, source, LARGEST_PIECE)
    if mesh is None:
        return EMPTY
    from semantics.geometry.meshes import triangles

    x, y, z = triangles(mesh).box.size
    return Shape(MESH, (x, y, z), _mass(fields, table, mesh), mesh=mesh)


def _mass(fields: Fields, table: Fields, mesh: Mesh) -> float:
    """Return the mass that is stated, or that of the volume, in kilograms."""
    stated: float | None = fields["mass"].number(None, *MASSES)
    density = fields["density"].number(USUAL_DENSITY, 1.0, 20_000.0)
    if stated is not None:
        return stated
    from semantics.geometry.meshes import triangles

    found = triangles(mesh)
    place = table.get("file") or table.node
    if not found.is_closed:
        message = f"the mesh of {fields.what} is not closed, so it has no volume; expected its 'mass' in kilograms"
        place.report(message, "bad-mesh")
        return MASSES[0]
    mass = found.volume * density
    if not MASSES[0] <= mass <= MASSES[1]:
        message = (
            f"{fields.what} has {found.volume * 1e6:.3g} cm³, so {mass:.3g} kg; "
            f"expected from {MASSES[0]:g} to {MASSES[1]:g} kg: state its 'mass'"
        )
        place.report(message, "out-of-range")
    return min(max(mass, MASSES[0]), MASSES[1])


def _read(table: Fields, source: str, largest: float) -> Mesh | None:
    """Read which file it is and how it is turned; report what is no solid, or has another unit."""
    from semantics.geometry.meshes import triangles

    node = table.get("file")
    file = _file(table, source)
    scale = table["scale"].number(1.0, 1e-6, 1e6)
    turn = table["turn"].number(0.0, -360.0, 360.0)
    up = table["up"].choice("axis", ("y", "z")) or "z"
    if file is None or node is None:
        return None
    mesh = Mesh(str(file), scale, up, math.radians(turn))
    try:
        longest = max(triangles(mesh).box.size)
    except MeshError as error:
        node.report(str(error), "bad-mesh", node.text if hasattr(node, "text") else "")
        return None
    if not SMALLEST <= longest <= largest:
        (table.get("scale") or node).report(_of_another_unit(table, longest, scale, largest), "out-of-range")
        return None
    return mesh


def _of_another_unit(table: Fields, longest: float, scale: float, largest: float) -> str:
    meant = ((unit, name) for unit, name in UNITS.items() if 2 * SMALLEST <= longest / scale * unit <= largest)
    unit, name = next(meant, (None, ""))
    guess = f": is it in {name}? Then 'scale: {unit:g}'" if unit else ""
    return f"{table.what} is {longest:.4g} m long; expected from {SMALLEST:g} to {largest:g} m{guess}"


def _file(table: Fields, source: str) -> Path | None:
    """Return the path of the file, which is in the folder of the world unless the table says otherwise."""
    node, name = table.get("file"), table["file"].text()
    if node is None or not name:
        return None
    source = node.file.path or source
    folder = Path(source).parent.resolve() if source else None
    if folder is None:
        node.report(f"'{name}' is beside no file; expected a world in a folder", "bad-mesh", name)
        return None
    try:
        file = (folder / name).resolve()
    except (OSError, ValueError, RuntimeError):
        node.report(f"'{name}' is no possible name of a file", "bad-mesh", name)
        return None
    if not table["outside"].flag() and not file.is_relative_to(folder):
        message = f"'{name}' is outside the folder of the world; expected it there, or 'outside: true' beside it"
        node.report(message, "bad-mesh", name)
        return None
    return file


class _Places:
    """Reads the places of a solid, and compares them with it."""

    def __init__(self, mesh: Mesh) -> None:
        from semantics.geometry.meshes import triangles

        self._solid = triangles(mesh)
        self._box = self._solid.box

    def read(self, node: Node | None, sort: str) -> Iterator[Box]:
        """Yield the places of a table of one sort, ``surface`` or ``inside``, that fit the solid."""
        for entry in entries(node, f"{sort}s"):
            box = self._place(entry, sort)
            if box is not None and self._is_there(entry, box, sort):
                yield box

    def _place(self, entry: Entry, sort: str) -> Box | None:
        what = f"{sort} '{entry.key.text}'"
        fields = open_table(entry.value, f"mesh {sort}", what)
        (x0, x1), (y0, y1) = (interval(fields[key]) for key in ("x", "y"))
        if sort == "surface":
            height = fields["height"].number(0.0, 0.0, LARGEST_FURNITURE)
            z0, z1 = height - SLAB, height
        else:
            z0, z1 = interval(fields["z"])
        complete = all(key in fields.values for key in ("x", "y", "height" if sort == "surface" else "z"))
        return Box((x0, y0, z0), (x1, y1, z1)) if complete and x0 < x1 and y0 < y1 and z0 < z1 else None

    def _is_there(self, entry: Entry, box: Box, sort: str) -> bool:
        """Return whether a place lies within the solid and on something; otherwise report it."""
        what, bounds = f"{sort} '{entry.key.text}'", self._box
        for axis, name in enumerate("xyz"):
            low, high = bounds.low[axis] - BESIDE, bounds.high[axis] + BESIDE
            lowest = box.high[axis] if axis == 2 and sort == "surface" else box.low[axis]
            if lowest < low or box.high[axis] > high:
                valid = f"from {bounds.low[axis]:.3g} to {bounds.high[axis]:.3g} m"
                message = f"{what} is outside its mesh along {name}; expected {valid}"
                entry.key.report(message, "beyond-the-edge", entry.key.text)
                return False
        floor = box.high[2] if sort == "surface" else box.low[2]
        (x, y, _) = box.centre
        heights = self._solid.heights(x, y)
        if not any(abs(height - floor) <= UNEVEN for height in heights):
            nearest = min(heights, key=lambda height: abs(height - floor), default=None)
            valid = "another place" if nearest is None else f"{nearest:.3g} m, where its mesh is"
            entry.key.report(
                f"{what} is {floor:.3g} m high and nothing carries it in its middle; expected {valid}",
                "beyond-the-edge",
                entry.key.text,
            )
            return False
        return True
