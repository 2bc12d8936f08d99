"""Random variants of a layout, to test a plan on more than one arrangement of the same objects.

Pieces move and turn a little, pieces in a fridge change compartments, and the robot starts from another pose. Every
piece stays on or in the same support or container, within its edges, at a finger's width from its neighbours. A draw
that does not fit is repeated; if none fits, the piece stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import cos, pi, sin
from random import Random

from robots.arrangement import arranged, bounds
from robots.furniture import Fittings, fittings
from semantics.body.layout import Layout, MovableObject, RobotStart
from semantics.geometry.geometry import Box, PlanarPose

MOVE = 0.05  # largest move of a piece on its surface, in metres
TURN = 0.5  # largest turn of a piece, in radians
ROBOT_MOVE = 0.3  # largest move of the robot's start, in metres
ROBOT_ROOM = 0.45  # smallest distance from the centre of the robot to furniture and persons, in metres
GAP = 0.03  # smallest distance between neighbours, in metres: the width of a finger
DRAWS = 30


def perturbed(layout: Layout, seed: int) -> Layout:
    """Return the variant of a layout for a seed; seed 0 returns the layout unchanged.

    The same seed always gives the same variant.

    Raises:
        UsageError: A piece of the layout has no valid support or container.
    """
    if seed == 0:
        return layout
    random = Random(seed)
    offered = {item.name: fittings(item) for item in layout.furniture}
    pieces = {piece.name: piece for piece in layout.pieces}
    for piece in layout.pieces:
        if piece.where in offered and offered[piece.where].hinged:
            _change_level(piece.name, layout, pieces, offered, random)
    for name in pieces:
        if pieces[name].where not in pieces:
            _shift(name, layout, pieces, offered, random)
    robot = _robot_start(layout, offered.values(), random)
    return replace(layout, robot=robot, pieces=tuple(pieces.values()))


def _change_level(
    name: str, layout: Layout, pieces: dict[str, MovableObject], offered: dict[str, Fittings], random: Random
) -> None:
    """Draw a compartment for a piece; pieces in its way there move to the old compartment of the piece."""
    piece = pieces[name]
    level = random.randrange(len(offered[piece.where].compartments))
    moved = replace(piece, level=level)
    others = _neighbours(name, pieces)
    in_the_way = [other for other in others if _close(layout, moved, other)]
    swapped = [replace(other, level=piece.level) for other in in_the_way]
    names = {name, *(other.name for other in in_the_way)}
    staying = [other for other in others if other.name not in names]
    changed = [moved, *swapped]
    fits = all(_within(layout, moved_piece, offered) for moved_piece in changed)
    if fits and not any(_close(layout, moved_piece, other) for moved_piece in changed for other in staying):
        pieces.update({moved_piece.name: moved_piece for moved_piece in changed})


def _shift(
    name: str, layout: Layout, pieces: dict[str, MovableObject], offered: dict[str, Fittings], random: Random
) -> None:
    """Draw positions near that of a piece until one fits."""
    piece = pieces[name]
    others = _neighbours(name, pieces)
    for _ in range(DRAWS):
        move, turn = _drawn_move(MOVE, random), random.uniform(-TURN, TURN)
        moved = replace(piece, offset=(piece.offset[0] + move[0], piece.offset[1] + move[1]), yaw=piece.yaw + turn)
        if _within(layout, moved, offered) and not any(_close(layout, moved, other) for other in others):
            pieces[name] = moved
            return


def _drawn_move(farthest: float, random: Random) -> tuple[float, float]:
    """Draw a move, uniformly distributed over a disc."""
    distance, angle = farthest * random.random() ** 0.5, random.uniform(-pi, pi)
    return distance * cos(angle), distance * sin(angle)


def _neighbours(name: str, pieces: dict[str, MovableObject]) -> list[MovableObject]:
    """Return the other pieces on or in the same support or container."""
    where = pieces[name].where
    return [other for other in pieces.values() if other.where == where and other.name != name]


def _box(layout: Layout, piece: MovableObject) -> Box:
    return bounds(piece.shape, arranged(replace(layout, pieces=(piece,)))[piece.name])


def _close(layout: Layout, piece: MovableObject, other: MovableObject) -> bool:
    """Return whether two pieces at the same level are closer than `GAP`."""
    if piece.level != other.level:
        return False
    box, other_box = _box(layout, piece), _box(layout, other)
    spans = zip(box.low[:2], box.high[:2], other_box.low[:2], other_box.high[:2], strict=True)
    return all(low - GAP < other_high and other_low - GAP < high for low, high, other_low, other_high in spans)


def _within(layout: Layout, piece: MovableObject, offered: dict[str, Fittings]) -> bool:
    """Return whether a piece lies within the edges of its surface, or fits into its compartment."""
    region = offered[piece.where].region(piece.relation, piece.level) if piece.where in offered else None
    if region is None:
        return True
    box = _box(layout, piece)
    flat = all(region.low[i] <= box.low[i] and box.high[i] <= region.high[i] for i in (0, 1))
    return flat and not (offered[piece.where].closes and box.high[2] > region.high[2])


def _robot_start(layout: Layout, offered: Iterable[Fittings], random: Random) -> RobotStart:
    """Draw a pose near the robot's start that keeps `ROBOT_ROOM` to furniture and persons.

    A robot that starts nearer than that to them is fixed there, as an arm at a table, and stays.
    """
    start = layout.robot
    boxes = [item.box for item in offered]
    boxes += [
        Box((person.pose.x, person.pose.y, 0.0), (person.pose.x, person.pose.y, 2.0)) for person in layout.persons
    ]
    if any(box.above((start.pose.x, start.pose.y, 0.0), ROBOT_ROOM) for box in boxes):
        return start
    for _ in range(DRAWS):
        move, turn = _drawn_move(ROBOT_MOVE, random), random.uniform(-TURN, TURN)
        pose = PlanarPose(start.pose.x + move[0], start.pose.y + move[1], start.pose.yaw + turn)
        if not any(box.above((pose.x, pose.y, 0.0), ROBOT_ROOM) for box in boxes):
            return replace(start, pose=pose)
    return start
