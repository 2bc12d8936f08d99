from math import hypot

import pytest

from benchmarks import stagehand
from robots.pybullet import PyBulletRobot
from semantics.errors import UnknownNameError
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import succeeds


def moved_in(robot: PyBulletRobot, seconds: float) -> frozenset[str]:
    before = stagehand.snapshot(robot)
    robot.clock.sleep(seconds)
    return stagehand.moved(before, stagehand.snapshot(robot))


def test_nothing_moves_in_a_room_where_nothing_is_done(robot: PyBulletRobot) -> None:
    assert moved_in(robot, 1.0) == frozenset()


def test_the_robot_is_seen_to_drive(robot: PyBulletRobot) -> None:
    before = stagehand.poses(robot)["robot0"]
    robot.start(Command("drive", "robot0", {"to": "counter0"}))
    assert moved_in(robot, 0.5) == {"robot0"}
    robot.clock.sleep(0.5)
    after = stagehand.poses(robot)["robot0"]
    assert hypot(after[0][0] - before[0][0], after[0][1] - before[0][1]) > 0.1
    assert stagehand.posture(robot).base == robot.rig.chassis.base()


def test_the_arm_is_seen_to_move_while_the_base_stands(robot: PyBulletRobot) -> None:
    succeeds(robot, "drive", to="counter0")
    before = stagehand.posture(robot)
    succeeds(robot, "pick", object="cup0", source="counter0", at="counter0")
    after = stagehand.posture(robot)
    assert len(after.joints) == 7
    assert after.joints != pytest.approx(before.joints, abs=0.05)
    assert after.opening < before.opening
    assert hypot(after.base.x - before.base.x, after.base.y - before.base.y) < 0.05


def test_a_door_and_a_thing_are_seen_to_move(robot: PyBulletRobot) -> None:
    stagehand.push_door(robot, "fridge0", 0.5)
    assert "fridge0" in moved_in(robot, 1.0)
    before = stagehand.snapshot(robot)
    stagehand.move_piece(robot, "cup0", (0.0, 1.8, 0.9), yaw=1.0)
    assert stagehand.moved(before, stagehand.snapshot(robot)) == {"cup0"}


def test_what_stands_is_pushed_up_at_its_underside(robot: PyBulletRobot) -> None:
    found = stagehand.contact_points(robot, "cup0")
    assert {contact.other for contact in found} == {"counter0"}
    assert all(contact.normal[2] > 0.99 for contact in found)
    low = stagehand.bounds(robot)["cup0"][0][2]
    assert [contact.point[2] for contact in found] == pytest.approx([low] * len(found), abs=1e-3)


def test_the_blocks_of_a_sink_lie_around_its_basin(robot: PyBulletRobot) -> None:
    blocks = stagehand.solids(robot, "sink0")
    low, high = stagehand.bounds(robot)["sink0"]
    for i in range(3):
        assert min(block[0][i] for block in blocks) == pytest.approx(low[i], abs=1e-6)
        assert max(block[1][i] for block in blocks) == pytest.approx(high[i], abs=1e-6)
    x, y, z = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2] - 0.05
    assert not any(a <= x <= d and b <= y <= e and c <= z <= f for (a, b, c), (d, e, f) in blocks)


def test_an_unknown_name_is_refused(robot: PyBulletRobot) -> None:
    for asked in (stagehand.contact_points, stagehand.solids):
        with pytest.raises(UnknownNameError):
            asked(robot, "moon0")
