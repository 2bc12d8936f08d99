"""Affordances as types: other programs read such texts, and a plan costs the same."""

from dataclasses import replace

import pytest

from domains.pddl import write_problem
from domains.pddl.writer.names import Naming
from domains.pddl.writer.writer import above_classes, type_tree
from domains.problem import Problem
from domains.reader import available_domains
from planning import FastDownward
from semantics.body.protocols import FoundPlan
from semantics.logic.vocabulary import Thing
from tests.domains.pddl.translator import reads
from tests.planning.random_worlds import random_problem, world


def problem_in(name: str) -> Problem:
    things, state, goal = random_problem(name, 1)
    return Problem(world(name), things, state, (goal,))


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:unified_planning")
PLANNED = [name for name in sorted(available_domains()) if not world(name).planned_numbers]


@pytest.mark.parametrize("name", PLANNED)
def test_typed_texts_are_read_by_the_translator_of_fast_downward(name: str):
    written = write_problem(problem_in(name), typed=True)
    assert reads([(written.domain, written.problem)]) == [True]


@pytest.mark.parametrize("name", PLANNED)
def test_typed_texts_are_read_by_unified_planning(name: str):
    io = pytest.importorskip("unified_planning.io")
    problem = problem_in(name)
    written = write_problem(problem, typed=True)
    read = io.PDDLReader().parse_problem_string(written.domain, written.problem)
    assert len(read.all_objects) >= len(problem.objects)


@pytest.mark.parametrize("name", PLANNED)
def test_a_cheapest_plan_of_the_typed_text_costs_as_much_as_that_of_the_other(name: str):
    planner = FastDownward()
    problem, costs = problem_in(name), []
    for typed in (False, True):
        written = write_problem(problem, typed=typed)
        answer = planner.solve(written.domain, written.problem, seconds=30.0)
        if isinstance(answer, FoundPlan) and answer.optimal:
            costs.append(sum(problem.ground(written.read(action)).cost for action in answer.actions))
        else:
            costs.append(-answer.proven if not isinstance(answer, FoundPlan) else -2)
    planner.close()
    assert costs[0] == costs[1]


def things(**affordances: str) -> dict[str, Thing]:
    domain = world("kitchen")
    sample = domain.thing("milk0", "milk")
    return {
        name: replace(sample, name=name, class_name=name.rstrip("0123456789"), affordances=frozenset(words.split()))
        for name, words in affordances.items()
    }


def tree(found: dict[str, Thing]) -> dict[str, set[str]]:
    names = sorted({word for thing in found.values() for word in thing.affordances})
    return {name: set(model.classes) for name, model in type_tree(names, found, Naming()).items()}


def test_of_affordances_that_overlap_only_the_largest_is_a_type():
    found = things(cup0="carry fill", box0="carry open", door0="open")
    assert tree(found) == {"carry": {"cup", "box"}, "fill": {"cup"}}


def test_what_only_some_things_of_a_class_have_is_no_type():
    assert tree(things(cup0="carry fill", cup1="carry", box0="carry")) == {"carry": {"cup", "box"}}


def test_a_smaller_type_stands_below_the_smallest_that_contains_it():
    found = things(cup0="carry fill sip", box0="carry fill", ball0="carry")
    types = type_tree(["sip", "fill", "carry"], found, Naming())
    assert [below for below, _ in above_classes(types)] == [types[name].name for name in ("carry", "fill", "sip")]
    assert dict(above_classes(types))[types["sip"].name] == types["fill"].name
