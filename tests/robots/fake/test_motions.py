"""What motions do to the room of the fake, and when."""

import pytest

from robots.fake import FakeRobot
from semantics.body.protocols import MotionStatus
from tests.robots.fake.driven import LAYOUT, do, drive, finish, pick, ready, sensed, start


def test_milk_is_fetched_from_the_fridge_and_handed_over(robot):
    ready(
        robot,
        drive("fridge0"),
        ("open", {"object": "fridge0", "at": "fridge0"}),
        pick("milk0", "fridge0"),
        drive("human0"),
        ("give", {"object": "milk0", "to": "human0"}),
    )
    assert sensed(robot).agents["human0"].held == ("milk0",)
    assert robot.world.carriers["milk0"] == ("held", "human0")


def test_a_motion_takes_time_and_the_thing_is_in_the_hand_before_it_ends(robot):
    ready(robot, drive("table0"))
    motion = start(robot, "pick", object="juice0", source="table0", at="table0")
    assert sensed(robot).agents["robot0"].held == ()
    robot.clock.sleep(1.4)
    assert motion.poll().stage is MotionStatus.RUNNING
    assert sensed(robot).agents["robot0"].held == ("juice0",)


def test_the_robot_is_on_its_way_while_it_drives(robot):
    motion = start(robot, "drive", to="table0")
    robot.clock.sleep(1.0)
    view = robot.observation().agents["robot0"]
    assert view.moving
    assert 0.0 < view.pose.x < 1.2
    finish(robot, motion)
    assert not sensed(robot).agents["robot0"].moving


def test_a_door_opens_bit_by_bit_and_shows_what_is_behind_it(robot):
    ready(robot, drive("fridge0"))
    motion = start(robot, "open", object="fridge0", at="fridge0")
    robot.clock.sleep(1.5)
    half = robot.observation()
    assert 0.3 < half.sightings["fridge0"].opening < 0.7
    assert "milk0" not in half.sightings
    finish(robot, motion)
    assert "milk0" in sensed(robot).sightings
    assert "fridge0" in robot.observation().searched


def test_what_is_carried_on_a_tray_moves_along(robot):
    robot.world.hold("tray0", "robot0")
    before = robot.world.spots["apple0"]
    ready(robot, drive("fridge0"))
    after = robot.world.spots["apple0"]
    assert (after.x, after.y) != (before.x, before.y)
    assert after.z == pytest.approx(robot.world.spots["tray0"].z + 0.01)
    assert robot.world.root("apple0") == "robot0"


def test_things_are_put_beside_each_other_never_into_each_other(robot):
    ready(robot, drive("table0"), pick("juice0", "table0"))
    ready(robot, ("put", {"object": "juice0", "target": "table0", "at": "table0"}))
    boxes = {name: robot.world.box(name) for name in ("juice0", "tray0", "bowl0")}
    for name in ("tray0", "bowl0"):
        a, b = boxes["juice0"], boxes[name]
        assert any(a.high[i] <= b.low[i] or b.high[i] <= a.low[i] for i in (0, 1))


def test_a_thing_is_put_into_a_bowl_and_found_in_it(robot):
    ready(
        robot,
        drive("table0"),
        ("pick", {"object": "apple0", "source": "tray0", "at": "table0"}),
        ("insert", {"object": "apple0", "target": "bowl0", "at": "table0"}),
    )
    interior = sensed(robot).sightings["bowl0"].interior
    assert interior.contains(robot.world.box("apple0").centre)


def test_what_is_far_away_is_not_seen_by_a_short_sighted_robot():
    robot = FakeRobot(LAYOUT, sight=1.5)
    observation = robot.observation()
    assert "juice0" not in observation.sightings
    assert "table0" in observation.sightings
    assert "table0" not in observation.searched
    do(robot, "drive", to="table0")
    assert "juice0" in sensed(robot).sightings
    assert "table0" in robot.observation().searched


def test_the_same_commands_lead_to_the_same_world():
    ends = []
    for _ in range(2):
        robot = FakeRobot(LAYOUT)
        ready(robot, drive("table0"), pick("juice0", "table0"), drive("human0"))
        ends.append((robot.world.spots, robot.world.pose, robot.observation()))
    assert ends[0] == ends[1]
