"""What a rich domain says is held as it was written, whether in PDDL or in plain YAML."""

from pathlib import Path

import pytest

from domains.model import (
    ConditionalEffect,
    DerivedPredicate,
    Domain,
    NumericEffect,
    NumericFluent,
    Parameter,
    RepairRule,
    RepairStep,
    SceneFile,
    Template,
)
from domains.reader import load_domain, load_scene
from semantics.errors import UsageError
from semantics.logic.atoms import And, Arithmetic, Atom, Compare, Exists, ForAll, Literal, Not, Or, Variable
from semantics.logic.rules import RuleBook
from semantics.logic.state import Action, State
from tests.domains.reader.adl import DOMAIN, PACK, SCENE
from tests.domains.toy import DOMAIN as TOY, SCENE as ROOM, changed, write


@pytest.fixture
def adl(tmp_path: Path) -> Domain:
    write(tmp_path, "rules.pl", PACK)
    return load_domain(write(tmp_path, "domain.yaml", DOMAIN))


@pytest.fixture
def scene(adl: Domain, tmp_path: Path) -> SceneFile:
    return load_scene(adl, write(tmp_path, "scenes/all.yaml", SCENE))


def test_a_precondition_is_taken_apart_into_what_every_search_takes_and_the_rest(adl: Domain):
    stack = adl.capabilities["stack"]
    assert stack.parameters == (Parameter("o", ("block",)), Parameter("to", ("block",)))
    assert stack.agentless
    assert stack.precondition == (
        Template("clear", ("?o",)),
        Template("empty", ()),
        Template("on", ("?o", "?to"), False),
    )
    assert stack.distinct == (("o", "to"),)
    assert stack.condition == Or((Atom("clear", ("?to",)), Atom("on", ("?o", "?to"))))
    assert stack.cost_by == Atom("distance", ("?o", "?to"))


def test_an_effect_of_everything_under_a_condition_is_kept_apart(adl: Domain):
    stack = adl.capabilities["stack"]
    assert stack.effect == (Template("on", ("?o", "?to")), Template("clear", ("?to",), False))
    literals = (Template("clear", ("?x",)), Template("on", ("?o", "?x"), False))
    assert stack.conditional == (ConditionalEffect(literals, (), Atom("on", ("?o", "?x")), (Variable("x", "block"),)),)


def test_numbers_conditions_and_words_of_a_capability_are_read(adl: Domain):
    fill = adl.capabilities["fill"]
    volume = Atom("volume", ("?c",))
    assert fill.condition == And(
        (
            Compare("<", volume, 1.0),
            ForAll((Variable("l", "level"),), Not(Atom("has", ("?c", "?l")))),
        )
    )
    assert fill.numeric == (NumericEffect("increase", volume, Arithmetic("*", (0.5, volume))),)
    undone = (Template("has", ("?c", "level0"), False),)
    assert fill.conditional == (ConditionalEffect(undone, (), Atom("has", ("?c", "level0"))),)
    assert (fill.duration, fill.resources, fill.say) == (3.5, ("c",), "{a} fills {c}")
    assert (fill.aliases, fill.cost, fill.agentless) == (("refill", "top_up"), 3, False)


def test_alternatives_define_a_predicate(adl: Domain):
    x, y, z = (Variable(name, "block") for name in "xyz")
    step = And((Atom("on", ("?x", "?z")), Atom("above", ("?z", "?y"))))
    assert adl.derived["above"] == DerivedPredicate("above", (x, y), (Atom("on", ("?x", "?y")), Exists((z,), step)))
    assert adl.derived["lowest"].bodies == (ForAll((y,), Not(Atom("above", ("?x", "?y")))),)
    assert adl.predicates["above"].predicate.parameters == ("block", "block")


def test_numbers_constants_and_abstract_classes_are_read(adl: Domain):
    volume = NumericFluent("volume", ("container",), "{0} holds {value} l", "l", 0.0, False)
    assert adl.fluents == {"volume": volume, "distance": NumericFluent("distance", ("block", "block"))}
    assert {name: set(thing.affordances) for name, thing in adl.constants.items()} == {
        "level0": {"level"},
        "level1": {"block"},
    }
    assert all(found.abstract for found in adl.classes.values())


def test_a_repair_is_read_with_its_steps(adl: Domain):
    assert adl.repairs == (
        RepairRule(
            name="clear-first",
            code="obstructed",
            capability="stack",
            when=Atom("on", ("?x", "?to")),
            variables=(Variable("x", "block"), Variable("free", "block")),
            before=(RepairStep("stack", ("?x", "?free")),),
            after=(RepairStep("stack", ("?x", "?to")),),
            say="what is in the way goes elsewhere",
        ),
    )


