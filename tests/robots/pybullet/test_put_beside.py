"""Putting a thing beside another: at a distance, in a corner that is said, and past something tall."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import hypot, pi, radians, remainder

import numpy as np
import pytest

from robots.pybullet import PyBulletRobot
from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart, Shape
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.geometry.geometry import PlanarPose
from semantics.logic.feedback import Code
from semantics.logic.state import Command

TABLE = Furniture("table0", "table", PlanarPose(0.53, 0.0, pi), (0.72, 0.68, 0.72))
LONG = Shape("box", (0.12, 0.03, 0.03), 0.1)
CUBE = Shape("box", (0.04, 0.04, 0.04), 0.05)
AT_ARM = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0), "panda-fixed"),
    (TABLE,),
    (
        MovableObject("long", LONG, "on", "table0", (-0.2, 0.1), yaw=radians(25.0)),
        MovableObject("cube", CUBE, "on", "table0", (0.0, 0.0)),
    ),
)
TWO_SIDES = replace(AT_ARM, persons=(Person("human0", PlanarPose(2.5, 0.0, pi)),))
"""The person sits opposite the arm, so that their left is its right."""
CAN, MUG = Shape("cylinder", (0.066, 0.066, 0.13), 0.4), Shape("open-cylinder", (0.07, 0.07, 0.095), 0.25)
KETTLE = Shape("box", (0.14, 0.068, 0.16), 0.6)
DRIVING = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0)),
    (
        Furniture("counter0", "counter", PlanarPose(0.0, 1.9, -pi / 2), (1.6, 0.6, 0.85)),
        Furniture("table0", "table", PlanarPose(1.9, 0.5, pi), (1.2, 0.6, 0.72)),
    ),
    (
        MovableObject("mug", MUG, "on", "counter0", (0.64, -0.1), yaw=-0.17),
        MovableObject("can", CAN, "on", "table0", (0.027, 0.189)),
        MovableObject("kettle", KETTLE, "on", "table0", (0.33, -0.13), yaw=-0.9),
    ),
)
TRAY = Shape("open-box", (0.3, 0.2, 0.04), 0.4)
BETWEEN_CANS = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0)),
    (
        Furniture("counter0", "counter", PlanarPose(0.0, 1.9, -pi / 2), (1.6, 0.6, 0.85)),
        Furniture("table0", "table", PlanarPose(1.9, 0.5, pi), (0.5, 0.6, 0.72)),
    ),
    (
        MovableObject("tray", TRAY, "on", "counter0"),
        MovableObject("can0", CAN, "on", "table0", (0.0, 0.19)),
        MovableObject("can1", CAN, "on", "table0", (0.0, -0.19)),
    ),
)
"""The circle around the tray has no room between the cans; the tray itself has."""
TOWEL = Shape("box", (0.12, 0.06, 0.05), 0.1)
ONTO_A_SHELF = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0)),
    (
        Furniture("counter0", "counter", PlanarPose(0.0, 1.9, -pi / 2), (1.6, 0.6, 0.85)),
        Furniture("shelf0", "shelf", PlanarPose(-2.1, 0.0, 0.0), (1.0, 0.35, 1.2)),
    ),
    (MovableObject("towel", TOWEL, "on", "counter0", (-0.65, -0.09), yaw=1.32),),
)
"""The fingers take the towel from above, one before and one behind it, as seen from the shelf."""

PEPPER, LEMON = Shape("cylinder", (0.045, 0.045, 0.11), 0.15), Shape("sphere", (0.055, 0.055, 0.055), 0.1)
TAKEN_BETWEEN = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0)),
    (Furniture("counter0", "counter", PlanarPose(0.0, 1.9, -pi / 2), (1.6, 0.6, 0.85)),),
    (
        MovableObject("kettle", KETTLE, "on", "counter0", (-0.62, -0.17), yaw=0.2),
        MovableObject("coffee", Shape("box", (0.085, 0.06, 0.14), 0.45), "on", "counter0", (-0.36, -0.17)),
        MovableObject("orange", Shape("sphere", (0.068, 0.068, 0.068), 0.18), "on", "counter0", (-0.65, 0.12)),
        MovableObject("lemon", LEMON, "on", "counter0", (-0.48, -0.17)),
        MovableObject("pepper", PEPPER, "on", "counter0", (0.26, -0.17)),
    ),
)
"""Beside the lemon there is room for the pepper, and none for the hand that holds it."""


@pytest.fixture
def body() -> Iterator[Callable[[Layout], PyBulletRobot]]:
    made: list[PyBulletRobot] = []

    def make(layout: Layout) -> PyBulletRobot:
        made.append(PyBulletRobot(layout))
        return made[-1]

    yield make
    for robot in made:
        robot.close()


def done(robot: PyBulletRobot, primitive: str, values: dict[str, float] | None = None, **roles: str) -> MotionProgress:
    motion = robot.start(Command(primitive, robot.name, roles, values or {}))
    end = robot.clock.now() + 60.0
    while motion.poll().stage is MotionStatus.RUNNING and robot.clock.now() < end:
        robot.clock.sleep(0.05)
    return motion.poll()


def test_a_distance_is_that_of_the_sides_however_the_thing_is_turned(body):
    robot = body(AT_ARM)
    assert done(robot, "pick", object="long", source="table0", at="table0").stage is MotionStatus.DONE
    roles = {"object": "long", "target": "table0", "at": "table0", "left_of": "cube"}
    assert done(robot, "put", {"distance": 0.05}, **roles).stage is MotionStatus.DONE
    robot.clock.sleep(0.5)
    world = robot.rig.world
    yaw = world.yaw("long")
    extent = (abs(np.sin(yaw)) * 0.12 + abs(np.cos(yaw)) * 0.03) / 2
    space = world.pose("long")[0][1] - extent - (world.pose("cube")[0][1] + 0.02)
    assert space == pytest.approx(0.05, abs=0.01)


def test_a_corner_may_be_said(body):
    robot = body(AT_ARM)
    assert done(robot, "pick", object="cube", source="table0", at="table0").stage is MotionStatus.DONE
    roles = {"object": "cube", "target": "table0", "at": "table0", "in_top_right_corner_of": "table0"}
    assert done(robot, "put", **roles).stage is MotionStatus.DONE
    x, y, _ = robot.rig.world.pose("cube")[0]
    assert x >= 0.89 - 0.15 * 0.72
    assert y <= -0.34 + 0.15 * 0.68


def test_what_is_aligned_is_turned_to_be_parallel(body):
    robot = body(AT_ARM)
    assert done(robot, "pick", object="cube", source="table0", at="table0").stage is MotionStatus.DONE
    roles = {"object": "cube", "target": "table0", "at": "table0", "aligned": "long"}
    assert done(robot, "put", **roles).stage is MotionStatus.DONE
    robot.clock.sleep(0.5)
    world = robot.rig.world
    assert remainder(world.yaw("cube") - world.yaw("long"), pi / 2) == pytest.approx(0.0, abs=radians(5.0))
    (x, y, _), (a, b, _) = world.pose("cube")[0], world.pose("long")[0]
    yaw = world.yaw("long")
    along, across = (a - x) * np.cos(yaw) + (b - y) * np.sin(yaw), (b - y) * np.cos(yaw) - (a - x) * np.sin(yaw)
    assert min(abs(along), abs(across)) <= 0.01


def test_a_distance_needs_a_thing_and_keeps_its_range(body):
    robot = body(AT_ARM)
    roles = {"object": "cube", "target": "table0", "at": "table0"}
    for values, more, why in (
        ({"distance": 0.05}, {}, "no role says from which"),
        ({"distance": 0.9}, {"left_of": "long"}, "the nearest is 0.5m"),
    ):
        progress = done(robot, "put", values, **roles, **more)
        assert progress.feedback is not None
        assert progress.feedback.code is Code.REFUSED_BY_BODY
        assert why in progress.feedback.why


@pytest.mark.parametrize(
    ("roles", "why", "how"),
    [
        ({"left_of": "long", "seen_from": "cube"}, "cube is no agent", "Say it as seen from: table0, robot0."),
        ({"next_to": "long", "seen_from": "table0"}, "nothing in it is said from a viewer", "leave out seen_from"),
    ],
)
def test_a_viewer_needs_a_front_and_a_direction(body, roles, why, how):
    progress = done(body(AT_ARM), "put", object="cube", target="table0", at="table0", **roles)
    assert progress.feedback is not None
    assert progress.feedback.code is Code.REFUSED_BY_BODY
    assert why in progress.feedback.why
    assert how in progress.feedback.how


@pytest.mark.parametrize(("viewer", "sign"), [("robot0", 1), ("table0", 1), ("human0", -1)])
def test_left_is_as_the_named_viewer_sees_it(body, viewer, sign):
    robot = body(TWO_SIDES)
    assert done(robot, "pick", object="long", source="table0", at="table0").stage is MotionStatus.DONE
    roles = {"object": "long", "target": "table0", "at": "table0", "left_of": "cube", "seen_from": viewer}
    progress = done(robot, "put", {"distance": 0.05}, **roles)
    assert progress.stage is MotionStatus.DONE, progress.feedback
    robot.clock.sleep(0.5)
    world = robot.rig.world
    assert sign * (world.pose("long")[0][1] - world.pose("cube")[0][1]) > 0.05


def carried(robot: PyBulletRobot, thing: str, to: str) -> None:
    for primitive, roles in (
        ("drive", {"to": "counter0"}),
        ("pick", {"object": thing, "source": "counter0", "at": "counter0"}),
        ("drive", {"to": to}),
        ("put", {"object": thing, "target": to, "at": to}),
    ):
        progress = done(robot, primitive, **roles)
        assert progress.stage is MotionStatus.DONE, progress.feedback
    robot.clock.sleep(0.5)


def test_the_hand_does_not_come_down_on_what_stands_before_the_spot(body):
    robot = body(DRIVING)
    before = robot.rig.world.pose("can")[0]
    carried(robot, "mug", "table0")
    world = robot.rig.world
    assert hypot(*np.subtract(world.pose("can")[0], before)) < 0.005
    assert world.pose("mug")[0][2] == pytest.approx(0.72 + 0.0475, abs=0.005)


def test_a_tray_goes_where_only_its_outline_has_room(body):
    robot = body(BETWEEN_CANS)
    world = robot.rig.world
    before = {name: world.pose(name)[0] for name in ("can0", "can1")}
    carried(robot, "tray", "table0")
    assert world.pose("tray")[0][2] == pytest.approx(0.72 + 0.02, abs=0.005)
    assert all(hypot(*np.subtract(world.pose(name)[0], was)) < 0.005 for name, was in before.items())


def test_the_hand_that_leaves_a_shelf_does_not_drag_the_thing_along(body):
    robot = body(ONTO_A_SHELF)
    carried(robot, "towel", "shelf0")
    assert "shelf0" in robot.rig.world.touching("towel")
    assert robot.rig.world.pose("towel")[0][0] < -1.95


def test_what_keeps_the_hand_from_a_place_between_two_things_is_moved_before_these(body):
    robot = body(TAKEN_BETWEEN)
    assert done(robot, "drive", to="counter0").stage is MotionStatus.DONE
    assert done(robot, "pick", object="pepper", source="counter0", at="counter0").stage is MotionStatus.DONE
    between = {"between": "kettle", "and": "coffee"}
    progress = done(robot, "put", object="pepper", target="counter0", at="counter0", **between)
    assert progress.feedback is not None
    assert (progress.feedback.code, progress.feedback.culprits[0]) == (Code.OBSTRUCTED, "lemon")
