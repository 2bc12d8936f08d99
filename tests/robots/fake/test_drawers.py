"""Drawers of the fake robot: what is in one moves with it, and is in view only while it is open."""

from dataclasses import replace
from math import pi

import pytest

from robots import FakeRobot
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.geometry.geometry import PlanarPose
from semantics.logic.feedback import Code
from semantics.logic.state import Command

CHEST = Furniture("chest0", "cabinet", PlanarPose(1.2, -1.9, pi / 2), (0.6, 0.5, 0.9), parameters=(("drawers", 3.0),))
DRAWERS = tuple(
    replace(CHEST, name=f"drawer{level}", model="drawer", part_of="chest0", level=level) for level in range(3)
)
BENCH = Furniture("bench0", "table", PlanarPose(1.9, 0.5, pi), (1.2, 0.6, 0.72))
NUT = Shape("box", (0.05, 0.05, 0.04), 0.1)


@pytest.fixture
def robot() -> FakeRobot:
    nut = MovableObject("nut0", NUT, "in", "drawer1", (0.05, -0.02))
    return FakeRobot(Layout(RobotStart("robot0", PlanarPose(0.0, 0.0)), (CHEST, *DRAWERS, BENCH), (nut,)))


def done(robot: FakeRobot, primitive: str, **roles: str) -> MotionProgress:
    motion = robot.start(Command(primitive, "robot0", roles))
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(0.1)
    return motion.poll()


def succeeds(robot: FakeRobot, primitive: str, **roles: str) -> None:
    progress = done(robot, primitive, **roles)
    assert progress.stage is MotionStatus.DONE, progress.feedback


def test_what_is_in_a_drawer_is_seen_where_it_is_when_the_drawer_is_open(robot: FakeRobot):
    assert "nut0" not in robot.observation().sightings
    before = robot.world.spots["nut0"]
    succeeds(robot, "drive", to="chest0")
    succeeds(robot, "open", object="drawer1", at="chest0")
    seen = robot.observation().sightings
    assert seen["drawer1"].opening == 1.0
    assert seen["drawer1"].interior.contains(seen["nut0"].box.centre)
    assert robot.world.spots["nut0"].y - before.y == pytest.approx(0.5 - 0.12)
    succeeds(robot, "close", object="drawer1", at="chest0")
    after = robot.world.spots["nut0"]
    assert (after.x, after.y) == pytest.approx((before.x, before.y))
    assert robot.observation().sightings["drawer1"].opening == 0.0


def test_a_thing_is_taken_out_and_put_into_another_drawer(robot: FakeRobot):
    succeeds(robot, "drive", to="chest0")
    succeeds(robot, "open", object="drawer1", at="chest0")
    succeeds(robot, "pick", object="nut0", source="drawer1", at="chest0")
    progress = done(robot, "insert", object="nut0", target="drawer2", at="chest0")
    assert progress.feedback is not None
    assert progress.feedback.code is Code.OBSTRUCTED
    robot.set_door("drawer2", 1.0)
    succeeds(robot, "insert", object="nut0", target="drawer2", at="chest0")
    assert robot.world.root("nut0") == "chest0"


def test_a_shut_drawer_keeps_what_is_in_it(robot: FakeRobot):
    succeeds(robot, "drive", to="chest0")
    progress = done(robot, "pick", object="nut0", source="drawer1", at="chest0")
    assert progress.feedback is not None
    assert progress.feedback.culprits == ("drawer1",)


def test_a_drawer_is_opened_only_at_its_cabinet(robot: FakeRobot):
    succeeds(robot, "drive", to="bench0")
    progress = done(robot, "open", object="drawer1", at="bench0")
    assert progress.feedback is not None
    assert progress.feedback.code is Code.OUT_OF_REACH
    assert "drawer1 is no part of bench0" in str(progress.feedback)
