"""An arm on a fixed base at a table: it picks, stacks, places in areas and puts into a bowl, by turning alone."""

from collections.abc import Iterator
from dataclasses import replace
from math import hypot

import pytest

from robots.pybullet import PyBulletRobot
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.robots.pybullet.table import AREAS, LAYOUT, TOP


@pytest.fixture
def robot() -> Iterator[PyBulletRobot]:
    body = PyBulletRobot(LAYOUT)
    yield body
    body.close()


def done(robot: PyBulletRobot, primitive: str, **roles: str) -> MotionProgress:
    motion = robot.start(Command(primitive, robot.name, {**roles, "at": "table0"}))
    end = robot.clock.now() + 60.0
    while motion.poll().stage is MotionStatus.RUNNING and robot.clock.now() < end:
        robot.clock.sleep(0.05)
    return motion.poll()


def carry(robot: PyBulletRobot, name: str, primitive: str, target: str) -> None:
    assert done(robot, "pick", object=name, source="table0").stage is MotionStatus.DONE
    assert robot.rig.held == name
    assert done(robot, primitive, object=name, target=target).stage is MotionStatus.DONE
    robot.clock.sleep(1.0)


def test_blocks_are_stacked_within_five_millimetres(robot):
    carry(robot, "green", "put", "red")
    carry(robot, "blue", "put", "green")
    below, _ = robot.rig.world.pose("red")
    for name, height in (("green", 0.06), ("blue", 0.10)):
        (x, y, z), _ = robot.rig.world.pose(name)
        assert hypot(x - below[0], y - below[1]) < 0.005
        assert z == pytest.approx(TOP + height, abs=0.003)


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_a_block_is_placed_in_the_middle_of_an_area_or_beside_what_stands_there(robot, area):
    carry(robot, "green", "put", area.name)
    (x, y, z), _ = robot.rig.world.pose("green")
    blocked = area.name == "far_left"  # the blue block stands there
    assert max(abs(x - area.pose.x), abs(y - area.pose.y)) < 0.07
    assert (hypot(x - area.pose.x, y - area.pose.y) < 0.01) != blocked
    assert z == pytest.approx(TOP + 0.02, abs=0.003)


def test_a_block_goes_into_a_bowl_and_out_again(robot):
    carry(robot, "green", "insert", "bowl")
    assert robot.rig.world.box("bowl").above(robot.rig.world.pose("green")[0])
    carry(robot, "green", "put", "near_left")
    assert not robot.rig.world.box("bowl").above(robot.rig.world.pose("green")[0])


def test_the_base_stays_where_it_is(robot):
    before = robot.rig.chassis.base()
    carry(robot, "green", "put", "far_right")
    assert robot.rig.chassis.base() == before
    assert robot.rig.chassis.speed() == 0.0
    assert robot.rig.now()[:2].tolist() == [before.x, before.y]


def test_it_tells_only_what_it_can_do_and_refuses_the_rest(robot):
    by_hand = {"grip", "move_to", "push", "release", "turn"}
    assert set(robot.primitives) == {"insert", "pick", "put", "wait"} | by_hand
    failure = robot.start(Command("drive", robot.name, {"to": "table0"})).poll().feedback
    assert failure is not None
    assert failure.code is Code.REFUSED_BY_BODY


def test_what_is_beyond_its_reach_is_told(robot):
    robot.rig.world.place("green", (0.95, 0.0, 0.02), (0.0, 0.0, 0.0, 1.0))
    failure = done(robot, "pick", object="green", source="floor0").feedback
    assert failure is not None
    assert failure.code is Code.OUT_OF_REACH
    assert "green" in failure.culprits


def test_the_camera_sees_every_block_and_searches_every_area(robot):
    robot.clock.sleep(1.0)
    seen = robot.observation()
    assert {"red", "green", "blue", "bowl", "table0", *(area.name for area in AREAS)} <= seen.sightings.keys()
    assert {area.name for area in AREAS} <= seen.searched


def test_two_blocks_go_into_a_turned_bowl_beside_each_other():
    turned = tuple(replace(piece, yaw=0.5) if piece.name == "bowl" else piece for piece in LAYOUT.pieces)
    robot = PyBulletRobot(replace(LAYOUT, pieces=turned))
    carry(robot, "green", "insert", "bowl")
    carry(robot, "blue", "insert", "bowl")
    for name in ("green", "blue"):
        assert robot.rig.world.box("bowl").above(robot.rig.world.pose(name)[0])
        assert robot.rig.world.box(name).low[2] < TOP + 0.03
    robot.close()
