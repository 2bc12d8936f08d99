"""Doors and drawers of furniture from files in the simulator: opened, seen into, closed, and planned with."""

from pathlib import Path

import pytest

from benchmarks import stagehand
from domains.reader import load_domain, load_scene
from graftwork import Session
from robots.pybullet import PyBulletRobot
from tests.lockers import DOORS, FORMATS, OF_OBJ, OF_URDF, PARTS, URDF_JOINTS, Boxes, lockers, write_grouped_obj
from tests.robots.pybullet.kitchen import succeeds

DOOR = {"object": "locker0", "at": "locker0"}
DRAWER = {"object": "tray0", "at": "locker0"}


def body(world: Path) -> PyBulletRobot:
    layout = load_scene(load_domain(str(world)), "room").layout
    assert layout is not None
    robot = PyBulletRobot(layout)
    succeeds(robot, "drive", to="locker0")
    return robot


def opened_and_closed(robot: PyBulletRobot, wide: float = 1.4) -> None:
    succeeds(robot, "open", **DOOR)
    assert min(stagehand.door_angles(robot, "locker0")) > wide
    assert robot.observation().sightings["locker0"].opening > 0.75
    succeeds(robot, "close", **DOOR)
    assert max(stagehand.door_angles(robot, "locker0")) < 0.03
    assert robot.observation().sightings["locker0"].opening < 0.05


@pytest.mark.parametrize("format_", FORMATS)
def test_the_hand_opens_a_door_and_a_drawer_of_every_format_and_works_in_them(tmp_path: Path, format_: str) -> None:
    robot = body(lockers(tmp_path, FORMATS[format_]))
    assert not {"peg0", "bolt0"} & robot.observation().sightings.keys()
    succeeds(robot, "open", **DOOR)
    assert "peg0" in robot.observation().sightings
    succeeds(robot, "pick", object="peg0", source="locker0", at="locker0")
    succeeds(robot, "insert", object="peg0", target="locker0", at="locker0")
    succeeds(robot, "close", **DOOR)
    succeeds(robot, "open", **DRAWER)
    assert "bolt0" in robot.observation().sightings
    succeeds(robot, "pick", object="bolt0", source="tray0", at="locker0")
    succeeds(robot, "insert", object="bolt0", target="tray0", at="locker0")
    succeeds(robot, "close", **DRAWER)
    assert stagehand.door_angles(robot, "tray0")[0] < 0.012
    robot.close()


def mirrored(boxes: Boxes) -> Boxes:
    return tuple(((low[0], -high[1], low[2]), (high[0], -low[1], high[2])) for low, high in boxes)


def test_a_door_with_its_hinge_at_the_left_opens_to_the_left(tmp_path: Path) -> None:
    world = lockers(tmp_path, OF_OBJ, ("hinge: [0.225, 0.3]", "hinge: [0.225, -0.3]"))
    parts = {name: mirrored(boxes) if name in ("leaf", "knob") else boxes for name, boxes in PARTS.items()}
    write_grouped_obj(world / "locker.obj", parts)
    opened_and_closed(body(world))


def test_a_joint_that_turns_the_other_way_and_no_farther_than_a_right_angle_is_enough(tmp_path: Path) -> None:
    other = ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 -1"/>'), ('lower="0" upper="1.9"', 'lower="-1.57" upper="0"')
    joints = URDF_JOINTS
    for old, new in other:
        joints = joints.replace(old, new)
    robot = body(lockers(tmp_path, OF_URDF, joints=joints))
    opened_and_closed(robot, 1.3)


def test_two_leaves_of_a_file_open_and_close_as_one(tmp_path: Path) -> None:
    right = (
        ((0.205, 0.002, 0.61), (0.245, 0.3, 1.22)),
        ((0.246, 0.062, 0.74), (0.28, 0.078, 0.756)),
        ((0.281, 0.059, 0.73), (0.303, 0.081, 1.03)),
    )
    doors = (
        "doors: {one: {part: leaf, hinge: [0.225, 0.3], handle: [0.292, 0.07, 0.88]}, "
        "two: {part: knob, hinge: [0.225, -0.3], handle: [0.292, -0.07, 0.88]}}"
    )
    world = lockers(tmp_path, OF_OBJ, (DOORS, doors))
    write_grouped_obj(world / "locker.obj", {**PARTS, "leaf": right, "knob": mirrored(right)})
    robot = body(world)
    assert len(stagehand.door_angles(robot, "locker0")) == 2
    opened_and_closed(robot)


def test_a_drawer_of_one_connected_surface_is_hollow(tmp_path: Path) -> None:
    low, high = (-0.21, -0.26, 0.32), (0.2, 0.26, 0.5)
    world = lockers(tmp_path, OF_OBJ)
    # One block up to the floor of the drawer, and its four sides: their corners are those of the block.
    sides: Boxes = (
        (low, (high[0], high[1], 0.33)),
        (low, (high[0], -0.25, high[2])),
        ((low[0], 0.25, low[2]), high),
        (low, (-0.2, high[1], high[2])),
        *PARTS["box"][4:],
    )
    write_grouped_obj(world / "locker.obj", {**PARTS, "box": sides})
    robot = body(world)
    succeeds(robot, "open", **DRAWER)
    assert robot.observation().sightings["bolt0"].box.low[2] == pytest.approx(0.33, abs=0.004)
    robot.close()


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_what_is_behind_a_door_of_a_file_is_put_into_its_drawer(tmp_path: Path, robot: str) -> None:
    with Session(str(lockers(tmp_path)), "room", robot=robot, memory=None) as session:
        episode = session.handle("put the peg in the drawer")
        assert episode.outcome == "achieved"
        shut = session.handle(goal="(and (closed locker0) (closed tray0) (in peg0 tray0))")
        assert shut.outcome == "achieved"
        assert sorted(shut.plan) == ["(push robot0 tray0 locker0)", "(shut robot0 locker0)"]
