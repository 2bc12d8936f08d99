"""A perfect profile keeps its limits however it is sampled, and one tick of anything else is found."""

import math

import numpy as np
import pybullet as p
import pytest

from benchmarks.judge import CommandWatch, JudgeError

STEP, PERIOD = 1 / 240, 1 / 60
LIMITS = (0.5, 1.0, 4.0)
"""Speed, acceleration and jerk of the base."""


class Sled:
    """A base that slides along x and y, turns, and carries a lift."""

    def __init__(self):
        self.client = p.connect(p.DIRECT)
        self.other = p.connect(p.DIRECT)
        kinds = [p.JOINT_PRISMATIC, p.JOINT_PRISMATIC, p.JOINT_REVOLUTE, p.JOINT_PRISMATIC]
        axes = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 1)]
        for client in (self.client, self.other):
            self.body = p.createMultiBody(
                0,
                -1,
                -1,
                (0, 0, 0),
                linkMasses=[1.0] * 4,
                linkCollisionShapeIndices=[-1] * 4,
                linkVisualShapeIndices=[-1] * 4,
                linkPositions=[(0, 0, 0)] * 4,
                linkOrientations=[(0, 0, 0, 1)] * 4,
                linkInertialFramePositions=[(0, 0, 0)] * 4,
                linkInertialFrameOrientations=[(0, 0, 0, 1)] * 4,
                linkParentIndices=[0, 1, 2, 3],
                linkJointTypes=kinds,
                linkJointAxis=axes,
                physicsClientId=client,
            )

    def close(self):
        p.disconnect(self.client)
        p.disconnect(self.other)

    def send(self, targets, every=4, function="array"):
        """Command rows of targets of the first joints, a row each `every` steps."""
        for row in targets:
            if function == "array":
                p.setJointMotorControlArray(
                    self.body,
                    list(range(len(row))),
                    p.POSITION_CONTROL,
                    targetPositions=list(row),
                    physicsClientId=self.client,
                )
            else:
                for link, target in enumerate(row):
                    p.setJointMotorControl2(self.body, link, p.POSITION_CONTROL, target, physicsClientId=self.client)
            for _ in range(every):
                p.stepSimulation(physicsClientId=self.client)


@pytest.fixture
def sled():
    made = Sled()
    yield made
    made.close()


def ramp(limits=LIMITS, distance=1.0, rate=60, lead=0.3):
    """Return samples of a rest-to-rest profile that uses its speed, acceleration and jerk to the full, and a pause."""
    speed, acceleration, jerk = limits
    rise = acceleration / jerk
    cruise = distance / speed - speed / acceleration - rise
    edges = np.cumsum([0, rise, speed / acceleration - rise, rise, cruise, rise, speed / acceleration - rise, rise])
    signs = (1, 0, -1, 0, -1, 0, 1)
    times = np.arange(0, edges[-1] + 2 * lead, 1 / rate) - lead
    out = []
    for t in times:
        x = v = a = 0.0
        for start, end, sign in zip(edges, edges[1:], signs, strict=False):
            dt = min(max(t - start, 0.0), end - start)
            x, v, a = (
                x + v * dt + a * dt**2 / 2 + sign * jerk * dt**3 / 6,
                v + a * dt + sign * jerk * dt**2 / 2,
                a + sign * jerk * dt,
            )
        out.append(x)
    return np.array(out)


def judged(sled, targets, limits=None, **how):
    with CommandWatch(sled.client, sled.body) as watch:
        sled.send(targets, **how)
    rows = watch.worst(limits or {"joint1": LIMITS})
    return {(row.kind, row.joint): row for row in rows if row.kind != "measured speed"}


def kinds_broken(rows):
    return {kind for (kind, _), row in rows.items() if not row.holds}


@pytest.mark.parametrize("function", ["array", "single"])
@pytest.mark.parametrize(("rate", "every"), [(60, 4), (240, 1), (120, 2), (30, 8)])
@pytest.mark.parametrize("lead", [0.3, 0.307])
def test_a_perfect_profile_keeps_its_limits(sled, function, rate, every, lead):
    x = ramp(rate=rate, lead=lead)
    rows = judged(sled, np.column_stack([x * 0.6, x * 0.8]), every=every, function=function)
    if rate >= 60:
        assert kinds_broken(rows) == set()
        assert rows["speed", "joint1+joint2"].ratio == pytest.approx(1.0, abs=1e-6)
        assert rows["acceleration", "joint1+joint2"].ratio > 0.95
    else:  # targets that stand for two periods are steps
        assert kinds_broken(rows) >= {"acceleration", "jerk"}


def test_each_axis_at_its_limit_is_too_fast_for_the_vector(sled):
    x = ramp()
    rows = judged(sled, np.column_stack([x, x]))
    assert rows["speed", "joint1+joint2"].value == pytest.approx(0.5 * math.sqrt(2), rel=1e-6)
    assert kinds_broken(rows) == {"speed", "acceleration", "jerk", "speed between samples"}


