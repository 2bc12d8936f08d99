"""The primitives of the hand on the fake body: move, grip, release, push and turn."""

from math import dist, pi

import pytest

from robots import FakeRobot
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.body.protocols import MotionStatus
from semantics.geometry.geometry import Box, PlanarPose
from semantics.geometry.points import MapPoint
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.robots.fake.driven import finish, sensed

CUBE = Shape("box", (0.04, 0.04, 0.04), 0.05)
TOP = 0.72
LAYOUT = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0)),
    (Furniture("table0", "table", PlanarPose(0.53, 0.0, pi), (0.72, 0.68, TOP)),),
    (
        MovableObject("red", CUBE, "on", "table0", (0.0, 0.0)),
        MovableObject("green", CUBE, "on", "table0", (0.0, -0.2)),
        MovableObject("blue", CUBE, "on", "green"),
        MovableObject("bowl", Shape("open-box", (0.15, 0.15, 0.04), 0.3), "on", "table0", (-0.15, 0.2)),
        MovableObject("crate", Shape("box", (0.09, 0.09, 0.05), 0.3), "on", "table0", (0.2, 0.2)),
    ),
)


@pytest.fixture
def robot():
    return FakeRobot(LAYOUT)


def started(robot, primitive, point=None, values=None, **roles):
    places = {} if point is None else {"to": MapPoint(*point)}
    return robot.start(Command(primitive, "robot0", roles, values or {}, places))


def done(robot, primitive, point=None, values=None, **roles):
    progress = finish(robot, started(robot, primitive, point, values, **roles))
    assert progress.stage is MotionStatus.DONE, progress.feedback
    return robot


def refused(robot, code, primitive, point=None, values=None, **roles):
    before = dict(robot.world.spots), dict(robot.world.carriers), robot.world.hand_at(), robot.world.gripper
    progress = started(robot, primitive, point, values, **roles).poll()
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback.code is code, progress.feedback
    assert before == (robot.world.spots, robot.world.carriers, robot.world.hand_at(), robot.world.gripper)
    return progress.feedback


def at(robot, name):
    return robot.world.box(name).centre


def test_the_hand_comes_to_a_point_and_tells_where_it_is(robot):
    done(robot, "move_to", (0.4, 0.1, 0.9))
    view = sensed(robot).agents["robot0"]
    assert dist(view.hand, (0.4, 0.1, 0.9)) < 1e-9
    assert view.gripper == 1.0


def test_a_point_without_a_height_is_a_safe_height_above_what_is_there(robot):
    x, y, _ = at(robot, "blue")
    done(robot, "move_to", (x, y))
    assert robot.world.hand_at() == pytest.approx((x, y, TOP + 0.08 + 0.1))
    done(robot, "move_to", values={"height": 0.3}, over="red")
    assert robot.world.hand_at() == pytest.approx((*at(robot, "red")[:2], TOP + 0.04 + 0.3))


def test_a_said_speed_is_kept(robot):
    motion = started(robot, "move_to", (0.4, 0.1, 0.9), {"speed": 0.02})
    way = dist(robot.world.hand_at(), (0.4, 0.1, 0.9))
    begun = robot.clock.now()
    assert finish(robot, motion).stage is MotionStatus.DONE
    assert robot.clock.now() - begun >= way / 0.02


def test_what_is_between_the_fingers_is_held_and_goes_along_and_falls_onto_what_is_below(robot):
    done(done(robot, "move_to", at(robot, "red")), "grip")
    view = sensed(robot).agents["robot0"]
    assert view.held == ("red",)
    assert view.gripper == pytest.approx(0.5)
    x, y, _ = at(robot, "bowl")
    done(robot, "move_to", (x, y))
    assert robot.world.box("red").low[2] == pytest.approx(TOP + 0.04 + 0.1)
    done(done(robot, "move_to", (x, y), {"height": 0.02}), "release")
    assert robot.world.carriers["red"] == ("in", "bowl")
    assert robot.world.box("bowl").contains(at(robot, "red"))
    assert sensed(robot).agents["robot0"].held == ()


def test_a_gripper_that_closes_on_nothing_is_closed_and_holds_nothing(robot):
    view = sensed(done(done(robot, "move_to", (0.4, 0.1, 0.9)), "grip")).agents["robot0"]
    assert (view.held, view.gripper) == ((), 0.0)
    assert sensed(done(robot, "release")).agents["robot0"].gripper == 1.0


def test_nothing_is_dropped_from_a_height(robot):
    done(done(robot, "move_to", at(robot, "red")), "grip")
    done(robot, "move_to", (0.4, 0.0, 1.2))
    feedback = refused(robot, Code.REFUSED_BY_BODY, "release")
    assert "0.15 m is the most" in feedback.why
    assert feedback.culprits == ("red",)
    assert "Lower the hand" in feedback.how


def test_pick_and_put_work_from_any_posture_of_the_hand(robot):
    done(done(robot, "move_to", (0.4, 0.1, 0.9)), "grip")
    done(robot, "pick", object="red", source="table0", at="table0")
    done(robot, "move_to", (0.3, 0.0, 1.1))
    done(robot, "put", object="red", target="table0", at="table0")
    view = sensed(robot).agents["robot0"]
    assert (view.held, view.gripper) == ((), 1.0)


