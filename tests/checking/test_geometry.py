"""What the geometry of a scene makes impossible is told with its place and the nearest valid value."""

from pathlib import Path

import pytest

from graftwork.checks import check_paths
from graftwork.checks.bodies import Means

DOMAIN = """\
name: workshop
affordances:
  carry: one hand can lift it
  support: things stand on it
  contain: things can be put inside it
  location: the robot can be there
  actor: it acts
  open: it has a door
classes:
  robot: {affordances: [actor]}
  bench: {affordances: [support, location], model: table}
  rack: {affordances: [support, location], model: shelf, boards: 2}
  locker: {affordances: [contain, location, open], model: cabinet}
  bin: {affordances: [contain, location], model: bin}
  wall: {affordances: [], model: wall}
  chest: {affordances: [support, location], model: cabinet, drawers: 3}
  drawer: {affordances: [contain, open], model: drawer}
  peg: {affordances: [carry], shape: {form: box, size: [0.04, 0.04, 0.1]}}
  crate: {affordances: [carry], shape: {form: box, size: [0.2, 0.1, 0.1]}}
predicates:
  on: {parameters: [carry, support], say: "{0} is on {1}", sensed: on}
  in: {parameters: [carry, contain], say: "{0} is in {1}", sensed: in}
  at: {parameters: [actor, location], say: "{0} is at {1}", sensed: at}
  opened: {parameters: [open], say: "{0} is open", sensed: opened}
capabilities:
  move:
    parameters: {a: actor, o: carry, from: [support, location], to: [contain, location]}
    precondition: [on: [o, from], at: [a, from]]
    effect: [in: [o, to], not: {on: [o, from]}]
  keep: {parameters: {a: actor, o: carry, d: [contain, open], at: location},
    precondition: [at: [a, at], opened: d], effect: [in: [o, d]]}
  go: {parameters: {a: actor, from: location, to: location}, precondition: [at: [a, from]],
    effect: [at: [a, to], not: {at: [a, from]}]}
  unlock: {parameters: {a: actor, o: [open, location]}, precondition: [at: [a, o]], effect: [opened: o]}
agents:
  robot: {capabilities: all}
"""
BENCH = "bench0: {class: bench, pose: [2, 0, 3.1416], size: [1.2, 0.6, 0.72]}"
RACK = "rack0: {class: rack, pose: [-2, 0, 0], size: [1.0, 0.35, 1.2]}"
LOCKER = "locker0: {class: locker, pose: [0, 2, -1.5708], size: [0.6, 0.5, 1.3]}"
PEG = "peg0: {class: peg, on: bench0}"
ROBOT = "robot0: {class: robot, pose: [0, 0, 0]}"


def told(folder: Path, *things: str, robot: str = "") -> list[tuple[str, str, int, str]]:
    """Return severity, code, line and message of the problems of a scene with these things."""
    (folder / "domain.yaml").write_text(DOMAIN)
    scene = folder / "scenes" / "room.yaml"
    scene.parent.mkdir()
    scene.write_text("domain: workshop\nthings:\n" + "".join(f"  {thing}\n" for thing in (*things, ROBOT)))
    problems = check_paths([str(scene)], Means(robot)).problems
    return [(str(found.severity), found.code, found.line, found.message) for found in problems]


def test_a_room_in_order_has_no_problem(tmp_path: Path):
    wall = "wall0: {class: wall, pose: [0, 2.4, -1.5708], size: [6, 0.1, 2]}"
    bin_below = "bin0: {class: bin, pose: [2, 0, 3.1416], size: [0.36, 0.36, 0.3]}"
    assert not told(tmp_path, BENCH, RACK, LOCKER, wall, bin_below, PEG, "peg1: {class: peg, in: locker0, level: 1}")


