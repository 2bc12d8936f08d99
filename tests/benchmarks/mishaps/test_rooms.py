from random import Random

import pytest

from benchmarks.mishaps import MishapKind, RoomHands
from robots.fake import FakeRobot
from semantics.body.protocols import MotionStatus
from semantics.logic.state import Command
from tests.robots.fake.driven import LAYOUT

NONE = frozenset()


@pytest.fixture
def robot():
    body = FakeRobot(LAYOUT)
    yield body
    body.close()


@pytest.fixture
def hands(robot):
    return RoomHands(robot)


def test_what_is_held_falls_to_the_floor(robot, hands):
    assert hands.do(MishapKind.DROPPED, NONE, Random(1)) is None
    robot.world.hold("juice0", "robot0")
    assert "juice0" in hands.do(MishapKind.DROPPED, NONE, Random(1))
    assert robot.world.held("robot0") == ()
    assert robot.world.carriers["juice0"] == ("on", "floor")


def test_only_what_the_task_is_about_is_moved_and_it_is_elsewhere_then(robot, hands):
    before = dict(robot.world.carriers)
    for seed in range(10):
        assert hands.do(MishapKind.MOVED, frozenset({"juice0", "table0"}), Random(seed)) is not None
        after = dict(robot.world.carriers)
        assert {name for name in after if after[name] != before[name]} == {"juice0"}
        before = after


def test_nobody_moves_what_is_behind_a_shut_door_or_in_a_hand(robot, hands):
    assert hands.do(MishapKind.MOVED, frozenset({"milk0"}), Random(1)) is None
    robot.set_door("fridge0", 1.0)
    assert hands.do(MishapKind.MOVED, frozenset({"milk0"}), Random(1)) is not None
    robot.world.hold("milk0", "human0")
    assert hands.do(MishapKind.MOVED, frozenset({"milk0"}), Random(1)) is None


def test_only_an_open_door_is_shut(robot, hands):
    assert hands.do(MishapKind.SHUT, NONE, Random(1)) is None
    robot.set_door("fridge0", 0.6)
    assert hands.do(MishapKind.SHUT, NONE, Random(1)) == "fridge0 is shut"
    assert robot.world.doors["fridge0"] == 0.0


def test_something_that_carries_nothing_is_put_into_a_free_hand():
    given = set()
    for seed in range(20):
        robot = FakeRobot(LAYOUT)
        hands = RoomHands(robot)
        assert hands.do(MishapKind.OCCUPIED, NONE, Random(seed)) is not None
        given |= set(robot.world.held("robot0"))
        assert len(robot.world.held("robot0")) == 1
        assert hands.do(MishapKind.OCCUPIED, NONE, Random(seed)) is None
    assert given == {"juice0", "apple0", "bowl0"}


def test_what_fell_to_the_floor_can_be_worked_on_there(robot, hands):
    robot.world.hold("bowl0", "robot0")
    hands.do(MishapKind.DROPPED, NONE, Random(1))
    robot.world.hold("apple0", "robot0")
    put = Command("insert", "robot0", {"object": "apple0", "target": "bowl0", "at": "floor0"})
    assert robot.start(put).poll().stage is MotionStatus.RUNNING
