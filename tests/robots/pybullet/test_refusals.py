"""Every physical failure says why, with names and distances, and what would help; what is suggested helps."""

import ast
from collections.abc import Iterator
from math import pi
from pathlib import Path

import pytest

from benchmarks import stagehand
from benchmarks.motion.scenes import boxes_on_furniture
from robots import pybullet as package
from robots.pybullet import PyBulletRobot
from robots.pybullet.manipulation.reasons import length_text, listed
from robots.pybullet.motion import Running
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.body.protocols import MotionStatus
from semantics.geometry.geometry import PlanarPose
from semantics.logic.feedback import Code, Feedback
from tests.robots.pybullet.kitchen import BOWL, CUP, LAYOUT, done, succeeds

FAR_AWAY = (20.0, 20.0, 0.1)


def failure(robot: PyBulletRobot, primitive: str, **roles: str) -> Feedback:
    progress = done(robot, primitive, **roles)
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback is not None
    return progress.feedback


@pytest.fixture
def crowded(request) -> Iterator[PyBulletRobot]:
    body = PyBulletRobot(boxes_on_furniture(request.param, 20))
    yield body
    body.close()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["cup0"], "cup0 is"),
        (["cup0", "jam0"], "cup0 and jam0 are"),
        (["cup0", "jam0", "mug0"], "cup0, jam0 and mug0 are"),
    ],
)
def test_names_stand_before_their_verb(names, said):
    assert listed(names) == said


@pytest.mark.parametrize(("metres", "said"), [(0.004, "4 mm"), (0.0994, "99 mm"), (0.0996, "0.10 m"), (1.25, "1.25 m")])
def test_a_short_length_is_said_in_millimetres(metres, said):
    assert length_text(metres) == said


@pytest.mark.parametrize("crowded", [6], indirect=True)
def test_what_is_in_the_way_is_named_with_its_distance_and_it_helps_to_move_it(crowded):
    succeeds(crowded, "drive", to="shelf0")
    feedback = failure(crowded, "pick", object="box3", source="shelf0", at="shelf0")
    assert feedback.code is Code.OBSTRUCTED
    assert "mm inside box11" in feedback.why
    assert "panda_" in feedback.why
    assert feedback.culprits[0] == "box13"  # what helps, though the arm would be deepest in another
    assert feedback.how.startswith("Move box13 (")
    assert "m from box3) away" in feedback.how
    stagehand.move_piece(crowded, "box13", FAR_AWAY)
    succeeds(crowded, "pick", object="box3", source="shelf0", at="shelf0")


def test_out_of_reach_says_how_far_and_it_helps_to_come_nearer():
    layout = Layout(
        RobotStart("robot0", PlanarPose(0.0, 0.0, pi / 2)),
        (Furniture("table0", "table", PlanarPose(0.0, 1.6, -pi / 2), (1.2, 1.2, 0.75)),),
        # It is 0.76 m behind the front.
        (MovableObject("box0", Shape("box", (0.06, 0.06, 0.1), 0.2), "on", "table0", (0.0, -0.16)),),
    )
    body = PyBulletRobot(layout)
    try:
        succeeds(body, "drive", to="table0")
        feedback = failure(body, "pick", object="box0", source="table0", at="table0")
        assert feedback.code is Code.OUT_OF_REACH
        assert "too far from where it works" in feedback.why
        assert feedback.how == "0.10 m nearer to the robot it would be within reach."
        x, y, z = body.rig.world.pose("box0")[0]
        stagehand.move_piece(body, "box0", (x, y - 0.1, z))
        succeeds(body, "pick", object="box0", source="table0", at="table0")
    finally:
        body.close()


def test_a_thing_too_wide_for_the_fingers_is_refused_with_both_widths():
    layout = Layout(
        RobotStart("robot0", PlanarPose(0.0, 0.0, pi / 2)),
        (Furniture("table0", "table", PlanarPose(0.0, 1.2, -pi / 2), (1.2, 0.6, 0.75)),),
        (MovableObject("crate0", Shape("box", (0.12, 0.1, 0.1), 0.4), "on", "table0", (0.0, 0.1)),),
    )
    body = PyBulletRobot(layout)
    try:
        succeeds(body, "drive", to="table0")
        feedback = failure(body, "pick", object="crate0", source="table0", at="table0")
    finally:
        body.close()
    assert feedback.code is Code.OUT_OF_REACH
    assert "the fingers close across 74 mm, and its thinnest level side is 100 mm" in feedback.why
    assert "26 mm thinner" in feedback.how


def test_a_full_hand_says_what_to_put_down(robot):
    succeeds(robot, "drive", to="counter0")
    succeeds(robot, "pick", object="cup0", source="counter0", at="counter0")
    feedback = failure(robot, "pick", object="apple0", source="counter0", at="counter0")
    assert (feedback.code, feedback.how) == (Code.REFUSED_BY_BODY, "Put cup0 down first.")


def test_what_is_not_held_is_told_with_where_it_is(robot):
    succeeds(robot, "drive", to="counter0")
    feedback = failure(robot, "put", object="cup0", target="counter0", at="counter0")
    assert feedback.code is Code.DROPPED
    assert feedback.how == "Pick it up: it is on counter0."