def test_furniture_that_overlaps_is_told_with_a_pose_that_is_free(tmp_path: Path):
    rack = "rack0: {class: rack, pose: [1.7, 0, 0], size: [1, 1, 1]}"
    ((severity, code, line, message),) = told(tmp_path, BENCH, rack, PEG)
    assert (severity, code, line) == ("warning", "overlapping-furniture", 4)
    assert "'rack0' overlaps 'bench0' by 0.50 m" in message
    assert message.endswith("such as [1.20, 0.00, 0]")


@pytest.mark.parametrize(
    ("peg", "nearest"),
    [
        ("peg0: {class: peg, in: locker0, offset: [0.26, 0]}", "such as [0.25, 0.00]"),
        ("peg0: {class: peg, in: locker0, offset: [0, -0.22]}", "such as [0.00, -0.21]"),
        ("peg0: {class: peg, on: bench0, offset: [-0.6, 0.1]}", "such as [-0.59, 0.10]"),
    ],
)
def test_a_thing_outside_its_place_is_told_with_the_nearest_offset(tmp_path: Path, peg: str, nearest: str):
    ((severity, code, line, message),) = told(tmp_path, BENCH, LOCKER, peg)
    assert (severity, code, line) == ("warning", "outside-its-place", 5)
    assert message.endswith(nearest)


def test_a_thing_that_is_too_high_for_its_compartment_is_told(tmp_path: Path):
    locker = LOCKER.replace("size", "boards: 10, size")
    ((_, code, _, message),) = told(tmp_path, BENCH, locker, "peg0: {class: peg, in: locker0}")
    assert code == "outside-its-place"
    assert "is 0.10 m high and there are 0.09 m in 'locker0'" in message


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (RACK.replace("1.2]", "2.2]"), "a place of 'rack0' is 2.20 m high"),
        (LOCKER.replace("1.3]", "0.7]"), "such as 'handle: 0.62'"),
        (LOCKER.replace("size", "handle: 1.9, size").replace("1.3]", "2]"), "such as 'handle: 1.6'"),
    ],
)
def test_what_no_hand_reaches_is_told(tmp_path: Path, thing: str, said: str):
    ((severity, code, line, message),) = told(tmp_path, BENCH, thing, PEG)
    assert (severity, code, line) == ("warning", "beyond-reach", 4)
    assert said in message


CHEST = "chest0: {class: chest, pose: [0, 2, -1.5708], size: [0.6, 0.5, 0.9]}"
DRAWER = "drawer0: {class: drawer, of: chest0, level: 1}"


def test_drawers_and_what_is_in_them_are_in_order(tmp_path: Path):
    assert not told(tmp_path, BENCH, CHEST, DRAWER, "peg0: {class: peg, in: drawer0, offset: [0.2, -0.1]}")


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ("[0.6, 0.5, 0.5]", "its front is 0.13 m high; expected at least 0.16"),
        ("[0.6, 0.4, 0.9]", "its cabinet is 0.4 m deep; expected at least 0.45"),
        ("[0.4, 0.5, 0.9]", "its cabinet is 0.4 m wide; expected at least 0.5"),
        ("[0.6, 0.5, 2.61]", "its handle is 1.33 m high; expected at most 1.16"),
    ],
)
def test_a_drawer_in_which_the_hand_has_no_room_is_told(tmp_path: Path, size: str, why: str):
    problems = told(tmp_path, BENCH, CHEST.replace("[0.6, 0.5, 0.9]", size), DRAWER, PEG)
    assert [(code, line) for _, code, line, message in problems if why in message] == [("beyond-reach", 5)]


def test_a_thing_that_sticks_out_of_its_drawer_is_told(tmp_path: Path):
    peg = "peg0: {class: peg, in: drawer0, offset: [0, 0.22]}"
    ((_, code, line, message),) = told(tmp_path, BENCH, CHEST, DRAWER, peg)
    assert (code, line) == ("outside-its-place", 6)
    assert message.endswith("such as [0.00, 0.20]")


