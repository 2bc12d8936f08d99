"""Constants with a body: capabilities give them roles, scenes place them; and the body that a scene names."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from semantics.body.layout import RobotStart
from semantics.geometry.geometry import PlanarPose
from semantics.logic.atoms import Atom
from semantics.logic.state import Action, Command

BLOCKS = load_domain("blocks")
FOLDER = Path(str(BLOCKS.source)).parent
SUSSMAN = (FOLDER / "scenes" / "sussman.yaml").read_text(encoding="utf-8")


def scene_of(tmp_path, old, new):
    assert old in SUSSMAN
    path = tmp_path / "changed.yaml"
    path.write_text(SUSSMAN.replace(old, new), encoding="utf-8")
    return load_scene(BLOCKS, path)


def test_a_constant_fills_a_role_of_the_motion():
    scene = load_scene(BLOCKS, "sussman")
    operator = BLOCKS.ground(Action("put-down", ("red_block",)), scene.things)
    assert operator.command == Command("put", "", {"object": "red_block", "target": "table0", "at": "table0"})


def test_a_role_that_is_no_parameter_and_no_constant_is_told(tmp_path):
    text = (FOLDER / "domain.yaml").read_text(encoding="utf-8")
    path = tmp_path / "domain.yaml"
    path.write_text(text.replace("roles: {object: ob, source: table0,", "roles: {object: ob, source: tabel0,"))
    with pytest.raises(DomainFileError, match="unknown parameter or constant 'tabel0'"):
        load_domain(path)


def test_the_scene_places_the_constant_and_names_the_body():
    layout = load_scene(BLOCKS, "sussman").arrangement
    assert layout.robot == RobotStart("robot0", PlanarPose(0.0, 0.0, 0.0), "panda-fixed")
    assert [item.name for item in layout.furniture] == ["table0"]


def test_a_constant_that_no_arrangement_places_is_told(tmp_path):
    line = next(line for line in SUSSMAN.splitlines(keepends=True) if line.startswith("  table0:"))
    with pytest.raises(DomainFileError, match="constant 'table0' stands nowhere"):
        scene_of(tmp_path, line, "")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("table0: {class: table,", "red_block: {class: table,", "there already|twice"),
        ("  red_block: {class: block,", "  table0: {class: block,", "'table0' is there already|twice"),
        ("{class: block, on: red_block}", "{class: block, on: red_block, body: panda-fixed}", "unknown key 'body'"),
    ],
)
def test_a_constant_is_placed_once_and_only_the_robot_has_a_body(tmp_path, old, new, told):
    with pytest.raises(DomainFileError, match=told):
        scene_of(tmp_path, old, new)


def test_facts_that_positions_show_are_none_of_the_states_that_a_body_is_told():
    scene = load_scene(BLOCKS, "sussman")
    assert scene.arrangement.states == frozenset()
    assert Atom("handempty") in scene.facts


def test_what_stands_on_the_table_is_on_no_block():
    scene = load_scene(BLOCKS, "sussman")
    assert {atom for atom in scene.facts if atom.predicate == "on"} == {Atom("on", ("blue_block", "red_block"))}
    assert not BLOCKS.takes(Atom("on", ("red_block", "table0")), scene.things)
    assert not BLOCKS.takes(Atom("on", ("red_block",)), scene.things)
    assert not BLOCKS.takes(Atom("under", ("red_block", "blue_block")), scene.things)
