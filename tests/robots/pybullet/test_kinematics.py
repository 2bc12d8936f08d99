from math import cos, pi, sin

import numpy as np
import pybullet
import pytest

from robots.pybullet.chassis import Chassis
from robots.pybullet.description import BODIES, described
from robots.pybullet.kinematics import Reach, posture, reach_of
from robots.pybullet.motion import follow
from robots.pybullet.rig import carried
from semantics.geometry.geometry import PlanarPose

MOBILE, FIXED = described("mobile-panda"), described("panda-fixed")
START = PlanarPose(1.0, -0.5, 0.4)


@pytest.fixture(scope="module", params=[MOBILE, FIXED], ids=lambda description: description.name)
def chassis(request):
    client = pybullet.connect(pybullet.DIRECT)
    yield Chassis(client, request.param, START, carried(request.param, 1.0))
    pybullet.disconnect(client)


@pytest.mark.parametrize("phi", [0.2, 0.8, 1.5])
@pytest.mark.parametrize("roll", [0.0, 0.6])
def test_the_closed_form_puts_the_fingertips_where_the_simulator_does(
    chassis: Chassis, phi: float, roll: float
) -> None:
    lift = 0.4 if chassis.description.moves else 0.72
    wanted = Reach(0.55, lift + 0.55, phi, roll)
    arm = posture(chassis.description, wanted, lift)
    assert arm is not None
    for _ in follow(chassis, [np.concatenate([[1.0, -0.5, 0.7], arm])]):
        chassis.complete_tick()
        for share in (0.0, 0.25, 0.5, 0.75):
            chassis.drive(share)
            pybullet.stepSimulation(physicsClientId=chassis.client)
    chassis.complete_tick()
    chassis.drive(0.0)
    for _ in range(100):
        pybullet.stepSimulation(physicsClientId=chassis.client)
    assert chassis.configuration() == pytest.approx(chassis.target, abs=1e-4)
    position, turn = chassis.tool()
    assert position == pytest.approx((1.0 + 0.55 * cos(0.7), -0.5 + 0.55 * sin(0.7), lift + 0.55), abs=3e-4)
    ahead = np.array(pybullet.getMatrixFromQuaternion(turn)).reshape(3, 3)[:, 2]
    assert ahead == pytest.approx((cos(phi) * cos(0.7), cos(phi) * sin(0.7), -sin(phi)), abs=3e-4)


def test_a_posture_read_back_is_the_reach_it_was_made_for() -> None:
    wanted = Reach(0.6, 0.8, 0.9, -0.3)
    arm = posture(MOBILE, wanted, 0.35)
    assert arm is not None
    assert reach_of(MOBILE, np.concatenate([[0.0, 0.0, 0.0], arm])) == pytest.approx(wanted)


@pytest.mark.parametrize("wanted", [Reach(1.4, 0.8, 0.5), Reach(0.6, 3.0, 0.5), Reach(0.5, 0.05, 0.0)])
def test_what_no_arm_reaches_has_no_posture(wanted: Reach) -> None:
    assert posture(MOBILE, wanted, 0.4) is None


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("phi", np.linspace(0.0, pi / 2, 9))
def test_the_arm_can_travel_with_every_pitch_of_the_hand(body: str, phi: float) -> None:
    assert carried(described(body), float(phi)).shape == (8,)


def test_an_arm_on_a_fixed_base_turns_its_first_joint_where_a_mobile_robot_turns_its_base() -> None:
    assert "base_yaw" in MOBILE.joints
    assert FIXED.joints[0] == "panda_joint1"
    assert FIXED.column[0] == FIXED.column[1]
    assert posture(FIXED, Reach(0.5, 0.8, 1.5), 0.6) is None
