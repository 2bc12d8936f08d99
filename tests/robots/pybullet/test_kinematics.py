from math import cos, pi, sin

import numpy as np
import pybullet
import pytest

from robots.pybullet.chassis import Chassis
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.rig import carried
from semantics.geometry import PlanarPose


@pytest.fixture(scope="module")
def chassis():
    client = pybullet.connect(pybullet.DIRECT)
    yield Chassis(client, PlanarPose(0.0, 0.0), carried(1.0))
    pybullet.disconnect(client)


@pytest.mark.parametrize("phi", [0.2, 0.8, 1.5])
@pytest.mark.parametrize("roll", [0.0, 0.6])
def test_the_closed_form_puts_the_fingertips_where_the_simulator_does(
    chassis: Chassis, phi: float, roll: float
) -> None:
    wanted = Reach(0.55, 0.95, phi, roll)
    arm = posture(wanted, 0.4)
    assert arm is not None
    target = np.concatenate([[1.0, -0.5, 0.7], arm])
    for joint, value in zip(chassis.joints, target, strict=True):
        pybullet.resetJointState(chassis.body, joint, value, physicsClientId=chassis.client)
    position, turn = chassis.tool()
    assert position == pytest.approx((1.0 + 0.55 * cos(0.7), -0.5 + 0.55 * sin(0.7), 0.95), abs=1e-5)
    ahead = np.array(pybullet.getMatrixFromQuaternion(turn)).reshape(3, 3)[:, 2]
    assert ahead == pytest.approx((cos(phi) * cos(0.7), cos(phi) * sin(0.7), -sin(phi)), abs=1e-5)


def test_a_posture_read_back_is_the_reach_it_was_made_for() -> None:
    wanted = Reach(0.6, 0.8, 0.9, -0.3)
    arm = posture(wanted, 0.35)
    assert arm is not None
    assert reach_of(np.concatenate([[0.0, 0.0, 0.0], arm])) == pytest.approx(wanted)


@pytest.mark.parametrize("wanted", [Reach(1.4, 0.8, 0.5), Reach(0.6, 3.0, 0.5), Reach(0.5, 0.05, 0.0)])
def test_what_no_arm_reaches_has_no_posture(wanted: Reach) -> None:
    assert posture(wanted, 0.4) is None


@pytest.mark.parametrize("phi", np.linspace(0.0, pi / 2, 9))
def test_the_arm_can_travel_with_every_pitch_of_the_hand(phi: float) -> None:
    assert carried(float(phi)).shape == (8,)
