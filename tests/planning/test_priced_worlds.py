"""Random problems at random prices: what is called optimal costs what a search of the whole problem finds."""

import os

import pytest

from benchmarks.planning.kitchens import make
from domains.problem import Problem
from planning import FastDownward, pddl_text, solve, validate, validate_actions
from planning.validation import Valid
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.feedback import Code
from tests.planning.random_costs import random_costs
from tests.planning.random_worlds import random_problem, world

WORLDS = ("kitchen", "tabletop", "blocks")
FEW = 4
MANY = int(os.environ.get("GRAFTWORK_EXAMPLES", "8"))
"""How many problems of a world the slow part tries."""


@pytest.fixture(scope="module")
def blind():
    """Search without any heuristic, over the whole problem."""
    made = FastDownward(optimal="astar(blind())", greedy=None)
    yield made
    made.close()


@pytest.fixture(scope="module")
def thorough():
    """Search with the landmark cut, over the whole problem."""
    made = FastDownward(optimal="astar(lmcut())", greedy=None)
    yield made
    made.close()


def least(problem, planner):
    """Return the least cost of reaching one alternative by any actions, None where none does; planned one by one."""
    costs = []
    for goal in problem.goal:
        text = pddl_text(problem.with_goal(goal))
        found = planner.solve(text.domain, text.problem, seconds=120)
        assert isinstance(found, FoundPlan) or found.proven
        if isinstance(found, FoundPlan):
            actions = [text.read(action) for action in found.actions]
            assert isinstance(validate_actions(actions, problem.with_goal(goal)), Valid)
            costs.append(sum(problem.ground(one).cost for one in actions))
    return min(costs, default=None)


def check(answer, problem, whole):
    """Hold an answer against the whole problem; return which kind it is of."""
    cost = least(problem, whole)
    if isinstance(answer, NoPlan):
        assert cost is None
        assert answer.proven or answer.feedback.code is Code.WHEREABOUTS_UNKNOWN
        return "impossible"
    assert isinstance(validate(answer.steps, problem.state, answer.goal), Valid)
    assert answer.cost >= cost
    assert answer.cost == cost or not answer.optimal
    assert answer.bound is None or answer.bound <= cost
    return "optimal" if answer.optimal else "bounded"


def of_world(name, seed, planner, blind):
    things, state, goal = random_problem(name, seed)
    costs = random_costs(f"{name} {seed}", things, world(name))
    problem = Problem(world(name), things, state, (goal,), costs)
    return check(solve(problem, planner=planner), problem, blind)


def of_kitchen(seed, planner, whole):
    """Return how a generated kitchen with things enough for groups comes out, at other costs than its own."""
    kitchen = make(14, seed)
    domain = world("kitchen")
    costs = random_costs(f"kitchen {seed}", kitchen.things, domain)
    problem = Problem(domain, kitchen.things, kitchen.state, kitchen.goals, costs)
    return check(solve(problem, planner=planner), problem, whole)


@pytest.mark.parametrize("seed", range(FEW))
@pytest.mark.parametrize("name", WORLDS)
def test_each_answer_at_random_prices_holds(planner, blind, name, seed):
    assert of_world(name, seed, planner, blind) in ("optimal", "impossible")


@pytest.mark.parametrize("seed", range(0, 16, 3))
def test_a_generated_kitchen_at_random_prices_costs_what_the_whole_problem_does(planner, thorough, seed):
    assert of_kitchen(seed, planner, thorough) == "optimal"


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_many_answers_at_random_prices_hold(planner, blind, name):
    answers = [of_world(name, seed, planner, blind) for seed in range(100, 100 + MANY)]
    assert answers.count("bounded") == 0


@pytest.mark.slow
def test_many_generated_kitchens_at_random_prices_cost_what_the_whole_problem_does(planner, thorough):
    answers = [of_kitchen(seed, planner, thorough) for seed in range(100, 100 + MANY)]
    assert answers.count("optimal") >= 0.9 * MANY  # dear driving can leave one with a bound
