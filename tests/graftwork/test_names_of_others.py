"""PDDL files of others name objects ``1`` and ``2``: goals about them are read, planned for and carried out."""

import json

import pytest
from typer.testing import CliRunner

from bt.record import read_record
from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.testing import ScriptedModel
from planning import FastDownward
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula

DOMAIN = """(define (domain stack) (:requirements :strips)
  (:predicates (on ?x ?y) (clear ?x) (ontable ?x))
  (:action put :parameters (?x ?y) :precondition (and (clear ?x) (clear ?y) (ontable ?x))
    :effect (and (on ?x ?y) (not (clear ?y)) (not (ontable ?x)))))
"""
PROBLEM = """(define (problem two) (:domain stack) (:objects 1 2)
  (:init (clear 1) (clear 2) (ontable 1) (ontable 2)) (:goal (on 2 1)))
"""


@pytest.fixture
def world(tmp_path):
    (tmp_path / "domain.pddl").write_text(DOMAIN, encoding="utf-8")
    (tmp_path / "two.pddl").write_text(PROBLEM, encoding="utf-8")
    return tmp_path


def planned(world, *more):
    done = CliRunner().invoke(
        app, ["plan", "--domain", str(world / "domain.pddl"), "--scene", str(world / "two.pddl"), "--json", *more]
    )
    return done.exit_code, json.loads(done.stdout) if done.stdout.startswith("{") else done.output


@pytest.mark.parametrize(("more", "step"), [(("--goal", "(on 1 2)"), "(put 1 2)"), ((), "(put 2 1)")])
def test_a_goal_is_planned_for(world, more, step):
    code, told = planned(world, *more)
    assert (code, told["plan"]) == (0, [step])


def test_a_problem_with_odder_names_is_planned_for(world):
    problem = world / "two.pddl"
    problem.write_text(PROBLEM.replace("2", "hall.2"), encoding="utf-8")
    code, told = planned(world)
    assert (code, told["plan"]) == (0, ["(put hall.2 1)"])


def test_a_number_that_names_nothing_is_told_with_the_names_that_there_are(world):
    code, told = planned(world, "--goal", "(on 1 3)")
    assert (code, told["feedback"][0]["code"]) == (3, "unknown-name")
    assert "'3'" in told["message"]
    assert "1, 2" in told["message"]


def test_a_session_carries_it_out_and_goes_on_from_its_record(world, tmp_path):
    given = {"domain": str(world / "domain.pddl"), "scene": str(world / "two.pddl"), "robot": "symbolic"}
    with Session(**given, memory=None, planner=FastDownward(), record=tmp_path / "one") as session:
        session.start(Goal(parse_formula("(on 1 2)"))).wait()
    assert [event["formula"] for event in read_record(tmp_path / "one") if event["e"] == "goal"] == ["(on 1 2)"]
    with Session(**given, memory=None, planner=FastDownward()) as session:
        assert session.resume(tmp_path / "one").finish().outcome is Outcome.ACHIEVED


def test_a_model_may_answer_with_it(world):
    given = {"domain": str(world / "domain.pddl"), "scene": str(world / "two.pddl"), "robot": "symbolic"}
    model = ScriptedModel([{"goal": "(on 1 2)"}])
    with Session(**given, memory=None, planner=FastDownward(), model=model) as session:
        assert session.start("put 1 on 2").finish().outcome is Outcome.ACHIEVED
