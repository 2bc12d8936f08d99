"""Boxes on a shelf that stand so close that no standard path of the arm is free."""

from collections.abc import Iterator
from math import pi

import numpy as np
import pytest

from benchmarks.motion.scenes import boxes_on_furniture
from robots.pybullet import PyBulletRobot, paths
from robots.pybullet.description import described
from robots.pybullet.manipulation.pick import grasp_task
from robots.pybullet.manipulation.search import first_free
from robots.pybullet.mirror import PENETRATION, Mirror
from robots.pybullet.paths import planned_path
from robots.pybullet.rig import carried
from semantics.body.protocols import MotionStatus
from semantics.logic.feedback import Code
from tests.robots.pybullet.kitchen import LAYOUT, done, succeeds

BODY = described("")
CROWDED = 7
"""The seed of a scene in which box15 stands behind another box on a board of the shelf."""


@pytest.fixture
def robot() -> Iterator[PyBulletRobot]:
    body = PyBulletRobot(boxes_on_furniture(CROWDED, 20))
    yield body
    body.close()


def pick(robot: PyBulletRobot):
    succeeds(robot, "drive", to="shelf0")
    return done(robot, "pick", object="box15", source="shelf0", at="shelf0")


def test_a_box_behind_others_is_picked_on_a_planned_path(robot):
    progress = pick(robot)
    assert progress.stage is MotionStatus.DONE, progress.feedback
    assert robot.rig.held == "box15"


def test_what_was_taken_on_a_planned_path_leaves_on_the_path_that_was_tested(robot):
    succeeds(robot, "drive", to="shelf0")
    rig = robot.rig
    rig.mirror.sync(rig.world)
    approach, _ = first_free(rig, grasp_task(rig, "box15", "shelf0", "shelf0"))
    up, *back = approach.retreat
    rig.mirror.sync(rig.world)
    grip = rig.mirror.grip_of("box15", approach.at)
    assert back
    np.testing.assert_allclose(back[-1][:2], rig.now()[:2], atol=1e-6)
    assert not rig.mirror.path_clashes([approach.at, up, *back], grip)


def test_without_the_planner_the_others_are_in_the_way(robot, monkeypatch):
    monkeypatch.setattr(paths, "planner_installed", lambda: False)
    assert pick(robot).feedback.code is Code.OBSTRUCTED


@pytest.fixture(scope="module")
def mirror():
    made = Mirror(LAYOUT, BODY)
    yield made
    made.close()


def test_the_heading_turns_the_shorter_way():
    start, goal = np.zeros(11), np.zeros(11)
    start[2], goal[2] = 3.0, -3.0
    assert BODY.unwound([start, goal])[-1][2] == pytest.approx(2 * pi - 3.0)


def test_a_path_across_the_direction_of_half_a_turn_is_tested_the_shorter_way(mirror):
    start = np.concatenate([[0.0, 1.2, 3.1], carried(BODY)])
    goal = np.concatenate([[0.0, 1.2, -3.1], carried(BODY)])
    before = mirror.tests
    assert not mirror.path_clashes([start, goal])
    assert mirror.tests - before < 10


def test_a_planned_path_leads_the_base_around_the_counter(mirror):
    start = np.concatenate([[-1.0, 1.3, pi / 2], carried(BODY)])
    goal = np.concatenate([[1.0, 1.3, pi / 2], carried(BODY)])
    path = planned_path(mirror, start, goal)
    assert path is not None
    np.testing.assert_allclose(path[-1], goal, atol=1e-9)
    assert not mirror.path_clashes([start, *path])


def test_an_arm_that_reaches_into_its_mast_touches_itself(mirror):
    leaning = np.concatenate([[0.0, 0.0, 0.0], carried(BODY)])
    mirror.gaps(leaning)
    assert not mirror.touches_itself()
    leaning[[3, 5, 7, 9]] = (0.67, -1.41, -1.79, 1.49)
    assert not {name for name, gap in mirror.gaps(leaning).items() if gap < PENETRATION}
    assert mirror.touches_itself()
