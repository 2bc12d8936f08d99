"""What lies on its side is grasped so that it can be set upright, and set down so."""

from math import asin, hypot, pi

import pybullet
import pytest

from robots.pybullet import PyBulletRobot
from tests.robots.pybullet.kitchen import succeeds


def tilt(robot: PyBulletRobot, name: str) -> float:
    x, y, *_ = robot.rig.world.pose(name)[1]
    return 2 * asin(min(1.0, hypot(x, y)))


def lay(robot: PyBulletRobot, name: str, yaw: float) -> None:
    """Lay a thing on its side on the counter, its upper side towards a direction."""
    world = robot.rig.world
    (x, y, _), half = world.pose(name)[0], world.shapes[name].size[0] / 2
    world.place(name, (x + 0.1, y - 0.02, 0.852 + half), pybullet.getQuaternionFromEuler((pi / 2, 0.0, yaw)))
    robot.clock.sleep(1.0)
    assert tilt(robot, name) > 1.5


@pytest.mark.parametrize("yaw", [0.0, pi / 2, pi, -pi / 2])
def test_a_cup_that_lies_is_set_upright_wherever_it_looks(robot: PyBulletRobot, yaw: float) -> None:
    assert succeeds(robot, "drive", to="counter0")
    lay(robot, "cup0", yaw)
    assert succeeds(robot, "pick", object="cup0", source="counter0", at="counter0")
    assert succeeds(robot, "put", object="cup0", target="counter0", at="counter0")
    assert tilt(robot, "cup0") < 0.1


def test_a_bowl_on_its_side_is_set_upright_if_the_hand_gets_into_it(robot: PyBulletRobot) -> None:
    assert succeeds(robot, "drive", to="counter0")
    lay(robot, "bowl0", 0.0)
    assert succeeds(robot, "pick", object="bowl0", source="counter0", at="counter0")
    assert succeeds(robot, "put", object="bowl0", target="counter0", at="counter0")
    assert tilt(robot, "bowl0") < 0.1
