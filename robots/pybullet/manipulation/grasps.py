"""Grasps of an object: poses of the fingertips, the most useful first.

The fingers close across a side of the object that is no thicker than the opening of the hand. The approach is
horizontal, from above, or in between. A hand that approached horizontally can later reach into a fridge or a shelf, so
flat pitches come first for tall objects. Round objects may be grasped from every side, and bowls by the rim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import atan2, cos, pi, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robots.arrangement import OPEN_BOX_WALL
from robots.furniture import wrapped
from robots.limits import THICKEST
from robots.pybullet.manipulation.reach import STEEP, Aim
from robots.pybullet.scenery.world import Quaternion, axes_of
from semantics.body.layout import Shape
from semantics.geometry.geometry import Vector

FLAT = (0.35, 0.52, 0.17, 0.0, 0.7, 1.0)  # pitches in a space with a roof, in radians, the preferred first
OPEN_ABOVE = (0.79, 0.52, 1.05, 1.3, 1.55, 0.35)  # pitches for low objects in the open
UPRIGHT = (0.35, 0.52, 0.2, 0.79, 1.05, 1.55)  # pitches for tall objects in the open
FROM_ABOVE = (1.55, 1.3, 1.05, 0.79, 0.52)  # pitches of an arm on a fixed base, whose hand cannot come from any side
TIP = 0.012  # distance from the grasp point to the end of the fingertips, with a small clearance, in metres
FINGER = 0.032  # how far the fingers reach over an object from above before the palm touches it, in metres
SHY = (0.0, 0.008, 0.014, 0.024)
"""Distances by which the fingertips may stop before the centre, to keep the palm off the object, in metres."""
BITE = 0.006  # the least depth of the grasp point inside an object, in metres; the fingertips reach deeper
RIM = 0.03  # height of the part of a bowl's wall that counts as its rim, in metres
SKEW = (0.0, 0.14, -0.14, 0.28, -0.28)
"""Angles by which a hand may deviate from the perpendicular; the closing fingers turn the object."""
MOST_SKEW = (0.42, -0.42)
"""The same where nothing nearer to the perpendicular is free: the fingers then close on two edges. With these, a box of
any heading can be taken from within 0.37 rad of straight ahead, as between the walls of a shelf."""
THIN = 0.066  # the largest thickness that leaves room for such a deviation, in metres
SIDEWAYS = (0.0, 0.3, -0.3, 0.6, -0.6, 0.9, -0.9, 1.15, -1.15)
"""Directions of the hand at a round object, from straight ahead, in radians."""
TIPPED = 0.3  # the tilt in radians from which a tall object falls over

Matrix = NDArray[np.float64]


class GraspBox(NamedTuple):
    """A part of an object to grasp: centre, axes as columns, full extents, and whether it is round."""

    centre: Matrix
    axes: Matrix
    extents: Matrix
    round: bool = False


def blocks(shape: Shape, position: Vector, orientation: Quaternion) -> list[GraspBox]:
    """Return the parts of an object that fit between the fingers."""
    axes = axes_of(orientation)
    middle, size = np.array(position), np.array(shape.size)
    if shape.form == "open-box":
        return list(_walls(middle, axes, size))
    stands = shape.is_cylinder and abs(axes[2, 2]) > 0.95
    return [GraspBox(middle, axes, size, shape.form == "sphere" or stands)]


def _walls(middle: Matrix, axes: Matrix, size: Matrix) -> Iterator[GraspBox]:
    for axis in (0, 1):
        for sign in (1.0, -1.0):
            inset = sign * (size[axis] - OPEN_BOX_WALL) / 2
            extents = size.copy()
            extents[axis] = OPEN_BOX_WALL
            extents[2] = min(extents[2], RIM)
            up = axes[:, 2] * (size[2] - extents[2]) / 2
            yield GraspBox(middle + axes[:, axis] * inset + up, axes, extents)


def aims(block: GraspBox, facing: float, phis: Sequence[float], floor: float) -> Iterator[Aim]:
    """Yield poses that grasp a block from about the direction `facing`; `floor` is the height of its support."""
    top = float(block.centre[2] + np.abs(block.axes[2]) @ block.extents / 2)
    for phi in phis:
        lowest = floor + TIP * sin(phi) + 0.012 * cos(phi)
        for height in _heights(block, phi):
            for azimuth, roll, skew in _directions(block, facing, phi):
                # The fingers stay on the block's own line: off it, one of them would be in the end of a long block.
                along = azimuth - skew
                back = np.array([cos(phi) * cos(along), cos(phi) * sin(along), -sin(phi)])
                middle = np.array([*block.centre[:2], height])
                for shy in _shy(block, _depth(block, back)):
                    x, y, z = (float(v) for v in middle - shy * back)
                    if z > top - BITE:  # the fingers would close above it
                        continue
                    yield Aim((x, y, max(z, lowest)), azimuth, phi, roll)


def _shy(block: GraspBox, depth: float) -> Iterator[float]:
    """Yield the distances by which to stop before the centre of a block, given the depth of the centre.

    Fingers that close in front of the widest part of a round object would push it away.
    """
    most = 0.4 * depth if block.round else depth - BITE
    yield from (shy for shy in SHY if shy < most)
    yield from (depth - bite for bite in (2.2 * BITE, BITE) if SHY[-1] < depth - bite <= most)


def _depth(block: GraspBox, ahead: Matrix) -> float:
    """Return the depth of the block's centre behind its surface, along a direction."""
    along = np.abs(block.axes.T @ ahead)
    return float(np.min(block.extents / 2 / np.maximum(along, 1e-6)))


