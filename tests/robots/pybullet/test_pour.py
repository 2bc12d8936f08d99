"""Pours, judged from the simulator's own poses: where the lip is, and where a stream from it lands."""

from dataclasses import replace
from math import cos, degrees, hypot, sin, sqrt

import numpy as np
import pybullet
import pytest

from robots.pybullet import PyBulletRobot
from robots.pybullet.manipulation import pour
from robots.pybullet.manipulation.level import LAST
from robots.pybullet.timing import TICK
from semantics.body.layout import MovableObject, Shape
from semantics.body.protocols import MotionStatus
from semantics.logic.atoms import Atom
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import LAYOUT, done, succeeds

GLASS = Shape("open-cylinder", (0.062, 0.062, 0.12), 0.18)
CARTON = Shape("box", (0.065, 0.065, 0.165), 0.4)
BOWL = Shape("open-box", (0.16, 0.16, 0.07), 0.3)
CUP = Shape("open-cylinder", (0.066, 0.066, 0.085), 0.18)
PAN = Shape("open-box", (0.20, 0.20, 0.06), 0.6)
KETTLE = Shape("box", (0.14, 0.068, 0.16), 0.6)
MUG = Shape("open-cylinder", (0.07, 0.07, 0.095), 0.25)
VIAL = Shape("open-cylinder", (0.024, 0.024, 0.06), 0.05)
CONTENTS = Atom("liquid_in", ("water0", "source0"))
STREAM = 0.4
"""The largest speed of a stream at the lip, in metres per second."""


def two_vessels(source: Shape, target: Shape) -> PyBulletRobot:
    pieces = (
        MovableObject("source0", source, "on", "counter0", (-0.4, 0.12)),
        MovableObject("target0", target, "on", "counter0", (0.3, 0.05), yaw=0.3),
    )
    return PyBulletRobot(replace(LAYOUT, pieces=pieces, states=frozenset({CONTENTS})))


def axes_of(robot: PyBulletRobot, name: str) -> np.ndarray:
    return np.array(pybullet.getMatrixFromQuaternion(robot.rig.world.pose(name)[1])).reshape(3, 3)


def stream(robot: PyBulletRobot, shape: Shape) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the tilt in degrees, the lip, and the direction of the stream on the map."""
    axes, middle = axes_of(robot, "source0"), np.array(robot.rig.world.pose("source0")[0])
    upper = middle + axes[:, 2] * shape.size[2] / 2
    if shape.is_cylinder:
        angles = np.linspace(0.0, 2 * np.pi, 361)
        around = [cos(a) * axes[:, 0] + sin(a) * axes[:, 1] for a in angles]
        rim = [upper + each * shape.size[0] / 2 for each in around]
    else:
        corners = [(a, b) for a in (-0.5, 0.5) for b in (-0.5, 0.5)]
        rim = [upper + a * axes[:, 0] * shape.size[0] + b * axes[:, 1] * shape.size[1] for a, b in corners]
    tilt = degrees(np.arccos(min(1.0, axes[2, 2])))
    return tilt, min(rim, key=lambda point: point[2]), axes[:2, 2] / max(hypot(*axes[:2, 2]), 1e-9)


def is_inside(robot: PyBulletRobot, shape: Shape, point: np.ndarray) -> bool:
    local = axes_of(robot, "target0")[:2, :2].T @ (point[:2] - np.array(robot.rig.world.pose("target0")[0][:2]))
    return hypot(*local) < shape.size[0] / 2 if shape.is_cylinder else bool(np.all(np.abs(local) < shape.size[0] / 2))


@pytest.mark.parametrize(
    ("source", "target", "least"),
    [(GLASS, CUP, 90), (CARTON, CUP, 90), (BOWL, PAN, 51), (KETTLE, GLASS, 90), (PAN, MUG, 51)],
)
def test_the_lip_stays_over_the_vessel_and_the_stream_lands_inside(source, target, least):
    robot = two_vessels(source, target)
    assert succeeds(robot, "pick", object="source0", source="counter0", at="counter0")
    roles = {"contents": "water0", "source": "source0", "target": "target0", "at": "counter0"}
    motion = robot.start(Command("fill", "robot0", roles))
    most, upright, beside = 0.0, 0.0, []
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(TICK)
        tilt, lip, direction = stream(robot, source)
        most = max(most, tilt)
        rim = robot.rig.world.pose("target0")[0][2] + target.size[2] / 2
        if tilt > 15.0:
            fall = sqrt(max(0.0, 2 * (lip[2] - rim) / 9.81))
            ends = lip[:2], lip[:2] + STREAM * fall * direction
            beside += [tilt for end in ends if not is_inside(robot, target, end)]
        if tilt > 70.0:
            assert 0.0 < lip[2] - rim < 0.07
        if not is_inside(robot, target, lip):
            upright = max(upright, tilt)
    assert motion.poll().stage is MotionStatus.DONE, motion.poll().feedback
    assert beside == []
    assert upright < 15.0
    assert most > least
    assert robot.observation().told[Atom("liquid_in", ("water0", "target0"))]
    robot.close()


def test_a_vessel_that_is_too_narrow_is_refused_with_its_width_before_anything_is_tipped():
    robot = two_vessels(GLASS, VIAL)
    assert succeeds(robot, "pick", object="source0", source="counter0", at="counter0")
    progress = done(robot, "fill", contents="water0", source="source0", target="target0", at="counter0")
    assert progress.feedback.code == "no-room"
    assert "31 mm wide" in progress.feedback.why
    assert robot.rig.world.tilt("source0") < 0.1
    assert CONTENTS in robot.rig.states
    robot.close()


@pytest.mark.parametrize(("source", "width"), [(PAN, "59 mm wide"), (BOWL, "62 mm wide")])
def test_a_shallow_vessel_whose_stream_would_start_too_high_over_a_narrow_one_is_refused(source, width):
    robot = two_vessels(source, GLASS)
    assert succeeds(robot, "pick", object="source0", source="counter0", at="counter0")
    progress = done(robot, "fill", contents="water0", source="source0", target="target0", at="counter0")
    assert progress.feedback.code == "no-room"
    assert width in progress.feedback.why
    assert robot.rig.world.tilt("source0") < 0.1
    robot.close()


def test_no_posture_tips_a_vessel_while_something_is_in_it():
    robot = two_vessels(GLASS, CUP)
    assert succeeds(robot, "pick", object="source0", source="counter0", at="counter0")
    rig = robot.rig
    rig.mirror.sync(rig.world)
    tipped = rig.now().copy()
    tipped[LAST] += 0.5
    assert rig.mirror.clashes(tipped, rig.grip) == {"robot"}
    assert not rig.mirror.clashes(rig.now(), rig.grip)
    rig.become(no_more=(CONTENTS,))
    assert not rig.mirror.clashes(tipped, rig.grip)
    robot.close()


def test_a_stream_is_planned_off_the_wall_and_is_slow_where_a_vessel_only_flows_over():
    half = np.full(2, 0.032)
    opening = pour._Opening(np.zeros(3), np.eye(2), half, half + 0.003, 0.1, is_round=True)
    near = np.array([0.0315, 0.0, 0.0])
    assert opening.contains(near)
    assert not opening.contains(near, pour.MARGIN)
    lip = pour._Lip(near, near, np.array([1.0, 0.0]), tilt=0.4, flows_at=0.4, half_at=1.1)
    assert lip.speed == pour.SLOW
    assert lip._replace(tilt=1.1).speed == lip._replace(tilt=1.7).speed == pour.SPEED
