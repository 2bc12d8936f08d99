"""The geometry of each furniture model: surfaces, interior, compartments, and the stand for a robot.

The frame of a piece has x towards its front, y to the right as seen from the front, z up, and its origin on the floor
at the centre of the footprint. Boxes are axis-aligned in the world; they are exact for headings that are multiples of a
quarter turn, and bounding boxes otherwise. All robot bodies use these numbers, so that the fake robot and the simulator
agree on the positions of everything.

    table    a top on legs                      counter  a block with a top
    shelf    boards, open to the front          sink     a block with a basin, open above
    cabinet  boards behind a door, or drawers   bin      an open box on the floor
    fridge   a cabinet above its motor          dock     a post, at which a robot is charged
    wall     a block that is no place           drawer   a part of a cabinet, which slides out of its front
    area     a part of a top, without a body          mesh     the solid of a file, with the places that its class names

A model may have parameters, such as the number of boards (`semantics.geometry.furnishing`). A new model is a function
here, an entry of `MODELS`, and a builder of its solids for the simulator (`robots.pybullet.scenery.carpentry`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import pi

from semantics.body.layout import Furniture
from semantics.errors import known_name
from semantics.geometry.furnishing import DRAWER, MESH
from semantics.geometry.geometry import Box, Mesh, PlanarPose, Vector, to_world

AREA = "area"  # the model of a part of a top, which has no body
SLAB = 0.03  # thickness of a table top, a counter top and a shelf board, in metres
WALL = 0.03  # thickness of the walls of a fridge, a sink and a bin, in metres
BASIN_DEPTH = 0.16
DRAWER_KEPT = 0.12  # how much of the depth of a cabinet stays in it when a drawer is open, in metres
DRAWER_WALL = 0.012  # thickness of the floor, the sides and the back of a drawer, in metres
DRAWER_FRONT = 0.02  # thickness of its front
DRAWER_GAP = 0.005  # clearance on each side and below
DRAWER_HEADROOM = 0.03  # how much lower than its front the sides of a drawer are, in metres
SHELF_BOARDS = (0.34, 0.67, 1.0)  # tops of the boards of a shelf that states none, as fractions of its height
FRIDGE_BASE = 0.3
"""Height of the lowest compartment's floor, as a fraction of the fridge's height: below it is the motor."""
CABINET_BASE = 0.08  # height of a cabinet's floor, in metres: below it is its plinth
INNER_BOARDS = 1
HANDLE_HEIGHT = 0.72  # height of the centre of a door's handle, as a fraction of the height of the furniture
STAND_DISTANCE = {
    **dict.fromkeys((AREA, "bin", "counter", MESH, "sink", "table"), 0.5),
    **dict.fromkeys(("cabinet", "fridge"), 1.0),
    "dock": 0.35,
    "shelf": 0.55,
}
"""Distance from the front face to the centre of a robot that works there, in metres; a door needs more room.

A model that is not here, such as a wall, is no place for a robot."""


@dataclass(frozen=True, slots=True)
class Fittings:
    """The geometry of a piece of furniture, in the world frame."""

    box: Box  # bounds of the body without its door
    stand: PlanarPose | None  # the pose of a robot that works at it, facing it; None if it is no place
    surfaces: tuple[Box, ...] = ()  # slabs for objects, the lowest first; `high[2]` is the height of the top
    interior: Box | None = None  # the whole space that counts as inside
    compartments: tuple[Box, ...] = ()
    """The parts of `interior`, the lowest first; the low side of each is a floor to stand on."""
    hinged: bool = False  # whether a door closes the front of the interior
    handle: float = 0.0  # height of the centre of the handle of a door or drawer, in metres
    travel: float = 0.0  # how far a drawer slides out, in metres; 0 for everything else

    @property
    def has_boards(self) -> bool:
        """Whether a robot works at it on boards below one another or behind a door."""
        return self.stand is not None and (self.hinged or len(self.surfaces) > 1)

    @property
    def closes(self) -> bool:
        """Whether a door or the drawer's own sliding closes it."""
        return self.hinged or self.travel > 0.0

    def region(self, relation: str, level: int = 0) -> Box | None:
        """Return the surface (``on``) or compartment (``in``) of a level, or of the nearest level that exists."""
        regions = self.surfaces if relation == "on" else self.compartments
        return regions[max(0, min(level, len(regions) - 1))] if regions else None


