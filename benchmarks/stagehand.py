"""The ground truth of a simulated room, and changes of it from outside, for tests and evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pybullet

from robots.pybullet.robot import PyBulletRobot
from robots.pybullet.scenery.world import Quaternion
from robots.pybullet.stagehand import push_door
from semantics.geometry.geometry import PlanarPose, Vector

__all__ = [
    "Contact",
    "Posture",
    "bounds",
    "contact_points",
    "contacts",
    "door_angle",
    "door_angles",
    "doors",
    "move_piece",
    "moved",
    "poses",
    "posture",
    "push_door",
    "snapshot",
    "solids",
]

TOUCHING = 0.002
"""Largest gap of two touching objects, in metres."""


class Posture(NamedTuple):
    """The true posture of the robot.

    Attributes:
        base: The pose of the base.
        lift: Height of the arm's foot, in metres.
        joints: Angles of the arm's seven joints, in radians.
        opening: Gap between the fingers, in metres.
    """

    base: PlanarPose
    lift: float
    joints: tuple[float, ...]
    opening: float


class Contact(NamedTuple):
    """A contact point between two bodies.

    Attributes:
        other: Name of the other body.
        point: The position, on the first body.
        normal: Unit vector in which the other body pushes the first.
    """

    other: str
    point: Vector
    normal: Vector


def posture(robot: PyBulletRobot) -> Posture:
    """Return the true posture of the robot, as opposed to the commanded one."""
    lift, *joints = robot.rig.chassis.configuration()[3:].tolist()
    return Posture(robot.rig.chassis.base(), lift, tuple(joints), robot.rig.chassis.width())


def poses(robot: PyBulletRobot) -> dict[str, tuple[Vector, Quaternion]]:
    """Return the position and orientation of the centre of every movable object and of the robot's base."""
    world, base = robot.rig.world, robot.rig.chassis.base()
    turned = pybullet.getQuaternionFromEuler((0.0, 0.0, base.yaw))
    return {name: world.pose(name) for name in world.shapes} | {robot.name: ((base.x, base.y, 0.0), turned)}


def bounds(robot: PyBulletRobot) -> dict[str, tuple[Vector, Vector]]:
    """Return the lowest and highest corner of all objects, furniture and persons, without doors."""
    world = robot.rig.world
    boxes = {
        name: world.box(name) for name in (*world.furniture, *world.persons, *world.shapes) if name in world.bodies
    }
    return {name: (box.low, box.high) for name, box in boxes.items()}


def contacts(robot: PyBulletRobot) -> frozenset[frozenset[str]]:
    """Return the pairs of bodies in contact, by name."""
    return robot.rig.world.contacts()


def solids(robot: PyBulletRobot, name: str) -> tuple[tuple[Vector, Vector], ...]:
    """Return the lowest and highest corner of each block of a piece of furniture, without its door.

    Raises:
        UnknownNameError: There is no body with this name.
    """
    world = robot.rig.world
    place = world.pose(name)
    blocks = pybullet.getCollisionShapeData(world.body(name), -1, physicsClientId=world.client)
    corners = []
    for block in blocks:
        middle, turn = pybullet.multiplyTransforms(*place, block[5], block[6])
        axes = np.abs(np.array(pybullet.getMatrixFromQuaternion(turn)).reshape(3, 3))
        half = axes @ (np.array(block[3]) / 2)
        low, high = (np.array(middle) - half).tolist(), (np.array(middle) + half).tolist()
        corners.append(((low[0], low[1], low[2]), (high[0], high[1], high[2])))
    return tuple(corners)


def snapshot(robot: PyBulletRobot) -> dict[str, tuple[float, ...]]:
    """Return numbers that change when something moves.

    These are the posture of the robot, the centre and axes of an object, and the angle of a door for its furniture.
    """
    base, lift, joints, opening = posture(robot)
    numbers = {robot.name: (base.x, base.y, base.yaw, lift, *joints, opening)}
    for name in robot.rig.world.shapes:
        middle, turn = robot.rig.world.pose(name)
        numbers[name] = (*middle, *pybullet.getMatrixFromQuaternion(turn))
    return numbers | {name: door_angles(robot, name) for name in doors(robot)}


def moved(
    before: Mapping[str, tuple[float, ...]], after: Mapping[str, tuple[float, ...]], more_than: float = 1e-3
) -> frozenset[str]:
    """Return the names whose numbers differ between two snapshots by more than some metres or radians."""
    return frozenset(
        name
        for name in before
        if any(abs(new - old) > more_than for old, new in zip(before[name], after[name], strict=True))
    )


def contact_points(robot: PyBulletRobot, name: str) -> tuple[Contact, ...]:
    """Return all contact points of an object.

    Raises:
        UnknownNameError: There is no body with this name.
    """
    world = robot.rig.world
    points = pybullet.getContactPoints(bodyA=world.body(name), physicsClientId=world.client)
    return tuple(
        Contact(world.names[point[2]], point[5], point[7])
        for point in points
        if point[8] < TOUCHING and point[2] in world.names and point[2] != point[1]
    )


def doors(robot: PyBulletRobot) -> dict[str, float]:
    """Return the opening of every door, from 0 (shut) to 1 (fully open)."""
    world = robot.rig.world
    return {name: world.opening(name) for name in world.offered if world.has_door(name)}


def door_angle(robot: PyBulletRobot, name: str) -> float:
    """Return the angle of a door from shut, in radians."""
    return robot.rig.world.door_angle(name)


def door_angles(robot: PyBulletRobot, name: str) -> tuple[float, ...]:
    """Return the angle of each leaf of a door from shut, in radians."""
    world = robot.rig.world
    return tuple(world.door_angle(name, link) for link in world.links(name))


def move_piece(robot: PyBulletRobot, name: str, position: Vector, yaw: float = 0.0) -> None:
    """Move the centre of an object immediately, upright, and wake the objects near its old and new position.

    Raises:
        UnknownNameError: There is no body with this name.
    """
    world = robot.rig.world
    if robot.rig.held == name:
        robot.rig.untie()
    world.wake_near(world.pose(name)[0])
    world.place(name, position, pybullet.getQuaternionFromEuler((0.0, 0.0, yaw)))
    world.wake_near(position)
