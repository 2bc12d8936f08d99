"""Plans with few of many objects."""

from dataclasses import replace
from itertools import pairwise

import pytest

from planning import FastDownward, OwnProcess
from planning.anytime import LEAST_OBJECTS
from planning.fewer_objects import FEWER, fewer_objects, solve_with_fewer
from planning.validation import Valid, validate_actions
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code
from semantics.logic.state import Plan
from tests.planning.nested_household import nested_household
from tests.planning.pddl_problem import pddl_problem
from tests.planning.processes import wait_for


@pytest.fixture(scope="module")
def planner():
    made = FastDownward()
    yield made
    made.close()


def household(folder, goal="(held cup0)", count=200):
    return pddl_problem(folder, *nested_household(count, goal))


def test_a_part_has_the_objects_of_the_goal_and_where_they_are(tmp_path):
    problem = household(tmp_path)
    first, *others = fewer_objects(problem)
    assert {"cup0", "box1", "box0", "table0", "room0"} <= first.objects.keys()
    assert len(first.objects) < 20
    assert all(len(part.objects) < 0.7 * len(problem.objects) for part in others)
    assert all(set(atom.args) <= first.objects.keys() for atom in first.state.atoms)


def test_its_plan_is_valid_in_the_whole_problem(planner, tmp_path):
    problem = household(tmp_path, "(and (held cup0) (opened cupboard0))")
    plan = solve_with_fewer(problem, planner=planner)
    assert isinstance(plan, Plan)
    assert (plan.planner, plan.optimal) == (FEWER, False)
    assert isinstance(validate_actions([step.action for step in plan.steps], problem), Valid)


DOOR = """(define (domain halls) (:requirements :adl) (:types hall)
  (:predicates (in ?h - hall) (next ?a ?b - hall) (lit ?h - hall) (rung))
  (:action go :parameters (?a ?b - hall) :precondition (and (in ?a) (next ?a ?b)) :effect (and (in ?b) (not (in ?a))))
  (:action light :parameters (?h - hall) :precondition (in ?h) :effect (lit ?h))
  (:action ring :parameters (?h - hall)
    :precondition (and (in ?h) (forall (?o - hall) (or (= ?o ?h) (not (lit ?o))))) :effect (rung)))"""


def halls(folder, goal, *, count=80, lit=()):
    names = [f"h{number}" for number in range(count)]
    ways = " ".join(f"(next {a} {b}) (next {b} {a})" for a, b in pairwise(names))
    more = " ".join(f"(lit {name})" for name in lit)
    objects = " ".join(names)
    text = (
        f"(define (problem x) (:domain halls) (:objects {objects} - hall) (:init (in h0) {ways} {more}) (:goal {goal}))"
    )
    return pddl_problem(folder, DOOR, text)


def test_a_plan_that_holds_only_among_the_few_is_no_answer(planner, tmp_path):
    problem = halls(tmp_path, "(rung)", lit=[f"h{number}" for number in range(40, 60)])
    answer = solve_with_fewer(problem, planner=planner)  # of h0 alone, nothing else is lit
    assert isinstance(answer, NoPlan)
    assert (answer.proven, answer.feedback.code) == (False, Code.CANCELLED)


def test_what_no_part_can_do_is_not_called_impossible(planner, tmp_path):
    answer = solve_with_fewer(halls(tmp_path, "(in h70)"), planner=planner)  # the way there needs almost all halls
    assert isinstance(answer, NoPlan)
    assert (answer.proven, answer.feedback.code) == (False, Code.CANCELLED)


def test_a_small_problem_has_no_parts(tmp_path):
    problem = household(tmp_path, count=LEAST_OBJECTS - 10)
    assert len(problem.objects) < LEAST_OBJECTS
    assert list(fewer_objects(problem)) == []


def test_a_problem_whose_objects_are_all_connected_has_no_parts(tmp_path):
    problem = halls(tmp_path, "(in h70)")
    assert list(fewer_objects(replace(problem, goal=halls(tmp_path, "(forall (?h - hall) (lit ?h))").goal))) == []


@pytest.fixture(scope="module")
def service():
    made = OwnProcess()
    made.warm_up()
    assert wait_for(lambda: made.is_warm, 60)
    yield made
    made.close()


@pytest.mark.parametrize("patience", [0.0, None, 40.0])
def test_a_race_goes_on_when_no_part_has_a_plan(service, tmp_path, patience):
    plan = service.solve(halls(tmp_path, "(and (in h0) (lit h70))", count=100), seconds=40.0, patience=patience)
    assert isinstance(plan, Plan)
    assert plan.planner != FEWER
    assert len(plan.steps) == 141


@pytest.mark.slow
def test_a_service_answers_with_it_long_before_the_whole_is_grounded(service, tmp_path):
    plan = service.solve(household(tmp_path, count=400), seconds=40.0, patience=0.0)
    assert isinstance(plan, Plan)
    assert plan.planner == FEWER
