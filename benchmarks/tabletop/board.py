"""The table of the evaluation as a map: sizes, regions and directions, as scenes of the world `tabletop` state them.

On the map, `right` and `top` are metres from the middle of the table: the top is far from the arm, the left is on the
left of the arm. `up` is the height of a middle above the table's top. The world's x axis is the map's top and its y
axis the map's left, so an angle counted counter-clockwise is the same in both.
"""

from __future__ import annotations

from math import atan2, cos, degrees, dist, hypot, sin
from typing import NamedTuple

__all__ = [
    "BLOCK",
    "BOWL",
    "COLOURS",
    "CORNERS",
    "DIRECTIONS",
    "HALF",
    "REGIONS",
    "TABLE_TOP",
    "Place",
    "Pose",
    "Spot",
    "angle_off",
    "apart",
    "covers",
    "extent",
    "height_of",
    "side_of",
    "spot_of",
    "world_of",
]

Place = tuple[float, float]
"""A point of the map: metres to the right and to the top of the middle of the table."""

TABLE_X, TABLE_TOP = 0.53, 0.72
"""The middle of the table ahead of the arm, and the height of its top, in metres."""
HALF = 0.30
"""Half the side of the square workspace, metres."""
BLOCK = 0.04
"""Side of a block, metres."""
BOWL = (0.17, 0.04)
"""Outer side and height of a bowl, metres."""
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "cyan", "brown", "gray")

OUT = 0.23
"""From the middle of the table to the middles of its sides, metres. The published regions lie 2 cm farther out, where
this arm no longer works from above."""
REGIONS = {
    "top_left_corner": (-OUT, OUT),
    "top_right_corner": (OUT, OUT),
    "bottom_right_corner": (OUT, -OUT),
    "bottom_left_corner": (-OUT, -OUT),
    "left_side": (-OUT, 0.0),
    "right_side": (OUT, 0.0),
    "top_side": (0.0, OUT),
    "bottom_side": (0.0, -OUT),
    "middle0": (0.0, 0.0),
}
"""The middles of the areas of the table, by their names in the world."""
CORNERS = tuple(name for name in REGIONS if name.endswith("corner"))
DIRECTIONS = {
    "left": (-1.0, 0.0, 0.0),
    "west": (-1.0, 0.0, 0.0),
    "right": (1.0, 0.0, 0.0),
    "east": (1.0, 0.0, 0.0),
    "top": (0.0, 1.0, 0.0),
    "north": (0.0, 1.0, 0.0),
    "bottom": (0.0, -1.0, 0.0),
    "south": (0.0, -1.0, 0.0),
    "above": (0.0, 0.0, 1.0),
    "below": (0.0, 0.0, -1.0),
}
"""Unit vectors to the right, to the top and up. Above and below are heights, not directions of the map."""


class Pose(NamedTuple):
    """Where a thing is in the world: the middle of its bounding box in metres, its yaw in radians."""

    x: float
    y: float
    z: float
    yaw: float = 0.0


class Spot(NamedTuple):
    """Where a thing is on the map: metres to the right, to the top and up, yaw in radians."""

    right: float
    top: float
    up: float = BLOCK / 2
    yaw: float = 0.0

    @property
    def place(self) -> Place:
        """The point of the map, without height."""
        return self.right, self.top

    @property
    def point(self) -> tuple[float, float, float]:
        """The point in space."""
        return self.right, self.top, self.up


def spot_of(pose: Pose) -> Spot:
    """Return where a pose of the world is on the map."""
    return Spot(-pose.y, pose.x - TABLE_X, pose.z - TABLE_TOP, pose.yaw)


def world_of(spot: Spot) -> Pose:
    """Return the pose in the world of a spot of the map."""
    return Pose(TABLE_X + spot.top, -spot.right, TABLE_TOP + spot.up, spot.yaw)


def apart(first: Spot, second: Spot) -> float:
    """Return the distance of two spots seen from above, metres."""
    return dist(first.place, second.place)


def side_of(name: str) -> float:
    """Return the side of the square outline of a block or bowl, metres."""
    return BOWL[0] if name.endswith("_bowl") else BLOCK


def height_of(name: str) -> float:
    """Return the height of a block or bowl, metres."""
    return BOWL[1] if name.endswith("_bowl") else BLOCK


def covers(below: Spot, side: float, place: Place) -> bool:
    """Return whether a point of the map is over a square thing that stands with its yaw."""
    along, ahead = place[0] - below.right, place[1] - below.top
    turned_along = along * cos(below.yaw) + ahead * sin(below.yaw)
    turned_ahead = ahead * cos(below.yaw) - along * sin(below.yaw)
    return max(abs(turned_along), abs(turned_ahead)) <= side / 2


def extent(name: str, spot: Spot) -> float:
    """Return how far a block or bowl reaches from its middle along each axis of the map, metres."""
    return side_of(name) / 2 * (abs(cos(spot.yaw)) + abs(sin(spot.yaw)))


def angle_off(start: Spot, end: Spot, direction: str) -> float:
    """Return by how many degrees the way from one spot to another on the map is off a direction."""
    right, top = end.right - start.right, end.top - start.top
    towards, upwards, _ = DIRECTIONS[direction]
    along, aside = right * towards + top * upwards, right * upwards - top * towards
    return abs(degrees(atan2(aside, along))) if hypot(right, top) > 0 else 180.0
