"""Furniture with parameters in the simulator: what its limits promise is done there."""

from collections.abc import Callable, Iterator
from math import pi

import pytest

from benchmarks import stagehand
from robots.limits import DEEPEST, HANDLE_HEIGHTS, HIGHEST_SURFACE, LEAST_DOOR_ANGLE
from robots.pybullet import PyBulletRobot
from semantics.body.layout import Furniture, FurnitureValues, Layout, MovableObject, RobotStart, Shape
from semantics.body.protocols import MotionStatus
from semantics.geometry.geometry import PlanarPose
from tests.robots.pybullet.kitchen import done, succeeds

BLOCK = Shape("box", (0.05, 0.05, 0.12), 0.2)
BENCH = Furniture("bench0", "table", PlanarPose(1.9, 0.5, pi), (1.2, 0.6, 0.72))
Room = Callable[..., PyBulletRobot]


@pytest.fixture
def room() -> Iterator[Room]:
    """Return what makes a body in a room with furniture and blocks."""
    bodies: list[PyBulletRobot] = []

    def make(furniture: Furniture, *pieces: MovableObject) -> PyBulletRobot:
        bodies.append(PyBulletRobot(Layout(RobotStart("robot0", PlanarPose(0.0, 0.0)), (furniture, BENCH), pieces)))
        return bodies[-1]

    yield make
    for body in bodies:
        body.close()


def cabinet(height: float, parameters: FurnitureValues) -> Furniture:
    return Furniture("locker0", "cabinet", PlanarPose(1.2, -1.9, pi / 2), (0.6, 0.5, height), parameters=parameters)


@pytest.mark.parametrize("top", [0.06, 0.9, HIGHEST_SURFACE])
def test_a_block_is_taken_from_every_board_that_the_limits_allow(room: Room, top: float) -> None:
    boards = (top,) if top == HIGHEST_SURFACE else (top, top + 0.4)
    shelf = Furniture("rack0", "shelf", PlanarPose(-2.1, 0.0), (1.0, 0.35, 1.8), parameters=(("boards", boards),))
    robot = room(shelf, MovableObject("block0", BLOCK, "on", "rack0", (0.1, 0.05)))
    succeeds(robot, "drive", to="rack0")
    succeeds(robot, "pick", object="block0", source="rack0", at="rack0")
    succeeds(robot, "drive", to="bench0")
    succeeds(robot, "put", object="block0", target="bench0", at="bench0")


@pytest.mark.parametrize("handle", HANDLE_HEIGHTS)
def test_a_door_is_opened_and_closed_by_every_handle_that_the_limits_allow(room: Room, handle: float) -> None:
    height = max(0.9, handle + 0.3)
    locker = cabinet(height, (("handle", handle), ("boards", 2.0)))
    robot = room(locker, MovableObject("block0", BLOCK, "in", "locker0", (0.1, 0.1), level=1))
    succeeds(robot, "drive", to="locker0")
    succeeds(robot, "open", object="locker0", at="locker0")
    assert stagehand.doors(robot)["locker0"] > 0.85
    succeeds(robot, "pick", object="block0", source="locker0", at="locker0")
    succeeds(robot, "insert", object="block0", target="locker0", at="locker0")
    succeeds(robot, "close", object="locker0", at="locker0")
    assert stagehand.door_angle(robot, "locker0") < 0.03


@pytest.mark.parametrize(("beyond", "reached"), [(0.0, True), (0.07, False)])
@pytest.mark.parametrize("door", [False, True])
def test_a_block_is_taken_as_far_behind_the_front_as_the_limits_say(
    room: Room, door: bool, beyond: float, reached: bool
):
    model, relation = ("cabinet", "in") if door else ("table", "on")
    height = 1.3 if door else 0.72
    deep = Furniture("deep0", model, PlanarPose(-2.1, 0.0), (0.7, 1.2, height), opened=door)
    offset = 0.6 - DEEPEST - beyond - (0.015 if door else 0.0)  # a door takes depth
    robot = room(deep, MovableObject("block0", BLOCK, relation, "deep0", (0.0, offset), level=1 if door else 0))
    succeeds(robot, "drive", to="deep0")
    progress = done(robot, "pick", object="block0", source="deep0", at="deep0")
    assert (progress.stage is MotionStatus.DONE) == reached


def test_a_door_counts_as_open_from_the_angle_of_the_limits_on(room: Room) -> None:
    robot = room(cabinet(1.2, ()))
    robot.rig.world.set_door("locker0", LEAST_DOOR_ANGLE)
    assert robot.rig.world.opening("locker0") > 0.75


def test_a_handle_below_the_limits_is_out_of_reach(room: Room) -> None:
    robot = room(cabinet(0.7, (("handle", HANDLE_HEIGHTS[0] - 0.05),)))
    succeeds(robot, "drive", to="locker0")
    progress = done(robot, "open", object="locker0", at="locker0")
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback is not None
    assert str(progress.feedback.code) == "out-of-reach"


def test_a_robot_drives_to_a_dock_and_not_to_a_wall(room: Room) -> None:
    robot = room(Furniture("dock0", "dock", PlanarPose(0.0, -2.2, pi / 2), (0.4, 0.3, 0.4)))
    succeeds(robot, "drive", to="dock0")
    stand = robot.observation().sightings["dock0"].stand
    assert stand is not None
    assert robot.observation().agents["robot0"].pose.y == pytest.approx(stand.y, abs=0.02)
    walled = room(Furniture("wall0", "wall", PlanarPose(0.0, 2.5, -pi / 2), (6.0, 0.1, 2.0)))
    progress = done(walled, "drive", to="wall0")
    assert progress.feedback is not None
    assert "no place to drive to" in str(progress.feedback)
