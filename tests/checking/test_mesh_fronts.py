"""Doors and drawers of furniture from files: read with their hinges, and every mistake told at its place."""

import re
from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from graftwork.checks import check_paths
from robots.fake import FakeRobot
from robots.furniture import fittings
from semantics.body.layout import Furniture
from tests.lockers import (
    DOORS,
    DRAWERS,
    FORMATS,
    OF_OBJ,
    OF_STL,
    OF_URDF,
    PARTS,
    URDF_JOINTS,
    lockers,
    write_grouped_obj,
)


def told(world: Path) -> list[tuple[str, int, str]]:
    return [(found.code, found.line, found.message) for found in check_paths([str(world)]).problems]


def furniture(world: Path) -> dict[str, Furniture]:
    layout = load_scene(load_domain(str(world)), "room").layout
    assert layout is not None
    return {item.name: item for item in layout.furniture}


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_gives_the_same_door_and_drawer(tmp_path: Path, format_: str):
    world = lockers(tmp_path, FORMATS[format_])
    assert told(world) == []
    items = furniture(world)
    locker, tray = fittings(items["locker0"]), fittings(items["tray0"], 1.0)
    assert (locker.hinged, tray.hinged) == (True, False)
    assert locker.handle == pytest.approx(0.88)
    assert tray.handle == pytest.approx(0.41)
    assert tray.travel == pytest.approx(0.34)
    shut = fittings(items["tray0"], 0.0)
    way = [a - b for a, b in zip(tray.compartments[0].low, shut.compartments[0].low, strict=True)]
    assert way == pytest.approx([0.0, 0.34, 0.0], abs=1e-5)  # the locker faces along y
    sensed = FakeRobot(load_scene(load_domain(str(world)), "room").layout).observation().sightings
    assert (sensed["locker0"].opening, sensed["tray0"].opening) == (0.0, 0.0)


def test_a_door_of_a_file_may_start_open(tmp_path: Path):
    world = lockers(tmp_path)
    scene = world / "scenes" / "room.yaml"
    scene.write_text(scene.read_text().replace("class: locker,", "class: locker, opened: true,"))
    assert told(world) == []
    assert furniture(world)["locker0"].opened


def joints(old: str, new: str) -> str:
    assert old in URDF_JOINTS
    return URDF_JOINTS.replace(old, new, 1)


OBJ = [
    ("hinge: [0.225, 0.3], ", "", "no-hinge", "expected where its upright hinge is, .*'hinge: \\[0.25, 0.3\\]'"),
    ("hinge: [0.225, 0.3]", "hinge: [0.225, 0.5]", "beyond-the-edge", "not at a side of it; .* \\[0.25, 0.3\\]"),
    ("hinge: [0.225, 0.3]", "hinge: [0.225, 0]", "beyond-the-edge", "which is not at a side of it"),
    ("hinge: [0.225, 0.3]", "hinge: [-0.2, 0.3]", "beyond-the-edge", "which is not at a side of it"),
    ("hinge: [0.225, 0.3]", "hinge: [0.225, -0.3]", "out-of-range", "0.06 m from its hinge; expected at least 0.1"),
    ("part: [leaf, knob]", "part: [leaf, knop]", "unknown-part", "did you mean knob"),
    ("handle: knob", "handle: knop", "unknown-part", "did you mean knob"),
    ("handle: knob", "handle: [0.6, -0.24, 0.88]", "beyond-the-edge", "such as \\[0.3, -0.24, 0.88\\]"),
    ("part: [leaf, knob]", "joint: hinge", "unknown-joint", "no joints; expected 'part' or 'region'"),
    ("part: [leaf, knob]", "part: leaf, joint: hinge", "keys-contradict", "has 'joint' and 'part'; expected one"),
    ("part: [leaf, knob], ", "", "keys-contradict", "none of 'joint', 'part' and 'region'"),
    ("part: [leaf, knob]", "region: {x: [3, 4], y: [3, 4], z: [3, 4]}", "bad-mesh", "consists of 0 solids"),
    ("part: [box, grip]", "part: [box, knob, grip]", "keys-contradict", "'front' and 'low' have a part in common"),
    ("z: [0.33, 0.5]}}}", "z: [0.33, 1.5]}}}", "beyond-the-edge", "not within its solid; .* z from 0.30 to 0.58"),
    ("travel: 0.34", "travel: 9", "out-of-range", "from 0.05 to 2"),
    (f"{DOORS}, ", "", "keys-contradict", "affords open and its mesh has no door with a hinge"),
    (DOORS, f"{DOORS[:-2]}, opens: 60}}}}", "out-of-range", "from 80 to 170"),
]
OBJ += [("file: locker.obj", "file: locker.obj, turn: 90", "bad-mesh", "expected a door across the front")]


