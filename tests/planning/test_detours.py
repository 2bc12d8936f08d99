"""A plan of a quick search loses the steps that lead nowhere, and stays valid."""

from itertools import pairwise

import pytest

from benchmarks.planning.kitchens import make
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning.planners.fast_downward import FastDownward
from planning.satisficing import satisfice, without_detours
from planning.validation import Valid, validate
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, Plan, State

KITCHEN = load_domain("kitchen")
SCENE = load_scene(KITCHEN, "small")
START = State(SCENE.facts)
GOAL = frozenset({Literal(Atom("inhand", ("apple0", "robot0")))})
PROBLEM = Problem(KITCHEN, SCENE.things, START, (GOAL,))


def plan(*steps: str) -> Plan:
    actions = [Action(name, tuple(args)) for name, *args in map(str.split, steps)]
    return Plan(tuple(map(PROBLEM.ground, actions)), GOAL)


GRASP = "grasp robot0 apple0 table0 table0"
DIRECT = ["(move robot0 floor0 table0)", f"({GRASP})"]


@pytest.mark.parametrize(
    "before",
    [
        ["move robot0 floor0 table0"],
        ["move robot0 floor0 shelf0", "move robot0 shelf0 table0"],
        ["move robot0 floor0 shelf0", "move robot0 shelf0 sink0", "move robot0 sink0 table0"],
        ["move robot0 floor0 sink0", "move robot0 sink0 floor0", "move robot0 floor0 table0"],
        [
            *("move robot0 floor0 fridge0", "open robot0 fridge0 fridge0", "close robot0 fridge0 fridge0"),
            "move robot0 fridge0 table0",
        ],
    ],
)
def test_steps_that_lead_nowhere_are_left_out(before):
    shorter = without_detours(plan(*before, GRASP), PROBLEM)
    assert list(map(str, shorter.steps)) == DIRECT


def test_what_each_step_does_is_kept():
    needed = plan("move robot0 floor0 fridge0", "open robot0 fridge0 fridge0", "move robot0 fridge0 table0", GRASP)
    assert without_detours(needed, PROBLEM) is needed


@pytest.fixture(scope="module")
def planner():
    opened = FastDownward()
    yield opened
    opened.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_first_plan_never_goes_somewhere_only_to_go_on(planner, seed):
    problem = make(10, seed).problem
    found = satisfice(problem, planner=planner)
    assert isinstance(validate(found.steps, problem.closed, found.goal), Valid)
    moved = [step.action.name == "move" for step in found.steps]
    assert not any(first and second for first, second in pairwise(moved))
