"""Changes of a simulated room from outside, for demos and tests; no decision for the robot may use this module."""

from __future__ import annotations

from collections.abc import Iterator
from math import copysign

import pybullet

from robots.pybullet.rig import Rig
from robots.pybullet.robot import PyBulletRobot
from robots.pybullet.timing import TICK

PUSH_SPEED = 3.0  # speed of a pushed door, in radians per second
PUSH_TORQUE = 25.0
PUSH_TIME = 1.5


def push_door(robot: PyBulletRobot, name: str, opening: float) -> None:
    """Begin to push a door, with all its leaves, to an opening from 0 (shut) to 1 (fully open).

    It moves while the clock runs. An obstacle stops the door, as it would stop a hand.

    Raises:
        UnknownNameError: There is no body with this name.
    """
    world = robot.rig.world
    goals = [opening * world.wide_open(name, link) for link in world.links(name)]
    robot.rig.errands.append(_pushing(robot.rig, name, goals))


def _pushing(rig: Rig, name: str, angles: list[float]) -> Iterator[None]:
    body, client, links = rig.world.body(name), rig.world.client, rig.world.links(name)
    for _ in range(round(PUSH_TIME / TICK)):
        missing = [angle - rig.world.door_angle(name, link) for link, angle in enumerate(angles)]
        if max(map(abs, missing)) < 0.01:
            break
        for link, rest in zip(links, missing, strict=True):
            speed = copysign(min(PUSH_SPEED, abs(rest) / (2 * TICK)), rest)
            pybullet.setJointMotorControl2(
                body, link, pybullet.VELOCITY_CONTROL, targetVelocity=speed, force=PUSH_TORQUE, physicsClientId=client
            )
        yield
    for link in links:
        rig.world.brake(name, link)
