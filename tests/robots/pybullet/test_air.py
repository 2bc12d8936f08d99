"""A travelling arm keeps its distance from what it passes, however small that is, and from furniture with its hand."""

from collections.abc import Iterator
from math import dist, pi

import numpy as np
import pybullet
import pytest

from robots.pybullet import PyBulletRobot
from robots.pybullet.description import Configuration, described
from robots.pybullet.kinematics import Reach, posture
from robots.pybullet.manipulation.reach import raised
from robots.pybullet.mirror import AIR, Mirror
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.geometry.geometry import PlanarPose
from tests.robots.pybullet.kitchen import LAYOUT, done, succeeds

BODY = described("")
HIGH = 1.5
"""A height over all furniture, in metres."""


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    made = Mirror(LAYOUT, BODY)
    yield made
    made.close()


def hand_at(x: float, y: float, height: float) -> Configuration:
    arm = posture(BODY, Reach(0.58, height, 0.35), 0.45)
    assert arm is not None
    return np.concatenate([[x, y, pi / 2], arm])


def gap(mirror: Mirror, name: str, configuration: Configuration) -> float:
    """Return the distance of the robot from something in a configuration, up to 0.5 m."""
    mirror.pose(configuration)
    points = pybullet.getClosestPoints(mirror.body, mirror.world.body(name), 0.5, physicsClientId=mirror.client)
    return min(point[8] for point in points)


def hang(mirror: Mirror, name: str, configuration: Configuration, room: float) -> None:
    """Hang a thing in the air, to the right of the fingers of a configuration with some room between, in metres."""
    mirror.pose(configuration)
    x, y, z = mirror.tip()[0]
    x += 0.2
    for _ in range(10):
        mirror.world.place(name, (x, y, z), (0.0, 0.0, 0.0, 1.0))
        x += room - gap(mirror, name, configuration)
    assert gap(mirror, name, configuration) == pytest.approx(room, abs=1e-3)


def test_a_small_thing_is_passed_with_air_between(mirror: Mirror) -> None:
    middle = hand_at(0.0, -0.6, 1.0)
    above, below = raised(BODY, middle, 0.12), raised(BODY, middle, -0.12)
    hang(mirror, "cup0", middle, 0.005)
    assert not mirror.path_clashes([above, below])
    assert mirror.path_clashes([above, below], air=AIR) == {"cup0"}
    assert not mirror.corridor(above, below)(middle)
    hang(mirror, "cup0", middle, 0.010)
    assert not mirror.path_clashes([above, below], air=AIR)
    assert mirror.corridor(above, below)(middle)


def test_the_hand_passes_furniture_with_air_between(mirror: Mirror) -> None:
    middle, aside = hand_at(0.0, 1.15, 0.9), np.array([1.2, *[0.0] * 10])
    middle[3] += 0.005 - gap(mirror, "counter0", middle)
    assert gap(mirror, "counter0", middle) == pytest.approx(0.005, abs=1e-3)
    for name in mirror.world.shapes:
        mirror.world.place(name, (9.0, 9.0, HIGH), (0.0, 0.0, 0.0, 1.0))
    assert mirror.path_clashes([middle - aside, middle + aside], air=AIR) == {"counter0"}


def test_a_path_comes_nearer_than_at_its_ends_down_to_a_third(mirror: Mirror) -> None:
    goal = hand_at(0.0, -0.6, 1.0)
    hang(mirror, "cup0", goal, 0.006)
    above = raised(BODY, goal, 0.12)
    assert not mirror.path_clashes([above, goal], air=AIR)
    for aside, clashes in ((0.002, set()), (0.008, {"cup0"})):
        nearer = raised(BODY, goal, 0.01)
        nearer[0] += aside
        assert (gap(mirror, "cup0", nearer) < 0.002) == bool(clashes)
        assert not mirror.path_clashes([above, nearer, goal])
        assert mirror.path_clashes([above, nearer, goal], air=AIR) == clashes


def test_no_planned_path_leads_to_a_grasp_beside_a_thing_which_would_be_pushed_over() -> None:
    fridge = Furniture("fridge0", "fridge", PlanarPose(1.2, -1.9, pi / 2), (0.7, 0.55, 1.2), opened=True)
    can, tomato = Shape("cylinder", (0.062, 0.062, 0.12), 0.35), Shape("sphere", (0.06, 0.06, 0.06), 0.11)
    things = MovableObject("tomato0", tomato, "in", "fridge0"), MovableObject("cola0", can, "in", "fridge0")
    body = PyBulletRobot(Layout(RobotStart("robot0", PlanarPose(1.5, -0.8, -pi / 2)), (fridge,), things))
    try:
        body.rig.world.place("tomato0", (0.9543, -2.0627, 0.39), (0.0, 0.0, 0.0, 1.0))
        body.rig.world.place("cola0", (1.0549, -1.8543, 0.42), (0.0, 0.0, 0.0, 1.0))
        body.clock.sleep(0.5)
        before = body.rig.world.pose("cola0")[0]
        feedback = done(body, "pick", object="tomato0", source="fridge0", at="fridge0").feedback
        assert dist(body.rig.world.pose("cola0")[0], before) < 0.001
        assert feedback is not None
        assert feedback.how.startswith("Move cola0 (")
        assert succeeds(body, "pick", object="cola0", source="fridge0", at="fridge0")
    finally:
        body.close()
