"""Furniture and persons as solids: one builder for each model, with the dimensions of `robots.furniture`.

All solids are in the frame of the piece: x towards its front, y to the right as seen from the front, the origin on the
floor at the centre of the footprint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from robots.furniture import DRAWER_FRONT, DRAWER_GAP, SLAB, WALL, Fittings, fittings
from robots.leaves import DOOR_THICKNESS, HANDLE, Leaf, leaves_of
from robots.pybullet.scenery.solids import Door, SolidPart, block, bowl_parts, hollowed, moved
from semantics.body.layout import Furniture
from semantics.geometry.fronts import fixed_solid, front_solids, hulls
from semantics.geometry.furnishing import DRAWER, MESH
from semantics.geometry.geometry import Front, Mesh, PlanarPose, Vector
from semantics.geometry.triangles import joined

WOOD = (0.72, 0.55, 0.36)
PALE = (0.86, 0.84, 0.8)
STEEL = (0.62, 0.65, 0.68)
WHITE = (0.93, 0.94, 0.95)
PLASTER = (0.88, 0.86, 0.82)
DARK = (0.25, 0.27, 0.3)
SKIN = (0.88, 0.7, 0.58)
CLOTH = (0.28, 0.42, 0.62)

LEG = 0.05
BACK = 0.015
PLATE = 0.02  # thickness of the contact plate of a dock
DRAWER_HANDLE = 0.14  # length of the longest handle of a drawer, in metres; of a low drawer it is shorter
DRAWER_MASS = 2.0
HAND_HEIGHT = 0.92  # height of a person's outstretched hand, in metres
HAND_REACH = 0.5  # distance from the centre of a person to the centre of this hand, in metres
HAND_SIZE = (0.28, 0.48, 0.03)  # the hand as a shallow tray: depth, width, rim


class Built(NamedTuple):
    """A piece of furniture as solids, and the leaves of its door, or itself as a drawer."""

    parts: tuple[SolidPart, ...]
    doors: tuple[Door, ...] = ()


def build(furniture: Furniture) -> Built:
    """Return the solids of a piece of furniture, in its own frame; its model is one of `BUILDERS`."""
    own = replace(furniture, pose=PlanarPose(0.0, 0.0, 0.0))
    if own.mesh is not None:
        return _from_file(own, own.mesh)
    parts, doors = BUILDERS[furniture.model](furniture.size, fittings(own, 0.0))
    return Built(parts, (*doors, *(_hung(leaf, furniture) for leaf in leaves_of(own))))


def _from_file(own: Furniture, mesh: Mesh) -> Built:
    """Return furniture of a file without what moves, and the leaves of its door; or one of its drawers."""
    if own.model == DRAWER:
        drawer = mesh.drawers[own.level]
        moving = _moving(mesh, drawer, (0.0, 0.0, 0.0))
        return Built((), (Door((moving,), (0.0, 0.0, 0.0), drawer.limit, mass=DRAWER_MASS, slides=True),))
    rest = fixed_solid(mesh)
    doors = []
    for leaf in leaves_of(own):
        if leaf.front is not None:
            hinge = (leaf.x, leaf.y, 0.0)
            doors.append(Door((_moving(mesh, leaf.front, hinge),), hinge, leaf.limit, leaf.side))
    parts = (SolidPart(MESH, rest.box.size, rest.box.centre, PALE, rest),) if rest.faces else ()
    return Built(parts, tuple(doors))


def _moving(mesh: Mesh, front: Front, origin: Vector) -> SolidPart:
    """Return a leaf or drawer of a file, in a frame with this origin."""
    way = (-origin[0], -origin[1], -origin[2])
    solid = moved(joined(front_solids(mesh, front)), way)
    pieces = tuple(tuple((x + way[0], y + way[1], z + way[2]) for x, y, z in piece) for piece in hulls(mesh, front))
    return SolidPart("hull", solid.box.size, solid.box.centre, WOOD, solid, pieces)


def _table(size: Vector, _: Fittings) -> Built:
    x, y, z = size[0], size[1], size[2]
    width, depth = x / 2, y / 2
    legs = tuple(
        block(
            (sx * (depth - LEG) - LEG / 2, sy * (width - LEG) - LEG / 2, 0),
            (sx * (depth - LEG) + LEG / 2, sy * (width - LEG) + LEG / 2, z - SLAB),
            WOOD,
        )
        for sx in (-1, 1)
        for sy in (-1, 1)
    )
    return Built((block((-depth, -width, z - SLAB), (depth, width, z), WOOD), *legs))


def _counter(size: Vector, _: Fittings) -> Built:
    width, depth = size[0] / 2, size[1] / 2
    body = block((-depth, -width, 0), (depth, width, size[2] - SLAB), PALE)
    return Built((body, block((-depth, -width, size[2] - SLAB), (depth, width, size[2]), STEEL)))


def _shelf(size: Vector, offered: Fittings) -> Built:
    width, depth, height = size[0] / 2, size[1] / 2, size[2]
    boards = tuple(block(board.low, board.high, WOOD) for board in offered.surfaces)
    return Built(
        (
            *boards,
            block((-depth, -width, 0), (depth, -width + 0.02, height), PALE),
            block((-depth, width - 0.02, 0), (depth, width, height), PALE),
            block((-depth, -width, 0), (-depth + BACK, width, height), PALE),
        )
    )


def _open_above(colour: Vector) -> Callable[[Vector, Fittings], Built]:
    def builder(size: Vector, offered: Fittings) -> Built:
        width, depth = size[0] / 2, size[1] / 2
        (space,) = offered.compartments
        return Built(hollowed((-depth, -width, 0.0), (depth, width, size[2]), space, colour))

    return builder


def _solid(colour: Vector) -> Callable[[Vector, Fittings], Built]:
    def builder(size: Vector, _: Fittings) -> Built:
        width, depth = size[0] / 2, size[1] / 2
        return Built((block((-depth, -width, 0.0), (depth, width, size[2]), colour),))

    return builder


def _dock(size: Vector, _: Fittings) -> Built:
    """Return a post with a contact plate low on its front."""
    width, depth, height = size[0] / 2, size[1] / 2, size[2]
    front = depth - PLATE
    return Built(
        (
            block((-depth, -width, 0.0), (front, width, height), PALE),
            block((front, -width / 2, min(0.04, height / 3)), (depth, width / 2, min(0.12, height)), DARK),
        )
    )


def _cabinet(size: Vector, offered: Fittings) -> Built:
    """Return a cabinet with a door, or the frame of one with drawers."""
    if offered.hinged:
        return _behind_door(WOOD)(size, offered)
    width, depth, height = size[0] / 2, size[1] / 2, size[2]
    return Built(
        (
            block((-depth, -width, height - SLAB), (depth, width, height), WOOD),
            block((-depth, -width, 0), (depth, -width + WALL, height - SLAB), WOOD),
            block((-depth, width - WALL, 0), (depth, width, height - SLAB), WOOD),
            block((-depth, -width + WALL, 0), (-depth + BACK, width - WALL, height - SLAB), WOOD),
        )
    )


def _drawer(size: Vector, offered: Fittings) -> Built:
    """Return a drawer with a vertical handle; its frame is that of its cabinet."""
    space, box = offered.compartments[0], offered.box
    front, gap = box.high[0] - DRAWER_FRONT, DRAWER_GAP
    walls = hollowed(
        (box.low[0], box.low[1] + gap, box.low[2] + gap), (front, box.high[1] - gap, space.high[2]), space, PALE
    )
    panel = block(
        (front, box.low[1] + gap, box.low[2] + gap), (box.high[0], box.high[1] - gap, box.high[2] - gap), WOOD
    )
    length = min(DRAWER_HANDLE, 0.7 * (box.high[2] - box.low[2]))
    out = box.high[0] + HANDLE.standoff
    pegs = tuple(
        block((box.high[0], -0.008, z - 0.008), (out, 0.008, z + 0.008), DARK)
        for z in (offered.handle - length / 2 + 0.01, offered.handle + length / 2 - 0.01)
    )
    bar = SolidPart("cylinder", (HANDLE.diameter, HANDLE.diameter, length), (out, 0.0, offered.handle), DARK)
    parts = (*walls, panel, bar, *pegs)
    return Built((), (Door(parts, (0.0, 0.0, 0.0), offered.travel, mass=DRAWER_MASS, slides=True),))


def _behind_door(colour: Vector) -> Callable[[Vector, Fittings], Built]:
    def builder(size: Vector, offered: Fittings) -> Built:
        width, depth, height = size[0] / 2, size[1] / 2, size[2]
        spaces = offered.compartments
        front = depth - DOOR_THICKNESS
        floor, top = spaces[0].low[2], spaces[-1].high[2]
        body = (
            block((-depth, -width, 0), (front, width, floor), colour),
            block((-depth, -width, top), (front, width, height), colour),
            block((-depth, -width, floor), (-depth + WALL, width, top), colour),
            block((-depth, -width, floor), (front, -width + WALL, top), colour),
            block((-depth, width - WALL, floor), (front, width, top), colour),
        )
        boards = tuple(
            block((*lower.low[:2], lower.high[2]), (front - 0.02, lower.high[1], upper.low[2]), STEEL)
            for lower, upper in pairwise(spaces)
        )
        return Built(body + boards)

    return builder


def _hung(leaf: Leaf, furniture: Furniture) -> Door:
    colour = LEAF_COLOURS[furniture.model]
    hinge = (leaf.x + BEFORE, leaf.y, 0.0)
    return Door(_panel(leaf, furniture.size[2], colour), hinge, leaf.limit, leaf.side)


def _panel(leaf: Leaf, height: float, colour: Vector) -> tuple[SolidPart, ...]:
    """Return a leaf in the frame of its hinge: it extends across y, away from the hinge, and opens towards x."""
    bar = leaf.aside(0.0, leaf.along)
    foot = leaf.height - HANDLE.length / 2
    pegs = tuple(
        block((DOOR_THICKNESS, bar - 0.008, z - 0.008), (leaf.out, bar + 0.008, z + 0.008), DARK)
        for z in (foot + 0.01, foot + HANDLE.length - 0.01)
    )
    left, right = sorted((0.0, leaf.aside(0.0, leaf.width)))
    return (
        block((0.0, left, 0.02), (DOOR_THICKNESS, right, height), colour),
        SolidPart(
            "cylinder",
            (HANDLE.diameter, HANDLE.diameter, HANDLE.length),
            (leaf.out, bar, foot + HANDLE.length / 2),
            DARK,
        ),
        *pegs,
    )


BUILDERS: dict[str, Callable[[Vector, Fittings], Built]] = {
    "bin": _open_above(DARK),
    "cabinet": _cabinet,
    "counter": _counter,
    "dock": _dock,
    "drawer": _drawer,
    "fridge": _behind_door(WHITE),
    "shelf": _shelf,
    "sink": _open_above(STEEL),
    "table": _table,
    "wall": _solid(PLASTER),
}
"""The builder of each furniture model."""
LEAF_COLOURS: dict[str, Vector] = {"cabinet": WOOD, "fridge": WHITE}
"""The colour of the door of each furniture model that has one."""
BEFORE = 0.002  # gap between a shut door and its furniture, in metres


def person_parts() -> tuple[SolidPart, ...]:
    """Return a standing figure that faces along x and holds out a flat hand with a low rim."""
    tray = tuple(
        replace(part, centre=(part.centre[0] + HAND_REACH, part.centre[1], part.centre[2] + HAND_HEIGHT + 0.005))
        for part in bowl_parts(HAND_SIZE, SKIN, 0.008, 0.01)
    )
    return (
        SolidPart("box", (0.22, 0.34, 0.8), (0.0, 0.0, 0.4), DARK),
        SolidPart("box", (0.22, 0.42, 0.6), (0.0, 0.0, 1.1), CLOTH),
        SolidPart("sphere", (0.24, 0.24, 0.24), (0.0, 0.0, 1.53), SKIN),
        block((0.1, -0.05, HAND_HEIGHT - 0.06), (HAND_REACH - HAND_SIZE[0] / 2, 0.05, HAND_HEIGHT), CLOTH),
        *tray,
    )
