from math import hypot

import pytest

from benchmarks import stagehand
from robots.errors import BodyUnavailableError
from robots.primitives import PRIMITIVES
from robots.pybullet import PyBulletRobot
from robots.pybullet.robot import BY_HAND, DOABLE
from semantics.body.protocols import Motion, MotionStatus, Robot
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import LAYOUT, done, succeeds


def test_it_does_every_primitive_but_those_for_caps_and_cups() -> None:
    assert set(PRIMITIVES) - {*DOABLE, *BY_HAND} == {"cap", "uncap", "stand"}
    assert {*DOABLE, *BY_HAND} <= set(PRIMITIVES)
    for name, (_, read) in DOABLE.items():
        assert set(read) - {"agent"} <= set(PRIMITIVES[name].roles)


def test_it_is_a_robot_that_looked_around_before_anybody_asked(robot: PyBulletRobot) -> None:
    assert isinstance(robot, Robot)
    seen = robot.observation()
    assert seen.number >= 1
    assert {"apple0", "cup0", "knife0", "bowl0", "counter0", "fridge0", "human0", "floor0"} <= set(seen.sightings)
    assert "milk0" not in seen.sightings
    assert "fridge0" not in seen.searched
    assert seen.sightings["fridge0"].opening == 0.0


def test_time_passes_only_while_one_sleeps(robot: PyBulletRobot) -> None:
    start = robot.clock.now()
    robot.clock.sleep(0.5)
    assert robot.clock.now() == pytest.approx(start + 0.5, abs=0.02)


def test_driving_ends_at_the_stand(robot: PyBulletRobot) -> None:
    for place in ("counter0", "shelf0", "fridge0", "human0"):
        succeeds(robot, "drive", to=place)
        stand, here = robot.observation().sightings[place].stand, robot.rig.chassis.base()
        assert stand is not None
        assert hypot(here.x - stand.x, here.y - stand.y) < 0.05


@pytest.mark.parametrize(
    ("primitive", "roles"),
    [
        ("fly", {}),
        ("drive", {}),
        ("drive", {"to": "moon0"}),
        ("pick", {"object": "fridge0", "source": "floor0", "at": "floor0"}),
        ("open", {"object": "counter0", "at": "counter0"}),
    ],
)
def test_what_it_cannot_do_is_refused_with_a_reason(
    robot: PyBulletRobot, primitive: str, roles: dict[str, str]
) -> None:
    progress = done(robot, primitive, **roles)
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback is not None
    assert progress.feedback.code is Code.REFUSED_BY_BODY


def test_a_second_motion_is_refused_while_one_runs(robot: PyBulletRobot) -> None:
    first = robot.start(Command("drive", "robot0", {"to": "counter0"}))
    second = robot.start(Command("drive", "robot0", {"to": "shelf0"}))
    assert isinstance(second, Motion)
    assert second.poll().stage is MotionStatus.FAILED
    assert first.poll().stage is MotionStatus.RUNNING


def test_stop_brings_it_to_rest_however_often(robot: PyBulletRobot) -> None:
    robot.start(Command("drive", "robot0", {"to": "counter0"}))
    robot.clock.sleep(0.7)
    robot.stop()
    robot.stop()
    robot.clock.sleep(1.0)  # the longest braking
    assert not robot.observation().agents["robot0"].moving


def test_the_same_layout_gives_the_same_run() -> None:
    ends = []
    for _ in range(2):
        robot = PyBulletRobot(LAYOUT)
        succeeds(robot, "drive", to="counter0")
        succeeds(robot, "pick", object="cup0", source="counter0", at="counter0")
        ends.append((robot.clock.now(), stagehand.poses(robot)))
        robot.close()
    assert ends[0] == ends[1]


def test_a_picture_is_a_png(robot: PyBulletRobot) -> None:
    assert robot.picture(64, 48).startswith(b"\x89PNG")


def test_a_closed_robot_says_so(robot: PyBulletRobot) -> None:
    robot.close()
    robot.close()
    with pytest.raises(BodyUnavailableError, match="robot0 was closed"):
        robot.clock.sleep(0.1)
