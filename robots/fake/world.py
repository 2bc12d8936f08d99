"""`FakeWorld`: the true state of the fake robot's world, kinematic and without forces.

A piece rests where it was put, and its support carries it: the load of a moved object moves along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import cos, sin
from typing import cast

from robots.arrangement import RestingPlace, arranged, bounds, interior, tray_top
from robots.furniture import AREA, Fittings, fittings
from robots.states import NumericModel, StateFacts
from semantics.body.layout import FLOOR, Layout, MovableObject, Shape
from semantics.geometry.geometry import Box, PlanarPose, Vector, to_world

PASSABLE = 0.75  # the smallest opening of a door, as a fraction, at which the robot can look and reach behind it
HAND = (0.5, 0.0, 0.8)
"""Position of the folded hand, and of an object held in it, in the frame of its holder, in metres."""
OPENING = 0.08  # how far the fingers open, in metres
PERSON_STAND = 0.7  # distance between a person and a robot that hands something over, in metres
TOUCHING = 0.01  # how far a surface may be above the underside of a piece that rests on it, in metres
PERSON_SIZE = (0.4, 0.4, 1.7)


class FakeWorld(StateFacts):
    """The ground truth.

    Args:
        layout: The arrangement at the start.
        numeric: How commands change numbers; None to keep no numbers.

    Attributes:
        pose: The pose of the robot.
        spots: The resting place of each piece, by name.
        labels: What a detector calls each piece that no file lists, by the name of the piece.
        carriers: The relation (``on``, ``in`` or ``held``) and the support, container or holder of each piece.
        doors: The opening of each door and drawer, from 0 to 1; see `swing`.
        parts: The cabinet of each drawer.
        hand: The position of the robot's hand in the frame of the robot, in metres.
        gripper: How far the gripper is open, 0 closed to 1 fully.
    """

    def __init__(self, layout: Layout, numeric: NumericModel | None = None) -> None:
        super().__init__(layout.states, numeric)
        self.is_ground = layout.is_ground
        self.robot = layout.robot.name
        self.pose = layout.robot.pose
        self.hand: Vector = HAND
        self.fittings: dict[str, Fittings] = {item.name: fittings(item) for item in layout.furniture}
        self.persons = {person.name: person.pose for person in layout.persons}
        self.shapes: dict[str, Shape] = {piece.name: piece.shape for piece in layout.pieces}
        self.spots: dict[str, RestingPlace] = arranged(layout)
        self.labels = {piece.name: piece.label for piece in layout.pieces if piece.label}
        self._layout = layout
        self.carriers = {piece.name: (piece.relation, piece.where) for piece in layout.pieces}
        self.gripper = 0.0 if self.held(self.robot) else 1.0
        self._tops = _tops_of_areas(layout, self.fittings)
        self.doors = {
            item.name: 1.0 if item.opened else 0.0 for item in layout.furniture if self.fittings[item.name].closes
        }
        self.parts = {item.name: item.part_of for item in layout.furniture if item.part_of}
        self._furniture = {item.name: item for item in layout.furniture}

    def box(self, name: str) -> Box:
        """Return the bounds of a piece, a piece of furniture or a person."""
        if name in self.shapes:
            return bounds(self.shapes[name], self.spots[name])
        if name in self.fittings:
            return self.fittings[name].box
        pose = self.persons[name]
        x, y, z = PERSON_SIZE
        return Box((pose.x - x / 2, pose.y - y / 2, 0.0), (pose.x + x / 2, pose.y + y / 2, z))

    def stand(self, name: str) -> PlanarPose | None:
        """Return the pose of a robot that works at a place or faces a person; None for any other name."""
        if name in self.fittings:
            return self.fittings[name].stand
        if name not in self.persons:
            return None
        pose = self.persons[name]
        return PlanarPose(*to_world(pose, PERSON_STAND, 0.0), pose.yaw)

    def held(self, agent: str) -> tuple[str, ...]:
        """Return the names of the objects that an agent holds, sorted."""
        return tuple(sorted(name for name, carrier in self.carriers.items() if carrier == ("held", agent)))

    def load(self, name: str) -> Iterator[str]:
        """Yield the objects that rest on or in an object, directly or indirectly."""
        for other, (_, where) in self.carriers.items():
            if where == name:
                yield other
                yield from self.load(other)

    def root(self, name: str) -> str:
        """Return the furniture, floor or agent at the end of the chain of carriers; no drawer, and no area of a top."""
        while name in self.carriers:
            name = self.carriers[name][1]
        name = self.parts.get(name, name)
        return self._tops.get(name, name)

    def is_area(self, name: str) -> bool:
        """Return whether a name is that of a part of a top."""
        return name in self._tops

    def around(self, name: str) -> Iterator[str]:
        """Yield the carriers of a piece, from its own support to the root."""
        while name in self.carriers:
            name = self.carriers[name][1]
            yield name

    def hidden_by(self, name: str) -> str | None:
        """Return the shut container that contains a piece, if any."""
        return next((other for other in self.around(name) if self.doors.get(other, 1.0) < PASSABLE), None)

    def open_above(self, drawer: str) -> list[str]:
        """Return the drawers of the same cabinet that are open above a drawer, the highest first."""
        mine = self._furniture[drawer]
        above = (item for item in self._furniture.values() if item.part_of == mine.part_of and item.level > mine.level)
        is_open = [item for item in above if self.doors[item.name] > 1.0 - PASSABLE]
        return [item.name for item in sorted(is_open, key=lambda item: -item.level)]

    def regions(self, relation: str, where: str) -> tuple[Box, ...]:
        """Return the tops (``on``) or the compartments (``in``) of furniture or of a piece."""
        if where in self.fittings:
            offered = self.fittings[where]
            return offered.surfaces if relation == "on" else offered.compartments
        if where not in self.shapes:
            return ()
        shape, box = self.shapes[where], self.box(where)
        if relation == "on":
            return (tray_top(shape, box),)
        space = interior(shape, box)
        return (space,) if space else ()

    def swing(self, name: str, opening: float) -> None:
        """Open a door or a drawer to a fraction; what is in a drawer moves with it."""
        before, self.doors[name] = self.fittings[name], opening
        if not before.travel:
            return
        after = self.fittings[name] = fittings(self._furniture[name], opening)
        x, y = (after.box.low[axis] - before.box.low[axis] for axis in (0, 1))
        for other in self.load(name):
            spot = self.spots[other]
            self.spots[other] = spot._replace(x=spot.x + x, y=spot.y + y)

    def add(self, piece: MovableObject) -> None:
        """Put a piece that was not there into the world."""
        layout = replace(self._layout, pieces=(*self._layout.pieces, piece))
        self.shapes[piece.name], self.spots[piece.name] = piece.shape, arranged(layout)[piece.name]
        self.carriers[piece.name] = (piece.relation, piece.where)
        if piece.label:
            self.labels[piece.name] = piece.label
        self._layout = layout

    def remove(self, name: str) -> None:
        """Take a piece out of the world."""
        self._layout = replace(self._layout, pieces=tuple(p for p in self._layout.pieces if p.name != name))
        for known in (self.shapes, self.spots, self.carriers, self.labels):
            cast("dict[str, object]", known).pop(name, None)
        self.forget(name)

    def move(self, name: str, spot: RestingPlace, relation: str, where: str) -> None:
        """Move a piece to a resting place, together with its load."""
        old = self.spots[name]
        self.carriers[name] = (relation, where)
        for other in self.load(name):
            was = self.spots[other]
            self.spots[other] = was._replace(
                x=was.x + spot.x - old.x, y=was.y + spot.y - old.y, z=was.z + spot.z - old.z
            )
        self.spots[name] = spot._replace(yaw=old.yaw)

    def hold(self, name: str, agent: str) -> None:
        """Put a piece into an agent's hand."""
        if agent == self.robot:
            x, y, z = self.hand_at()
            self.gripper = min(1.0, min(self.shapes[name].size[:2]) / OPENING)
        else:
            (x, y), z = to_world(self.persons[agent], HAND[0], HAND[1]), HAND[2]
        self.move(name, RestingPlace(x, y, z), "held", agent)

    def hand_at(self) -> Vector:
        """Return the position of the robot's hand in the world."""
        return *to_world(self.pose, *self.hand[:2]), self.hand[2]

    def bring_hand(self, point: Vector) -> None:
        """Move the robot's hand to a position in the world, together with what it holds."""
        before, (c, s) = self.hand_at(), (cos(self.pose.yaw), sin(self.pose.yaw))
        x, y = point[0] - self.pose.x, point[1] - self.pose.y
        self.hand = (c * x + s * y, c * y - s * x, point[2])
        for name in self.held(self.robot):
            spot = self.spots[name]
            x, y, z = (now - then for now, then in zip(point, before, strict=True))
            self.move(name, spot._replace(x=spot.x + x, y=spot.y + y, z=spot.z + z), "held", self.robot)

    def grasp(self, name: str) -> None:
        """Hold a piece where it is, with the hand where it is."""
        self.move(name, self.spots[name], "held", self.robot)
        self.gripper = min(1.0, min(self.shapes[name].size[:2]) / OPENING)

    def under(self, name: str) -> tuple[str, str, float]:
        """Return onto what a piece would fall: the relation to it, its name, and the height where the piece lands."""
        box, mine = self.box(name), {name, *self.load(name)}
        x, y, _ = box.centre
        landings = [("on", FLOOR, 0.0)]
        for other in (*self.fittings, *(set(self.shapes) - mine)):
            if self._tops.get(other, other) != other:
                continue  # what falls on an area falls on the top of which it is a part
            for relation in ("in", "on"):
                regions = (region for region in self.regions(relation, other) if region.above((x, y, 0.0)))
                landings += [
                    (relation, other, region.low[2] if relation == "in" else region.high[2]) for region in regions
                ]
        below = [landing for landing in landings if landing[2] <= box.low[2] + TOUCHING]
        return max(below, key=lambda landing: (landing[2], landing[0] == "in"))

    def drive(self, pose: PlanarPose) -> None:
        """Move the robot with its folded arm, together with the objects it holds."""
        self.pose = pose
        self.fold()

    def fold(self) -> None:
        """Fold the arm, together with the objects in the hand."""
        self.hand = HAND
        for name in self.held(self.robot):
            self.hold(name, self.robot)

    def drop(self, name: str) -> None:
        """Let a piece fall to the ground at its position."""
        spot, self.gripper = self.spots[name], 0.0
        self.move(name, RestingPlace(spot.x, spot.y, 0.0, spot.yaw), "on", FLOOR)


def _tops_of_areas(layout: Layout, offered: Mapping[str, Fittings]) -> dict[str, str]:
    """Return the furniture that each area is a part of."""
    bodies = [item.name for item in layout.furniture if item.model != AREA]
    areas = {item.name: offered[item.name].box.centre for item in layout.furniture if item.model == AREA}
    return {
        area: name
        for area, middle in areas.items()
        for name in bodies
        if any(top.contains(middle) for top in offered[name].surfaces)
    }
