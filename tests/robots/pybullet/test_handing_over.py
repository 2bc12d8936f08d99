from collections.abc import Iterator
from math import pi

import pytest

from benchmarks import stagehand
from robots.pybullet import PyBulletRobot
from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart, Shape
from semantics.geometry.geometry import PlanarPose
from tests.robots.pybullet.kitchen import MILK, succeeds

JUICE = Shape("box", (0.062, 0.062, 0.165), 0.4)
BOTTLE = Shape("cylinder", (0.062, 0.062, 0.2), 0.5)
CAN = Shape("cylinder", (0.062, 0.062, 0.12), 0.35)
DRINKS = {"milk0": MILK, "bottle0": BOTTLE, "can0": CAN, "juice0": JUICE, "bottle1": BOTTLE, "milk1": MILK}

LAYOUT = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0, 0.4)),
    (Furniture("counter0", "counter", PlanarPose(0.0, 1.9, -pi / 2), (1.6, 0.6, 0.85)),),
    tuple(
        MovableObject(name, shape, "on", "counter0", (-0.6 + 0.24 * i, 0.1), yaw=0.1 * i)
        for i, (name, shape) in enumerate(DRINKS.items())
    ),
    (Person("human0", PlanarPose(-1.8, -1.6, pi / 4)),),
)


@pytest.fixture
def robot() -> Iterator[PyBulletRobot]:
    body = PyBulletRobot(LAYOUT)
    yield body
    body.close()


def test_six_drinks_stand_upright_in_the_hand_of_a_person(robot: PyBulletRobot) -> None:
    for name in DRINKS:
        succeeds(robot, "drive", to="counter0")
        succeeds(robot, "pick", object=name, source="counter0", at="counter0")
        succeeds(robot, "drive", to="human0")
        succeeds(robot, "give", object=name, to="human0")
    robot.clock.sleep(1.0)
    assert robot.observation().agents["human0"].held == tuple(sorted(DRINKS))
    for name, shape in DRINKS.items():
        assert frozenset({name, "human0"}) in stagehand.contacts(robot)
        low, high = stagehand.bounds(robot)[name]
        assert high[2] - low[2] == pytest.approx(shape.size[2], abs=0.01)
