from collections.abc import Iterator

import pytest

from robots.pybullet import PyBulletRobot
from tests.robots.pybullet.kitchen import LAYOUT


@pytest.fixture
def robot() -> Iterator[PyBulletRobot]:
    body = PyBulletRobot(LAYOUT)
    yield body
    body.close()
