"""The parts of a solid from a file that move: the leaves of its door and its drawers.

A simulator collides what moves as convex hulls. A part is divided into the solids that hang together, such as a panel
and its handle, and each gets a hull of its own. The body of a drawer is divided around the space inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from semantics.geometry.geometry import Box, Front, Mesh, Vector
from semantics.geometry.meshes import placed_file
from semantics.geometry.triangles import Triangles, compact, joined

NEAR = 0.02  # how far from a solid its handle's point may be, in metres
EDGE = 1e-3  # how far a triangle may reach over its region, in metres

Face = tuple[int, int]


def front_solids(mesh: Mesh, front: Front) -> tuple[Triangles, ...]:
    """Return the solids of a leaf or drawer that hang together, shut, in the frame of the whole; none if it is empty.

    Raises:
        MeshError: The file cannot be read, or is no mesh.
    """
    return _separate(mesh, front.parts, front.region)


@lru_cache(maxsize=128)
def _separate(mesh: Mesh, parts: tuple[str, ...], region: Box | None) -> tuple[Triangles, ...]:
    chosen = _chosen(mesh, parts, region)
    solids = []
    for number, part in enumerate(placed_file(mesh).parts):
        faces = tuple(face for index, face in enumerate(part.solid.faces) if (number, index) in chosen)
        solids += list(_connected(compact(Triangles(part.solid.points, faces)))) if faces else []
    return tuple(solids)


def _chosen(mesh: Mesh, parts: tuple[str, ...], region: Box | None) -> set[Face]:
    """Return the faces that move, each by the number of its part and its own."""
    chosen: set[Face] = set()
    for number, part in enumerate(placed_file(mesh).parts):
        if region is None:
            chosen |= {(number, index) for index in range(len(part.solid.faces)) if part.name in parts}
            continue
        within = [region.contains(point, EDGE) for point in part.solid.points]
        chosen |= {(number, index) for index, face in enumerate(part.solid.faces) if all(within[i] for i in face)}
    return chosen


def _connected(solid: Triangles) -> Iterator[Triangles]:
    """Yield the parts of a surface that share no corner."""
    roots = list(range(len(solid.points)))

    def root(index: int) -> int:
        while roots[index] != index:
            roots[index] = roots[roots[index]]
            index = roots[index]
        return index

    for a, b, c in solid.faces:
        roots[root(b)] = root(a)
        roots[root(c)] = root(a)
    groups: dict[int, list[tuple[int, int, int]]] = {}
    for face in solid.faces:
        groups.setdefault(root(face[0]), []).append(face)
    yield from (compact(Triangles(solid.points, tuple(faces))) for faces in groups.values())


def moves_together(mesh: Mesh, first: Front, second: Front) -> bool:
    """Return whether two leaves or drawers have a triangle in common."""
    chosen = (_chosen(mesh, front.parts, front.region) for front in (first, second))
    return not set.isdisjoint(*chosen)


def fixed_solid(mesh: Mesh) -> Triangles:
    """Return what of a solid does not move; without triangles if everything moves."""
    moving: set[Face] = set()
    for front in (*mesh.doors, *mesh.drawers):
        moving |= _chosen(mesh, front.parts, front.region)
    rest = []
    for number, part in enumerate(placed_file(mesh).parts):
        faces = tuple(face for index, face in enumerate(part.solid.faces) if (number, index) not in moving)
        rest.append(Triangles(part.solid.points, faces))
    return compact(joined(rest))


def front_box(mesh: Mesh, front: Front) -> Box:
    """Return the bounds of a leaf or drawer, shut, with its handle; it has a solid."""
    return joined(front_solids(mesh, front)).box


def handle_solid(mesh: Mesh, front: Front) -> Triangles | None:
    """Return the smallest solid of a leaf or drawer that is where its handle is said to be; None if there is none."""
    there = [solid for solid in front_solids(mesh, front) if solid.box.contains(front.handle, NEAR)]
    return min(there, key=lambda solid: max(solid.box.size), default=None)


def panel_box(mesh: Mesh, front: Front) -> Box:
    """Return the bounds of a leaf or drawer without its handle, as far as the handle is a solid of its own."""
    largest = max(front_solids(mesh, front), key=lambda solid: solid.box.size[1] * solid.box.size[2])
    middle = largest.box.high[0]
    # What is before the largest solid and narrower, such as the foot of a handle, belongs to the handle.
    solids = [solid for solid in front_solids(mesh, front) if solid.box.low[0] < middle - EDGE]
    return joined(solids).box


def hulls(mesh: Mesh, front: Front) -> tuple[tuple[Vector, ...], ...]:
    """Return the corners of the convex solids of which a leaf or drawer consists, in the frame of the whole."""
    found: list[tuple[Vector, ...]] = []
    for solid in front_solids(mesh, front):
        if front.inside is None or not solid.box.contains(front.inside.centre):
            found.append(solid.points)
            continue
        found += [corners for beyond in _around(front.inside) if len(corners := _cut(solid, beyond)) > 3]
    return tuple(found)


def _around(space: Box) -> tuple[Callable[[Vector], float], ...]:
    """Return the distances beyond the floor and the four sides of a space, positive outside; its top is open."""
    (x0, y0, z0), (x1, y1, _) = space.low, space.high
    return (
        lambda point: z0 - point[2],
        lambda point: x0 - point[0],
        lambda point: point[0] - x1,
        lambda point: y0 - point[1],
        lambda point: point[1] - y1,
    )


def _cut(solid: Triangles, beyond: Callable[[Vector], float]) -> tuple[Vector, ...]:
    """Return the corners of what of a surface is on the positive side of a plane."""
    corners: dict[Vector, None] = {}
    for face in solid.faces:
        ends = [solid.points[index] for index in face]
        for start, end in zip(ends, (*ends[1:], ends[0]), strict=True):
            here, there = beyond(start), beyond(end)
            if here >= 0.0:
                corners[start] = None
            if here * there < 0.0:
                share = here / (here - there)
                x, y, z = (a + share * (b - a) for a, b in zip(start, end, strict=True))
                corners[x, y, z] = None
    return tuple(corners)
