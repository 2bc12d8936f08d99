from math import nan

import numpy as np
import pytest

from robots.errors import JointLimitError
from robots.pybullet import PyBulletRobot
from robots.pybullet.description import SIZE, described
from robots.pybullet.motion import Running
from semantics.logic.feedback import Code

BODY = described("")
JOINTS = BODY.joints
AT_REST = np.zeros(SIZE)
ELBOW = JOINTS.index("panda_joint4")


def changed(robot: PyBulletRobot, joint: str, value: float) -> np.ndarray:
    target = robot.rig.chassis.target.copy()
    target[JOINTS.index(joint)] = value
    return target


@pytest.mark.parametrize(
    ("joint", "value", "nearest"),
    [("panda_joint4", 0.3, 0.0), ("panda_joint2", -2.5, -1.8326), ("column", 0.9, 0.85), ("base_x", 51.0, 50.0)],
)
def test_a_position_beyond_its_limit_is_not_sent(robot, joint, value, nearest):
    before = robot.rig.chassis.target.copy()
    with pytest.raises(JointLimitError, match=joint) as caught:
        robot.rig.chassis.command(changed(robot, joint, value), AT_REST)
    assert caught.value.nearest == pytest.approx(nearest)
    assert caught.value.value == value
    np.testing.assert_array_equal(robot.rig.chassis.target, before)


@pytest.mark.parametrize(("speed", "nearest"), [(3.0, 2.175), (-3.0, -2.175)])
def test_a_speed_beyond_its_limit_is_not_sent(robot, speed, nearest):
    speeds = AT_REST.copy()
    speeds[ELBOW] = speed
    with pytest.raises(JointLimitError, match="panda_joint4: the speed") as caught:
        robot.rig.chassis.command(robot.rig.chassis.target, speeds)
    assert caught.value.nearest == nearest


def test_a_force_beyond_its_limit_is_refused(robot):
    forces = np.array(BODY.forces)
    forces[ELBOW] = 200.0
    with pytest.raises(JointLimitError, match=r"panda_joint4: the force 200 is not within 0 and 87"):
        robot.rig.chassis.limits.check(robot.rig.chassis.target, AT_REST, forces)


def test_what_is_no_number_is_not_sent(robot):
    with pytest.raises(JointLimitError, match="panda_joint4: the position nan"):
        robot.rig.chassis.command(changed(robot, "panda_joint4", nan), AT_REST)


def test_fingers_open_no_further_than_they_can(robot):
    with pytest.raises(JointLimitError, match="panda_finger_joint1"):
        robot.rig.chassis.move_fingers(2 * BODY.hand.opening)


def test_the_base_may_turn_on_and_on(robot):
    robot.rig.chassis.check_positions(changed(robot, "base_yaw", 49.0 * 2))


def test_cruising_speeds_keep_the_limits(robot):
    assert np.all(robot.rig.chassis.limits.speed >= BODY.motion_limits.speed)


def test_a_motion_beyond_a_limit_ends_before_it_begins_with_joint_limit_and_nearest_value(robot):
    elbow = robot.rig.chassis.configuration()[ELBOW]
    running = Running(robot.rig.chassis, robot.rig.move(changed(robot, "panda_joint4", 0.3)))
    while running.advance():
        robot.clock.sleep(1 / 60)
    feedback = running.poll().feedback
    assert feedback is not None
    assert feedback.code is Code.REFUSED_BY_BODY
    assert feedback.culprits == ("panda_joint4",)
    assert "is not within -3.142 and 0" in feedback.why
    assert feedback.how == "The nearest position that panda_joint4 takes is 0."
    assert robot.rig.chassis.configuration()[ELBOW] == pytest.approx(elbow, abs=1e-3)