def fittings(furniture: Furniture, opening: float | None = None) -> Fittings:
    """Compute the geometry of a piece of furniture.

    Args:
        furniture: The piece.
        opening: How far a drawer is open, from 0 to 1; by default as at the start. A door changes nothing here.

    Raises:
        UnknownNameError: Its model is not one of `MODELS`.
    """
    known_name("furniture model", furniture.model, MODELS)
    width, depth, height = furniture.size
    if furniture.model == DRAWER:
        return _drawer(furniture, float(furniture.opened) if opening is None else opening)
    return MODELS[furniture.model](
        furniture, _box(furniture, (-depth / 2, -width / 2, 0.0), (depth / 2, width / 2, height)), _stand(furniture)
    )


def _stand(furniture: Furniture) -> PlanarPose | None:
    if furniture.model not in STAND_DISTANCE:
        return None  # the place of a drawer is its cabinet
    mesh = furniture.mesh
    model = "cabinet" if mesh is not None and (mesh.doors or mesh.drawers) else furniture.model
    x, y = to_world(furniture.pose, furniture.size[1] / 2 + STAND_DISTANCE[model], 0.0)
    return PlanarPose(x, y, wrapped(furniture.pose.yaw + pi))


def wrapped(angle: float) -> float:
    """Return an angle between -pi and pi."""
    return (angle + pi) % (2 * pi) - pi


def _box(furniture: Furniture, low: Vector, high: Vector) -> Box:
    """Transform a box from the furniture's frame into the world frame."""
    corners = [to_world(furniture.pose, x, y) for x in (low[0], high[0]) for y in (low[1], high[1])]
    xs, ys = zip(*corners, strict=True)
    return Box((min(xs), min(ys), low[2]), (max(xs), max(ys), high[2]))


def _slab(box: Box, top: float) -> Box:
    return Box((*box.low[:2], top - SLAB), (*box.high[:2], top))


def _solid(_: Furniture, box: Box, stand: PlanarPose | None) -> Fittings:
    return Fittings(box, stand)


def _topped(_: Furniture, box: Box, stand: PlanarPose | None) -> Fittings:
    return Fittings(box, stand, surfaces=(_slab(box, box.high[2]),))


def _area(_: Furniture, box: Box, stand: PlanarPose | None) -> Fittings:
    slab = _slab(box, box.high[2])
    return Fittings(slab, stand, surfaces=(slab,))


def _shelf(furniture: Furniture, box: Box, stand: PlanarPose | None) -> Fittings:
    """Return a shelf; a number of boards divides its height evenly, and the highest is its top."""
    height = box.high[2]
    boards = furniture.number_or_list("boards", tuple(part * height for part in SHELF_BOARDS))
    tops = boards if isinstance(boards, tuple) else (*_between(0.0, height, round(boards)), height)
    return Fittings(box, stand, surfaces=tuple(_slab(box, top) for top in tops))


def _between(bottom: float, top: float, parts: int) -> tuple[float, ...]:
    """Return the heights between equal parts of a height."""
    return tuple(((parts - index) * bottom + index * top) / parts for index in range(1, parts))


def _walled(furniture: Furniture, bottom: float, top: float, front: float = WALL) -> Box:
    """Return the space between the walls, from `bottom` to `top`, with a front wall of thickness `front`."""
    width, depth, _ = furniture.size
    return _box(furniture, (-depth / 2 + WALL, -width / 2 + WALL, bottom), (depth / 2 - front, width / 2 - WALL, top))


def _open_above(furniture: Furniture, box: Box, stand: PlanarPose | None) -> Fittings:
    """Return a basin in a sink, or the whole of a bin."""
    floor = WALL if furniture.model == "bin" else max(WALL, box.high[2] - furniture.length("basin", BASIN_DEPTH))
    space = _walled(furniture, floor, box.high[2])
    return Fittings(box, stand, interior=space, compartments=(space,))


def _cabinet(furniture: Furniture, box: Box, stand: PlanarPose | None) -> Fittings:
    """Return a cabinet with a door, or with drawers and a top to put things on."""
    if furniture.length("drawers", 0.0):
        return Fittings(box, stand, surfaces=(_slab(box, box.high[2]),))
    return _behind_door(furniture, box, stand)