@pytest.mark.parametrize(
    ("at", "jump", "broken"),
    [
        (40, 0.02, {"speed", "acceleration", "jerk", "speed between samples"}),
        (40, 0.001, {"acceleration", "jerk"}),
        (0, 2e-5, {"jerk"}),
    ],
)
def test_a_burst_of_one_tick_is_found_with_its_time_and_joint(sled, at, jump, broken):
    x = ramp()
    x[at + 10] += jump
    rows = judged(sled, np.column_stack([x, 0 * x]))
    assert kinds_broken(rows) >= broken - ({"speed", "speed between samples"} if jump < 0.02 else set())
    worst = max((row for (_, _), row in rows.items()), key=lambda row: row.ratio)
    assert worst.kind == "jerk"
    assert worst.joint == "joint1+joint2"
    assert worst.time == pytest.approx((at + 10) * PERIOD, abs=4 * PERIOD)
    assert "jerk of joint1+joint2" in str(worst)


def test_a_trapezoid_of_speed_breaks_the_jerk_only(sled):
    t = np.arange(0, 3, PERIOD)
    speed = np.clip(np.minimum(t, 3 - t) * 0.9, 0, 0.45)
    x = np.cumsum(speed) * PERIOD
    assert kinds_broken(judged(sled, np.column_stack([x, 0 * x]))) == {"jerk"}


def test_a_burst_between_two_samples_is_found(sled):
    x = np.zeros(240)
    x[102] = 0.2  # one step of 1/240 s, between the samples
    rows = judged(sled, np.column_stack([x, 0 * x]), every=1)
    assert kinds_broken(rows) == {"speed between samples"}


def test_a_jump_after_a_pause_without_commands_is_a_jump(sled):
    with CommandWatch(sled.client, sled.body) as watch:
        sled.send([[0.0]], every=480)
        sled.send([[0.1]], every=60)
    rows = {row.kind: row for row in watch.worst({"joint1": LIMITS})}
    assert rows["speed"].value == pytest.approx(0.1 * 60)
    assert rows["speed"].time == pytest.approx(2.0, abs=PERIOD)


def test_the_first_target_must_be_near_the_joint(sled):
    with CommandWatch(sled.client, sled.body) as watch:
        sled.send([[0.0, 0.0, 1.0]] * 20)
    broken = {(row.kind, row.joint) for row in watch.worst({"joint3": (2.0, 5.0, 50.0)}) if not row.holds}
    assert ("speed between samples", "joint3") in broken


def test_speeds_are_judged_of_joints_that_are_driven_by_speed(sled):
    with CommandWatch(sled.client, sled.body) as watch:
        for speed in [0.0] * 10 + [0.8] * 10 + [0.0] * 10:
            p.setJointMotorControl2(
                sled.body, 3, p.VELOCITY_CONTROL, targetVelocity=speed, force=100, physicsClientId=sled.client
            )
            for _ in range(4):
                p.stepSimulation(physicsClientId=sled.client)
    rows = {row.kind: row for row in watch.worst({"joint4": (0.7, 1.0, 1.0)})}
    assert rows["speed"].value == pytest.approx(0.8)
    assert rows["acceleration"].value == pytest.approx(48.0)
    assert rows["measured speed"].value == pytest.approx(0.8, rel=0.05)


def test_other_clients_and_bodies_and_joints_are_not_kept(sled):
    with CommandWatch(sled.client, sled.body) as watch:
        p.setJointMotorControl2(sled.body, 0, p.POSITION_CONTROL, 5.0, physicsClientId=sled.other)
        p.stepSimulation(physicsClientId=sled.other)
        with pytest.raises(JudgeError, match="commanded"):
            watch.worst({"joint1": LIMITS})
        with pytest.raises(JudgeError, match="no joint elbow"):
            watch.worst({"elbow": LIMITS})


def test_a_joint_that_is_set_is_told_as_a_teleport(sled):
    with CommandWatch(sled.client, sled.body) as watch:
        sled.send([[0.0, 0.0]] * 15)
        p.resetJointState(sled.body, 0, 0.4, physicsClientId=sled.client)
    assert watch.teleports == [("joint1", pytest.approx(0.25))]
    assert watch.base == ("joint1", "joint2")


def test_pybullet_is_itself_again_after_the_watch(sled):
    before = p.setJointMotorControl2, p.setJointMotorControlArray, p.stepSimulation
    with pytest.raises(ZeroDivisionError), CommandWatch(sled.client, sled.body):
        raise ZeroDivisionError
    assert before == (p.setJointMotorControl2, p.setJointMotorControlArray, p.stepSimulation)
