from math import hypot

import pytest

from benchmarks import stagehand
from robots.pybullet import PyBulletRobot
from semantics.body.protocols import MotionStatus
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import done, succeeds


def test_an_apple_goes_from_the_counter_to_the_shelf(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="counter0")
    succeeds(robot, "pick", object="apple0", source="counter0", at="counter0")
    assert robot.observation().agents["robot0"].held == ("apple0",)
    assert frozenset({"apple0", "robot0"}) in stagehand.contacts(robot)
    succeeds(robot, "drive", to="shelf0")
    succeeds(robot, "put", object="apple0", target="shelf0", at="shelf0")
    robot.clock.sleep(1.0)
    assert frozenset({"apple0", "shelf0"}) in stagehand.contacts(robot)
    assert frozenset({"apple0", "robot0"}) not in stagehand.contacts(robot)
    assert robot.observation().agents["robot0"].held == ()


@pytest.mark.parametrize("name", ["cup0", "knife0", "bowl0"])
def test_a_cup_a_knife_and_a_bowl_go_into_the_sink(robot: PyBulletRobot, name: str) -> None:
    succeeds(robot, "drive", to="counter0")
    succeeds(robot, "pick", object=name, source="counter0", at="counter0")
    succeeds(robot, "drive", to="sink0")
    succeeds(robot, "insert", object=name, target="sink0", at="sink0")
    robot.clock.sleep(1.0)
    interior = robot.observation().sightings["sink0"].interior
    assert interior is not None
    assert interior.contains(stagehand.poses(robot)[name][0])


def test_milk_comes_out_of_the_shut_fridge_into_the_hand_of_a_person(robot: PyBulletRobot) -> None:
    assert "milk0" not in robot.observation().sightings
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "open", object="fridge0", at="fridge0")
    robot.clock.sleep(0.5)
    assert "milk0" in robot.observation().sightings
    succeeds(robot, "pick", object="milk0", source="fridge0", at="fridge0")
    succeeds(robot, "drive", to="human0")
    succeeds(robot, "give", object="milk0", to="human0")
    robot.clock.sleep(1.0)
    assert robot.observation().agents["human0"].held == ("milk0",)
    assert frozenset({"milk0", "human0"}) in stagehand.contacts(robot)


def test_a_thing_that_was_taken_away_on_the_way_is_not_grasped(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="counter0")
    motion = robot.start(Command("pick", "robot0", {"object": "cup0", "source": "counter0", "at": "counter0"}))
    robot.clock.sleep(1.2)
    stagehand.move_piece(robot, "cup0", (-1.5, 1.9, 0.8))
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(0.1)
    feedback = motion.poll().feedback
    assert feedback is not None
    assert feedback.code in (Code.NOT_GRASPED, Code.OUT_OF_REACH, Code.OBSTRUCTED)
    assert robot.observation().agents["robot0"].held == ()


def test_what_is_held_stays_in_the_hand_when_a_motion_is_cancelled(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="counter0")
    succeeds(robot, "pick", object="cup0", source="counter0", at="counter0")
    motion = robot.start(Command("drive", "robot0", {"to": "shelf0"}))
    robot.clock.sleep(0.8)
    motion.cancel()
    robot.clock.sleep(1.0)
    before = robot.observation().agents["robot0"].pose
    robot.clock.sleep(1.0)
    after = robot.observation().agents["robot0"]
    assert after.held == ("cup0",)
    assert hypot(after.pose.x - before.x, after.pose.y - before.y) < 0.002
    succeeds(robot, "drive", to="shelf0")
    succeeds(robot, "put", object="cup0", target="shelf0", at="shelf0")


def test_a_hand_whose_thing_was_taken_out_of_it_opens_before_it_grasps_again(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="counter0")
    succeeds(robot, "pick", object="cup0", source="counter0", at="counter0")
    stagehand.move_piece(robot, "cup0", (0.0, 1.7, 0.91))
    robot.clock.sleep(0.5)
    assert stagehand.posture(robot).opening < 0.01
    robot.start(Command("pick", "robot0", {"object": "cup0", "source": "counter0", "at": "counter0"}))
    robot.clock.sleep(0.5)
    assert stagehand.posture(robot).opening > 0.07


def test_nothing_can_be_put_down_that_is_not_held(robot: PyBulletRobot) -> None:
    progress = done(robot, "put", object="cup0", target="shelf0", at="shelf0")
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback is not None
    assert progress.feedback.code is Code.DROPPED
    assert progress.feedback.culprits == ("cup0",)


def test_what_is_far_away_is_out_of_reach(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="shelf0")
    progress = done(robot, "pick", object="apple0", source="shelf0", at="shelf0")
    assert progress.feedback is not None
    assert progress.feedback.code is Code.OUT_OF_REACH
