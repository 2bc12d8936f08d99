"""Doors with two leaves in the simulator: they open and close as one, and there is one fact for both."""

from math import pi

import pytest

from benchmarks import stagehand
from robots.pybullet import PyBulletRobot
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.geometry.geometry import PlanarPose
from tests.robots.pybullet.kitchen import succeeds

BLOCK = Shape("box", (0.05, 0.05, 0.12), 0.2)
WIDE_OPEN = 1.4


def room(width: float, *, opened: bool = False) -> PyBulletRobot:
    locker = Furniture(
        "locker0",
        "cabinet",
        PlanarPose(1.2, -1.9, pi / 2),
        (width, 0.5, 1.3),
        opened,
        (("doors", 2.0), ("boards", 2.0)),
    )
    block = MovableObject("block0", BLOCK, "in", "locker0", (0.1, 0.1), level=1)
    return PyBulletRobot(Layout(RobotStart("robot0", PlanarPose(0.0, 0.0)), (locker,), (block,)))


def opening(robot: PyBulletRobot) -> float | None:
    return robot.observation().sightings["locker0"].opening


@pytest.mark.parametrize("width", [0.5, 0.6, 0.8, 1.0, 1.2])
def test_both_leaves_are_opened_and_closed_and_the_hand_works_behind_them(width: float) -> None:
    robot = room(width)
    succeeds(robot, "drive", to="locker0")
    succeeds(robot, "open", object="locker0", at="locker0")
    assert min(stagehand.door_angles(robot, "locker0")) > WIDE_OPEN
    assert opening(robot) > 0.75
    succeeds(robot, "pick", object="block0", source="locker0", at="locker0")
    succeeds(robot, "insert", object="block0", target="locker0", at="locker0")
    succeeds(robot, "close", object="locker0", at="locker0")
    assert max(stagehand.door_angles(robot, "locker0")) < 0.03
    assert opening(robot) < 0.05
    robot.close()


@pytest.mark.parametrize("angles", [(0.0, 1.2), (1.2, 0.0), (0.3, 0.3)])
def test_a_door_of_which_one_leaf_is_ajar_is_neither_open_nor_shut_until_it_is_moved(angles: tuple[float, ...]) -> None:
    robot = room(0.8)
    world = robot.rig.world
    succeeds(robot, "drive", to="locker0")
    for link, angle in enumerate(angles):
        world.set_door("locker0", angle, link)
    assert 0.05 < world.opening("locker0") < 0.75
    succeeds(robot, "close", object="locker0", at="locker0")
    assert world.opening("locker0") < 0.05
    for link, angle in enumerate(angles):
        world.set_door("locker0", angle, link)
    succeeds(robot, "open", object="locker0", at="locker0")
    assert world.opening("locker0") > 0.75
    robot.close()


def test_a_door_that_starts_open_has_both_leaves_open() -> None:
    robot = room(0.8, opened=True)
    assert opening(robot) == 1.0
    robot.close()
