from math import pi

import pytest

from robots.fake import FakeRobot, Fault
from semantics.errors import UnknownNameError, UsageError
from semantics.feedback import Code
from semantics.geometry import PlanarPose
from semantics.layout import Furniture, Layout, Person, Piece, RobotStart, Shape
from semantics.protocols import Stage
from semantics.state import Command

CARTON = Shape("box", (0.06, 0.06, 0.18))
BALL = Shape("sphere", (0.06, 0.06, 0.06))
LAYOUT = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0)),
    (
        Furniture("table0", "table", PlanarPose(2.0, 0.0, pi), (1.2, 0.6, 0.72)),
        Furniture("fridge0", "fridge", PlanarPose(0.0, 2.5, -pi / 2), (0.6, 0.55, 1.2)),
        Furniture("trash0", "bin", PlanarPose(0.0, -2.0, pi / 2), (0.16, 0.16, 0.35)),
    ),
    (
        Piece("milk0", CARTON, "in", "fridge0", level=1),
        Piece("juice0", CARTON, "on", "table0", (0.3, 0.1)),
        Piece("tray0", Shape("open-box", (0.3, 0.2, 0.04)), "on", "table0", (-0.2, 0.0)),
        Piece("apple0", BALL, "on", "tray0"),
        Piece("bowl0", Shape("open-box", (0.16, 0.16, 0.07)), "on", "table0", (0.3, -0.15)),
    ),
    (Person("human0", PlanarPose(-2.0, 0.0)),),
)


@pytest.fixture
def robot():
    body = FakeRobot(LAYOUT)
    yield body
    body.close()


def start(robot, primitive, **roles):
    return robot.start(Command(primitive, "robot0", roles))


def finish(robot, motion):
    while motion.poll().stage is Stage.RUNNING:
        robot.clock.sleep(0.05)
    return motion.poll()


def do(robot, primitive, **roles):
    return finish(robot, start(robot, primitive, **roles))


def ready(robot, *deeds):
    """Do what must go well before the test."""
    for primitive, roles in deeds:
        progress = do(robot, primitive, **roles)
        assert progress.stage is Stage.DONE, progress.feedback


def drive(to):
    return "drive", {"to": to}


def pick(name, at):
    return "pick", {"object": name, "source": at, "at": at}


def sensed(robot):
    robot.clock.sleep(0.06)
    return robot.observation()


def refused(robot, code, primitive, **roles):
    """Check that a motion fails at once with that code and changes nothing; return its feedback."""
    before = dict(robot.world.spots), dict(robot.world.carriers), dict(robot.world.doors)
    progress = start(robot, primitive, **roles).poll()
    assert progress.stage is Stage.FAILED
    assert progress.feedback.code is code, progress.feedback
    assert before == (robot.world.spots, robot.world.carriers, robot.world.doors)
    return progress.feedback


def test_milk_is_fetched_from_the_fridge_and_handed_over(robot):
    ready(
        robot,
        drive("fridge0"),
        ("open", {"object": "fridge0", "at": "fridge0"}),
        pick("milk0", "fridge0"),
        drive("human0"),
        ("give", {"object": "milk0", "to": "human0"}),
    )
    assert sensed(robot).agents["human0"].held == ("milk0",)
    assert robot.world.carriers["milk0"] == ("held", "human0")


def test_a_motion_takes_time_and_the_thing_is_in_the_hand_before_it_ends(robot):
    ready(robot, drive("table0"))
    motion = start(robot, "pick", object="juice0", source="table0", at="table0")
    assert sensed(robot).agents["robot0"].held == ()
    robot.clock.sleep(1.4)
    assert motion.poll().stage is Stage.RUNNING
    assert sensed(robot).agents["robot0"].held == ("juice0",)


def test_the_robot_is_on_its_way_while_it_drives(robot):
    motion = start(robot, "drive", to="table0")
    robot.clock.sleep(1.0)
    view = robot.observation().agents["robot0"]
    assert view.moving
    assert 0.0 < view.pose.x < 1.2
    finish(robot, motion)
    assert not sensed(robot).agents["robot0"].moving


def test_a_door_opens_bit_by_bit_and_shows_what_is_behind_it(robot):
    ready(robot, drive("fridge0"))
    motion = start(robot, "open", object="fridge0", at="fridge0")
    robot.clock.sleep(1.5)
    half = robot.observation()
    assert 0.3 < half.sightings["fridge0"].opening < 0.7
    assert "milk0" not in half.sightings
    finish(robot, motion)
    assert "milk0" in sensed(robot).sightings
    assert "fridge0" in robot.observation().searched


