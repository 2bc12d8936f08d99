"""In the corners of a fridge the hand looks aside of the arm, and what is taken out drags nothing with it."""

from collections.abc import Iterator
from math import cos, dist, pi, radians, sin

import numpy as np
import pytest

from robots.pybullet import PyBulletRobot
from robots.pybullet.description import LIFT
from robots.pybullet.kinematics import Reach, posture
from robots.pybullet.manipulation.pick import grasp_task
from robots.pybullet.manipulation.search import BESIDE_A_FINGER, first_free
from robots.pybullet.mirror import AIR
from robots.pybullet.scenery.world import axes_of
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.geometry.geometry import PlanarPose
from tests.robots.pybullet.kitchen import MILK, succeeds

FRIDGE = Furniture("fridge0", "fridge", PlanarPose(1.2, -1.9, pi / 2), (0.7, 0.55, 1.2), opened=True)
CAN = Shape("cylinder", (0.066, 0.066, 0.12), 0.35)
ARM = slice(LIFT + 1, None)


@pytest.fixture
def robot() -> Iterator[PyBulletRobot]:
    things = MovableObject("milk0", MILK, "in", "fridge0"), MovableObject("cola0", CAN, "in", "fridge0", level=1)
    body = PyBulletRobot(Layout(RobotStart("robot0", PlanarPose(1.2, -0.6, -pi / 2)), (FRIDGE,), things))
    yield body
    body.close()


def place(robot: PyBulletRobot, name: str, x: float, y: float, z: float, degrees: float = 0.0) -> None:
    half = radians(degrees) / 2
    robot.rig.world.place(name, (x, y, z), (0.0, 0.0, sin(half), cos(half)))


@pytest.mark.parametrize(
    ("x", "y", "z", "degrees"),
    [(1.419, -1.864, 0.45, 66.0), (1.447, -2.01, 0.45, 54.3), (0.95, -2.039, 0.87, 14.8), (0.967, -2.06, 0.45, 11.2)],
)
def test_a_carton_is_taken_from_a_corner_whichever_way_it_stands(
    robot: PyBulletRobot, x: float, y: float, z: float, degrees: float
) -> None:
    place(robot, "cola0", 1.2, -2.05, 1.23 - z)
    place(robot, "milk0", x, y, z, degrees)
    assert succeeds(robot, "pick", object="milk0", source="fridge0", at="fridge0")
    assert robot.rig.held == "milk0"
    assert robot.rig.world.tilt("milk0") < 0.15
    assert np.allclose(robot.rig.now()[ARM][[0, 2, 4]], 0.0)  # joints 1, 3 and 5: it leaves with the arm in its plane
    assert robot.rig.taken == pytest.approx(robot.rig.reach()[2:])


@pytest.mark.parametrize(("milk", "cola"), [((1.061, -1.98), (1.067, -1.79)), ((1.016, -1.925), (1.044, -1.8))])
def test_what_stands_before_a_carton_is_not_dragged_out_with_it(
    robot: PyBulletRobot, milk: tuple[float, float], cola: tuple[float, float]
) -> None:
    place(robot, "cola0", *cola, 0.42)
    place(robot, "milk0", *milk, 0.45, -4.0)
    robot.clock.sleep(0.5)
    before = robot.rig.world.pose("cola0")[0]
    assert succeeds(robot, "pick", object="milk0", source="fridge0", at="fridge0")
    assert dist(robot.rig.world.pose("cola0")[0], before) < 0.005


@pytest.mark.parametrize(("aside", "degrees"), [(0.0, 76.0), (-0.03, 90.0)])
def test_the_arm_passes_what_stands_before_a_carton_with_room_to_spare(
    robot: PyBulletRobot, aside: float, degrees: float
) -> None:
    place(robot, "cola0", 1.0455 + aside, -1.7938, 0.84)
    place(robot, "milk0", 1.0455, -2.0741, 0.87, degrees)
    rig, mirror = robot.rig, robot.rig.mirror
    mirror.sync(robot.rig.world)
    approach, _ = first_free(rig, grasp_task(rig, "milk0", "fridge0", "fridge0"))
    way = np.linspace(approach.before, approach.at, 41)
    assert min(mirror.gaps(posture, air=AIR).get("cola0", 1.0) for posture in way) >= BESIDE_A_FINGER - 1e-4


@pytest.mark.parametrize("turn", [0.4, -0.4])
@pytest.mark.parametrize("yaw", [0.0, 2.5])
def test_a_hand_turns_about_its_tips_alone(robot: PyBulletRobot, turn: float, yaw: float) -> None:
    mirror, description = robot.rig.mirror, robot.rig.description
    arm = posture(description, Reach(0.58, 0.95, 0.35), 0.45)
    assert arm is not None
    planar = np.concatenate([[0.3, 0.4, yaw], arm])
    mirror.pose(planar)
    tip, hand = mirror.tip()
    turned = mirror.turn_hand(planar, turn)
    assert turned is not None
    assert np.array_equal(turned[: ARM.start], planar[: ARM.start])
    mirror.pose(turned)
    at, now = mirror.tip()
    assert at == pytest.approx(tip, abs=2e-4)
    ahead, wanted = (axes_of(each)[:, 2] for each in (now, hand))
    c, s = cos(turn), sin(turn)
    assert ahead == pytest.approx([c * wanted[0] - s * wanted[1], s * wanted[0] + c * wanted[1], wanted[2]], abs=1e-3)


def test_a_turn_beyond_the_joint_limits_is_none(robot: PyBulletRobot) -> None:
    arm = posture(robot.rig.description, Reach(0.58, 0.95, 0.35), 0.45)
    assert arm is not None
    assert robot.rig.mirror.turn_hand(np.concatenate([[0.0, 0.0, 0.0], arm]), 2.8) is None
