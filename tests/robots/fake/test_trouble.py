"""What can go wrong under way, asked for or brought about by others."""

import pytest

from robots.fake import FakeRobot, InjectedFault
from semantics.body.protocols import MotionStatus
from semantics.errors import UnknownNameError, UsageError
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.robots.fake.driven import LAYOUT, do, drive, finish, pick, ready, sensed, start


def test_a_fault_makes_the_next_matching_motion_fail_once(robot):
    robot.add_fault(InjectedFault(Code.NOT_GRASPED, "pick", {"object": "juice0"}))
    ready(robot, drive("table0"))
    progress = do(robot, "pick", object="juice0", source="table0", at="table0")
    assert (progress.stage, progress.feedback.code) == (MotionStatus.FAILED, Code.NOT_GRASPED)
    assert progress.feedback.culprits == ("juice0",)
    assert robot.world.held("robot0") == ()
    ready(robot, pick("juice0", "table0"))


@pytest.mark.parametrize(
    ("fault", "blamed"),
    [
        (InjectedFault(Code.NO_ROOM), ("tray0",)),
        (InjectedFault(Code.DROPPED), ("juice0",)),
        (InjectedFault(Code.OBSTRUCTED, culprits=("apple0",)), ("apple0",)),
        (InjectedFault(Code.STUCK, culprits=()), ()),
    ],
)
def test_a_fault_blames_what_is_handled_or_has_no_room_or_what_it_was_told_to_blame(fault, blamed):
    roles = {"object": "juice0", "target": "tray0", "at": "table0"}
    assert fault.feedback(Command("put", "robot0", roles)).culprits == blamed


def test_a_drive_that_fails_leaves_the_robot_half_way():
    robot = FakeRobot(LAYOUT, faults=[InjectedFault(Code.STUCK, "drive", fraction=0.25)])
    progress = do(robot, "drive", to="table0")
    assert (progress.fraction, progress.feedback.code) == (0.25, Code.STUCK)
    assert progress.feedback.culprits == ("table0",)
    assert robot.world.pose.x == pytest.approx(0.25 * robot.world.stand("table0").x)


def test_a_door_pushed_shut_while_the_hand_reaches_in_makes_the_pick_fail(robot):
    ready(robot, drive("fridge0"), ("open", {"object": "fridge0", "at": "fridge0"}))
    motion = start(robot, "pick", object="milk0", source="fridge0", at="fridge0")
    robot.clock.sleep(0.5)
    robot.set_door("fridge0", 0.0)
    assert finish(robot, motion).feedback.code is Code.OBSTRUCTED
    assert robot.world.held("robot0") == ()


def test_a_thing_that_is_moved_away_is_not_grasped_where_it_was(robot):
    ready(robot, drive("table0"))
    motion = start(robot, "pick", object="juice0", source="table0", at="table0")
    robot.clock.sleep(0.5)
    robot.move_piece("juice0", "in", "trash0")
    assert finish(robot, motion).feedback.code is Code.NOT_VISIBLE


def test_what_is_dropped_lies_on_the_ground(robot):
    ready(robot, drive("table0"), pick("juice0", "table0"))
    robot.drop()
    observation = sensed(robot)
    assert observation.agents["robot0"].held == ()
    assert observation.sightings["juice0"].box.low[2] == 0.0


def test_a_thing_can_be_moved_to_the_ground(robot):
    robot.move_piece("juice0", "on", "floor0")
    assert sensed(robot).sightings["juice0"].box.low[2] == 0.0


def test_what_lies_on_the_ground_is_picked_up_at_no_place(robot):
    ready(robot, drive("table0"), pick("juice0", "table0"))
    robot.drop("juice0")
    ready(robot, drive("floor0"), pick("juice0", "floor0"))
    assert robot.world.held("robot0") == ("juice0",)


def test_moving_what_does_not_exist_or_does_not_fit_is_a_mistake_of_the_caller(robot):
    with pytest.raises(UnknownNameError, match="piece 'milkk0'"):
        robot.move_piece("milkk0", "on", "table0")
    with pytest.raises(UsageError, match="no room for bowl0 in trash0"):
        robot.move_piece("bowl0", "in", "trash0")
    with pytest.raises(UnknownNameError, match="door 'table0'"):
        robot.set_door("table0", 0.5)
