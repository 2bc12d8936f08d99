from collections.abc import Iterator

import numpy as np
import pybullet
import pytest

from benchmarks import stagehand
from robots.pybullet import PyBulletRobot
from semantics.body.protocols import MotionStatus
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import succeeds

PRESSED = 450.0
"""What a hand that comes slowly stays well below when the door is shut, in newtons; one that came fast had 700."""


def test_a_door_opens_wide_and_stays_open(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "open", object="fridge0", at="fridge0")
    robot.clock.sleep(1.0)
    assert stagehand.doors(robot)["fridge0"] > 0.85
    assert robot.observation().sightings["fridge0"].opening == stagehand.doors(robot)["fridge0"]


def test_an_open_door_is_shut_again(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "open", object="fridge0", at="fridge0")
    succeeds(robot, "close", object="fridge0", at="fridge0")
    robot.clock.sleep(1.0)
    assert stagehand.door_angle(robot, "fridge0") < 0.03


def test_a_door_that_somebody_shuts_is_opened_again(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "open", object="fridge0", at="fridge0")
    stagehand.push_door(robot, "fridge0", 0.0)
    robot.clock.sleep(2.0)
    assert stagehand.doors(robot)["fridge0"] < 0.02
    succeeds(robot, "open", object="fridge0", at="fridge0")
    assert stagehand.doors(robot)["fridge0"] > 0.85


def test_a_door_that_stands_ajar_is_opened_the_rest_of_the_way(robot: PyBulletRobot) -> None:
    stagehand.push_door(robot, "fridge0", 0.5)
    robot.clock.sleep(2.0)
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "open", object="fridge0", at="fridge0")
    assert stagehand.doors(robot)["fridge0"] > 0.85


def test_a_cancelled_pull_leaves_the_hand_free_to_try_again(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="fridge0")
    motion = robot.start(Command("open", "robot0", {"object": "fridge0", "at": "fridge0"}))
    robot.clock.sleep(3.5)
    motion.cancel()
    robot.clock.sleep(0.5)
    succeeds(robot, "open", object="fridge0", at="fridge0")
    assert stagehand.doors(robot)["fridge0"] > 0.85


def test_what_is_taken_out_while_its_door_is_shut_is_seen_elsewhere_at_the_next_sensing(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "open", object="fridge0", at="fridge0")
    motion = robot.start(Command("close", "robot0", {"object": "fridge0", "at": "fridge0"}))
    robot.clock.sleep(0.5)
    stagehand.move_piece(robot, "milk0", (0.3, 1.75, 0.95))
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(1 / 60)
    before = robot.observation().number
    while robot.observation().number == before:
        robot.clock.sleep(1 / 60)
    sighting = robot.observation().sightings.get("milk0")
    assert sighting is not None
    assert sighting.box.low[1] > 1.0


def test_a_door_that_meets_its_frame_does_not_jerk_the_arm(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "open", object="fridge0", at="fridge0")
    chassis, client, speeds, forces = robot.rig.chassis, robot.rig.world.client, [], []

    def watch() -> Iterator[None]:
        while True:
            states = pybullet.getJointStates(chassis.body, chassis.joints, physicsClientId=client)
            speeds.append([abs(state[1]) for state in states])
            points = pybullet.getContactPoints(chassis.body, robot.rig.world.body("fridge0"), physicsClientId=client)
            forces.extend(point[9] for point in points)
            yield

    robot.rig.errands.append(watch())
    succeeds(robot, "close", object="fridge0", at="fridge0")
    assert np.all(np.max(speeds, axis=0) < 1.03 * chassis.limits.speed)
    assert max(forces) < PRESSED


@pytest.mark.parametrize("angle", [0.05, 0.02])
def test_a_door_that_is_nearly_shut_is_shut(robot: PyBulletRobot, angle: float) -> None:
    stagehand.push_door(robot, "fridge0", angle)
    robot.clock.sleep(2.0)
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "close", object="fridge0", at="fridge0")
    assert stagehand.door_angle(robot, "fridge0") < 0.01
