"""The hands of a test, and its eyes: what happens to a simulated room that no robot did, and what is really so.

Nothing that decides may use this; a demo, a test or a judge may.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import copysign

import pybullet

from robots.pybullet.manipulation.doors import OPEN_ANGLE
from robots.pybullet.motion import TICK
from robots.pybullet.rig import Rig
from robots.pybullet.robot import PyBulletRobot
from robots.pybullet.scenery.world import DOOR, Quaternion
from semantics.geometry import Vector

__all__ = ["bounds", "contacts", "door_angle", "doors", "move_piece", "poses", "push_door"]

PUSH_SPEED = 3.0
"""How fast a door is pushed, in radians a second."""
PUSH_TORQUE = 25.0
PUSH_TIME = 1.5


def poses(robot: PyBulletRobot) -> dict[str, tuple[Vector, Quaternion]]:
    """Return where the middle of every movable thing is, and its orientation (xyzw)."""
    world = robot.rig.world
    return {name: world.pose(name) for name in world.movable()}


def bounds(robot: PyBulletRobot) -> dict[str, tuple[Vector, Vector]]:
    """Return the lowest and highest corner of every thing, piece of furniture and person, doors not included."""
    world = robot.rig.world
    boxes = {
        name: world.box(name) for name in (*world.furniture, *world.persons, *world.shapes) if name in world.bodies
    }
    return {name: (box.low, box.high) for name, box in boxes.items()}


def contacts(robot: PyBulletRobot) -> frozenset[frozenset[str]]:
    """Return the pairs of names that touch."""
    return robot.rig.world.contacts()


def doors(robot: PyBulletRobot) -> dict[str, float]:
    """Return how far every door stands open, 0 shut to 1 fully."""
    world = robot.rig.world
    return {
        name: min(1.0, max(0.0, world.door_angle(name) / OPEN_ANGLE)) for name in world.offered if world.has_door(name)
    }


def door_angle(robot: PyBulletRobot, name: str) -> float:
    """Return how far a door stands open, in radians."""
    return robot.rig.world.door_angle(name)


def move_piece(robot: PyBulletRobot, name: str, position: Vector, yaw: float = 0.0) -> None:
    """Put a thing's middle somewhere else at once, upright, and wake what was or is near it.

    Raises:
        UnknownNameError: Nothing has that name.
    """
    world = robot.rig.world
    if robot.rig.held == name:
        robot.rig.untie()
    world.wake_near(world.pose(name)[0])
    world.place(name, position, pybullet.getQuaternionFromEuler((0.0, 0.0, yaw)))
    world.wake_near(position)


def push_door(robot: PyBulletRobot, name: str, opening: float) -> None:
    """Begin to push a door to an opening, 0 shut to 1 fully; it gets there while the clock runs.

    What stands in the way stops it, as it would stop a hand.

    Raises:
        UnknownNameError: Nothing has that name.
    """
    robot.rig.errands.append(_pushing(robot.rig, name, opening * OPEN_ANGLE))


def _pushing(rig: Rig, name: str, angle: float) -> Iterator[None]:
    body, client = rig.world.body(name), rig.world.client
    for _ in range(round(PUSH_TIME / TICK)):
        missing = angle - rig.world.door_angle(name)
        if abs(missing) < 0.01:
            break
        speed = copysign(min(PUSH_SPEED, abs(missing) / (2 * TICK)), missing)
        pybullet.setJointMotorControl2(
            body, DOOR, pybullet.VELOCITY_CONTROL, targetVelocity=speed, force=PUSH_TORQUE, physicsClientId=client
        )
        yield
    rig.world.brake(name)
