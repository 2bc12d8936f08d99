from collections.abc import Iterator
from dataclasses import replace
from math import cos, pi, sin

import pytest

from benchmarks import stagehand
from robots.pybullet import PyBulletRobot
from semantics.body.layout import Furniture
from semantics.geometry.geometry import PlanarPose
from tests.robots.pybullet.kitchen import LAYOUT, succeeds

TABLE = Furniture("table0", "table", PlanarPose(1.9, 0.5, pi), (1.2, 0.6, 0.72))


@pytest.fixture(scope="module")
def resting() -> Iterator[PyBulletRobot]:
    body = PyBulletRobot(replace(LAYOUT, furniture=(*LAYOUT.furniture, TABLE)))
    yield body
    body.close()


def seen_at_rest(robot: PyBulletRobot, name: str, x: float, y: float) -> bool:
    """Put a thing on the floor, let the body rest, and return whether it was sensed where it is."""
    stagehand.move_piece(robot, name, (x, y, 0.06))
    robot.clock.sleep(0.6)
    sighting = robot.observation().sightings.get(name)
    really = stagehand.poses(robot)[name][0]
    return sighting is not None and sighting.box.contains(really, 0.01) and sighting.box.low[2] < 0.03


@pytest.mark.parametrize("turn", range(6))
def test_what_lies_on_the_floor_in_the_open_is_found(resting: PyBulletRobot, turn: int) -> None:
    for name, distance in (("knife0", 0.35), ("cup0", 0.8), ("apple0", 1.2)):
        x, y = distance * cos(turn * pi / 3 + 0.2), distance * sin(turn * pi / 3 + 0.2)
        assert seen_at_rest(resting, name, x, y), (name, x, y)


@pytest.mark.parametrize(("x", "y"), [(1.0, 0.9), (1.45, -0.3), (0.6, -0.6), (-0.8, 1.2), (-0.3, -1.4), (0.8, -1.5)])
def test_what_lies_on_the_floor_beside_furniture_is_found(resting: PyBulletRobot, x: float, y: float) -> None:
    assert seen_at_rest(resting, "apple0", x, y)


def test_it_is_found_from_where_the_body_works(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="counter0")
    assert seen_at_rest(robot, "apple0", 0.5, 1.3)
    assert seen_at_rest(robot, "cup0", -0.4, 0.3)
