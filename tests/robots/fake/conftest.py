"""A fake robot in a room of its own."""

import pytest

from robots.fake import FakeRobot
from tests.robots.fake.driven import LAYOUT


@pytest.fixture
def robot():
    body = FakeRobot(LAYOUT)
    yield body
    body.close()