def _heights(block: GraspBox, phi: float) -> list[float]:
    """Return the heights of grasps: at the block's centre or higher for a tall one, near its top from above."""
    middle = float(block.centre[2])
    half = float(np.abs(block.axes[2]) @ block.extents) / 2
    under_top = middle + half - FINGER
    if half <= 0.045:
        return [max(middle, under_top - 0.01)]
    return [middle, (middle + under_top) / 2, under_top] if phi < 0.6 else [under_top, middle]


def _directions(block: GraspBox, facing: float, phi: float) -> Iterator[tuple[float, float, float]]:
    """Yield the azimuth, roll and skew of the hand, those near `facing` first."""
    if block.round:
        rolls = (0.0, 0.7, -0.7) if phi > STEEP else (0.0,)
        yield from ((facing + side, roll, 0.0) for side in SIDEWAYS for roll in rolls)
        return
    for skews in (SKEW, MOST_SKEW):
        closable = (axis for axis in _level(block) if block.extents[axis] <= THICKEST)
        directions = [turned for axis in closable for turned in _across(block, axis, facing, phi, skews)]
        yield from sorted(directions, key=lambda direction: round(abs(wrapped(direction[0] - facing)), 2))


def _across(
    block: GraspBox, axis: int, facing: float, phi: float, skews: Sequence[float]
) -> Iterator[tuple[float, float, float]]:
    """Yield the azimuth, roll and skew of hands whose fingers close along an axis of a block, off it by some angles."""
    across = atan2(block.axes[1, axis], block.axes[0, axis])
    if phi > STEEP:
        for side in (0.0, 0.35, -0.35) if skews is SKEW else ():
            yield facing + side, wrapped(2 * (facing + side + pi / 2 - across)) / 2, 0.0
        return
    turn = wrapped(2 * (across - pi / 2 - facing)) / 2
    for skew in skews if block.extents[axis] < THIN else skews[:1]:
        yield facing + turn + skew, 0.0, skew


def thinnest_side(block: GraspBox) -> float | None:
    """Return the smallest extent along a level axis, in metres; None for a block that lies askew."""
    return min((float(block.extents[i]) for i in _level(block)), default=None)


def _level(block: GraspBox) -> list[int]:
    """Return the axes that are about horizontal, the one of the smallest extent first."""
    level = [i for i in range(3) if abs(block.axes[2, i]) < 0.3]
    return sorted(level, key=lambda i: float(block.extents[i]))


def hand_axes(azimuth: float, phi: float, roll: float) -> Matrix:
    """Return the axes of the fingertips' frame as columns: x, the closing direction y, the approach direction z."""
    ahead = np.array([cos(phi) * cos(azimuth), cos(phi) * sin(azimuth), -sin(phi)])
    side = np.array([sin(azimuth), -cos(azimuth), 0.0])
    third = np.cross(side, ahead)
    turned = (cos(roll) * third + sin(roll) * side, cos(roll) * side - sin(roll) * third, ahead)
    return np.column_stack(turned)


def has_to_stand(shape: Shape) -> bool:
    """Return whether an object is to be set down upright: it is open above, or taller than wide."""
    return shape.is_open or (shape.form != "sphere" and shape.size[2] > max(shape.size[:2]))


def can_set_upright(aim: Aim, up: Matrix) -> bool:
    """Return whether a hand that grasps an object so can set it upright.

    Args:
        aim: The grasp.
        up: The direction in which the upper side of the object looks now.
    """
    own = hand_axes(aim.azimuth, aim.phi, aim.roll).T @ up
    turns = product((*FLAT, *FROM_ABOVE), (aim.roll, 0.0))
    return any((hand_axes(0.0, phi, roll) @ own)[2] > cos(TIPPED) for phi, roll in turns)
