"""Attributes that capabilities ask for or change: they are planned with as facts, and written as PDDL."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from domains.errors import DomainFileError
from domains.lint import YamlPlaces, lint_domain, lint_scene
from domains.pddl import PddlWriter
from domains.reader import load_domain, load_scene
from domains.reader.attributes import with_asked_attributes
from domains.reader.nodes.document import read_document
from graftwork import Session
from graftwork.cli.app import app
from graftwork.language.offline import interpret
from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom
from semantics.logic.goal import Goal
from semantics.logic.state import Action, State
from tests.domains.toy import changed, write

PAINT = """\
name: paint
affordances:
  actor: it acts
  carry: it can be lifted
  contain: things go into it
attributes:
  colour: {values: [red, blue, green], words: {red: [crimson]}}
  material: {values: [wood, steel]}
  size: {unit: cm, more: [big], less: [small]}
  owner: {values: [anna, ben]}
classes:
  robot: {affordances: [actor], abstract: true}
  block: {affordances: [carry], abstract: true}
  box: {affordances: [contain], abstract: true}
predicates:
  in: {parameters: [carry, contain], say: "{0} is in {1}"}
  free: {parameters: [carry], say: "{0} is free"}
capabilities:
  sort:
    parameters: {a: actor, o: carry, into: contain, c: colour}
    precondition: (and (free ?o) (colour ?o ?c) (colour ?into ?c))
    effect: (and (in ?o ?into) (not (free ?o)))
  paint:
    parameters: {a: actor, o: carry, old: colour, new: colour}
    distinct: [[old, new]]
    precondition: [{material: [o, wood]}, {colour: [o, old]}]
    effect: (and (colour ?o ?new) (not (colour ?o ?old)))
agents: {robot: {capabilities: all}}
phrases:
  - {pattern: "put {thing} in {box}", goal: "(in {thing} {box})"}
  - {pattern: "paint {thing} in {colour}", goal: "(colour {thing} {colour})"}
"""
ROOM = """\
domain: paint
things:
  robot0: {class: robot}
  block0: {class: block, attributes: {colour: red, material: wood, size: 5, owner: anna}}
  block1: {class: block, attributes: {colour: blue, material: steel, size: 4}}
  box0: {class: box, attributes: {colour: blue}}
