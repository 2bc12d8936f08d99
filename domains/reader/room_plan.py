"""Poses for what a scene with ``arrange`` leaves without one.

Furniture stands along the four sides of a square around the robot and faces it; the square grows until there is room.
In front of each piece a working zone stays free. Things lie on or in their furniture at drawn positions, a finger's
width apart. The same scene and seed always give the same poses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import pi
from random import Random
from typing import NamedTuple

from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart
from semantics.geometry.geometry import PlanarPose, to_world
from semantics.geometry.ground_plan import FloorPlan, shift_apart

GAP = 0.1  # least distance between two pieces of furniture, in metres
ZONE = 1.3  # depth of the working zone in front of a piece, in metres
NARROWEST = 0.7  # width of the narrowest working zone, in metres
MIDDLE = 2.0  # distance from the robot to the front of the deepest piece in the smallest room, in metres
WIDEST_ROOM = 12.0  # distance from the middle to the sides of the widest room, in metres
GROWTH = 0.25
STEP = 0.1  # distance between two positions along a side, in metres
ROBOT_ROOM = 0.35  # half the width of the square that the robot's start takes, in metres
PERSON_SIZE = (0.6, 0.5, 1.8)
BESIDE = 0.5  # distance from the front of a place to a robot or person who is there, in metres
FINGER = 0.04  # least distance between two things, in metres
EDGE = 0.05  # least distance of a thing from the edge of its furniture, in metres, which is more than the walls of any
BACK = 0.25  # how far behind the middle a thing may lie, as a share of the depth of its furniture
MID_DRAWER = 0.1
"""How far from the middle of a drawer a thing may lie, to its front or back, as a share of the depth of its cabinet."""
FLOOR_ROOM = 1.8  # how far from the middle a thing may lie on the floor, in metres
DRAWS = 300


class PlannedRoom(NamedTuple):
    """A layout in which everything has a pose."""

    layout: Layout  # the layout
    homeless: Mapping[str, str]  # the names of what there was no room for, with the reason


def planned_room(layout: Layout, free: Iterable[str], places: Mapping[str, str], seed: int) -> PlannedRoom:
    """Return a layout with a pose for each thing that has none.

    Args:
        layout: The arrangement; poses of free things are disregarded.
        free: The names of what has no pose or offset.
        places: Where agents are, by name.
        seed: The seed of all draws.
    """
    return _RoomPlan(layout, frozenset(free), places, Random(seed)).planned()


class _RoomPlan:
    """The plan of one room while it is made."""

    def __init__(self, layout: Layout, free: frozenset[str], places: Mapping[str, str], random: Random) -> None:
        self._layout, self._free, self._places, self._random = layout, free, places, random
        self._solids: list[FloorPlan] = []
        self._zones: list[FloorPlan] = []
        self._homeless: dict[str, str] = {}

    def planned(self) -> PlannedRoom:
        """Return the whole layout."""
        layout = self._layout
        robot = layout.robot
        if robot.name in self._free:
            robot = replace(robot, pose=PlanarPose(0.0, 0.0, pi / 2))
        self._zones.append(FloorPlan(robot.pose, ROBOT_ROOM, ROBOT_ROOM))
        furniture = self._furnished(layout.furniture)
        persons = tuple(self._person(person) for person in layout.persons)
        pieces = self._strewn(furniture)
        robot = RobotStart(robot.name, self._at_place(robot.name, furniture) or robot.pose)
        planned = replace(layout, robot=robot, furniture=tuple(furniture.values()), persons=persons, pieces=pieces)
        return PlannedRoom(planned, self._homeless)

    def _furnished(self, furniture: Iterable[Furniture]) -> dict[str, Furniture]:
        """Return the furniture with poses; what has one is taken first."""
        placed = {item.name: item for item in furniture}
        for item in placed.values():
            if item.name not in self._free and not item.part_of:
                self._take(item.pose, item.size[0], item.size[1], works=item.model != "wall")
        for item in [item for item in placed.values() if item.name in self._free and not item.part_of]:
            pose = self._free_pose(item.name, item.size[0], item.size[1])
            placed[item.name] = replace(item, pose=pose)
        for item in [item for item in placed.values() if item.part_of]:
            placed[item.name] = replace(item, pose=placed[item.part_of].pose)
        return placed

    def _person(self, person: Person) -> Person:
        width, depth, _ = PERSON_SIZE
        if person.name not in self._free:
            self._take(person.pose, width, depth, works=True)
            return person
        return replace(person, pose=self._free_pose(person.name, width, depth))

    def _take(self, pose: PlanarPose, width: float, depth: float, *, works: bool) -> None:
        self._solids.append(FloorPlan(pose, depth / 2, width / 2))
        if works:
            self._zones.append(_zone(pose, width, depth))

    def _free_pose(self, name: str, width: float, depth: float) -> PlanarPose:
        """Return a pose at a side of the smallest square with room, and take it."""
        deepest = max(item.size[1] for item in self._layout.furniture) if self._layout.furniture else depth
        side = max(deepest, depth) + MIDDLE
        while side <= WIDEST_ROOM:
            for pose in self._along(side, width, depth):
                if self._is_free(pose, width, depth):
                    self._take(pose, width, depth, works=True)
                    return pose
            side += GROWTH
        self._homeless[name] = "no place along the walls has room for it"
        return PlanarPose(0.0, 0.0)

    def _along(self, side: float, width: float, depth: float) -> Iterator[PlanarPose]:
        """Yield poses along the sides of a square, those near the middle of a side first."""
        steps = max(0, int((side - width / 2) / STEP))
        spots = [(turn * pi / 2, index * STEP) for turn in range(4) for index in range(-steps, steps + 1)]
        self._random.shuffle(spots)
        for angle, along in sorted(spots, key=lambda spot: abs(spot[1])):
            x, y = to_world(PlanarPose(0.0, 0.0, angle), side - depth / 2, along)
            yield PlanarPose(round(x, 3), round(y, 3), round((angle + 2 * pi) % (2 * pi) - pi, 4))

    def _is_free(self, pose: PlanarPose, width: float, depth: float) -> bool:
        body, zone = FloorPlan(pose, depth / 2 + GAP, width / 2 + GAP), _zone(pose, width, depth)
        clear = all(shift_apart(body, other) is None for other in (*self._solids, *self._zones))
        return clear and all(shift_apart(zone, solid) is None for solid in self._solids)

    def _at_place(self, agent: str, furniture: Mapping[str, Furniture]) -> PlanarPose | None:
        """Return a pose in front of the furniture where an agent without a pose is, if the scene says one."""
        item = furniture.get(self._places.get(agent, ""))
        if agent not in self._free or item is None:
            return None
        x, y = to_world(item.pose, item.size[1] / 2 + BESIDE, 0.0)
        return PlanarPose(x, y, item.pose.yaw + pi)

    def _strewn(self, furniture: Mapping[str, Furniture]) -> tuple[MovableObject, ...]:
        """Return the things with offsets; what has one is taken first."""
        taken: dict[tuple[str, int], list[FloorPlan]] = {}
        placed = {piece.name: piece for piece in self._layout.pieces}
        for piece in sorted(placed.values(), key=lambda piece: piece.name in self._free):
            neighbours = taken.setdefault((piece.where, piece.level), [])
            offset = piece.offset
            if piece.name in self._free and piece.where not in placed:
                spots = self._spots(piece, furniture.get(piece.where))
                found = next((spot for spot in spots if _is_clear(piece, spot, neighbours)), None)
                if found is None:
                    self._homeless[piece.name] = f"there is no room for it {piece.relation} '{piece.where}'"
                    continue
                offset = found
                placed[piece.name] = replace(piece, offset=offset)
            neighbours.append(_lying(piece, offset))
        return tuple(placed.values())

    def _spots(self, piece: MovableObject, item: Furniture | None) -> Iterator[tuple[float, float]]:
        """Yield offsets at which a thing may lie: to the right, and to the front."""
        if item is None:
            yield from self._spots_on_floor(piece)
            return
        corners = _lying(piece, (0.0, 0.0), 0.0).corners()
        deep, wide = (max(corner[axis] for corner in corners) for axis in (0, 1))
        for edge, behind, before in _bands(piece, item):
            right, front = item.size[0] / 2 - edge - wide, item.size[1] / 2 - edge - deep
            back, front = min(front, behind * item.size[1]), min(front, before * item.size[1])
            for _ in range(DRAWS if right >= 0.0 and front >= 0.0 else 0):
                yield round(self._random.uniform(-right, right), 3), round(self._random.uniform(-back, front), 3)

    def _spots_on_floor(self, piece: MovableObject) -> Iterator[tuple[float, float]]:
        """Yield offsets on the floor, which are positions in the room, away from furniture and the robot's start."""
        for _ in range(DRAWS):
            y, x = (round(self._random.uniform(-FLOOR_ROOM, FLOOR_ROOM), 3) for _ in range(2))
            lying = FloorPlan(PlanarPose(x, y), GAP + piece.shape.size[0] / 2, GAP + piece.shape.size[1] / 2)
            if all(shift_apart(lying, other) is None for other in (*self._solids, self._zones[0])):
                yield y, x