def test_rules_may_call_the_pack_beside_the_domain(adl: Domain, scene: SceneFile):
    circle = frozenset({Literal(Atom("on", ("b1", "b2"))), Literal(Atom("on", ("b2", "b1")))})
    (found,) = RuleBook(adl.rules).violations([circle], scene.things)
    assert {each.culprits for each in found} == {("b1",), ("b2",)}


def test_a_scene_of_names_and_facts_has_no_arrangement(scene: SceneFile):
    assert scene.layout is None
    with pytest.raises(UsageError, match="'all' has no arrangement"):
        _ = scene.arrangement
    assert list(scene.things) == ["level0", "level1", "robot0", "b1", "b2", "top", "jug0"]
    assert set(scene.things["top"].affordances) == {"container"}
    assert {str(fact) for fact in scene.facts} == {"(on b1 b2)", "(clear b1)", "(empty)"}


def test_a_number_has_its_default_where_the_scene_says_none(scene: SceneFile):
    volumes = {str(atom): value for atom, value in scene.numbers.items() if atom.predicate == "volume"}
    assert volumes == {"(volume jug0)": 0.25, "(volume top)": 0.0}


def test_what_was_read_can_be_done(adl: Domain, scene: SceneFile):
    axioms = adl.axioms(scene.things)
    assert axioms is not None
    state = axioms.close(State(scene.facts, scene.numbers))
    assert state.holds(Literal(Atom("above", ("b1", "b2"))))
    step = adl.ground(Action("stack", ("b1", "level1")), scene.things, scene.numbers)
    assert (step.cost, step.applicable(state)) == (2, False)
    after = step.apply(state)
    assert after.holds(Literal(Atom("clear", ("b2",))))
    assert not after.holds(Literal(Atom("above", ("b1", "b2"))))


PLAIN_AND_PDDL = [
    ("- clear: [o]", "- (clear ?o)"),
    ("- {clear: [o], empty: []}", "- (and (clear ?o) (empty))"),
    ("- not: {on: [o, to]}", "- (not (on ?o ?to))"),
    ("- and: [{clear: o}, {clear: to}]", "- (and (clear ?o) (clear ?to))"),
    ("- imply: [{clear: o}, {clear: to}]", "- (imply (clear ?o) (clear ?to))"),
    (
        "- forall: {x: block, y: block}\n        holds: {not: {on: [x, y]}}",
        "- (forall (?x ?y - block) (not (on ?x ?y)))",
    ),
    (
        "- exists: {x: block}\n        holds: [{on: [x, o]}, {clear: x}]",
        "- (exists (?x - block) (and (on ?x ?o) (clear ?x)))",
    ),
    ('- ">=": [{distance: [o, to]}, {"+": [1, 2.5]}]', "- (>= (distance ?o ?to) (+ 1 2.5))"),
    ('- "=": [o, level1]', "- (= ?o level1)"),
    ("- not: (on ?o ?to)", "- (not (on ?o ?to))"),
]


@pytest.mark.parametrize(("plain", "pddl"), PLAIN_AND_PDDL)
def test_plain_yaml_says_the_same_as_pddl(tmp_path: Path, plain: str, pddl: str):
    write(tmp_path, "rules.pl", PACK)
    found = []
    for form in (plain, pddl):
        text = changed(DOMAIN, "- (not (on ?o ?to))", form)
        found.append(load_domain(write(tmp_path, "domain.yaml", text)).capabilities["stack"])
    assert found[0] == found[1]


def test_a_parameter_is_meant_before_a_constant_of_its_name(tmp_path: Path):
    write(tmp_path, "rules.pl", PACK)
    text = changed(DOMAIN, "level0: {class: level}", "level0: {class: level}\n  c: {class: jug}")
    fill = load_domain(write(tmp_path, "domain.yaml", text)).capabilities["fill"]
    assert fill.effect == (Template("has", ("?c", "level0")),)


def test_equal_things_with_a_body_stand_in_a_row(tmp_path: Path):
    toy = load_domain(write(tmp_path, "domain.yaml", TOY))
    text = changed(ROOM, "apple0: {class: apple, on: tray0}", "apple: {class: apple, on: tray0, count: 3}")
    text = text.replace("(on apple0 tray0)", "(on apple2 tray0)")
    room = load_scene(toy, write(tmp_path, "room.yaml", text))
    assert [piece.offset[0] for piece in room.arrangement.pieces[1:]] == pytest.approx([0.0, 0.09, 0.18])
    assert Atom("on", ("apple3", "tray0")) in room.facts


def test_agents_may_cost_something_else_for_once(tmp_path: Path):
    toy = load_domain(write(tmp_path, "domain.yaml", TOY))
    dear = toy.with_costs({"human": 7})
    assert (dear.agents["human"].cost, dear.agents["robot"].cost) == (7, toy.agents["robot"].cost)
    with pytest.raises(UsageError, match="unknown agent 'humn'; did you mean human"):
        toy.with_costs({"humn": 1})
