"""Where the pieces of a layout rest: from relations and offsets to poses in the world. Pure geometry.

A piece stands on or in furniture, or on or in another piece. Its offset starts at the centre of this surface or
interior. All robot bodies and the perturbations use the same resting places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import cos, sin
from typing import NamedTuple

from robots.furniture import Fittings, fittings
from semantics.body.layout import FLOOR, Furniture, Layout, MovableObject, Shape
from semantics.errors import UsageError
from semantics.geometry.geometry import Box, PlanarPose, to_world
from semantics.geometry.relations import Arrangement, Placed
from semantics.geometry.solids import Solid, solid_of

GROUND = 100.0  # extent of the ground as relations see it, in metres
OPEN_BOX_WALL = 0.008  # thickness of the walls of a bowl or tray, in metres
OPEN_BOX_FLOOR = 0.01  # thickness of its floor


class RestingPlace(NamedTuple):
    """The pose of a resting object: the centre of its bottom in metres, its yaw in radians, and if it stands on end."""

    x: float
    y: float
    z: float
    yaw: float = 0.0
    on_end: bool = False


def extents(shape: Shape, yaw: float = 0.0) -> tuple[float, float]:
    """Return the extents along x and y of a solid turned by `yaw`, in metres."""
    width, depth, _ = shape.size
    if shape.is_cylinder or shape.form == "sphere":
        return width, depth
    c, s = abs(cos(yaw)), abs(sin(yaw))
    return c * width + s * depth, s * width + c * depth


def bounds(shape: Shape, spot: RestingPlace) -> Box:
    """Return the bounds of a solid that rests at a spot."""
    if spot.on_end:
        shape = stood_on_end(shape)
    wide, deep = extents(shape, spot.yaw)
    low = (spot.x - wide / 2, spot.y - deep / 2, spot.z)
    return Box(low, (low[0] + wide, low[1] + deep, spot.z + shape.size[2]))


def solid_at(shape: Shape, spot: RestingPlace) -> Solid:
    """Return a solid that rests at a spot, as relations see it."""
    shape = stood_on_end(shape) if spot.on_end else shape
    return Solid(shape.form, shape.size, (spot.x, spot.y, spot.z), spot.yaw)


def as_placed(
    solids: Mapping[str, Solid],
    offered: Mapping[str, Fittings],
    heading: float,
    ground: str = f"{FLOOR}0",
    views: Mapping[str, float] | None = None,
) -> Arrangement:
    """Return things and furniture as relations see them, from a viewer with a heading.

    Args:
        solids: Things as they stand, by name.
        offered: Furniture by name.
        heading: Heading of the viewer, in radians.
        ground: The name of the ground.
        views: Heading of everything that can be named as the viewer, see `views_from`.
    """
    things = {name: Placed(solid) for name, solid in solids.items()}
    for name, each in offered.items():
        things[name] = Placed(solid_of(each.box), tuple(map(solid_of, each.surfaces)))
    things[ground] = Placed(Solid("box", (GROUND, GROUND, 0.0), (0.0, 0.0, 0.0)))
    return Arrangement(things, heading, views or {})


def views_from(offered: Mapping[str, Fittings], agents: Mapping[str, PlanarPose]) -> dict[str, float]:
    """Return the heading of each viewer: of an agent, or of who stands at the front of furniture and faces it."""
    fronts = {name: each.stand.yaw for name, each in offered.items() if each.stand is not None}
    return fronts | {name: pose.yaw for name, pose in agents.items()}


def stood_on_end(shape: Shape) -> Shape:
    """Return a solid with its longest side upright, as a fork stands in a cup."""
    x, y, z = sorted(shape.size)
    return replace(shape, size=(x, y, z))


def hollow(shape: Shape, box: Box) -> Box | None:
    """Return the space inside a bowl or tray with those bounds; None for a solid, and for a cup (see `interior`)."""
    return _inside(box) if shape.form == "open-box" else None


def interior(shape: Shape, box: Box) -> Box | None:
    """Return the space inside a bowl, tray or cup with those bounds; None for a solid.

    A simulator of contacts knows only that of `hollow`: it takes a cup for a solid cylinder.
    """
    return _inside(box) if shape.form in ("open-box", "open-cylinder") else None


def _inside(box: Box) -> Box:
    wall, floor = OPEN_BOX_WALL, OPEN_BOX_FLOOR
    low, high = box.low, box.high
    return Box((low[0] + wall, low[1] + wall, low[2] + floor), (high[0] - wall, high[1] - wall, high[2]))


def tray_top(shape: Shape, box: Box) -> Box:
    """Return the surface for other objects: the floor inside a bowl or tray, else the top of a solid."""
    space = hollow(shape, box)
    if space is None:
        return box
    return Box((*space.low[:2], box.low[2]), (*space.high[:2], space.low[2]))


def arranged(layout: Layout) -> dict[str, RestingPlace]:
    """Return the resting place of every piece.

    Raises:
        UsageError: A piece stands on or in something that does not exist or has no such surface or interior, or pieces
            stand on each other in a circle.
        UnknownNameError: A piece of furniture has an unknown model.
    """
    furniture = {item.name: (item, fittings(item)) for item in layout.furniture}
    # A piece in no furniture may stand on the ground, whose frame is that of the world.
    on_the_ground = (replace(piece, where=FLOOR) if layout.is_ground(piece.where) else piece for piece in layout.pieces)
    pieces = {piece.name: piece for piece in on_the_ground}
    spots: dict[str, RestingPlace] = {}
    for name in pieces:
        _settle(name, pieces, furniture, spots, ())
    return spots


def _settle(
    name: str,
    pieces: Mapping[str, MovableObject],
    furniture: Mapping[str, tuple[Furniture, Fittings]],
    spots: dict[str, RestingPlace],
    above: tuple[str, ...],
) -> RestingPlace:
    """Compute the resting place of a piece after that of its carrier, and store it in `spots`."""
    if name in above:
        raise UsageError(f"{' on '.join((*above, name))}: pieces carry each other in a ring")
    if name not in spots:
        piece = pieces[name]
        if piece.where in pieces:
            base = _settle(piece.where, pieces, furniture, spots, (*above, name))
            spots[name] = _spot_on_piece(piece, pieces[piece.where].shape, base)
        else:
            spots[name] = _spot_on_furniture(piece, furniture)
    return spots[name]


def _spot_on_piece(piece: MovableObject, carrier: Shape, base: RestingPlace) -> RestingPlace:
    x, y = to_world(PlanarPose(base.x, base.y, base.yaw), piece.offset[1], piece.offset[0])
    return RestingPlace(x, y, tray_top(carrier, bounds(carrier, base)).high[2], base.yaw + piece.yaw)


def _spot_on_furniture(piece: MovableObject, furniture: Mapping[str, tuple[Furniture, Fittings]]) -> RestingPlace:
    if piece.where == FLOOR:
        return RestingPlace(piece.offset[1], piece.offset[0], 0.0, piece.yaw)
    if piece.where not in furniture:
        raise UsageError(f"{piece.name} stands {piece.relation} '{piece.where}', which does not exist")
    item, offered = furniture[piece.where]
    region = offered.region(piece.relation, piece.level)
    if region is None:
        raise UsageError(f"{piece.name}: nothing can be {piece.relation} {piece.where}, a {item.model}")
    middle = PlanarPose(region.centre[0], region.centre[1], item.pose.yaw)
    x, y = to_world(middle, piece.offset[1], piece.offset[0])
    height = region.high[2] if piece.relation == "on" else region.low[2]
    return RestingPlace(x, y, height, item.pose.yaw + piece.yaw)