facts: [(free block0), (free block1)]
"""


@pytest.fixture
def world(tmp_path: Path):
    write(tmp_path, "domain.yaml", PAINT)
    scene = write(tmp_path, "scenes/room.yaml", ROOM)
    domain = load_domain(str(tmp_path))
    return domain, load_scene(domain, scene)


def test_only_what_capabilities_mention_is_planned_with(world):
    domain, scene = world
    assert {"colour", "material"} <= domain.predicates.keys()
    assert not {"size", "owner"} & domain.predicates.keys()
    assert domain.predicates["colour"].predicate.goal
    assert not domain.predicates["material"].predicate.goal
    assert {name for name, thing in scene.things.items() if thing.class_name == "colour"} == {"red", "blue", "green"}
    stated = {atom for atom in scene.facts if atom.predicate != "free"}
    assert stated == {
        Atom("colour", ("block0", "red")),
        Atom("colour", ("block1", "blue")),
        Atom("colour", ("box0", "blue")),
        Atom("material", ("block0", "wood")),
        Atom("material", ("block1", "steel")),
    }


def test_an_action_has_its_values_in_its_conditions_and_effects(world):
    domain, scene = world
    paint = domain.ground(Action("paint", ("robot0", "block0", "red", "green")), scene.things)
    state = State(scene.facts)
    assert paint.applicable(state)
    assert Atom("colour", ("block0", "green")) in paint.apply(state).atoms
    steel = domain.ground(Action("paint", ("robot0", "block1", "blue", "green")), scene.things)
    assert [str(literal) for literal in steel.missing(state)] == ["(material block1 wood)"]


def test_the_world_is_written_as_pddl(world):
    domain, scene = world
    written = PddlWriter(domain, scene.things).write(State(scene.facts), And((Atom("in", ("block0", "box0")),)))
    assert "(material ?o wood)" in written.domain
    assert "(colour block0 red)" in written.problem
    assert "anna" not in written.domain + written.problem


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("paint the red block in green", "(colour block0 green)"),
        ("paint the wood block in green", "(colour block0 green)"),
        ("paint the crimson block in blue", "(colour block0 blue)"),
        ("put the biggest block in the blue box", "(in block0 box0)"),
    ],
)
def test_words_choose_by_values_and_ask_for_values(world, words, goal):
    domain, scene = world
    answer = interpret(words, domain.vocabulary(scene.things), State(scene.facts))
    assert isinstance(answer, Goal), answer
    assert str(answer.formula) == goal


def test_a_block_is_painted_and_then_sorted(world):
    domain, _ = world
    path = Path(domain.source or "").parent
    with Session(str(path), str(path / "scenes" / "room.yaml"), robot="symbolic", memory=None) as session:
        done = session.handle("paint the red block in blue and put it in the box")
        assert done.outcome == "achieved", done.message
        assert session.handle(goal="(in block0 box0)").outcome == "already"
        refused = session.handle(goal="(and (in block1 box0) (material block1 wood))")
        assert "the material of block1 is steel" in refused.message


def test_values_are_no_idle_things(world):
    domain, scene = world
    node, diagnostics = read_document(Path(domain.source or ""), "domain.yaml")
    lint_domain(domain, YamlPlaces(node), diagnostics, scenes=[scene])
    lint_scene(scene, domain, YamlPlaces(node), diagnostics)
    assert [problem.message for problem in diagnostics.problems] == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{material: [o, wood]}", "{material: [o, wod]}", "unknown name 'wod'"),
        ("{material: [o, wood]}", "{material: [o, red]}", "red in (material ?o red) does not afford material"),
        ("{material: [o, wood]}", "{material: [o]}", "(material ?o) has 1 argument; expected 2: (material object mat"),
        ("{material: [o, wood]}", "(size ?o wood)", "unknown predicate 'size'"),
        ("c: colour}", "c: color}", "unknown affordance 'color'"),
        (
            "  box: {aff",
            "  colour: {affordances: [carry], abstract: true}\n  box: {aff",
            "'colour' is already a class, ",
        ),
    ],
)
def test_a_wrong_value_in_a_condition_is_told(tmp_path: Path, old: str, new: str, message: str):
    with pytest.raises(DomainFileError) as caught:
        load_domain(write(tmp_path, "domain.yaml", changed(PAINT, old, new)))
    assert any(message in problem.message for problem in caught.value.problems), caught.value


def test_what_the_goal_of_an_export_states_is_written_and_nothing_else(tmp_path: Path):
    words = ("domain", "export", "kitchen", "--scene", "small", "--goal")
    asked, plain = tmp_path / "asked", tmp_path / "plain"
    runner = CliRunner()
    assert (
        runner.invoke(app, [*words, "(and (in apple0 sink0) (colour cup0 blue))", "--into", str(asked)]).exit_code == 0
    )
    assert runner.invoke(app, [*words, "(in apple0 sink0)", "--into", str(plain)]).exit_code == 0
    problem = (asked / "problem.pddl").read_text(encoding="utf-8")
    assert "(colour cup0 blue)" in problem
    assert "material" not in problem + (asked / "domain.pddl").read_text(encoding="utf-8")
    assert "colour" not in (plain / "problem.pddl").read_text() + (plain / "domain.pddl").read_text()
    refused = runner.invoke(app, [*words, "(colour cup0 bleu)", "--into", str(tmp_path / "none")])
    assert "unknown thing 'bleu'" in str(refused.exception)


def test_an_attribute_with_the_name_of_a_class_cannot_be_stated_in_an_export(tmp_path: Path):
    renamed = PAINT.replace("owner:", "tag:").replace(
        "  box: {", "  tag: {affordances: [carry], abstract: true}\n  box: {"
    )
    domain = load_domain(write(tmp_path, "domain.yaml", renamed))
    with pytest.raises(UsageError, match="the attribute tag is a class"):
        with_asked_attributes(domain, Atom("tag", ("block0", "anna")))
