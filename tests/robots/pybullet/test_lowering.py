"""Lowering what is held: it ends where something is met, also by a finger alone."""

from collections.abc import Iterator
from dataclasses import replace

import pybullet

from benchmarks import stagehand
from robots.pybullet import PyBulletRobot
from robots.pybullet.manipulation.place import lower, over
from robots.pybullet.motion import Steps
from robots.pybullet.timing import TICK
from semantics.body.layout import MovableObject, Shape
from tests.robots.pybullet.kitchen import LAYOUT, succeeds

TOP, HIGH = 0.85, 0.022
"""The height of the counter and of the block, in metres."""
BLOCK = MovableObject("block0", Shape("box", (0.03, 0.03, HIGH), 0.3), "on", "counter0", (0.6, 0.1))
DEEPEST = 0.005
"""The deepest contact that is no fault, in metres."""


def step(robot: PyBulletRobot, motion: Steps) -> Iterator[float]:
    """Do a motion; yield, at each control tick, how deep the block is in the counter, in metres."""
    world = robot.rig.world
    for _ in motion:
        robot.clock.sleep(TICK)
        bodies = world.body("block0"), world.body("counter0")
        yield max((-point[8] for point in pybullet.getContactPoints(*bodies, physicsClientId=world.client)), default=0)


def test_a_finger_that_meets_something_ends_the_lowering() -> None:
    robot = PyBulletRobot(replace(LAYOUT, pieces=(*LAYOUT.pieces, BLOCK)))
    succeeds(robot, "drive", to="counter0")
    succeeds(robot, "pick", object="apple0", source="counter0", at="counter0")
    rig = robot.rig
    list(step(robot, over(rig, "apple0", "counter0", "counter0", "on")))
    low, high = pybullet.getAABB(rig.chassis.body, rig.chassis.fingers[0], physicsClientId=rig.world.client)
    apple = rig.world.pose("apple0")[0]
    x, y = (apple[axis] + 1.3 * ((low[axis] + high[axis]) / 2 - apple[axis]) for axis in (0, 1))
    stagehand.move_piece(robot, "block0", (x, y, TOP + HIGH / 2))
    list(step(robot, rig.move(rig.now())))
    depths = list(step(robot, lower(rig, "apple0")))
    fingers = {link for link, body in rig.chassis.touches() if body == rig.world.body("block0")}
    assert fingers
    assert "counter0" not in rig.world.touching("apple0")
    assert max(depths) < DEEPEST
    assert rig.held == "apple0"
    robot.close()