def _drawer(furniture: Furniture, opening: float) -> Fittings:
    """Return a drawer that is open by a fraction of its travel."""
    if furniture.mesh is not None:
        return _drawer_of_mesh(furniture, furniture.mesh, opening)
    width, depth, _ = furniture.size
    bottom, top = drawer_slot(furniture)
    travel = max(0.0, depth - DRAWER_KEPT)
    out = opening * travel
    low, high = (-depth / 2 + WALL + out, -width / 2 + WALL), (depth / 2 + out, width / 2 - WALL)
    inside = _box(
        furniture,
        (low[0] + DRAWER_WALL, low[1] + DRAWER_GAP + DRAWER_WALL, bottom + DRAWER_GAP + DRAWER_WALL),
        (high[0] - DRAWER_FRONT, high[1] - DRAWER_GAP - DRAWER_WALL, top - DRAWER_HEADROOM),
    )
    return Fittings(
        _box(furniture, (*low, bottom), (*high, top)),
        None,
        interior=inside,
        compartments=(inside,),
        handle=(bottom + top) / 2,
        travel=travel,
    )


def _drawer_of_mesh(furniture: Furniture, mesh: Mesh, opening: float) -> Fittings:
    """Return a drawer of a mesh; its level is one that the mesh has."""
    from semantics.geometry.fronts import front_box  # few worlds have files of solids

    drawer = mesh.drawers[furniture.level]
    out, box = opening * drawer.limit, front_box(mesh, drawer)
    inside = drawer.inside or box
    own, space = (
        _box(furniture, (part.low[0] + out, *part.low[1:]), (part.high[0] + out, *part.high[1:]))
        for part in (box, inside)
    )
    return Fittings(own, None, interior=space, compartments=(space,), handle=drawer.handle[2], travel=drawer.limit)


def drawer_slot(furniture: Furniture) -> tuple[float, float]:
    """Return the heights between which the front of a drawer lies, in metres."""
    if furniture.mesh is not None:
        from semantics.geometry.fronts import panel_box  # few worlds have files of solids

        box = panel_box(furniture.mesh, furniture.mesh.drawers[furniture.level])
        return box.low[2], box.high[2]
    height = furniture.size[2]
    bottom, top = furniture.length("base", CABINET_BASE), height - SLAB
    slot = (top - bottom) / max(1.0, furniture.length("drawers", 1.0))
    return bottom + furniture.level * slot, bottom + (furniture.level + 1) * slot


def _behind_door(furniture: Furniture, box: Box, stand: PlanarPose | None) -> Fittings:
    """Return the compartments of a fridge or a cabinet between its boards."""
    height = box.high[2]
    base = FRIDGE_BASE * height if furniture.model == "fridge" else max(CABINET_BASE, WALL)
    bottom, top = furniture.length("base", base), height - WALL
    boards = furniture.number_or_list("boards", INNER_BOARDS)
    if isinstance(boards, tuple):
        middles = tuple(board - SLAB / 2 for board in boards if bottom + SLAB < board < top)
    else:
        middles = _between(bottom, top, round(boards) + 1)
    floors, ceilings = [bottom, *(board + SLAB / 2 for board in middles)], [*(b - SLAB / 2 for b in middles), top]
    spaces = (_walled(furniture, *ends, front=0.0) for ends in zip(floors, ceilings, strict=True))
    return Fittings(
        box,
        stand,
        interior=_walled(furniture, bottom, top, front=0.0),
        compartments=tuple(spaces),
        hinged=True,
        handle=furniture.length("handle", HANDLE_HEIGHT * height),
    )


def _mesh(furniture: Furniture, box: Box, stand: PlanarPose | None) -> Fittings:
    """Return the places that the class of a mesh names."""
    mesh = furniture.mesh
    if mesh is None:
        return Fittings(box, stand)
    surfaces = tuple(_box(furniture, place.low, place.high) for place in mesh.surfaces)
    spaces = tuple(_box(furniture, place.low, place.high) for place in mesh.insides)
    handle = mesh.doors[0].handle[2] if mesh.doors else 0.0
    return Fittings(
        box, stand, surfaces, _around(spaces) if spaces else None, spaces, hinged=bool(mesh.doors), handle=handle
    )


def _around(boxes: tuple[Box, ...]) -> Box:
    low = (min(box.low[axis] for box in boxes) for axis in range(3))
    high = (max(box.high[axis] for box in boxes) for axis in range(3))
    return Box((next(low), next(low), next(low)), (next(high), next(high), next(high)))


MODELS: Mapping[str, Callable[[Furniture, Box, PlanarPose | None], Fittings]] = {
    AREA: _area,
    "bin": _open_above,
    "cabinet": _cabinet,
    "counter": _topped,
    "dock": _solid,
    "drawer": lambda furniture, _, __: _drawer(furniture, 0.0),
    "fridge": _behind_door,
    MESH: _mesh,
    "shelf": _shelf,
    "sink": _open_above,
    "table": _topped,
    "wall": _solid,
}
"""The function that computes the geometry of each furniture model."""