@pytest.mark.parametrize(("old", "new", "code", "why"), OBJ)
def test_a_mistake_is_told_at_its_place_with_what_is_valid(tmp_path: Path, old: str, new: str, code: str, why: str):
    world = lockers(tmp_path, OF_OBJ, (old, new))
    line = next(
        number for number, text in enumerate((world / "domain.yaml").read_text().splitlines(), 1) if new in text
    )
    found = told(world)
    assert (code, line) in [(each[0], each[1]) for each in found] or new == ""
    assert re.search(why, "\n".join(message for each, _, message in found if each == code))
    with pytest.raises(DomainFileError, match=re.compile(why, re.DOTALL)):
        load_domain(str(world))


URDF = [
    ("joint: hinge", "joint: hing", "", "", "unknown-joint", "did you mean hinge"),
    ("joint: hinge", "joint: slide", "", "", "wrong-joint", "is prismatic; expected a revolute one for a door: hinge"),
    ("joint: slide", "joint: hinge", "", "", "wrong-joint", "is revolute; expected a prismatic one for a drawer: sli"),
    (
        "",
        "",
        '<axis xyz="0 0 1"/>',
        '<axis xyz="1 0 0"/>',
        "wrong-joint",
        "\\[1, 0, 0\\]; expected one that is upright",
    ),
    ("", "", '<axis xyz="0 0 1"/>', '<axis xyz="0 0 -1"/>', "wrong-joint", "by 0 degrees to the front; .* at least 80"),
    ("", "", 'upper="1.9"', 'upper="1.0"', "wrong-joint", "by 57 degrees to the front"),
    ("", "", '<axis xyz="1 0 0"/>', '<axis xyz="0 1 0"/>', "wrong-joint", "expected one that is to the front"),
    ("", "", 'upper="0.34"', 'upper="0.01"', "wrong-joint", "pulls drawer 'low' out by 0.01 m"),
    ("", "", '<axis xyz="1 0 0"/>', '<axis xyz="0 0 0"/>', "bad-mesh", "the axis of joint 'slide' has no direction"),
    (
        "joint: hinge,",
        "joint: hinge, hinge: [0, 0],",
        "",
        "",
        "keys-contradict",
        "has 'hinge' and 'joint', which says it",
    ),
]


@pytest.mark.parametrize(("old", "new", "before", "after", "code", "why"), URDF)
def test_a_joint_that_is_no_hinge_or_slide_is_told(tmp_path: Path, old, new, before, after, code, why):
    world = lockers(tmp_path, OF_URDF.replace(old, new, 1), joints=joints(before, after))
    found = told(world)
    assert re.search(why, "\n".join(message for each, _, message in found if each == code))


def test_a_file_without_names_has_no_parts(tmp_path: Path):
    start = OF_STL.index("region: ")
    mesh = OF_STL[:start] + "part: leaf" + OF_STL[OF_STL.index("}", start) + 1 :]
    found = told(lockers(tmp_path, mesh))
    assert "its file names no parts; expected 'region'" in {code: message for code, _, message in found}["unknown-part"]


def test_a_drawer_of_a_mesh_without_drawers_is_told(tmp_path: Path):
    world = lockers(tmp_path, OF_OBJ, (f", {DRAWERS}", ""))
    assert [code for code, _, _ in told(world)] == ["no-drawers"]


def test_a_handle_of_a_file_that_is_too_low_or_too_wide_is_told(tmp_path: Path):
    world = lockers(tmp_path)
    low = {**PARTS, "knob": (((0.281, -0.251, 0.63), (0.303, -0.151, 0.75)),)}
    write_grouped_obj(world / "locker.obj", low)
    scene = (world / "scenes" / "room.yaml").read_text().splitlines()
    line = next(number for number, text in enumerate(scene, 1) if "locker0" in text)
    assert [(code, at) for code, at, _ in told(world)] == [("too-wide", line)]
    world = lockers(tmp_path / "other")
    short = {**PARTS, "knob": (((0.281, -0.251, 0.4), (0.303, -0.229, 0.6)),)}
    write_grouped_obj(world / "locker.obj", short)
    ((code, at, message),) = told(world)
    assert (code, at) == ("beyond-reach", line)
    assert "expected such a handle, one at such a height in its file" in message


def test_what_blocks_a_door_or_a_drawer_of_a_file_is_told(tmp_path: Path):
    world = lockers(tmp_path)
    scene = world / "scenes" / "room.yaml"
    text = scene.read_text()
    scene.write_text(text.replace("pose: [1.9, 0.5, 3.1416], size", "pose: [1.2, -1.2, -1.5708], size"))
    assert [code for code, _, _ in told(world)] == ["blocked-opening"]
    low = "pose: [1.2, -1.2, -1.5708], size: [1.2, 0.6, 0.5]"
    scene.write_text(text.replace("pose: [1.9, 0.5, 3.1416], size: [1.2, 0.6, 0.72]", low))
    assert [(code, "tray0" in message) for code, _, message in told(world)] == [("blocked-opening", True)]
