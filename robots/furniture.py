"""The geometry of each furniture model: surfaces, interior, compartments, and the stand for a robot.

The frame of a piece has x towards its front, y to the right as seen from the front, z up, and its origin on the floor
at the centre of the footprint. Boxes are axis-aligned in the world; they are exact for headings that are multiples of a
quarter turn, and bounding boxes otherwise. All robot bodies use these numbers, so that the fake robot and the simulator
agree on the positions of everything.

    table    a top on legs                      counter  a block with a top
    shelf    boards, open to the front          sink     a block with a basin, open above
    fridge   two compartments behind a door     bin      an open box on the floor
    area     a part of a top, without a body
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, pi, sin

from semantics.errors import known_name
from semantics.geometry import Box, PlanarPose, Vector
from semantics.layout import Furniture

__all__ = ["AREA", "MODELS", "Fittings", "fittings", "to_world", "wrapped"]

AREA = "area"
"""The model of a part of a top, which has no body."""
SLAB = 0.03
"""Thickness of a table top, a counter top and a shelf board, in metres."""
WALL = 0.03
"""Thickness of the walls of a fridge, a sink and a bin, in metres."""
BASIN_DEPTH = 0.16
SHELF_BOARDS = (0.34, 0.67, 1.0)
"""Tops of a shelf's boards, as fractions of its height."""
FRIDGE_BASE = 0.3
"""Height of the lowest compartment's floor, as a fraction of the fridge's height: below it is the motor."""
STAND_DISTANCE = {AREA: 0.5, "table": 0.5, "counter": 0.5, "sink": 0.5, "shelf": 0.55, "fridge": 1.0, "bin": 0.5}
"""Distance from the front face to the centre of a robot that works there, in metres; a fridge door needs more room."""


@dataclass(frozen=True, slots=True)
class Fittings:
    """The geometry of a piece of furniture, in the world frame.

    Attributes:
        box: Bounds of the body without its door.
        stand: The pose of a robot that works at it, facing it.
        surfaces: Slabs for objects, the lowest first; `high[2]` is the height of the top.
        interior: The whole space that counts as inside.
        compartments: The parts of `interior`, the lowest first; the low side of each is a floor to stand on.
        hinged: Whether a door closes the front of the interior.
    """

    box: Box
    stand: PlanarPose
    surfaces: tuple[Box, ...] = ()
    interior: Box | None = None
    compartments: tuple[Box, ...] = ()
    hinged: bool = False

    def region(self, relation: str, level: int = 0) -> Box | None:
        """Return the surface (``on``) or compartment (``in``) of a level, or of the nearest level that exists."""
        regions = self.surfaces if relation == "on" else self.compartments
        return regions[max(0, min(level, len(regions) - 1))] if regions else None


def to_world(pose: PlanarPose, x: float, y: float) -> tuple[float, float]:
    """Transform the point (x, y) from the frame at `pose` into the world frame, in metres."""
    c, s = cos(pose.yaw), sin(pose.yaw)
    return pose.x + c * x - s * y, pose.y + s * x + c * y


def fittings(furniture: Furniture) -> Fittings:
    """Compute the geometry of a piece of furniture.

    Raises:
        UnknownNameError: Its model is not one of `MODELS`.
    """
    known_name("furniture model", furniture.model, MODELS)
    width, depth, height = furniture.size
    distance = depth / 2 + STAND_DISTANCE[furniture.model]
    x, y = to_world(furniture.pose, distance, 0.0)
    return MODELS[furniture.model](
        furniture,
        _box(furniture, (-depth / 2, -width / 2, 0.0), (depth / 2, width / 2, height)),
        PlanarPose(x, y, wrapped(furniture.pose.yaw + pi)),
    )


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


def _topped(_: Furniture, box: Box, stand: PlanarPose) -> Fittings:
    return Fittings(box, stand, surfaces=(_slab(box, box.high[2]),))


def _area(_: Furniture, box: Box, stand: PlanarPose) -> Fittings:
    slab = _slab(box, box.high[2])
    return Fittings(slab, stand, surfaces=(slab,))


def _shelf(_: Furniture, box: Box, stand: PlanarPose) -> Fittings:
    return Fittings(box, stand, surfaces=tuple(_slab(box, part * box.high[2]) for part in SHELF_BOARDS))


def _walled(furniture: Furniture, bottom: float, top: float, front: float = WALL) -> Box:
    """Return the space between the walls, from `bottom` to `top`, with a front wall of thickness `front`."""
    width, depth, _ = furniture.size
    return _box(furniture, (-depth / 2 + WALL, -width / 2 + WALL, bottom), (depth / 2 - front, width / 2 - WALL, top))


def _open_above(furniture: Furniture, box: Box, stand: PlanarPose) -> Fittings:
    """Return a basin in a sink, or the whole of a bin."""
    floor = WALL if furniture.model == "bin" else box.high[2] - BASIN_DEPTH
    space = _walled(furniture, floor, box.high[2])
    return Fittings(box, stand, interior=space, compartments=(space,))


def _fridge(furniture: Furniture, box: Box, stand: PlanarPose) -> Fittings:
    bottom, top = FRIDGE_BASE * box.high[2], box.high[2] - WALL
    board = (bottom + top) / 2
    lower = _walled(furniture, bottom, board - SLAB / 2, front=0.0)
    upper = _walled(furniture, board + SLAB / 2, top, front=0.0)
    whole = _walled(furniture, bottom, top, front=0.0)
    return Fittings(box, stand, interior=whole, compartments=(lower, upper), hinged=True)


MODELS: Mapping[str, Callable[[Furniture, Box, PlanarPose], Fittings]] = {
    AREA: _area,
    "bin": _open_above,
    "counter": _topped,
    "fridge": _fridge,
    "shelf": _shelf,
    "sink": _open_above,
    "table": _topped,
}
