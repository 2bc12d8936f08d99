"""Costs that are no whole numbers: plans of least cost, told in the units of the file."""

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from domains.cost_scale import MOST
from domains.files import domain_yaml, problem_in
from domains.pddl.goals import problem_of
from domains.reader import load_domain, load_scene
from graftwork.cli.app import app
from planning import CostModel, solve
from semantics.logic.state import Action, Plan

DOMAIN = """(define (domain taxi)
 (:requirements :typing :action-costs)
 (:types place)
 (:predicates (here ?p - place) (road ?a ?b - place) (paid))
 (:functions (total-cost) (toll ?a ?b - place))
 (:action drive :parameters (?a ?b - place) :precondition (and (here ?a) (road ?a ?b))
  :effect (and (here ?b) (not (here ?a)) (increase (total-cost) {drive})))
 (:action fly :parameters (?a ?b - place) :precondition (here ?a)
  :effect (and (here ?b) (not (here ?a)) (increase (total-cost) {fly})))
 (:action pay :parameters () :precondition (and) :effect (and (paid) (increase (total-cost) 0))))
"""


def graftwork(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


def files(folder: Path, tolls, fly="2.5", drive="(toll ?a ?b)"):
    domain, scene = folder / "domain.pddl", folder / "problem.pddl"
    domain.write_text(DOMAIN.format(fly=fly, drive=drive))
    names = sorted({name for pair in tolls for name in pair})
    init = " ".join(f"(road {a} {b}) (= (toll {a} {b}) {toll})" for (a, b), toll in tolls.items())
    scene.write_text(
        f"(define (problem ride) (:domain taxi) (:objects {' '.join(names)} - place)"
        f" (:init (here {names[0]}) {init} (= (total-cost) 0))"
        f" (:goal (and (here {names[-1]}) (paid))) (:metric minimize (total-cost)))"
    )
    return domain, scene


def problem(domain, scene):
    model = load_domain(str(domain))
    return problem_of(model, problem_in(model, str(scene)))


def test_a_plan_has_the_least_cost_and_tells_it_in_the_units_of_the_file(tmp_path):
    domain, scene = files(tmp_path, {("a", "b"): 1.25, ("b", "c"): 0.9})
    answer = graftwork("plan", "--domain", domain, "--scene", scene, "--json")
    told = json.loads(answer.stdout)
    assert (answer.exit_code, told["cost"], told["optimal"]) == (0, 2.15, True)
    assert told["plan"] == ["(drive a b)", "(drive b c)", "(pay)"]
    assert [step["agent"] for step in told["costs"]] == [1.25, 0.9, 0]


@pytest.mark.parametrize("seed", range(12))
def test_the_cost_is_that_of_a_shortest_path(tmp_path, planner, seed):
    random = Random(seed)
    names = "abcdef"
    tolls = {(a, b): random.choice([0, 0.1, 0.25, 0.7, 1, 1.5, 3.125]) for a in names for b in names if a < b}
    cheapest = dict.fromkeys(names, 0.0)
    for name in names[1:]:
        cheapest[name] = min(2.5, *(cheapest[before] + tolls[before, name] for before in names if before < name))
    asked = problem(*files(tmp_path, tolls))
    answer = solve(asked, planner=planner)
    assert isinstance(answer, Plan)
    assert answer.optimal
    scale = asked.domain.cost_scale(asked.state.numbers)
    assert answer.cost / scale == pytest.approx(cheapest["f"])


@pytest.mark.parametrize(
    ("tolls", "fly", "drive", "expected"),
    [
        ({("a", "b"): 3}, "2", "(toll ?a ?b)", 1),
        ({("a", "b"): 3}, "2.5", "1", 2),
        ({("a", "b"): 0.1}, "2.5", "(toll ?a ?b)", 10),
        ({("a", "b"): 0.5, ("b", "c"): 0.25}, "1", "(+ 1 (toll ?a ?b))", 4),
        ({("a", "b"): 0.5}, "1", "(* 0.2 (toll ?a ?b))", 10),
        ({("a", "b"): 3}, "1", "(/ (toll ?a ?b) 4)", 4),
        ({("a", "b"): 0.123456789}, "1", "(toll ?a ?b)", MOST),
        ({("a", "b"): 0.123456789, ("b", "c"): 1000}, "1", "(toll ?a ?b)", MOST // 1000),
    ],
)
def test_the_scale_is_the_least_that_makes_costs_whole_and_keeps_them_small(tmp_path, tolls, fly, drive, expected):
    asked = problem(*files(tmp_path, tolls, fly, drive))
    assert asked.domain.cost_scale(asked.state.numbers) == expected


def test_a_cost_model_counts_the_agent_s_part_in_the_units_of_the_file(tmp_path):
    domain, scene = files(tmp_path, {("a", "b"): 0.5})
    asked = problem(domain, scene)
    unit = asked.domain.cost_scale(asked.state.numbers)
    operator = asked.ground(Action("drive", ("a", "b")))
    assert CostModel(unit=unit).shares(operator, {}).agent == 0.5
    assert CostModel(unit=unit).price(operator, {}) == 50
    told = json.loads(
        graftwork("plan", "--domain", domain, "--scene", scene, "--weights", "per_second=1", "--json").stdout
    )
    assert told["cost"] == pytest.approx(0.51)  # paying costs nothing, so it counts as the least price


def test_a_cost_below_zero_is_refused_where_it_stands(tmp_path):
    domain, _ = files(tmp_path, {("a", "b"): 1}, fly="-0.5")
    answer = graftwork("check", domain)
    assert answer.exit_code == 2
    assert "a cost of -0.5; expected a number from 0" in answer.output


def test_yaml_keeps_such_costs(tmp_path):
    model = load_domain(str(files(tmp_path, {("a", "b"): 0.5})[0]))
    (tmp_path / "domain.yaml").write_text(domain_yaml(model), encoding="utf-8")
    again = load_domain(str(tmp_path / "domain.yaml"))
    assert [verb.cost_by for verb in again.capabilities.values()] == [
        verb.cost_by for verb in model.capabilities.values()
    ]
    assert again.capabilities["fly"].cost_by == 2.5


def test_the_scene_alone_gives_the_same_facts(tmp_path):
    domain, scene = files(tmp_path, {("a", "b"): 0.5})
    model = load_domain(str(domain))
    assert set(load_scene(model, str(scene)).numbers.values()) >= {0.5}
