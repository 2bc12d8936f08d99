"""The geometry of doors and drawers: where the hinge is, how wide a leaf is, and where the handle is.

A door has one leaf, or two that open and close as one. A leaf turns about an upright hinge at its right or left side,
as seen from the front, and opens towards the front. Lengths are in metres, in the frame of the furniture
(`robots.furniture`).
"""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

from robots.furniture import fittings
from semantics.body.layout import Furniture
from semantics.geometry.fronts import panel_box
from semantics.geometry.geometry import Front, Mesh

DOOR_THICKNESS = 0.04
DOOR_LIMIT = 1.95  # widest angle of a door in radians
LEAF_GAP = 0.002  # half the gap between two leaves, in metres
RIGHT, LEFT = 1.0, -1.0


class Handle(NamedTuple):
    """A door's vertical handle."""

    inset: float = 0.07  # distance from the free edge, in metres
    standoff: float = 0.055  # distance from the front face, in metres
    diameter: float = 0.022  # diameter, in metres
    length: float = 0.3  # length, in metres


HANDLE = Handle()


class Leaf(NamedTuple):
    """One leaf of a door."""

    x: float  # where the hinge is, towards the front
    y: float  # where the hinge is, to the right
    side: float  # `RIGHT` or `LEFT`, where the hinge is on the leaf
    width: float  # distance from the hinge to the free edge
    thickness: float  # distance from the hinge to the plane of the outer face
    along: float  # distance from the hinge to the handle, along the leaf
    out: float  # distance from the hinge to the handle, across the leaf
    height: float  # height of the middle of the handle
    limit: float = DOOR_LIMIT  # widest angle, in radians
    front: Front | None = None  # what it is of a solid from a file

    def point(self, angle: float, along: float, out: float) -> tuple[float, float]:
        """Return the spot `along` the leaf from the hinge and `out` from its plane, where it is open by an angle."""
        return (
            self.x + along * sin(angle) + out * cos(angle),
            self.y + self.side * (out * sin(angle) - along * cos(angle)),
        )

    def aside(self, y: float, distance: float) -> float:
        """Return the y at a distance from another, away from the hinge."""
        return y - self.side * distance


def leaves_of(furniture: Furniture) -> tuple[Leaf, ...]:
    """Return the leaves of the door of a piece, the one with its hinge at the right first; none without a door."""
    offered = fittings(furniture)
    if not offered.hinged:
        return ()
    if furniture.mesh is not None:
        leaves = (_leaf_of_mesh(furniture.mesh, door) for door in furniture.mesh.doors)
        return tuple(sorted(leaves, key=lambda leaf: -leaf.y))
    width, depth, _ = furniture.size
    sides = (RIGHT, LEFT)[: round(furniture.length("doors", 1.0))]
    wide = width if len(sides) == 1 else width / 2 - LEAF_GAP
    return tuple(
        Leaf(
            x=depth / 2 - DOOR_THICKNESS,
            y=side * width / 2,
            side=side,
            width=wide,
            thickness=DOOR_THICKNESS,
            along=wide - HANDLE.inset,
            out=DOOR_THICKNESS + HANDLE.standoff,
            height=offered.handle,
        )
        for side in sides
    )


def _leaf_of_mesh(mesh: Mesh, door: Front) -> Leaf:
    box = panel_box(mesh, door)
    x, y = door.hinge or (0.0, 0.0)
    side = RIGHT if y > box.centre[1] else LEFT
    return Leaf(
        x=x,
        y=y,
        side=side,
        width=max(abs(y - box.low[1]), abs(y - box.high[1])),
        thickness=box.high[0] - x,
        along=side * (y - door.handle[1]),
        out=door.handle[0] - x,
        height=door.handle[2],
        limit=door.limit,
        front=door,
    )


class Pull(NamedTuple):
    """Where the hand pulls and pushes a drawer that is shut."""

    face: float  # where its outer face is, towards the front
    x: float  # where the handle is, towards the front
    y: float  # where the handle is, to the right


def pull_of(drawer: Furniture) -> Pull:
    """Return where the hand pulls a drawer."""
    if drawer.mesh is None:
        face = drawer.size[1] / 2
        return Pull(face, face + HANDLE.standoff, 0.0)
    front = drawer.mesh.drawers[drawer.level]
    return Pull(panel_box(drawer.mesh, front).high[0], *front.handle[:2])
