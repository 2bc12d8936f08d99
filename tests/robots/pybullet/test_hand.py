"""The primitives of the hand in the simulator: they come where they were sent, within limits, or say why not."""

from collections.abc import Iterator, Mapping
from math import degrees, dist, hypot

import pytest

from robots.pybullet import PyBulletRobot
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.geometry.geometry import Vector
from semantics.geometry.points import MapPoint
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import succeeds
from tests.robots.pybullet.table import LAYOUT, TOP


@pytest.fixture
def arm() -> Iterator[PyBulletRobot]:
    body = PyBulletRobot(LAYOUT)
    yield body
    body.close()


def ended(
    robot: PyBulletRobot,
    primitive: str,
    point: tuple[float, ...] | None = None,
    values: Mapping[str, float] | None = None,
    **roles: str,
) -> MotionProgress:
    places = {} if point is None else {"to": MapPoint(*point)}
    motion = robot.start(Command(primitive, robot.name, roles, values or {}, places))
    end = robot.clock.now() + 60.0
    while motion.poll().stage is MotionStatus.RUNNING and robot.clock.now() < end:
        robot.clock.sleep(0.05)
    return motion.poll()


def done(
    robot: PyBulletRobot,
    primitive: str,
    point: tuple[float, ...] | None = None,
    values: Mapping[str, float] | None = None,
    **roles: str,
) -> None:
    progress = ended(robot, primitive, point, values, **roles)
    assert progress.stage is MotionStatus.DONE, progress.feedback


def refused(
    robot: PyBulletRobot,
    code: Code,
    primitive: str,
    point: tuple[float, ...] | None = None,
    values: Mapping[str, float] | None = None,
    **roles: str,
) -> Feedback:
    before = robot.rig.chassis.configuration()
    feedback = ended(robot, primitive, point, values, **roles).feedback
    assert feedback is not None
    assert feedback.code is code, feedback
    assert abs(robot.rig.chassis.configuration() - before).max() < 0.01
    return feedback


def hand(robot: PyBulletRobot) -> Vector:
    return robot.rig.chassis.tool()[0]


def test_the_hand_comes_to_points_within_a_centimetre_and_tells_where_it_is(arm):
    for point in ((0.4, 0.2, 1.0), (0.6, -0.2, 0.9), (0.35, 0.0, 0.8)):
        done(arm, "move_to", point)
        assert dist(hand(arm), point) < 0.01
    arm.clock.sleep(0.5)
    view = arm.observation().agents["robot0"]
    assert view.gripper == pytest.approx(1.0, abs=0.02)
    assert dist(view.hand, hand(arm)) < 0.005


def test_a_hand_goes_nowhere_faster_than_said(arm):
    motion = arm.start(Command("move_to", "robot0", {}, {"speed": 0.1}, {"to": MapPoint(0.5, -0.25, 0.85)}))
    fastest, was = 0.0, hand(arm)
    while motion.poll().stage is MotionStatus.RUNNING:
        arm.clock.sleep(0.1)
        fastest, was = max(fastest, dist(hand(arm), was) / 0.1), hand(arm)
    assert motion.poll().stage is MotionStatus.DONE
    assert 0.06 < fastest < 0.11


def test_a_cube_is_gripped_carried_and_let_go_and_picked_from_any_posture(arm):
    done(arm, "move_to", arm.rig.world.pose("red")[0])
    done(arm, "grip", values={"force": 10.0})
    arm.clock.sleep(0.5)
    view = arm.observation().agents["robot0"]
    assert view.held == ("red",)
    assert view.gripper == pytest.approx(0.5, abs=0.1)
    done(arm, "move_to", values={"height": 0.02}, over="green")
    done(arm, "release")
    arm.clock.sleep(0.5)
    assert arm.rig.held is None
    assert arm.rig.world.pose("red")[0][2] == pytest.approx(TOP + 0.06, abs=0.004)
    done(arm, "move_to", (0.4, 0.0, 0.8))
    assert succeeds(arm, "pick", object="red", source="green", at="table0")
    done(arm, "move_to", (0.5, 0.0, 1.0))
    assert arm.rig.held == "red"
    assert "0.15 m is the most" in refused(arm, Code.REFUSED_BY_BODY, "release").why
    assert succeeds(arm, "put", object="red", target="green", at="table0")


def test_a_cube_and_a_bowl_are_pushed_to_points(arm):
    for name, point in (("red", (0.5, 0.18)), ("bowl", (0.43, -0.16))):
        done(arm, "push", point, object=name, at="table0")
        x, y, z = arm.rig.world.pose(name)[0]
        assert hypot(x - point[0], y - point[1]) < 0.02
        assert z == pytest.approx(TOP + 0.02, abs=0.004)


@pytest.mark.parametrize(("name", "angle"), [("red", 45.0), ("green", 180.0), ("bowl", -90.0)])
def test_things_are_turned_where_they_stand(arm, name, angle):
    (x, y, _), yaw = arm.rig.world.pose(name)[0], arm.rig.world.yaw(name)
    done(arm, "turn", values={"angle": angle}, object=name, at="table0")
    off = (degrees(arm.rig.world.yaw(name) - yaw) - angle + 180.0) % 360.0 - 180.0
    assert abs(off) < 5.0
    assert dist(arm.rig.world.pose(name)[0][:2], (x, y)) < 0.01


def test_what_is_beyond_a_limit_does_not_move_and_says_the_nearest_valid_value(arm):
    assert "nearest point" in refused(arm, Code.OUT_OF_REACH, "move_to", (2.0, 0.0, 1.0)).how
    under = refused(arm, Code.OBSTRUCTED, "move_to", (0.4, 0.0, 0.7))
    assert "table0" in under.culprits
    assert "nearest point" in under.how
    assert "nearest is 20N" in refused(arm, Code.REFUSED_BY_BODY, "grip", values={"force": 30.0}).why
    assert "nearest point" in refused(arm, Code.NO_ROOM, "push", (0.43, 0.36), object="red").how
    assert refused(arm, Code.OBSTRUCTED, "push", (0.43, -0.2), object="red").culprits == ("red", "bowl")


def test_a_hand_on_a_base_that_drives_pushes_turns_and_moves_too(robot):
    assert succeeds(robot, "drive", to="counter0")
    done(robot, "push", (0.1, 1.8), object="cup0", at="counter0")
    x, y, z = robot.rig.world.pose("cup0")[0]
    assert hypot(x - 0.1, y - 1.8) < 0.02
    assert z == pytest.approx(0.85 + 0.0425, abs=0.004)
    yaw = robot.rig.world.yaw("knife0")
    done(robot, "turn", values={"angle": 60.0}, object="knife0", at="counter0")
    assert degrees(robot.rig.world.yaw("knife0") - yaw) == pytest.approx(60.0, abs=5.0)
    done(robot, "move_to", over="bowl0", at="counter0")
    assert dist(hand(robot)[:2], robot.rig.world.pose("bowl0")[0][:2]) < 0.01
