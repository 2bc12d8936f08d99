"""The mirror: a second physics client that tests postures for collisions before the live robot takes them.

Saving and restoring the live world would break a grasp, so nothing is tested there. The objects in the mirror are
static and its robot has a fixed root. So one collision query tests only the robot against the room, and no pairs of
objects. The held object is tested separately, since it is static too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pybullet

from robots.pybullet.chassis import indices, load
from robots.pybullet.description import BASE, BodyDescription, Configuration
from robots.pybullet.kinematics import reach_of
from robots.pybullet.scenery.world import PopulatedRoom, Quaternion
from semantics.geometry import Vector
from semantics.layout import Layout

__all__ = ["AIR", "Grip", "Mirror"]

PENETRATION = -0.001
"""Distance below which two solids collide, in metres; resting contacts do not penetrate as deep."""
HELD_SLACK = 0.002
"""Additional penetration allowed for a held object, which rests on its support at the grasp, in metres."""
AIR = 0.008
"""Clearance of a travelling arm from everything, in metres."""


class Grip(NamedTuple):
    """The held object, and its pose in the frame of the fingertips."""

    name: str
    position: Vector
    orientation: Quaternion


class Mirror:
    """A copy of the room as of the last `sync`, with a robot that can be put into any configuration."""

    def __init__(self, layout: Layout, description: BodyDescription) -> None:
        self.description = description
        self.world = PopulatedRoom(layout, still=True)
        self.client = self.world.client
        self.body = load(self.client, description, fixed=True, at=layout.robot.pose)
        joints, links = indices(self.client, self.body)
        start = layout.robot.pose
        self._origin = description.origin(start.x, start.y, start.yaw)
        # A mobile base is moved by its root: its joints are fixed here.
        self._driven = [index for index in description.driven if index >= BASE or not description.moves]
        self._joints = [joints[description.coordinates[index].joint] for index in self._driven]
        self._tool = links[description.hand.tool]
        self._platform = links["platform"]
        for finger in description.hand.fingers:
            pybullet.resetJointState(self.body, joints[finger], description.hand.opening, physicsClientId=self.client)

    def sync(self, live: PopulatedRoom) -> None:
        """Copy the present state of the live room."""
        self.world.copy(live)

    def pose(self, configuration: Configuration, grip: Grip | None = None) -> None:
        """Put the robot and the held object into a configuration."""
        if self.description.moves:
            x, y, yaw = configuration[:BASE]
            pybullet.resetBasePositionAndOrientation(
                self.body, (x, y, 0.0), pybullet.getQuaternionFromEuler((0.0, 0.0, yaw)), physicsClientId=self.client
            )
        # One call for all joints: eight calls of `resetJointState` take five times as long.
        values = [[value] for value in (configuration - self._origin)[self._driven].tolist()]
        pybullet.resetJointStatesMultiDof(self.body, self._joints, values, physicsClientId=self.client)
        if grip is not None:
            tool = pybullet.getLinkState(
                self.body, self._tool, computeForwardKinematics=True, physicsClientId=self.client
            )
            at = pybullet.multiplyTransforms(tool[4], tool[5], grip.position, grip.orientation)
            self.world.place(grip.name, *at)

    def clashes(self, configuration: Configuration, grip: Grip | None = None) -> frozenset[str]:
        """Return the names of the objects in collision with the robot or the held object; ``robot`` is the robot."""
        return _closer(self.gaps(configuration, grip), PENETRATION)

    def gaps(self, configuration: Configuration, grip: Grip | None = None) -> dict[str, float]:
        """Return the distance of near objects to the robot or the held object, in metres by name."""
        reach, base = reach_of(self.description, configuration), self.description.base
        if reach.r < base.closest and reach.z < base.lowest:
            return {"robot": -1.0}
        self.pose(configuration, grip)
        pybullet.performCollisionDetection(physicsClientId=self.client)
        gaps: dict[str, float] = {}
        for point in pybullet.getContactPoints(bodyA=self.body, physicsClientId=self.client):
            name = self.world.names.get(point[2], "robot")
            if point[2] != self.body and not (point[3] == self._platform and self.world.layout.is_ground(name)):
                gaps[name] = min(gaps.get(name, 1.0), point[8])
        if grip is not None:
            gaps.pop(grip.name, None)
            self._add_held(grip, gaps)
        return gaps

    def _add_held(self, grip: Grip, gaps: dict[str, float]) -> None:
        held = self.world.body(grip.name)
        low, high = pybullet.getAABB(held, physicsClientId=self.client)
        overlapping = pybullet.getOverlappingObjects(low, high, physicsClientId=self.client) or ()
        for body in sorted({pair[0] for pair in overlapping} - {held, self.body}):
            name = self.world.names[body]
            for point in pybullet.getClosestPoints(held, body, AIR, physicsClientId=self.client):
                gaps[name] = min(gaps.get(name, 1.0), point[8] + HELD_SLACK)

    def path_clashes(
        self, waypoints: Iterable[Configuration], grip: Grip | None = None, *, air: float = PENETRATION
    ) -> frozenset[str]:
        """Return the objects of the first collision on a path of straight segments, or those closer than `air` metres.

        The path may touch an object that it touches at the start until it has left it once. It may be near an object
        that is near at the start or at the end.
        """
        points = list(waypoints)
        first, last = self.gaps(points[0], grip), self.gaps(points[-1], grip)
        allowed_touching = _closer(first, PENETRATION)
        allowed_near = _closer(first, air) | _closer(last, air)
        for start, end in pairwise(points):
            count = max(1, int(np.ceil(np.max(np.abs(end - start) / self.description.strides))))
            for i in range(1, count + 1):
                gaps = self.gaps(start + (end - start) * (i / count), grip)
                clashes = _closer(gaps, PENETRATION)
                collisions = (clashes - allowed_touching) | (_closer(gaps, air) - allowed_near - allowed_touching)
                if collisions:
                    return collisions
                # Once the path has left an object, touching it again is a collision.
                allowed_touching &= clashes
        return frozenset()

    def close(self) -> None:
        """Disconnect the physics client."""
        self.world.close()


def _closer(gaps: Mapping[str, float], distance: float) -> frozenset[str]:
    return frozenset(name for name, gap in gaps.items() if gap < distance)
