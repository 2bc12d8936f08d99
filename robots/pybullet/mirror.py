"""The mirror: a second physics client that tests postures for collisions before the live robot takes them.

Saving and restoring the live world would break a grasp, so nothing is tested there. The objects in the mirror are
static and its robot has a fixed root. So one collision query tests only the robot against the room, and no pairs of
objects. The held object is tested separately, since it is static too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import cos, sin
from typing import NamedTuple

import numpy as np
import pybullet

from robots.pybullet.chassis import indices, load_for_planning
from robots.pybullet.description import BASE, LIFT, YAW, BodyDescription, Configuration
from robots.pybullet.kinematics import reach_of
from robots.pybullet.scenery.world import PopulatedRoom, Quaternion, axes_of
from robots.pybullet.turns import spend
from semantics.body.layout import Layout
from semantics.geometry.geometry import Vector

PENETRATION = -0.001  # distance below which two solids collide, in metres; resting contacts do not penetrate as deep
HELD_SLACK = 0.002
"""Additional penetration allowed for a held object, which rests on its support at the grasp, in metres."""
AIR = 0.008
"""Clearance of a travelling arm from movable things, and of its hand from everything, in metres; other links keep 1 mm
to 4 mm from furniture: so near, by their size, the simulator tells a contact."""
TIMES_NEARER = 3.0  # how many times nearer to something than its ends are a path may come: the hand works there
STILL = 0.002  # how far what rests may move in place, in metres or radians; it does not count as moved
NEIGHBOURS = (("panda_leftfinger", "panda_rightfinger"), ("panda_hand", "panda_link7"), ("panda_link0", "platform"))
"""Pairs of links that overlap by construction."""
FINGERS = frozenset({"panda_leftfinger", "panda_rightfinger"})
GRIPPING = frozenset({"panda_hand"}) | FINGERS  # the links that may touch the held object
HAND = GRIPPING | {"panda_link7"}
"""The links whose pose follows from that of the fingertips alone, wherever the base is."""
ALL_LINKS = -2  # what the simulator takes for all links of a body
PASSING = HAND | {"panda_link3", "panda_link4", "panda_link5", "panda_link6"}
"""The links that pass movable things; those before are over the base."""

MOST_STEPS, EXACT = 8, 1e-4
"""How many steps are made to turn a hand, and how far off it may be in the end, in metres and radians."""

SPILLING = 0.3  # the tilt up to which an open vessel keeps what is in it, in radians


class Grip(NamedTuple):
    """The held object, and its pose in the frame of the fingertips."""

    name: str  # the object
    position: Vector  # of its centre
    orientation: Quaternion  # as a quaternion
    level: bool = False  # whether it has to stay upright, because something would flow out of it


class MirrorContact(NamedTuple):
    """Where the robot or the held object would be deepest in something, or come nearest to it."""

    part: str  # the link of the robot, or the held object
    name: str  # what it meets
    distance: float  # the distance in metres; negative inside

    def __str__(self) -> str:
        if self.distance < 0.0:
            return f"{self.part} would be {1000 * -self.distance:.0f} mm inside {self.name}"
        return f"{self.part} would be {1000 * self.distance:.0f} mm from {self.name}"


class Mirror:
    """A copy of the room as of the last `sync`, with a robot that can be put into any configuration.

    Attributes:
        description: The robot.
        world: The copy of the room.
        client: The physics client.
        body: The id of the robot.
        origin: What the joints count from: the pose of a fixed base, else zero.
        opening: How far each finger of the copy is from the centre, in metres.
        tests: The number of configurations that were tested so far.
    """

    def __init__(self, layout: Layout, description: BodyDescription) -> None:
        self.description = description
        self.world = PopulatedRoom(layout, still=True)
        self.client = self.world.client
        self.body = load_for_planning(self.client, description, layout.robot.pose)
        joints, links = indices(self.client, self.body)
        self._links = {index: name for name, index in links.items()}
        self._ignored: frozenset[str] = frozenset()
        self._copied = self.world.arrangement()
        self.tests = 0
        start = layout.robot.pose
        self.origin = description.origin(start.x, start.y, start.yaw)
        # A mobile base is moved by its root: its joints are fixed here.
        self._driven = [index for index in description.driven if index >= BASE or not description.moves]
        self._arm = [i for i, index in enumerate(self._driven) if index > LIFT]
        self._joints = [joints[description.coordinates[index].joint] for index in self._driven]
        self._tool = links[description.hand.tool]
        self._platform = links["platform"]
        self._passing = [links[name] for name in sorted(PASSING)]
        self._gripping = {-1} | {links[name] for name in GRIPPING}  # -1 is the held object
        self._fingers = [joints[finger] for finger in description.hand.fingers]
        self.opening = description.hand.opening
        self.open_fingers(self.opening)
        for a, b in NEIGHBOURS:
            pybullet.setCollisionFilterPair(
                self.body, self.body, links[a], links[b], enableCollision=0, physicsClientId=self.client
            )

    def open_fingers(self, opening: float) -> None:
        """Open each finger to `opening` metres from the centre; later tests are made with this hand."""
        self.opening = opening
        for finger in self._fingers:
            pybullet.resetJointState(self.body, finger, opening, physicsClientId=self.client)

    @contextmanager
    def fingers_at(self, opening: float) -> Iterator[None]:
        """Test with each finger `opening` metres from the centre."""
        before = self.opening
        self.open_fingers(opening)
        try:
            yield
        finally:
            self.open_fingers(before)

    def clashing_links(self, grip: Grip | None = None) -> frozenset[str]:
        """Return the links that collide with something else in the configuration of the last test."""
        own = self._ignored | {grip.name if grip else ""}
        points = pybullet.getContactPoints(bodyA=self.body, physicsClientId=self.client)
        hit = (point for point in points if point[2] != self.body and point[8] < PENETRATION)
        return frozenset(self._links[point[3]] for point in hit if self.world.names.get(point[2]) not in own)

    def sync(self, live: PopulatedRoom) -> None:
        """Copy the present state of the live room."""
        self.world.copy(live)
        self._copied = live.arrangement()

    def shows(self, live: PopulatedRoom, besides: Collection[str] = ()) -> bool:
        """Return whether nothing of the live room has moved since the last `sync`, besides some objects."""
        now = live.arrangement()
        unmoved = (name in besides or np.allclose(now[name], was, 0.0, STILL) for name, was in self._copied.items())
        return now.keys() == self._copied.keys() and all(unmoved)

    def pose(self, configuration: Configuration, grip: Grip | None = None) -> None:
        """Put the robot and the held object into a configuration."""
        if self.description.moves:
            x, y, yaw = configuration[:BASE]
            pybullet.resetBasePositionAndOrientation(
                self.body, (x, y, 0.0), pybullet.getQuaternionFromEuler((0.0, 0.0, yaw)), physicsClientId=self.client
            )
        # One call for all joints: eight calls of `resetJointState` take five times as long.
        values = [[value] for value in (configuration - self.origin)[self._driven].tolist()]
        pybullet.resetJointStatesMultiDof(self.body, self._joints, values, physicsClientId=self.client)
        if grip is not None:
            self.world.place(grip.name, *pybullet.multiplyTransforms(*self.tip(), grip.position, grip.orientation))

    def held_at(self, configuration: Configuration, grip: Grip, azimuth: float) -> Vector:
        """Return where the held object is if the hand of a configuration comes from another direction.

        Returns:
            Its centre from the fingertips, along x and y of the map, and how far its lowest point is below them.
        """
        self.pose(configuration, grip)
        tip, middle = self.tip()[0], self.world.pose(grip.name)[0]
        turn = azimuth - float(configuration[2])
        x, y = middle[0] - tip[0], middle[1] - tip[1]
        below = tip[2] - self.world.box(grip.name).low[2]
        return cos(turn) * x - sin(turn) * y, sin(turn) * x + cos(turn) * y, below

    def tip(self) -> tuple[Vector, Quaternion]:
        """Return the pose of the fingertips."""
        tool = pybullet.getLinkState(self.body, self._tool, computeForwardKinematics=True, physicsClientId=self.client)
        return tool[4], tool[5]

    def turn_hand(self, configuration: Configuration, angle: float) -> Configuration | None:
        """Return a configuration with the hand turned about the vertical line through its fingertips, on its base.

        The arm leaves its plane. Newton's method with the least steps: seven joints have one more than a pose needs.

        Returns:
            The configuration; None where none is found within the joint limits.
        """
        result, arm = configuration.copy(), slice(LIFT + 1, None)
        self.pose(result)
        tip, goal = self.tip()[0], _about_z(angle) @ axes_of(self.tip()[1])
        spend()
        for _ in range(MOST_STEPS):
            at, now = self.tip()
            error = np.concatenate([np.subtract(tip, at), np.cross(axes_of(now), goal, axis=0).sum(axis=1) / 2])
            if np.max(np.abs(error)) < EXACT:
                low, high = np.array([each.limits for each in self.description.coordinates]).T
                return result if np.all((low <= result) & (result <= high)) else None
            angles = [*(result - self.origin)[self._driven].tolist(), self.opening, self.opening]
            still = [0.0] * len(angles)
            rates = pybullet.calculateJacobian(self.body, self._tool, [0.0] * 3, angles, still, still, self.client)
            turn = _about_z(-float(result[YAW]))  # the rates are those in the frame of the base
            own = np.concatenate([turn @ error[:3], turn @ error[3:]])
            result[arm] += np.linalg.lstsq(np.vstack(rates)[:, self._arm], own, rcond=None)[0]
            self.pose(result)
        return None

    def grip_of(self, name: str, configuration: Configuration) -> Grip:
        """Return the grip of an object that the hand takes in a configuration, where the object is now."""
        self.pose(configuration)
        hand = pybullet.invertTransform(*self.tip())
        return Grip(name, *pybullet.multiplyTransforms(*hand, *self.world.pose(name)))

    def clashes(self, configuration: Configuration, grip: Grip | None = None) -> frozenset[str]:
        """Return the names of the objects in collision with the robot or the held object; ``robot`` is the robot."""
        return _closer(self.gaps(configuration, grip), PENETRATION)

    def gaps(self, configuration: Configuration, grip: Grip | None = None, air: float = 0.0) -> dict[str, float]:
        """Return the distance of near objects to the robot or the held object, in metres by name.

        What the hand passes, and what movable things the arm passes, is told up to `air` metres away; what else is near
        is told when it all but touches.
        """
        self.tests += 1
        spend()
        reach, base = reach_of(self.description, configuration), self.description.base
        if reach.r < base.closest and reach.z < base.lowest:
            return {"robot": -1.0}
        self.pose(configuration, grip)
        if grip is not None and grip.level and self.world.tilt(grip.name) > SPILLING:
            return {"robot": -1.0}
        pybullet.performCollisionDetection(physicsClientId=self.client)
        gaps: dict[str, float] = {}
        for point in pybullet.getContactPoints(bodyA=self.body, physicsClientId=self.client):
            name = self.world.names.get(point[2], "robot")
            if point[2] != self.body and not (point[3] == self._platform and self.world.layout.is_ground(name)):
                gaps[name] = min(gaps.get(name, 1.0), point[8])
        if air > 0.0:
            self._add_near(self.body, self._passing, air, gaps)
        if grip is not None:
            gaps.pop(grip.name, None)
            self._add_near(self.world.body(grip.name), (-1,), max(air, AIR), gaps)
        return {name: gap for name, gap in gaps.items() if name not in self._ignored} if self._ignored else gaps

    @property
    def away(self) -> frozenset[str]:
        """What is tested as if it were not there."""
        return self._ignored

    @contextmanager
    def without(self, names: Iterable[str]) -> Iterator[None]:
        """Test as if some objects were not there."""
        before, self._ignored = self._ignored, self._ignored.union(names)
        try:
            yield
        finally:
            self._ignored = before

    def deepest(self, configuration: Configuration, grip: Grip | None = None) -> MirrorContact | None:
        """Return where the robot, or what it holds, would be deepest in something; None if it meets nothing."""
        if not self.gaps(configuration, grip):
            return None
        contacts = []
        for point in pybullet.getContactPoints(bodyA=self.body, physicsClientId=self.client):
            name = self.world.names.get(point[2], "robot")
            on_floor = point[3] == self._platform and self.world.layout.is_ground(name)
            if point[2] != self.body and not on_floor and (grip is None or name != grip.name):
                contacts.append(MirrorContact(self._links[point[3]], name, point[8]))
        if grip is not None:
            held: dict[str, float] = {}
            self._add_near(self.world.body(grip.name), (-1,), AIR, held)
            contacts += [MirrorContact(grip.name, name, gap) for name, gap in held.items()]
        return min(contacts, key=lambda contact: contact.distance, default=None)

    def _add_near(self, body: int, links: Sequence[int], air: float, gaps: dict[str, float]) -> None:
        """Add the distances of movable things to links of the robot, those of everything to what grips or is held."""
        spend()  # exact distances take as long as the collisions
        bounds = np.array([pybullet.getAABB(body, link, physicsClientId=self.client) for link in links])
        low, high = (bounds[:, 0].min(axis=0) - air).tolist(), (bounds[:, 1].max(axis=0) + air).tolist()
        overlapping = pybullet.getOverlappingObjects(low, high, physicsClientId=self.client) or ()
        is_held = body != self.body
        for other in sorted({pair[0] for pair in overlapping} - {body, self.body}):
            name = self.world.names[other]
            for link in (ALL_LINKS,) if name in self.world.shapes else self._gripping.intersection(links):
                for point in pybullet.getClosestPoints(body, other, air, link, physicsClientId=self.client):
                    gaps[name] = min(gaps.get(name, 1.0), point[8] + HELD_SLACK * is_held)

    def corridor(
        self, start: Configuration, goal: Configuration, grip: Grip | None = None, exact: bool = True
    ) -> Callable[[Configuration], bool]:
        """Return the test of whether a configuration on a path between two others is free.

        It is as strict as `path_clashes` with `AIR`, and refuses configurations in which the robot touches itself.
        A test that is not `exact` is quicker: it misses gaps to small things until they all but touch.
        """
        first, last = self.gaps(start, grip, TIMES_NEARER * AIR), self.gaps(goal, grip, TIMES_NEARER * AIR)
        least, touching = _least(first, last, AIR), _closer(first, PENETRATION)

        def free(configuration: Configuration) -> bool:
            gaps = self.gaps(configuration, grip, AIR if exact else 0.0)
            return _closer(gaps, AIR, least) <= touching and not self.touches_itself(grip)

        return free

    def touches_itself(self, grip: Grip | None = None) -> bool:
        """Return whether links of the robot, or a link and the held object, touch in the configuration of `gaps`."""
        points = pybullet.getContactPoints(bodyA=self.body, bodyB=self.body, physicsClientId=self.client)
        return any(point[8] < PENETRATION for point in points) or (grip is not None and self._held_touches_robot(grip))

    def _held_touches_robot(self, grip: Grip) -> bool:
        held = self.world.body(grip.name)
        points = pybullet.getClosestPoints(held, self.body, 0.0, physicsClientId=self.client)
        return any(self._links[point[4]] not in GRIPPING for point in points)

    def path_clashes(
        self,
        waypoints: Iterable[Configuration],
        grip: Grip | None = None,
        *,
        air: float = PENETRATION,
        finer: float = 1.0,
    ) -> frozenset[str]:
        """Return the objects of the first collision on a path of straight segments, or those closer than `air` metres.

        The path may touch an object that it touches at the start until it has left it once. To what is near at
        an end it may come nearer, down to a third of that. The steps between two tests are `finer` than the strides of
        the robot by this factor.
        """
        points = self.description.unwound(list(waypoints))
        first, last = self.gaps(points[0], grip, TIMES_NEARER * air), self.gaps(points[-1], grip, TIMES_NEARER * air)
        allowed_touching = _closer(first, PENETRATION)
        least = _least(first, last, air)
        for start, end in pairwise(points):
            count = max(1, int(np.ceil(np.max(np.abs(end - start) / self.description.strides * finer))))
            for i in range(1, count + 1):
                gaps = self.gaps(start + (end - start) * (i / count), grip, air)
                if collisions := _closer(gaps, air, least) - allowed_touching:
                    return collisions
                # Once the path has left an object, touching it again is a collision.
                allowed_touching &= _closer(gaps, PENETRATION)
        return frozenset()

    def close(self) -> None:
        """Disconnect the physics client."""
        self.world.close()


def _closer(gaps: Mapping[str, float], distance: float, least: Mapping[str, float] | None = None) -> frozenset[str]:
    """Return what is closer than a distance, or than the least one for it."""
    return frozenset(name for name, gap in gaps.items() if gap < (least or {}).get(name, distance))


def _least(first: Mapping[str, float], last: Mapping[str, float], air: float) -> dict[str, float]:
    """Return how near a path may come to what is near at its ends."""
    ends = {name: min(first.get(name, 1.0), last.get(name, 1.0)) for name in first.keys() | last.keys()}
    return {name: max(PENETRATION, min(air, gap / TIMES_NEARER, gap + PENETRATION)) for name, gap in ends.items()}


def _about_z(angle: float) -> Configuration:
    return np.array([[cos(angle), -sin(angle), 0.0], [sin(angle), cos(angle), 0.0], [0.0, 0.0, 1.0]])
