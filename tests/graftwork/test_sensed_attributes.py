"""Values that a body tells: unknown until they are seen, then used by words and goals."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.cli.app import app
from semantics.logic.atoms import Atom
from tests.domains.toy import changed, write

KITCHEN = Path(load_domain("kitchen").source or "")
SENSED = "  colour:\n    sensed: true\n    values:"


@pytest.fixture
def world(tmp_path: Path):
    write(tmp_path, "domain.yaml", changed(KITCHEN.read_text(encoding="utf-8"), "  colour:\n    values:", SENSED))
    scene = (KITCHEN.parent / "scenes" / "small.yaml").read_text(encoding="utf-8")
    red = changed(scene, "{class: cup, on: table0,", "{class: cup, attributes: {colour: red}, on: table0,")
    return str(tmp_path), write(tmp_path, "scenes/small.yaml", red)


def test_a_value_that_is_sensed_is_the_truth_of_the_scene_and_no_knowledge(world):
    domain = load_domain(world[0])
    scene = load_scene(domain, world[1])
    assert scene.things["cup0"].values("colour") == ()
    assert scene.things["cup0"].values("material") == ("porcelain",)
    assert Atom("colour", ("milk0", "white")) in scene.arrangement.states
    colours = {piece.name: piece.shape.colour for piece in scene.arrangement.pieces}
    assert colours["cup0"] == domain.attributes["colour"].shown["red"]
    assert colours["apple0"] == domain.classes["apple"].shape.colour


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_a_body_tells_the_colour_of_what_it_sees(world, robot):
    with Session(*world, robot=robot, memory=None) as session:
        hidden = session.handle("put the white drink on the counter")
        assert hidden.outcome == "refused"
        assert "the colour of cola0" in hidden.message
        seen = session.handle("put the red cup on the counter")
        assert seen.outcome == "achieved", seen.message
        assert seen.goal == "(on cup0 counter0)"


def test_what_was_hidden_is_known_once_it_was_seen(world):
    with Session(*world, robot="fake", memory=None) as session:
        assert session.handle("open the fridge").outcome == "achieved"
        done = session.handle("put the white drink on the counter")
        assert done.outcome == "achieved", done.message
        assert done.goal == "(on milk0 counter0)"
        yellow = session.handle(goal="(forall (?x - fruit) (imply (colour ?x yellow) (on ?x counter0)))")
        assert yellow.outcome == "achieved", yellow.message
        assert session.handle(goal="(on banana0 counter0)").outcome == "already"


def told(*words):
    return CliRunner().invoke(app, [*words])


def test_the_scene_command_tells_what_things_are_like(world):
    shown = told("scene", "--scene", "small").stdout
    assert "    values   colour blue, height 8.5cm, material porcelain, size 8.5cm, weight 180g" in shown
    things = json.loads(told("scene", "--scene", "small", "--json").stdout)["things"]
    cup = next(thing for thing in things if thing["name"] == "cup0")
    assert cup["attributes"]["colour"] == ["blue"]
    assert cup["attributes"]["size"] == [8.5]
    sensed = told("scene", "--domain", world[0], "--scene", world[1], "--robot", "fake").stdout
    assert "(colour cup0 red)  sensed" in sensed
    assert "(colour milk0" not in sensed
