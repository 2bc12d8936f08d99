"""The geometry of door leaves: where the hinge is, how wide the leaf is, and where its handle is.

A door has one leaf, or two that open and close as one. A leaf turns about an upright hinge at its right or left side,
as seen from the front, and opens towards the front. Lengths are in metres, in the frame of the furniture
(`robots.furniture`).
"""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

from robots.furniture import fittings
from semantics.layout import Furniture

__all__ = ["DOOR_LIMIT", "DOOR_THICKNESS", "HANDLE", "LEFT", "RIGHT", "Handle", "Leaf", "leaves_of"]

DOOR_THICKNESS = 0.04
DOOR_LIMIT = 1.95
"""Widest angle of a door in radians."""
LEAF_GAP = 0.002
"""Half the gap between two leaves, in metres."""
RIGHT, LEFT = 1.0, -1.0


class Handle(NamedTuple):
    """A door's vertical handle.

    Attributes:
        inset: Distance from the free edge, in metres.
        standoff: Distance from the front face, in metres.
        diameter: Diameter, in metres.
        length: Length, in metres.
    """

    inset: float = 0.07
    standoff: float = 0.055
    diameter: float = 0.022
    length: float = 0.3


HANDLE = Handle()


class Leaf(NamedTuple):
    """One leaf of a door.

    Attributes:
        x: Where the hinge is, towards the front.
        y: Where the hinge is, to the right.
        side: `RIGHT` or `LEFT`, where the hinge is on the leaf.
        width: Distance from the hinge to the free edge.
        thickness: Distance from the hinge to the plane of the outer face.
        along: Distance from the hinge to the handle, along the leaf.
        out: Distance from the hinge to the handle, across the leaf.
        height: Height of the middle of the handle.
        limit: Widest angle, in radians.
    """

    x: float
    y: float
    side: float
    width: float
    thickness: float
    along: float
    out: float
    height: float
    limit: float = DOOR_LIMIT

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
