"""A goal in PDDL, wherever a sentence may stand: ``run --goal``, sessions, subtrees, and the goal of a PDDL problem."""

import json

import py_trees
import pytest
from typer.testing import CliRunner

from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.decision import formal_goal
from graftwork.run.past import read_past
from semantics.errors import UsageError
from semantics.logic.atoms import literals
from tests.bt.programs.worlds import KITCHEN, SMALL

DOMAIN = """
(define (domain lamps)
  (:requirements :strips :typing)
  (:types lamp room)
  (:predicates (in ?l - lamp ?r - room) (lit ?l - lamp) (here ?r - room))
  (:action go :parameters (?from ?to - room) :precondition (here ?from) :effect (and (here ?to) (not (here ?from))))
  (:action light :parameters (?l - lamp ?r - room) :precondition (and (in ?l ?r) (here ?r)) :effect (lit ?l)))
"""
PROBLEM = """
(define (problem two) (:domain lamps)
  (:objects lamp.1 lamp.2 - lamp hall kitchen - room)
  (:init (here hall) (in lamp.1 hall) (in lamp.2 kitchen))
  (:goal (forall (?l - lamp) (lit ?l))))
"""
SYMBOLIC = ["--robot", "symbolic", "--no-memory"]
SMALL_KITCHEN = ["--scene", "small", "--robot", "fake", "--no-memory"]


def told(*words):
    return CliRunner().invoke(app, [*words, "--json"])


@pytest.fixture
def session():
    with Session("kitchen", "small", robot="fake", memory=None) as opened:
        yield opened


@pytest.fixture
def lamps(tmp_path):
    (tmp_path / "domain.pddl").write_text(DOMAIN, encoding="utf-8")
    (tmp_path / "two.pddl").write_text(PROBLEM, encoding="utf-8")
    return ["--domain", str(tmp_path / "domain.pddl"), "--scene", str(tmp_path / "two.pddl")]


def test_the_command_pursues_a_goal():
    done = told("run", "--goal", "(in apple0 fridge0)", *SMALL_KITCHEN)
    assert done.exit_code == 0
    episode = json.loads(done.stdout)
    assert (episode["outcome"], episode["goal"]) == ("achieved", "(in apple0 fridge0)")


def test_a_session_pursues_a_goal(session):
    assert session.handle(goal="(opened fridge0)").outcome is Outcome.ACHIEVED
    assert session.handle(goal="(opened fridge0)").outcome is Outcome.ALREADY
    assert session.start(goal="(not (opened fridge0))").finish().outcome is Outcome.ACHIEVED


def test_a_subtree_pursues_a_goal(session):
    root = py_trees.composites.Sequence("both", memory=True)
    root.add_children([session.subtree(goal="(opened fridge0)"), session.subtree("put the apple on the counter")])
    assert session.run(root).status == "success"


@pytest.mark.parametrize(
    ("goal", "objects"),
    [
        ("(forall (?x - fruit) (on ?x shelf0))", {"apple0", "banana0"}),
        ("(forall (?x - apple) (on ?x shelf0))", {"apple0"}),
        ("(forall (?x - object) (imply (on ?x shelf0) (on ?x shelf0)))", set(SMALL.things)),
    ],
)
def test_a_goal_quantifies_over_classes_kinds_and_affordances(goal, objects):
    ground = str(formal_goal(goal, KITCHEN, SMALL.things).formula)
    assert all(name in ground for name in objects)
    assert "?" not in ground


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        ("(forall (?x - froot) (on ?x shelf0))", "did you mean .*fruit"),
        ("(on ?x shelf0)", r"\?x stands in the goal without a forall or exists"),
        ("(on apple0", "ends too early"),
        ("(> (level cup0) 2)", "compares numbers"),
    ],
)
def test_what_is_no_goal_is_refused_with_its_culprit(session, goal, why):
    with pytest.raises(UsageError, match=why):
        session.handle(goal=goal)
    assert isinstance(told("run", "--goal", goal, *SMALL_KITCHEN).exception, UsageError)


def test_an_unknown_object_is_refused_before_anything_moves():
    done = told("run", "--goal", "(in apple9 fridge0)", *SMALL_KITCHEN)
    assert done.exit_code == 3
    assert "apple0" in done.stdout


def test_one_of_sentence_and_goal_is_given(session):
    for words in ({}, {"instruction": "open the fridge", "goal": "(opened fridge0)"}):
        with pytest.raises(UsageError, match="say what is wanted"):
            session.handle(**words)
    for words in ((), ("open the fridge", "--goal", "(opened fridge0)")):
        assert "say what is wanted" in str(told("run", *words, *SMALL_KITCHEN).exception)


def test_a_pddl_world_is_usable_at_once(lamps):
    done = told("run", *lamps, *SYMBOLIC)
    assert done.exit_code == 0, done.stdout
    assert json.loads(done.stdout)["goal"] == "(and (lit lamp.1) (lit lamp.2))"
    done = told("run", "--goal", "(lit lamp.2)", *lamps, *SYMBOLIC)
    assert json.loads(done.stdout)["outcome"] == "achieved"
    done = told("plan", "--goal", "(exists (?l - lamp) (lit ?l))", *lamps)
    assert json.loads(done.stdout)["cost"] == 1


def test_a_run_for_a_goal_is_resumed(tmp_path):
    with Session("kitchen", "small", robot="fake", memory=None, record=tmp_path / "one") as first:
        run = first.start(goal="(opened fridge0)")
        run.wait()
        for _ in range(10):
            run.tick()
        run.leave()
    lines = (tmp_path / "one" / "record.jsonl").read_text().splitlines()
    (tmp_path / "one" / "record.jsonl").write_text(lines[0] + "\n")  # killed before it had decided
    assert str(read_past(tmp_path / "one").goal) == "(opened fridge0)"
    with Session("kitchen", "small", robot="fake", memory=None, record=tmp_path / "two") as second:
        assert second.resume(tmp_path / "one").finish().outcome is Outcome.ACHIEVED


def test_a_kind_is_no_affordance_of_the_same_name(session):
    kitchen, things = session.environment.world.domain, session.environment.world.objects
    goal = formal_goal("(forall (?x - drink) (in ?x fridge0))", kitchen, things)
    named = {name for literal in literals(goal.formula) for name in literal.atom.args} - {"fridge0"}
    assert named == {name for name, thing in things.items() if "drink" in thing.kinds}
    assert any("drink" in thing.affordances and "drink" not in thing.kinds for thing in things.values())


def test_a_goal_chooses_by_what_things_are_like(session):
    goal = "(forall (?x - fruit) (imply (colour ?x yellow) (on ?x counter0)))"
    assert session.handle(goal=goal).outcome is Outcome.ACHIEVED
    assert session.handle(goal="(on banana0 counter0)").outcome is Outcome.ALREADY
    refused = session.handle(goal="(and (on cup0 counter0) (colour cup0 red))")
    assert refused.outcome is Outcome.REFUSED
    assert "the colour of cup0 is blue" in refused.message


def test_every_block_goes_into_the_bowl_of_its_colour():
    goal = "(forall (?x - block ?w - bowl ?c - colour) (imply (and (colour ?x ?c) (colour ?w ?c)) (in ?x ?w)))"
    done = told("plan", "--goal", goal, "--domain", "tabletop", "--scene", "four", "--json")
    plan = json.loads(done.stdout)
    assert plan["cost"] == 8
    assert (
        plan["goal"] == "(and " + " ".join(f"(in {c}_block {c}_bowl)" for c in ("red", "yellow", "green", "blue")) + ")"
    )