def test_a_thing_elsewhere_says_where_it_is(robot):
    succeeds(robot, "drive", to="shelf0")
    feedback = failure(robot, "pick", object="cup0", source="shelf0", at="shelf0")
    assert feedback.code is Code.OUT_OF_REACH
    assert " m from where the robot works there" in feedback.why
    assert feedback.how == "It is on counter0; pick it there."


@pytest.mark.parametrize(
    ("primitive", "roles", "how"),
    [
        ("pick", {"object": "cup", "source": "counter0", "at": "counter0"}, "Did you mean cup0?"),
        ("pick", {"object": "counter0", "source": "counter0", "at": "counter0"}, "What is on it can: apple0, bowl0"),
        ("open", {"object": "shelf0", "at": "shelf0"}, "A door has fridge0."),
        ("stand", {"object": "knife0", "target": "cup0", "at": "counter0"}, "It can"),
    ],
)
def test_a_refused_command_says_what_could_be_asked(robot, primitive, roles, how):
    feedback = failure(robot, primitive, **roles)
    assert feedback.code is Code.REFUSED_BY_BODY
    assert feedback.how.startswith(how)


def test_to_drive_to_a_thing_names_its_place(robot):
    feedback = failure(robot, "drive", to="cup0")
    assert feedback.code is Code.REFUSED_BY_BODY
    assert feedback.how == "The place nearest to it is counter0; drive there."


def test_the_only_way_is_told_with_what_is_in_it():
    walls = [
        Furniture(f"wall{i}", "counter", PlanarPose(x, y, yaw), (width, 0.2, 0.85))
        for i, (x, y, yaw, width) in enumerate(
            [(0.0, 1.2, 0.0 - pi / 2, 2.6), (0.0, -1.2, pi / 2, 2.6), (1.2, 0.0, pi, 2.2), (-1.2, 0.0, 0.0, 2.2)]
        )
    ]
    away = Furniture("table0", "table", PlanarPose(4.0, 0.0, pi), (0.8, 0.6, 0.75))
    body = PyBulletRobot(Layout(RobotStart("robot0", PlanarPose(0.0, 0.0, 0.0)), (*walls, away), ()))
    try:
        feedback = failure(body, "drive", to="table0")
    finally:
        body.close()
    assert feedback.code is Code.OBSTRUCTED
    assert feedback.culprits[1].startswith("wall")
    assert feedback.how == f"Move {feedback.culprits[1]} away: then there is a way."


def test_a_target_without_room_says_how_much_is_needed_and_what_to_take_away():
    layout = Layout(
        RobotStart("robot0", PlanarPose(0.0, 0.0, pi / 2)),
        (
            Furniture("counter0", "counter", PlanarPose(0.0, 1.5, -pi / 2), (1.2, 0.6, 0.85)),
            Furniture("stool0", "table", PlanarPose(1.6, 0.0, pi), (0.2, 0.2, 0.7)),
        ),
        (MovableObject("cup0", CUP, "on", "counter0", (0.0, 0.1)), MovableObject("bowl0", BOWL, "on", "stool0")),
    )
    body = PyBulletRobot(layout)
    try:
        succeeds(body, "drive", to="counter0")
        succeeds(body, "pick", object="cup0", source="counter0", at="counter0")
        succeeds(body, "drive", to="stool0")
        feedback = failure(body, "put", object="cup0", target="stool0", at="stool0")
    finally:
        body.close()
    assert feedback.code is Code.NO_ROOM
    assert "cup0 needs a spot of 0." in feedback.why
    assert feedback.how == "Take bowl0 away from stool0: then there is a spot."


def test_a_robot_that_is_held_back_names_joint_lag_and_what_it_touches(robot):
    rig = robot.rig
    goal = rig.now().copy()
    goal[:3] = (0.0, 1.5, pi / 2)
    running = Running(rig.chassis, rig.move(goal))
    while running.advance():
        robot.clock.sleep(1 / 60)
    feedback = running.poll().feedback
    assert feedback is not None
    assert feedback.code is Code.STUCK
    assert "base_y is" in feedback.why
    assert "touches counter0" in feedback.why
    assert feedback.how == "Back off from counter0."
    assert feedback.culprits == ("base_y", "counter0")


def test_every_failure_in_the_source_has_a_suggestion():
    """The fifth argument, or `how`; whether it is worth reading is for the other tests."""
    lacking = []
    for path in sorted(Path(package.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Failed":
                given = len(node.args) >= 5 or any(keyword.arg == "how" for keyword in node.keywords)
                lacking += [] if given else [f"{path.name}:{node.lineno}"]
    assert lacking == []


def test_every_failure_of_the_layout_says_what_would_help(robot):
    """Commands that cannot be done, one for each primitive that needs something first."""
    world = LAYOUT.furniture[0].name
    succeeds(robot, "drive", to=world)
    commands = (
        ("wipe", {"object": "cup0", "target": "counter0", "at": "counter0"}),
        ("pour", {"contents": "tea0", "source": "cup0", "target": "bowl0", "at": "counter0"}),
        ("heat", {"object": "cup0", "contents": "tea0", "heater": "sink0", "at": "counter0"}),
        ("unscrew", {"object": "cup0", "agent": "human0"}),
        ("give", {"object": "cup0", "to": "human0"}),
        ("chop", {"object": "knife0", "target": "apple0", "at": "counter0"}),
    )
    for primitive, roles in commands:
        feedback = failure(robot, primitive, **roles)
        assert feedback.how, primitive
        assert feedback.how.endswith("."), primitive
