"""The mirror: a second physics client in which postures are tried before the live body takes them.

Solving in the live world by saving and restoring it breaks a grasp, so nothing is ever tried there. The mirror's things
are still and its robot stands on a fixed root, hence one collision query tests the robot against the room and nothing
against anything else. What the hand holds is tested by itself, as it has no mass either.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pybullet

from robots.pybullet.chassis import FINGERS, JOINTS, OPEN_WIDTH, Configuration, indices, load
from robots.pybullet.kinematics import reach_of
from robots.pybullet.scenery.world import Quaternion, World
from semantics.geometry import Vector
from semantics.layout import Layout

__all__ = ["Grip", "Mirror"]

PENETRATION = -0.001
"""Deeper than this two solids clash; resting contacts stay above it."""
HELD_PENETRATION = -0.003
STRIDE = np.array([0.06, 0.06, 0.1, 0.05, *([0.12] * 7)])
"""Largest step between two tested postures of a straight path."""
CLOSEST, LOWEST = 0.27, 0.4
"""Nearer to the middle of the base than `CLOSEST` and lower than `LOWEST`, the hand would hit the base."""


class Grip(NamedTuple):
    """What is held, and its pose in the frame of the fingertips."""

    name: str
    position: Vector
    orientation: Quaternion


class Mirror:
    """The room as it was when `sync` was last called, with a robot that can be put anywhere."""

    def __init__(self, layout: Layout) -> None:
        self.world = World(layout, still=True)
        self.client = self.world.client
        self.body = load(self.client, fixed=True)
        joints, links = indices(self.client, self.body)
        self._joints = [joints[name] for name in JOINTS[3:]]
        self._tool = links["panda_grasptarget"]
        for finger in FINGERS:
            pybullet.resetJointState(self.body, joints[finger], OPEN_WIDTH, physicsClientId=self.client)

    def sync(self, live: World) -> None:
        """Copy where everything is."""
        for name in live.shapes:
            self.world.place(name, *live.pose(name))
        for name in live.furniture:
            if live.has_door(name):
                self.world.set_door(name, live.door_angle(name))

    def pose(self, configuration: Configuration, grip: Grip | None = None) -> None:
        """Put the robot, and what it holds, into a configuration."""
        x, y, yaw = configuration[:3]
        pybullet.resetBasePositionAndOrientation(
            self.body, (x, y, 0.0), pybullet.getQuaternionFromEuler((0.0, 0.0, yaw)), physicsClientId=self.client
        )
        for joint, value in zip(self._joints, configuration[3:], strict=True):
            pybullet.resetJointState(self.body, joint, value, physicsClientId=self.client)
        if grip is not None:
            tool = pybullet.getLinkState(
                self.body, self._tool, computeForwardKinematics=True, physicsClientId=self.client
            )
            at = pybullet.multiplyTransforms(tool[4], tool[5], grip.position, grip.orientation)
            self.world.place(grip.name, *at)

    def clashes(self, configuration: Configuration, grip: Grip | None = None) -> frozenset[str]:
        """Return the names of what the robot or the held thing would run into; the robot itself is ``robot``."""
        reach = reach_of(configuration)
        if reach.r < CLOSEST and reach.z < LOWEST:
            return frozenset({"robot"})
        self.pose(configuration, grip)
        pybullet.performCollisionDetection(physicsClientId=self.client)
        points = pybullet.getContactPoints(bodyA=self.body, physicsClientId=self.client)
        bodies = {point[2] for point in points if point[8] < PENETRATION and point[2] != self.body}
        names = {self.world.names[body] for body in bodies}
        if grip is not None:
            names.discard(grip.name)
            names |= self._held_clashes(grip)
        return frozenset(names)

    def _held_clashes(self, grip: Grip) -> set[str]:
        held = self.world.body(grip.name)
        low, high = pybullet.getAABB(held, physicsClientId=self.client)
        near = pybullet.getOverlappingObjects(low, high, physicsClientId=self.client) or ()
        found: set[str] = set()
        for body in sorted({one[0] for one in near} - {held, self.body}):
            points = pybullet.getClosestPoints(held, body, 0.0, physicsClientId=self.client)
            if any(point[8] < HELD_PENETRATION for point in points):
                found.add(self.world.names[body])
        return found

    def path_clashes(
        self, waypoints: Iterable[Configuration], grip: Grip | None = None, allowed: frozenset[str] = frozenset()
    ) -> frozenset[str]:
        """Return what a path of straight segments runs into first, without what is allowed."""
        points = list(waypoints)
        for one, other in zip(points, points[1:], strict=False):
            count = max(1, int(np.ceil(np.max(np.abs(other - one) / STRIDE))))
            for i in range(1, count + 1):
                found = self.clashes(one + (other - one) * (i / count), grip) - allowed
                if found:
                    return found
        return frozenset()

    def close(self) -> None:
        """Give the physics client back."""
        self.world.close()
