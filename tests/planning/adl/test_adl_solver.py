"""Plans in rich domains cost what an exhaustive search of our own operators finds, and no less is called optimal."""

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from domains.problem import Problem
from planning import solve
from planning.adl import alternatives, compilation
from planning.reasons import impossible
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import And
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan, first_failure
from tests.planning.adl_worlds import TooLargeError, adl_problem, every_operator, least_cost

RELAXED = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))


def asked(*goals):
    return CheckedGoal(Goal(And(())), goals)


@RELAXED
@given(seed=st.integers(0, 10**6))
def test_a_plan_costs_what_an_exhaustive_search_finds(planner, seed):
    domain, things, state, goal = adl_problem(seed)
    try:
        least = least_cost(every_operator(domain, things, state), state, goal)
    except TooLargeError:
        assume(False)
    found = solve(Problem(domain, things, state, asked(goal).conjuncts), planner=planner, seconds=10)
    if least is None:
        assert isinstance(found, NoPlan)
        assert found.proven
    else:
        assert isinstance(found, Plan), found
        assert first_failure(found.steps, state, goal) is None
        assert found.optimal
        assert found.cost == least


@RELAXED
@given(seed=st.integers(0, 10**6))
def test_nothing_that_can_be_had_is_called_impossible(seed):
    domain, things, state, goal = adl_problem(seed)
    if impossible(Problem(domain, things, state, (goal,))) is not None:
        try:
            assert least_cost(every_operator(domain, things, state), state, goal) is None
        except TooLargeError:
            assume(False)


@RELAXED
@given(seed=st.integers(0, 10**6))
def test_what_cannot_be_written_out_is_left_to_a_search_that_takes_it(planner, seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compilation, "ENOUGH", 0)
        patch.setattr(compilation, "FACTOR", 1)
        patch.setattr(alternatives, "SMALL", 0)
        test_a_plan_costs_what_an_exhaustive_search_finds.hypothesis.inner_test(planner, seed)