def _bands(piece: MovableObject, item: Furniture) -> list[tuple[float, float, float]]:
    """Return where a thing may lie, the best first: distance from the edge, and how far behind and before the middle.

    Between a thing and the walls of what it is in there is room for fingers if there can be. The middle of a drawer
    that is pulled out is seen and reached into best.
    """
    anywhere = (EDGE, BACK, 0.5)
    if piece.relation != "in":
        return [anywhere]
    roomy = (EDGE + FINGER, BACK, 0.5)
    return [(EDGE + FINGER, MID_DRAWER, MID_DRAWER), roomy, anywhere] if item.part_of else [roomy, anywhere]


def _zone(pose: PlanarPose, width: float, depth: float) -> FloorPlan:
    """Return the working zone in front of a piece of furniture."""
    x, y = to_world(pose, (depth + ZONE) / 2, 0.0)
    return FloorPlan(PlanarPose(x, y, pose.yaw), ZONE / 2, max(width, NARROWEST) / 2)


def _lying(piece: MovableObject, offset: tuple[float, float], gap: float = FINGER / 2) -> FloorPlan:
    """Return the footprint of a thing in the frame of its furniture."""
    ahead, aside, _ = piece.shape.size
    return FloorPlan(PlanarPose(offset[1], offset[0], piece.yaw), ahead / 2 + gap, aside / 2 + gap)


def _is_clear(piece: MovableObject, offset: tuple[float, float], neighbours: Iterable[FloorPlan]) -> bool:
    lying = _lying(piece, offset)
    return all(shift_apart(lying, other) is None for other in neighbours)
