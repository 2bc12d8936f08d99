"""Planners that name the profile of PDDL that they read, and the engines of unified-planning behind its compilers."""

import json
from dataclasses import replace
from importlib.util import find_spec

import pytest
from typer.testing import CliRunner

from domains.problem import Problem
from graftwork.cli.app import app
from planning import FastDownward, best_part, make_planner, solve
from planning.planners.stock import untyped
from semantics.body.protocols import NoPlan, ProfiledPlanner
from semantics.errors import UnknownNameError
from semantics.logic.feedback import Code
from semantics.logic.state import Plan, first_failure
from tests.planning.adl_worlds import adl_problem
from tests.planning.kitchen import DOMAIN, conjunct, shipped

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:unified_planning")


RICH = 1
"""The seed of a problem with more than conjunctions."""


class Reader:
    """A planner of a user: it keeps what it reads, and passes it on."""

    name = "reader"

    def __init__(self, planner, profile=None):
        self.planner, self.read = planner, []
        if profile is not None:
            self.profile = profile

    def solve(self, domain, problem, *, seconds):
        self.read.append((domain, problem))
        return self.planner.solve(domain, problem, seconds=seconds)

    def close(self):
        pass


def milk():
    found, state = shipped("small")
    return Problem(DOMAIN, found, state, (conjunct("(inhand milk0 human0)"),))


def engine(name):
    package = {"tamer": "up_tamer", "pyperplan": "up_pyperplan"}[name.partition("-")[0].partition("/")[0]]
    if find_spec(package) is None:
        pytest.skip(f"the engine {name} is not installed (pip install {package.replace('_', '-')})")
    return make_planner(f"up:{name}")


@pytest.mark.parametrize(
    ("profile", "written", "left_out"),
    [
        (None, "total-cost", ":durative-action"),
        ("adl-costs", "total-cost", ":durative-action"),
        ("numeric", "total-cost", ":durative-action"),
        ("adl", ":strips", "total-cost"),
        ("strips", ":strips", "total-cost"),
    ],
)
def test_a_planner_gets_the_profile_that_it_names(planner, profile, written, left_out):
    reader = Reader(planner, profile)
    assert isinstance(reader, ProfiledPlanner) == (profile is not None)
    # Fast Downward reads no numbers, and the kitchen has one that plans are made without.
    wanted = replace(milk(), domain=replace(DOMAIN, fluents={}))
    plan = solve(wanted, planner=reader)
    assert isinstance(plan, Plan)
    assert first_failure(plan.steps, wanted.state, wanted.conjunct) is None
    assert reader.read
    for domain, problem in reader.read:
        assert written in domain
        assert left_out not in domain + problem
        assert profile != "strips" or "(not (" not in domain.split(":effect")[0]


def test_a_temporal_planner_gets_actions_with_durations(planner):
    reader = Reader(planner, "durative")
    solve(milk(), planner=reader, seconds=5)  # Fast Downward does not read them, and says so
    assert all(":durative-action" in domain for domain, _ in reader.read)
    assert reader.read


def test_a_plan_is_not_called_optimal_where_the_planner_saw_no_costs(planner):
    dear = DOMAIN.with_costs({"robot": 1, "human": 3})
    found, state = shipped("small")
    goal = conjunct("(inhand milk0 human0)")
    for profile, optimal in (("adl-costs", True), ("adl", False)):
        assert solve(Problem(dear, found, state, (goal,)), planner=Reader(planner, profile)).optimal is optimal


def test_what_a_profile_cannot_say_is_named(planner):
    domain, things, state, goal = adl_problem(RICH)
    answer = solve(Problem(domain, things, state, (goal,)), planner=Reader(planner, "strips"))
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.UNSUPPORTED
    assert "the planner reader" in str(answer.feedback)
    assert "it reads the profile strips, which cannot say" in answer.feedback.why


def test_an_unknown_profile_is_refused_with_the_valid_ones(planner):
    with pytest.raises(UnknownNameError, match=r"profile of PDDL.*did you mean strips"):
        solve(milk(), planner=Reader(planner, "strip"))


def test_the_best_part_of_a_goal_is_found_for_a_planner_without_costs(planner):
    found, state = shipped("small")
    goal = conjunct("(and (opened fridge0) (chopped apple0))")
    part = best_part(Problem(DOMAIN, found, state, (goal,)), planner=Reader(planner, "strips"))
    assert {str(literal) for literal in part.reached} == {"(opened fridge0)"}


@pytest.mark.parametrize("name", ["pyperplan", "pyperplan-opt", "tamer", "tamer/durative"])
def test_an_engine_that_takes_less_plans_behind_compilers(name):
    plan = solve(milk(), planner=engine(name), seconds=90)
    assert isinstance(plan, Plan)
    assert first_failure(plan.steps, milk().state, milk().conjunct) is None
    assert not plan.optimal, "the engine sees no costs"


def test_choices_and_conditional_effects_are_compiled_away():
    answer = engine("pyperplan").solve(*CONDITIONAL, seconds=30)
    assert [str(action) for action in answer.actions] == ["(press a)", "(press b)"]


CONDITIONAL = (
    "(define (domain d) (:requirements :adl :typing) (:types button) (:predicates (on ?b - button) (lit))"
    " (:action press :parameters (?b - button) :precondition (or (not (on ?b)) (lit))"
    " :effect (and (on ?b) (when (exists (?x - button) (and (on ?x) (not (= ?x ?b)))) (lit)))))",
    "(define (problem x) (:domain d) (:objects a b - button) (:init)"
    " (:goal (and (lit) (forall (?b - button) (on ?b)))))",
)


def test_only_engines_that_plan_are_listed():
    with pytest.raises(UnknownNameError) as caught:
        make_planner("up:zzz")
    assert {"fast-downward", "fast-downward-opt"} <= set(caught.value.valid)
    assert not [name for name in caught.value.valid if "remover" in name or "valid" in name or "[" in name]
    with pytest.raises(UnknownNameError):
        make_planner("up:sequential_plan_validator")


def test_a_world_with_durations_is_planned_from_the_command_line_with_an_engine_that_takes_them():
    engine("tamer")
    words = ["plan", "--scene", "small", "--goal", "(opened fridge0)", "--planner", "up:tamer/durative", "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["planner"] == "up:tamer/durative"


def test_types_become_static_predicates():
    domain, problem = untyped(
        "(define (domain d) (:requirements :strips :typing) (:types cup - object) (:constants c - cup)"
        " (:predicates (full ?x - object))"
        " (:action fill :parameters (?x - cup) :precondition (and) :effect (full ?x)))",
        "(define (problem p) (:domain d) (:objects a - cup t - object) (:init (full a)) (:goal (full c)))",
    )
    assert ":types" not in domain
    assert "(is-cup ?x)" in domain
    assert ":parameters (?x) :precondition (and (is-cup ?x) (and))" in domain
    assert "(is-cup c) (is-cup a)" in problem
    assert "(:objects a t)" in problem


def test_the_planner_that_is_wrapped_is_not_changed():
    assert not isinstance(FastDownward(), ProfiledPlanner)
