"""What the fake cannot do is told at once, with its code, and changes nothing."""

from semantics.body.protocols import MotionStatus
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.robots.fake.driven import drive, finish, pick, ready, refused, start


def test_what_is_out_of_reach_is_refused(robot):
    feedback = refused(robot, Code.OUT_OF_REACH, "pick", object="juice0", source="table0", at="table0")
    assert feedback.culprits == ("table0",)
    refused(robot, Code.OUT_OF_REACH, "open", object="fridge0", at="fridge0")


def test_a_shut_door_is_in_the_way_of_picking_and_of_inserting(robot):
    ready(robot, drive("fridge0"))
    feedback = refused(robot, Code.OBSTRUCTED, "pick", object="milk0", source="fridge0", at="fridge0")
    assert feedback.culprits == ("fridge0",)
    robot.world.hold("juice0", "robot0")
    refused(robot, Code.OBSTRUCTED, "insert", object="juice0", target="fridge0", at="fridge0")


def test_a_half_open_door_is_in_the_way_too_and_can_be_opened_further(robot):
    robot.set_door("fridge0", 0.4)
    ready(robot, drive("fridge0"))
    refused(robot, Code.OBSTRUCTED, "pick", object="milk0", source="fridge0", at="fridge0")
    ready(robot, ("open", {"object": "fridge0", "at": "fridge0"}), pick("milk0", "fridge0"))


def test_a_full_hand_takes_nothing_and_opens_nothing(robot):
    ready(robot, drive("table0"), pick("juice0", "table0"))
    feedback = refused(robot, Code.PRECONDITION, "pick", object="bowl0", source="table0", at="table0")
    assert feedback.culprits == ("juice0",)
    ready(robot, drive("fridge0"))
    refused(robot, Code.PRECONDITION, "open", object="fridge0", at="fridge0")


def test_what_is_not_in_the_hand_is_not_put_nor_given(robot):
    ready(robot, drive("table0"))
    refused(robot, Code.DROPPED, "put", object="juice0", target="table0", at="table0")
    ready(robot, drive("human0"))
    refused(robot, Code.DROPPED, "give", object="juice0", to="human0")


def test_what_something_stands_on_is_not_picked(robot):
    robot.world.carriers["apple0"] = ("on", "juice0")
    ready(robot, drive("table0"))
    feedback = refused(robot, Code.OBSTRUCTED, "pick", object="juice0", source="table0", at="table0")
    assert feedback.culprits == ("apple0",)


def test_a_tray_is_picked_with_what_stands_on_it(robot):
    ready(robot, drive("table0"))
    ready(robot, pick("tray0", "table0"))
    assert robot.world.held("robot0") == ("tray0",)
    assert robot.world.carriers["apple0"] == ("on", "tray0")


def test_what_is_elsewhere_is_not_to_be_seen(robot):
    robot.world.hold("juice0", "human0")
    ready(robot, drive("table0"))
    refused(robot, Code.NOT_VISIBLE, "pick", object="juice0", source="table0", at="table0")


def test_a_full_bin_has_no_room(robot):
    robot.move_piece("apple0", "in", "trash0")
    robot.world.hold("bowl0", "robot0")
    ready(robot, drive("trash0"))
    refused(robot, Code.NO_ROOM, "insert", object="bowl0", target="trash0", at="trash0")


def test_a_body_refuses_what_makes_no_sense(robot):
    refused(robot, Code.REFUSED_BY_BODY, "open", object="table0", at="table0")
    refused(robot, Code.REFUSED_BY_BODY, "drive", to="milk0")
    refused(robot, Code.REFUSED_BY_BODY, "give", object="milk0", to="table0")
    refused(robot, Code.REFUSED_BY_BODY, "pick", object="table0", source="floor0", at="floor0")
    assert robot.start(Command("drive", "robot1", {"to": "table0"})).poll().feedback.code is Code.REFUSED_BY_BODY


def test_one_motion_at_a_time(robot):
    first = start(robot, "drive", to="table0")
    refused(robot, Code.REFUSED_BY_BODY, "drive", to="fridge0")
    assert finish(robot, first).stage is MotionStatus.DONE


def test_a_closed_robot_takes_no_command(robot):
    robot.close()
    assert start(robot, "drive", to="table0").poll().feedback.code is Code.UNAVAILABLE


def test_a_viewer_that_looks_nowhere_is_refused_with_those_that_do(robot):
    ready(robot, drive("table0"), pick("juice0", "table0"))
    roles = {"object": "juice0", "target": "table0", "at": "table0", "left_of": "bowl0", "seen_from": "tabel0"}
    feedback = refused(robot, Code.REFUSED_BY_BODY, "put", **roles)
    assert (feedback.culprits, feedback.how) == (("tabel0",), "Did you mean table0?")
