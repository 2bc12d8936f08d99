"""What the hand reaches on each board: poses of things are drawn, and a grasp of each is sought in the mirror.

Nothing moves: a pose counts as reached if the search of a pick from the place's stand finds a grasp and its paths.
Things of about the same grasp count as one: the thickest stands for all.
Bowls and trays are left out: they have four rims to try, which takes a minute for one board.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import cos, pi, sin
from random import Random
from typing import Final, NamedTuple

from robots.arrangement import arranged, extents
from robots.furniture import fittings
from robots.limits import THICKEST, fits_hand
from robots.pybullet.description import described
from robots.pybullet.manipulation.pick import TALL, grasp_task
from robots.pybullet.manipulation.search import first_free
from robots.pybullet.motion import Failed
from robots.pybullet.rig import Rig
from semantics.body.layout import Furniture, Layout, MovableObject, Shape
from semantics.geometry.geometry import PlanarPose

POSES: Final = 20  # number of poses drawn for one kind of thing on one board
TURN: Final = 0.5  # largest turn of a thing from facing the front, in radians
ASIDE: Final = 0.06
"""Room between a thing and the walls beside it, in metres: a hand is 0.21 m wide, and has no room nearer to a wall."""
BEHIND: Final = 0.03  # room between a thing and the back or the front edge, in metres


class BoardSample(NamedTuple):
    """How many poses on a board are reached."""

    place: str  # the furniture
    height: float  # the height of the board, in metres
    classes: tuple[str, ...]  # the classes of things that the drawn one stands for
    reached: int  # how many of `POSES`


def sample_boards(layout: Layout, shapes: Mapping[str, Shape], skipped: Collection[str] = ()) -> Iterator[BoardSample]:
    """Yield what is reached on each board that has another above it, or is behind a door; none for a fixed arm.

    Args:
        layout: The scene; its other things are left out.
        shapes: The classes of things, and their shapes.
        skipped: Furniture that is left out.
    """
    groups = _groups(shapes)
    pieces = tuple(MovableObject(name, shapes[name], "on", layout.ground) for name in groups.values())
    room = replace(layout, pieces=pieces, states=frozenset())
    for item in layout.furniture if described(layout.robot.body).moves else ():
        if item.name in skipped or not fittings(item).has_boards:
            continue
        yield from _on_boards(room, item, groups)


def _groups(shapes: Mapping[str, Shape]) -> dict[tuple[str, ...], str]:
    """Return the classes that are grasped alike, with the one that is hardest to grasp."""
    alike: dict[tuple[str, bool], list[str]] = {}
    for name, shape in sorted(shapes.items()):
        if fits_hand(shape) and shape.form != "open-box":
            form = "round" if shape.is_cylinder or shape.form == "sphere" else shape.form
            alike.setdefault((form, shape.size[2] > TALL), []).append(name)
    return {tuple(names): max(names, key=lambda name: _thickness(shapes[name])) for names in alike.values()}


def _thickness(shape: Shape) -> tuple[float, float]:
    return max((side for side in shape.size[:2] if side <= THICKEST), default=0.0), max(shape.size[:2])


def _on_boards(room: Layout, item: Furniture, names: Mapping[tuple[str, ...], str]) -> Iterator[BoardSample]:
    offered = fittings(item)
    relation, regions = ("in", offered.compartments) if offered.hinged else ("on", offered.surfaces)
    assert offered.stand is not None  # it has boards
    rig = Rig(replace(room, robot=replace(room.robot, pose=offered.stand)))
    try:
        for link in rig.world.links(item.name) if offered.hinged else ():
            rig.world.set_door(item.name, rig.world.wide_open(item.name, link), link)
        for (level, region), (classes, name) in product(enumerate(regions), names.items()):
            shape = rig.world.shapes[name]
            if not offered.hinged or shape.size[2] <= region.size[2]:
                poses = _poses(item, MovableObject(name, shape, relation, item.name, level=level))
                height = region.low[2] if offered.hinged else region.high[2]
                yield BoardSample(item.name, height, classes, sum(_is_reached(rig, piece) for piece in poses))
    finally:
        rig.close()


def _poses(item: Furniture, piece: MovableObject) -> Iterator[MovableObject]:
    """Yield a thing in poses on a board, drawn evenly over it; the same ones each time."""
    random = Random(f"{item.name} {piece.level} {piece.name}")
    region = fittings(replace(item, pose=PlanarPose(0.0, 0.0))).region(piece.relation, piece.level)
    assert region is not None  # it is one of the regions
    width, depth = piece.shape.size[1], piece.shape.size[0]
    for _ in range(POSES):
        # A long thing points to the front: the fingers do not close on one that lies across, where there is a roof.
        yaw = random.uniform(-TURN, TURN) + (pi / 2 if width > depth else 0.0)
        deep, wide = extents(piece.shape, yaw)
        aside = max(0.0, (region.size[1] - wide) / 2 - ASIDE)
        behind = max(0.0, (region.size[0] - deep) / 2 - BEHIND)
        yield replace(piece, offset=(random.uniform(-aside, aside), random.uniform(-behind, behind)), yaw=yaw)


def _is_reached(rig: Rig, piece: MovableObject) -> bool:
    """Return whether a pick of a thing in a pose finds a grasp, and a way to it and back."""
    spot = arranged(replace(rig.world.layout, pieces=(piece,)))[piece.name]
    before, half = rig.world.pose(piece.name), spot.yaw / 2
    middle = (spot.x, spot.y, spot.z + piece.shape.size[2] / 2 + 0.001)
    rig.world.place(piece.name, middle, (0.0, 0.0, sin(half), cos(half)))
    rig.mirror.sync(rig.world)
    try:
        first_free(rig, grasp_task(rig, piece.name, piece.where, piece.where))
    except Failed:
        return False
    finally:
        rig.world.place(piece.name, *before)
    return True
