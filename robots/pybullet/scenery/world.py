"""`PopulatedRoom`: a room in one physics client, with access to its bodies by name.

The live world and the mirror are both populated rooms. In the mirror movable objects have no mass, so that collision
queries test only the robot against the rest. Resting objects may fall asleep, which makes a room of thirty objects
cheap; code that moves an object must wake the objects near it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import hypot, pi

import numpy as np
import pybullet
from numpy.typing import NDArray

from robots.arrangement import arranged
from robots.furniture import AREA, Fittings, fittings
from robots.leaves import Leaf, leaves_of
from robots.pybullet.scenery.carpentry import HAND_REACH, build, person_parts
from robots.pybullet.scenery.solids import make_body, shape_parts
from semantics.body.layout import FLOOR, Furniture, Layout, MovableObject, Shape
from semantics.errors import known_name
from semantics.geometry.geometry import Box, PlanarPose, Vector, to_world

STEP = 1.0 / 240.0  # seconds of one physics step
DOOR = 0  # index of a drawer, and of the first leaf of a door, among the links of its furniture
DOOR_FRICTION = 0.6  # friction torque of a door's hinge in newton metres, which keeps the door at its angle
BODILESS = (FLOOR, AREA)  # models that have no solids
DRAWER_FRICTION = 10.0  # friction of a drawer in newtons
OPEN_ANGLE = 1.75  # angle in radians at which a door counts as fully open
HALF_OPEN = 0.5  # the largest opening of a door of which one leaf is shut
NEIGHBOURHOOD = 0.35  # distance within which objects are woken, in metres
SLEEP_BELOW = 0.08  # speed below which an object may fall asleep
NOTICED = 0.0005  # the smallest move of a drawer that its geometry follows, in metres
OUT_OF_SIGHT = (50.0, 50.0, 1.0)  # where an object is that was removed, in metres
PERSON_DISTANCE = 1.05  # distance between a person and a robot that hands something over, in metres

Quaternion = tuple[float, float, float, float]


def _turned(yaw: float) -> Quaternion:
    quaternion: Quaternion = pybullet.getQuaternionFromEuler((0.0, 0.0, yaw))
    return quaternion


def axes_of(orientation: Quaternion) -> NDArray[np.float64]:
    """Return the axes of a frame as columns, from its orientation as an xyzw quaternion."""
    return np.array(pybullet.getMatrixFromQuaternion(orientation)).reshape(3, 3)


class PopulatedRoom:
    """A room with furniture, objects and persons.

    Args:
        layout: The arrangement at the start.
        still: Whether movable objects have no mass (as in the mirror).

    Attributes:
        client: Id of the physics client.
        layout: The layout it was built from, with what was added since.
        bodies: Body id by name; the ground has the name that the layout gives it.
        names: Name by body id.
        shapes: Shapes of the movable objects, by name.
        labels: What a detector calls each object that no file lists, by its name.
        offered: Geometry of each piece of furniture, by name; that of a drawer as far as it is open.
        furniture: The pieces of furniture by name.
        leaves: The leaves of each door, by the name of its furniture; link 0 is the first.
    """

    def __init__(self, layout: Layout, *, still: bool = False) -> None:
        self.client: int = pybullet.connect(pybullet.DIRECT)
        self.layout = layout
        self.bodies: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.shapes: dict[str, Shape] = {}
        self.labels: dict[str, str] = {}
        self.furniture: dict[str, Furniture] = {item.name: item for item in layout.furniture}
        self.offered: dict[str, Fittings] = {item.name: fittings(item) for item in layout.furniture}
        self.leaves: dict[str, tuple[Leaf, ...]] = {item.name: leaves_of(item) for item in layout.furniture}
        self._drawers = tuple(item.name for item in layout.furniture if item.part_of)
        self._out: dict[str, float] = {}
        self.persons = {person.name: person for person in layout.persons}
        self._still, self._count = still, 0
        pybullet.setGravity(0.0, 0.0, -9.81, physicsClientId=self.client)
        pybullet.setTimeStep(STEP, physicsClientId=self.client)
        pybullet.setPhysicsEngineParameter(
            numSolverIterations=40, deterministicOverlappingPairs=1, physicsClientId=self.client
        )
        self._furnish()
        self._strew(layout.pieces)

    def add(self, name: str, body: int) -> None:
        """Register a body under a name."""
        self.bodies[name] = body
        self.names[body] = name

    def body(self, name: str) -> int:
        """Return a body's id; that of a stand-in out of sight if somebody has removed the body.

        Raises:
            UnknownNameError: There is no body with this name.
        """
        known_name("thing in the room", name, self.bodies)
        before, self._count = self._count, pybullet.getNumBodies(physicsClientId=self.client)
        if self._count < before:
            self._stand_in()
        return self.bodies[name]

    def _stand_in(self) -> None:
        """Put a fixed body out of sight for each movable object that somebody has removed from the simulation."""
        kept = {pybullet.getBodyUniqueId(number, physicsClientId=self.client) for number in range(self._count)}
        for name in [name for name in self.shapes if self.bodies[name] not in kept]:
            del self.names[self.bodies[name]]
            self.add(name, make_body(self.client, shape_parts(self.shapes[name]), OUT_OF_SIGHT))

    def _furnish(self) -> None:
        ground = pybullet.createCollisionShape(pybullet.GEOM_PLANE, physicsClientId=self.client)
        self.add(self.layout.ground, pybullet.createMultiBody(0.0, ground, physicsClientId=self.client))
        for item in self.layout.furniture:
            if item.model in BODILESS:
                continue
            parts, doors = build(item)
            body = make_body(self.client, parts, (item.pose.x, item.pose.y, 0.0), _turned(item.pose.yaw), doors=doors)
            self.add(item.name, body)
            for link, door in enumerate(doors):
                self.set_door(item.name, door.limit if item.opened else 0.0, link)
                self.brake(item.name, link)
        for person in self.layout.persons:
            pose = person.pose
            self.add(person.name, make_body(self.client, person_parts(), (pose.x, pose.y, 0.0), _turned(pose.yaw)))

    def brake(self, name: str, link: int = DOOR) -> None:
        """Apply friction to a leaf or drawer, so that it stays where it is."""
        friction = DRAWER_FRICTION if self.offered[name].travel else DOOR_FRICTION
        pybullet.setJointMotorControl2(
            self.body(name),
            link,
            pybullet.VELOCITY_CONTROL,
            targetVelocity=0.0,
            force=friction,
            physicsClientId=self.client,
        )

    def add_piece(self, piece: MovableObject) -> None:
        """Put an object that was not there into the room."""
        self.layout = replace(self.layout, pieces=(*self.layout.pieces, piece))
        self._strew((piece,))

    def put_away(self, name: str) -> None:
        """Take the body of an object out of sight, while the object can still be asked for."""
        pybullet.removeBody(self.body(name), physicsClientId=self.client)
        self.body(name)

    def remove_piece(self, name: str) -> None:
        """Take an object out of the room."""
        body = self.body(name)
        pybullet.removeBody(body, physicsClientId=self.client)
        self._count = pybullet.getNumBodies(physicsClientId=self.client)
        self.layout = replace(self.layout, pieces=tuple(each for each in self.layout.pieces if each.name != name))
        del self.names[body], self.bodies[name], self.shapes[name]
        self.labels.pop(name, None)

    def _strew(self, pieces: Iterable[MovableObject]) -> None:
        spots = arranged(self.layout)
        for piece in pieces:
            spot, shape = spots[piece.name], piece.shape
            self.shapes[piece.name] = shape
            if piece.label:
                self.labels[piece.name] = piece.label
            middle = (spot.x, spot.y, spot.z + shape.size[2] / 2 + 0.001)
            mass = 0.0 if self._still else shape.mass
            body = make_body(self.client, shape_parts(shape), middle, _turned(spot.yaw), mass)
            self.add(piece.name, body)
            is_round = shape.form == "sphere"
            pybullet.changeDynamics(
                body,
                -1,
                lateralFriction=0.8,
                rollingFriction=0.004 if is_round else 0.0005,
                spinningFriction=0.004,
                angularDamping=0.4 if is_round else 0.1,
                sleepThreshold=SLEEP_BELOW,
                activationState=pybullet.ACTIVATION_STATE_ENABLE_SLEEPING,
                physicsClientId=self.client,
            )

    def step(self) -> None:
        """Advance by `STEP`."""
        pybullet.stepSimulation(physicsClientId=self.client)
        for name in self._drawers:
            self._follow(name)

    def _follow(self, name: str) -> None:
        """Keep the geometry of a drawer where the drawer is."""
        out = self.door_angle(name)
        if abs(out - self._out.get(name, -1.0)) > NOTICED:
            self._out[name] = out
            self.offered[name] = fittings(self.furniture[name], out / self.offered[name].travel)

    def pose(self, name: str) -> tuple[Vector, Quaternion]:
        """Return the position of an object's centre, and its orientation as an xyzw quaternion."""
        position, orientation = pybullet.getBasePositionAndOrientation(self.body(name), physicsClientId=self.client)
        return position, orientation

    def yaw(self, name: str) -> float:
        """Return the rotation of an object about the vertical, in radians."""
        angle: float = pybullet.getEulerFromQuaternion(self.pose(name)[1])[2]
        return angle

    def axes(self, name: str) -> NDArray[np.float64]:
        """Return the axes of an object as columns."""
        return axes_of(self.pose(name)[1])

    def tilt(self, name: str) -> float:
        """Return the angle of an object's upper end from the vertical, in radians."""
        return float(np.arccos(np.clip(self.axes(name)[2, 2], -1.0, 1.0)))

    def box(self, name: str) -> Box:
        """Return the bounds of a body without its door, or of a drawer.

        The simulator adds a margin to the bounds of some solids; those of boxes are exact.
        """
        if name in self._drawers:
            return self.offered[name].box
        low, high = pybullet.getAABB(self.body(name), -1, physicsClientId=self.client)
        return Box(low, high)

    def has_door(self, name: str) -> bool:
        """Return whether a piece of furniture has a door or is a drawer."""
        return name in self.offered and self.offered[name].closes

    def opening(self, name: str) -> float:
        """Return how far a door or drawer is open, from 0 to 1.

        A door is as far open as the leaf that is open least. While one leaf is shut and the other is not, the door is
        neither: it counts as half open at most.
        """
        shares = [
            min(1.0, max(0.0, self.door_angle(name, link) / self.wide_open(name, link))) for link in self.links(name)
        ]
        return max(min(shares), min(max(shares), HALF_OPEN))

    def links(self, name: str) -> range:
        """Return the links of a piece of furniture that are its leaves, or its drawer."""
        return range(max(1, len(self.leaves[name])))

    def wide_open(self, name: str, link: int = DOOR) -> float:
        """Return the angle of a leaf, or the distance of a drawer, at which it counts as fully open."""
        return self.offered[name].travel or min(OPEN_ANGLE, self.leaves[name][link].limit)

    def door_angle(self, name: str, link: int = DOOR) -> float:
        """Return the angle of a leaf from shut in radians, or how far a drawer is out in metres."""
        angle: float = pybullet.getJointState(self.body(name), link, physicsClientId=self.client)[0]
        return angle

    def set_door(self, name: str, angle: float, link: int = DOOR) -> None:
        """Set the angle of a leaf, or the distance of a drawer, immediately."""
        pybullet.resetJointState(self.body(name), link, angle, physicsClientId=self.client)
        if name in self._drawers:
            self._follow(name)

    def place(self, name: str, position: Vector, orientation: Quaternion) -> None:
        """Set the pose of an object immediately, at rest."""
        body = self.body(name)
        pybullet.resetBasePositionAndOrientation(body, position, orientation, physicsClientId=self.client)
        if not self._still:
            pybullet.resetBaseVelocity(body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), physicsClientId=self.client)

    def copy(self, live: PopulatedRoom) -> None:
        """Copy the poses of all movable objects and the angles of all doors from another room of the same layout."""
        for name in live.shapes:
            self.place(name, *live.pose(name))
        for name in live.furniture:
            for link in live.links(name) if live.has_door(name) else ():
                self.set_door(name, live.door_angle(name, link), link)

    def arrangement(self) -> dict[str, NDArray[np.float64]]:
        """Return what `copy` copies by name, as numbers: the poses of the movable objects and the angles of doors."""
        poses = {name: np.hstack(self.pose(name)) for name in self.shapes}
        doors = (name for name in self.furniture if self.has_door(name))
        return poses | {name: np.array([self.door_angle(name, link) for link in self.links(name)]) for name in doors}

    def wake_near(self, point: Vector) -> None:
        """Wake the movable objects near a point: a sleeping object would float when its support moves away."""
        for name in self.shapes:
            middle, _ = self.pose(name)
            if hypot(middle[0] - point[0], middle[1] - point[1], middle[2] - point[2]) < NEIGHBOURHOOD:
                self.wake(name)

    def wake(self, name: str) -> None:
        """Wake one object."""
        pybullet.changeDynamics(
            self.body(name), -1, activationState=pybullet.ACTIVATION_STATE_WAKE_UP, physicsClientId=self.client
        )

    def contacts(self) -> frozenset[frozenset[str]]:
        """Return the pairs of bodies in contact, by name."""
        points = pybullet.getContactPoints(physicsClientId=self.client)
        pairs = {(point[1], point[2]) for point in points if point[8] < 0.002 and point[1] != point[2]}
        return frozenset(
            frozenset((self.names[body], self.names[other]))
            for body, other in pairs
            if body in self.names and other in self.names
        )

    def touching(self, name: str) -> Iterator[str]:
        """Yield the names of the bodies in contact with an object, each once."""
        points = pybullet.getContactPoints(bodyA=self.body(name), physicsClientId=self.client)
        for body in dict.fromkeys(point[2] for point in points if point[8] < 0.002):
            if body in self.names and self.names[body] != name:
                yield self.names[body]

    def hand_of(self, person: str) -> tuple[float, float]:
        """Return the position of a person's outstretched hand."""
        return to_world(self.persons[person].pose, HAND_REACH, 0.0)

    def standing_at(self, place: str) -> PlanarPose | None:
        """Return the pose of a robot that works at a place or with a person; None for what is no place."""
        if place in self.persons:
            pose = self.persons[place].pose
            return PlanarPose(*to_world(pose, PERSON_DISTANCE, 0.0), pose.yaw + pi)
        return self.offered[place].stand

    def close(self) -> None:
        """Disconnect the physics client; safe to call twice."""
        if pybullet.isConnected(self.client):
            pybullet.disconnect(self.client)
