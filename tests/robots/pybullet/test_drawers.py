"""Drawers in the simulator: pulled by their handle, emptied, filled and pushed shut."""

from collections.abc import Iterator
from dataclasses import replace
from math import pi

import numpy as np
import pybullet
import pytest

from benchmarks import stagehand
from robots.limits import DRAWER_CABINET
from robots.pybullet import PyBulletRobot
from robots.pybullet.manipulation.out_of_reach import door_in_the_way
from robots.pybullet.manipulation.reach import station
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.body.protocols import MotionStatus
from semantics.geometry.geometry import PlanarPose
from semantics.logic.feedback import Code
from tests.robots.pybullet.kitchen import done, succeeds

CHEST = Furniture(
    "chest0",
    "cabinet",
    PlanarPose(1.2, -1.9, pi / 2),
    (*DRAWER_CABINET, 0.9),
    parameters=(("drawers", 4.0),),
)
DRAWERS = tuple(
    replace(CHEST, name=f"drawer{level}", model="drawer", part_of="chest0", level=level) for level in range(4)
)
BENCH = Furniture("bench0", "table", PlanarPose(1.9, 0.5, pi), (1.2, 0.6, 0.72))
NUT = Shape("box", (0.06, 0.06, 0.05), 0.2)


@pytest.fixture
def robot() -> Iterator[PyBulletRobot]:
    nuts = tuple(MovableObject(f"nut{level}", NUT, "in", f"drawer{level}", (-0.05, -0.02)) for level in range(4))
    body = PyBulletRobot(Layout(RobotStart("robot0", PlanarPose(0.0, 0.0)), (CHEST, *DRAWERS, BENCH), nuts))
    yield body
    body.close()


@pytest.mark.parametrize("level", range(4))
def test_a_thing_goes_out_of_a_drawer_and_into_it_again(robot: PyBulletRobot, level: int) -> None:
    nut, drawer = f"nut{level}", f"drawer{level}"
    assert nut not in robot.observation().sightings
    succeeds(robot, "drive", to="chest0")
    succeeds(robot, "open", object=drawer, at="chest0")
    robot.clock.sleep(1.0)
    seen = robot.observation().sightings
    assert seen[drawer].opening == pytest.approx(1.0, abs=0.05)
    assert seen[drawer].interior is not None
    assert seen[drawer].interior.contains(seen[nut].box.centre)
    succeeds(robot, "pick", object=nut, source=drawer, at="chest0")
    succeeds(robot, "insert", object=nut, target=drawer, at="chest0")
    succeeds(robot, "close", object=drawer, at="chest0")
    robot.clock.sleep(1.0)
    assert stagehand.doors(robot) == {name: pytest.approx(0.0, abs=0.02) for name in stagehand.doors(robot)}
    assert robot.rig.world.offered[drawer].interior.contains(robot.rig.world.pose(nut)[0])


def test_what_is_put_on_the_cabinet_stays_there_while_a_drawer_is_pulled(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="chest0")
    succeeds(robot, "open", object="drawer2", at="chest0")
    succeeds(robot, "pick", object="nut2", source="drawer2", at="chest0")
    succeeds(robot, "put", object="nut2", target="chest0", at="chest0")
    succeeds(robot, "close", object="drawer2", at="chest0")
    assert robot.rig.world.pose("nut2")[0][2] > 0.9


def test_a_robot_drives_around_an_open_drawer(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="chest0")
    succeeds(robot, "open", object="drawer1", at="chest0")
    succeeds(robot, "drive", to="bench0")
    assert stagehand.doors(robot)["drawer1"] > 0.95


def test_an_open_drawer_is_in_the_way_of_the_one_below_it(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="chest0")
    succeeds(robot, "open", object="drawer2", at="chest0")
    progress = done(robot, "open", object="drawer1", at="chest0")
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback.code is Code.OBSTRUCTED
    assert "drawer2" in progress.feedback.culprits
    succeeds(robot, "close", object="drawer2", at="chest0")
    succeeds(robot, "open", object="drawer1", at="chest0")


def test_nothing_is_taken_out_of_a_shut_drawer(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="chest0")
    progress = done(robot, "pick", object="nut1", source="drawer1", at="chest0")
    assert progress.stage is MotionStatus.FAILED
    assert stagehand.doors(robot)["drawer1"] == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize(("size", "back", "yaw"), [((0.18, 0.03, 0.012), 0.2, 0.0), ((0.16, 0.035, 0.035), 0.1, 0.9)])
def test_an_open_drawer_that_leaves_the_base_no_place_is_in_the_way(robot: PyBulletRobot, size, back, yaw) -> None:
    spoon = MovableObject("spoon0", Shape("box", size, 0.05), "on", "chest0", (0.0, -back), yaw=yaw)
    robot.close()
    body = PyBulletRobot(replace(robot.rig.world.layout, pieces=(spoon,)))
    succeeds(body, "drive", to="chest0")
    succeeds(body, "open", object="drawer2", at="chest0")
    progress = done(body, "pick", object="spoon0", source="chest0", at="chest0")
    assert (progress.feedback.code, progress.feedback.culprits) == (Code.OBSTRUCTED, ("drawer2",))
    succeeds(body, "close", object="drawer2", at="chest0")
    succeeds(body, "pick", object="spoon0", source="chest0", at="chest0")
    body.close()


@pytest.mark.parametrize("what", ["nut2", "drawer2"])
def test_the_drawer_that_has_to_be_open_is_not_in_the_way(robot: PyBulletRobot, what: str) -> None:
    succeeds(robot, "drive", to="chest0")
    succeeds(robot, "open", object="drawer2", at="chest0")
    where = station(robot.rig, "chest0")
    failed = door_in_the_way(robot.rig, "nut1", where, lambda door, there: len(there.around) < len(where.around))
    assert failed.feedback.culprits == ("drawer2",)
    assert door_in_the_way(robot.rig, what, where, lambda door, there: True) is None


@pytest.mark.parametrize("level", range(1, 4))
def test_a_drawer_that_meets_its_cabinet_does_not_jerk_the_arm(robot: PyBulletRobot, level: int) -> None:
    succeeds(robot, "drive", to="chest0")
    succeeds(robot, "open", object=f"drawer{level}", at="chest0")
    chassis, speeds = robot.rig.chassis, []

    def watch() -> Iterator[None]:
        while True:
            states = pybullet.getJointStates(chassis.body, chassis.joints, physicsClientId=robot.rig.world.client)
            speeds.append([abs(state[1]) for state in states])
            yield

    robot.rig.errands.append(watch())
    succeeds(robot, "close", object=f"drawer{level}", at="chest0")
    assert np.all(np.max(speeds, axis=0) < 1.03 * chassis.limits.speed)
