"""Whole motions in the simulator: each command is watched at 60 Hz, also over the seams between motions and stops."""

from collections.abc import Callable

import numpy as np
import pybullet
import pytest

from robots.errors import JointLimitError
from robots.pybullet import PyBulletRobot
from robots.pybullet.description import SIZE, share_of_limit
from robots.pybullet.limits import JERK_ALLOWANCE
from robots.pybullet.timing import TICK
from semantics.body.protocols import MotionStatus
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import succeeds


class Watch:
    """The targets of joints and fingers at each tick, and measured speeds: of fingers, where they touch nothing."""

    def __init__(self, robot: PyBulletRobot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.chassis = robot.rig.chassis
        self.targets = [self.chassis.target] * 4
        self.openings = [self.chassis._finger[0]] * 4
        self.base: list[float] = []
        self.fingers: list[float] = []
        step = robot.rig.world.step
        monkeypatch.setattr(robot.rig.world, "step", lambda: self._step(step))
        complete = self.chassis.complete_tick
        monkeypatch.setattr(self.chassis, "complete_tick", lambda: self._tick(complete))

    def _tick(self, complete: Callable[[], None]) -> None:
        complete()
        self.targets.append(self.chassis.target)
        self.openings.append(self.chassis._finger[0])

    def _step(self, step: Callable[[], None]) -> None:
        step()
        self.base.append(self.chassis.speed())
        body, client = self.chassis.body, self.chassis.client
        for finger in self.chassis.fingers:
            if not pybullet.getContactPoints(bodyA=body, linkIndexA=finger, physicsClientId=client):
                self.fingers.append(abs(pybullet.getJointState(body, finger, physicsClientId=client)[1]))

    def keeps_limits(self) -> bool:
        """Return whether speed, acceleration and jerk of all commands kept their limits."""
        body = self.chassis.description
        derivatives = [np.diff(self.targets, n=order, axis=0) / TICK**order for order in (1, 2, 3)]
        shares = [np.max(share_of_limit(*pair)) for pair in zip(derivatives, body.motion_limits, strict=True)]
        fingers = [np.max(np.abs(np.diff(self.openings, n=order))) / TICK**order for order in (1, 2, 3)]
        limits = (body.hand.speed, body.hand.acceleration, body.hand.jerk)
        shares += [value / limit for value, limit in zip(fingers, limits, strict=True)]
        return all(np.array(shares) <= 1e-5 + np.array([1.0, 1.0, JERK_ALLOWANCE] * 2))


@pytest.fixture
def watch(robot, monkeypatch) -> Watch:
    return Watch(robot, monkeypatch)


def begin(robot: PyBulletRobot, primitive: str, seconds: float, **roles: str):
    """Begin a motion, and let some seconds pass."""
    motion = robot.start(Command(primitive, "robot0", roles))
    robot.clock.sleep(seconds)
    assert motion.poll().stage is MotionStatus.RUNNING
    return motion


def test_a_thing_is_fetched_from_behind_a_door_without_a_jump(robot, watch):
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "open", object="fridge0", at="fridge0")
    succeeds(robot, "pick", object="milk0", source="fridge0", at="fridge0")
    succeeds(robot, "drive", to="counter0")
    succeeds(robot, "put", object="milk0", target="counter0", at="counter0")
    succeeds(robot, "drive", to="fridge0")
    succeeds(robot, "close", object="fridge0", at="fridge0")
    assert watch.keeps_limits()
    assert max(watch.fingers) <= 1.03 * 0.2  # the limit of the URDF


def test_a_drive_has_the_speed_that_is_said_along_its_path(robot, watch):
    motion = robot.start(Command("drive", "robot0", {"to": "counter0"}, values={"speed": 0.3}))
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(TICK)
    assert 0.297 < max(watch.base) < 1.03 * 0.3
    assert watch.keeps_limits()


def test_the_speed_that_is_said_of_a_drive_holds_for_what_is_done_there(robot, watch):
    motion = robot.start(Command("drive", "robot0", {"to": "fridge0"}, values={"speed": 0.1}))
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(TICK)
    succeeds(robot, "open", object="fridge0", at="fridge0")
    assert 0.09 < max(watch.base) < 1.03 * 0.1
    assert watch.keeps_limits()


def test_a_grasp_keeps_to_the_speed_that_is_said_of_it(robot, watch):
    succeeds(robot, "drive", to="counter0")
    watch.base.clear()
    roles = {"object": "apple0", "source": "counter0", "at": "counter0"}
    motion = robot.start(Command("pick", "robot0", roles, values={"speed": 0.05}))
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(TICK)
    assert motion.poll().stage is MotionStatus.DONE
    assert 0.04 < max(watch.base) < 1.03 * 0.05


def test_a_motor_is_told_only_what_is_new(robot, monkeypatch):
    robot.clock.sleep(0.5)
    told, send = [], pybullet.setJointMotorControl2

    def tell(body, joint, *args, **options):
        told.append(joint)
        return send(body, joint, *args, **options)

    monkeypatch.setattr(pybullet, "setJointMotorControl2", tell)
    robot.clock.sleep(1.0)
    assert not set(told) & {*robot.rig.chassis.joints, *robot.rig.chassis.fingers}
    begin(robot, "drive", 0.5, to="counter0")
    assert set(told) & set(robot.rig.chassis.joints)


@pytest.mark.parametrize("seconds", [0.4, 0.8, 1.3])
def test_a_stop_in_the_middle_of_a_drive_and_the_next_motion_at_once_do_not_jump(robot, watch, seconds):
    begin(robot, "drive", seconds, to="counter0").cancel()
    succeeds(robot, "drive", to="fridge0")
    robot.stop()
    robot.clock.sleep(0.5)
    assert watch.keeps_limits()


@pytest.mark.parametrize("seconds", [0.6, 1.5, 2.6])
def test_a_stop_in_the_middle_of_a_reach_brakes(robot, watch, seconds):
    succeeds(robot, "drive", to="counter0")
    begin(robot, "pick", seconds, object="apple0", source="counter0", at="counter0")
    robot.stop()
    robot.clock.sleep(1.0)
    assert watch.keeps_limits()
    assert np.max(np.abs(robot.rig.chassis.configuration() - robot.rig.chassis.target)) < 0.01


def test_a_command_that_jumps_is_not_sent(robot):
    chassis = robot.rig.chassis
    aside = chassis.target + np.eye(SIZE)[0] * 0.005
    with pytest.raises(JointLimitError, match="the base: the acceleration 18"):
        chassis.command(aside, np.zeros(SIZE))
    far = chassis.target + np.eye(SIZE)[9] * 0.1
    with pytest.raises(JointLimitError, match="panda_joint6: the speed 6"):
        chassis.command(far, np.zeros(SIZE))
    assert chassis.target is not aside