def test_a_thing_too_wide_for_the_fingers_is_told_once_for_its_class(tmp_path: Path):
    crates = ("crate0: {class: crate, on: bench0}", "crate1: {class: crate, on: bench0, offset: [0.3, 0]}")
    ((_, code, line, message),) = told(tmp_path, BENCH, *crates)
    assert (code, line) == ("too-wide", 4)
    assert "'crate0' (as are 1 more of its class) is too wide" in message
    assert "0.074 m" in message


def test_the_limits_of_the_simulated_hand_do_not_hold_for_another_body(tmp_path: Path):
    assert not told(tmp_path, BENCH, "crate0: {class: crate, on: bench0}", robot="fake")


WALL = "wall0: {class: wall, pose: [0, Y, -1.5708], size: [2, 0.1, 2]}"


def blocked(folder: Path, *things: str, robot: str = "") -> list[tuple[int, str]]:
    problems = told(folder, *things, BENCH, PEG, robot=robot)
    return [(line, message) for _, code, line, message in problems if code == "blocked-opening"]


@pytest.mark.parametrize(
    ("locker", "other", "why"),
    [
        (LOCKER, WALL.replace("Y", "1.3"), "opens by 43 degrees, where 'wall0' is in its way; expected at least 80"),
        (LOCKER, "b1: {class: bench, pose: [0, 1.3, 0], size: [0.5, 0.5, 0.72]}", "opens by 20 degrees"),
        (LOCKER, "l1: {class: locker, pose: [-0.61, 2, -1.5708], size: [0.6, 0.5, 1.3]}", "opens by 27 degrees"),
        (LOCKER.replace("size", "doors: 2, size"), WALL.replace("Y", "1.5"), "opens by"),
    ],
)
def test_a_door_that_other_furniture_blocks_is_told(tmp_path: Path, locker: str, other: str, why: str):
    found = blocked(tmp_path, locker, other)
    assert [line for line, message in found if why in message] in ([3], [4])


@pytest.mark.parametrize(
    ("locker", "other"),
    [
        (LOCKER, WALL.replace("Y", "1.0")),
        (LOCKER.replace("size", "doors: 2, size"), WALL.replace("Y", "1.3")),
        (LOCKER, "l1: {class: locker, pose: [-0.66, 2, -1.5708], size: [0.6, 0.5, 1.3]}"),
        (LOCKER, "bin0: {class: bin, pose: [0.9, 1.5, 0], size: [0.3, 0.3, 0.3]}"),
    ],
)
def test_a_door_with_room_before_it_is_not_told(tmp_path: Path, locker: str, other: str):
    assert not blocked(tmp_path, locker, other)


def test_a_drawer_that_a_wall_blocks_is_told(tmp_path: Path):
    ((line, message),) = blocked(tmp_path, CHEST, DRAWER, WALL.replace("Y", "1.5"))
    assert line == 4
    assert "the drawer 'drawer0' slides out by 0.20 m, where 'wall0' is in its way" in message


def test_what_is_too_far_behind_the_front_is_told(tmp_path: Path):
    deep = "bench1: {class: bench, pose: [-2, 0, 0], size: [1.2, 1.0, 0.72]}"
    pegs = ("peg1: {class: peg, on: bench1, offset: [0, -0.3]}", "peg2: {class: peg, on: bench1}")
    ((_, code, line, message),) = told(tmp_path, BENCH, deep, *pegs, PEG)
    assert (code, line) == ("beyond-reach", 5)
    assert "'peg1' is 0.80 m behind the front of 'bench1', and the hand reaches 0.65 m" in message


def test_what_is_too_far_behind_a_door_is_told(tmp_path: Path):
    locker = LOCKER.replace("0.5, 1.3]", "0.9, 1.3]")
    ((_, code, line, message),) = told(tmp_path, BENCH, locker, "peg1: {class: peg, in: locker0, offset: [0, -0.3]}")
    assert (code, line) == ("beyond-reach", 5)
    assert "the hand reaches 0.65 m behind it" in message