@pytest.mark.parametrize("point", [(2.0, 0.0, 1.0), (0.4, 0.0, 2.5), (0.4, 0.0, -0.1)])
def test_a_point_out_of_reach_is_refused_with_the_nearest_one(robot, point):
    feedback = refused(robot, Code.OUT_OF_REACH, "move_to", point)
    assert "nearest point" in feedback.how


def test_the_hand_goes_into_no_table_top(robot):
    feedback = refused(robot, Code.OBSTRUCTED, "move_to", (0.4, 0.0, TOP - 0.01))
    assert feedback.culprits[0] == "table0"


@pytest.mark.parametrize(
    ("primitive", "point", "values", "roles"),
    [
        ("move_to", None, {}, {}),
        ("move_to", (0.4, 0.0), {}, {"over": "red"}),
        ("move_to", (0.4, 0.0, 0.9), {"height": 0.1}, {}),
        ("move_to", (0.4, 0.0), {"speed": 3.0}, {}),
        ("move_to", (0.4, float("nan")), {}, {}),
        ("move_to", None, {}, {"over": "nothing"}),
        ("grip", None, {"force": 500.0}, {}),
        ("push", None, {}, {"object": "red"}),
        ("push", None, {"distance": 0.1}, {"object": "red"}),
        ("push", (0.53, 0.0), {}, {"object": "table0"}),
        ("push", (5.0, 0.0), {}, {"object": "red"}),
        ("turn", None, {}, {"object": "red"}),
        ("turn", None, {"angle": 270.0}, {"object": "red"}),
    ],
)
def test_a_command_that_says_too_little_too_much_or_nonsense_is_refused(robot, primitive, point, values, roles):
    feedback = refused(robot, Code.REFUSED_BY_BODY, primitive, point, values, **roles)
    assert feedback.culprits


def test_a_region_is_no_point_for_the_hand(robot):
    places = {"to": Box((0.1, 0.1, 0.1), (0.2, 0.2, 0.2))}
    feedback = robot.start(Command("move_to", "robot0", {}, {}, places)).poll().feedback
    assert feedback.code is Code.REFUSED_BY_BODY
    assert "middle" in feedback.why


def test_a_thing_is_pushed_to_a_point_and_by_a_distance(robot):
    x, y, z = at(robot, "red")
    done(robot, "push", (x + 0.1, y + 0.05), object="red")
    assert at(robot, "red") == pytest.approx((x + 0.1, y + 0.05, z))
    done(robot, "push", values={"distance": 0.1, "direction": 180.0}, object="red")
    assert at(robot, "red") == pytest.approx((x, y + 0.05, z))


def test_a_pushed_bowl_takes_along_what_is_in_it(robot):
    robot.move_piece("red", "in", "bowl")
    before, (x, y, _) = at(robot, "red"), at(robot, "bowl")
    done(robot, "push", (x, y - 0.1), object="bowl")
    assert at(robot, "red") == pytest.approx((before[0], before[1] - 0.1, before[2]))


def test_what_is_pushed_stays_on_its_table_and_runs_into_nothing(robot):
    x, y, _ = at(robot, "red")
    feedback = refused(robot, Code.NO_ROOM, "push", (x, y + 0.4), object="red")
    assert "table0" in feedback.culprits
    assert "nearest point" in feedback.how
    other = at(robot, "green")
    feedback = refused(robot, Code.OBSTRUCTED, "push", (2 * other[0] - x, 2 * other[1] - y), object="red")
    assert feedback.culprits == ("red", "green")


def test_what_has_a_load_or_stands_on_a_thing_or_while_the_hand_is_full_is_not_pushed(robot):
    assert refused(robot, Code.OBSTRUCTED, "push", (0.5, 0.25), object="green").culprits == ("blue",)
    assert refused(robot, Code.OBSTRUCTED, "push", (0.5, 0.25), object="blue").culprits == ("blue",)
    done(done(robot, "move_to", at(robot, "red")), "grip")
    assert refused(robot, Code.PRECONDITION, "push", (0.5, 0.3), object="bowl").culprits == ("red",)


def test_a_thing_is_turned_where_it_stands(robot):
    before, yaw = at(robot, "red"), robot.world.spots["red"].yaw
    done(robot, "turn", values={"angle": 45.0}, object="red")
    assert robot.world.spots["red"].yaw - yaw == pytest.approx(pi / 4)
    assert at(robot, "red") == pytest.approx(before)


def test_what_is_too_wide_for_the_fingers_is_not_turned(robot):
    feedback = refused(robot, Code.OUT_OF_REACH, "turn", values={"angle": 45.0}, object="crate")
    assert "90 mm" in feedback.why


def test_a_thing_with_another_one_close_by_is_not_turned_into_it(robot):
    crate = robot.world.spots["crate"]
    robot.world.move("red", crate._replace(x=crate.x + 0.068), "on", "table0")
    feedback = refused(robot, Code.OBSTRUCTED, "turn", values={"angle": 45.0}, object="red")
    assert feedback.culprits == ("red", "crate")