def test_what_is_carried_on_a_tray_moves_along(robot):
    robot.world.hold("tray0", "robot0")
    before = robot.world.spots["apple0"]
    ready(robot, drive("fridge0"))
    after = robot.world.spots["apple0"]
    assert (after.x, after.y) != (before.x, before.y)
    assert after.z == pytest.approx(robot.world.spots["tray0"].z + 0.01)
    assert robot.world.root("apple0") == "robot0"


def test_things_are_put_beside_each_other_never_into_each_other(robot):
    ready(robot, drive("table0"), pick("juice0", "table0"))
    ready(robot, ("put", {"object": "juice0", "target": "table0", "at": "table0"}))
    boxes = {name: robot.world.box(name) for name in ("juice0", "tray0", "bowl0")}
    for name in ("tray0", "bowl0"):
        a, b = boxes["juice0"], boxes[name]
        assert any(a.high[i] <= b.low[i] or b.high[i] <= a.low[i] for i in (0, 1))


def test_a_thing_is_put_into_a_bowl_and_found_in_it(robot):
    ready(
        robot,
        drive("table0"),
        ("pick", {"object": "apple0", "source": "tray0", "at": "table0"}),
        ("insert", {"object": "apple0", "target": "bowl0", "at": "table0"}),
    )
    interior = sensed(robot).sightings["bowl0"].interior
    assert interior.contains(robot.world.box("apple0").centre)


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
    ready(robot, drive("table0"))
    feedback = refused(robot, Code.OBSTRUCTED, "pick", object="tray0", source="table0", at="table0")
    assert feedback.culprits == ("apple0",)


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
    assert finish(robot, first).stage is Stage.DONE


def test_a_closed_robot_takes_no_command(robot):
    robot.close()
    assert start(robot, "drive", to="table0").poll().feedback.code is Code.UNAVAILABLE


def test_a_fault_makes_the_next_matching_motion_fail_once(robot):
    robot.add_fault(Fault(Code.NOT_GRASPED, "pick", {"object": "juice0"}))
    ready(robot, drive("table0"))
    progress = do(robot, "pick", object="juice0", source="table0", at="table0")
    assert (progress.stage, progress.feedback.code) == (Stage.FAILED, Code.NOT_GRASPED)
    assert progress.feedback.culprits == ("juice0",)
    assert robot.world.held("robot0") == ()
    ready(robot, pick("juice0", "table0"))


@pytest.mark.parametrize(
    ("fault", "blamed"),
    [
        (Fault(Code.NO_ROOM), ("tray0",)),
        (Fault(Code.DROPPED), ("juice0",)),
        (Fault(Code.OBSTRUCTED, culprits=("apple0",)), ("apple0",)),
        (Fault(Code.STUCK, culprits=()), ()),
    ],
)
def test_a_fault_blames_what_is_handled_or_has_no_room_or_what_it_was_told_to_blame(fault, blamed):
    roles = {"object": "juice0", "target": "tray0", "at": "table0"}
    assert fault.feedback(Command("put", "robot0", roles)).culprits == blamed


def test_a_drive_that_fails_leaves_the_robot_half_way():
    robot = FakeRobot(LAYOUT, faults=[Fault(Code.STUCK, "drive", fraction=0.25)])
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


def test_what_is_far_away_is_not_seen_by_a_short_sighted_robot():
    robot = FakeRobot(LAYOUT, sight=1.5)
    observation = robot.observation()
    assert "juice0" not in observation.sightings
    assert "table0" in observation.sightings
    assert "table0" not in observation.searched
    do(robot, "drive", to="table0")
    assert "juice0" in sensed(robot).sightings
    assert "table0" in robot.observation().searched


def test_moving_what_does_not_exist_or_does_not_fit_is_a_mistake_of_the_caller(robot):
    with pytest.raises(UnknownNameError, match="piece 'milkk0'"):
        robot.move_piece("milkk0", "on", "table0")
    with pytest.raises(UsageError, match="no room for bowl0 in trash0"):
        robot.move_piece("bowl0", "in", "trash0")
    with pytest.raises(UnknownNameError, match="door 'table0'"):
        robot.set_door("table0", 0.5)


def test_the_same_commands_lead_to_the_same_world():
    ends = []
    for _ in range(2):
        robot = FakeRobot(LAYOUT)
        ready(robot, drive("table0"), pick("juice0", "table0"), drive("human0"))
        ends.append((robot.world.spots, robot.world.pose, robot.observation()))
    assert ends[0] == ends[1]
