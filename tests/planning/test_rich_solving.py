"""Plans in rich domains cost what an exhaustive search of our own operators finds, and no less is called optimal."""

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from planning import solve
from semantics.atoms import And
from semantics.goal import CheckedGoal, Goal
from semantics.protocols import NoPlan
from semantics.state import Plan, first_failure
from tests.planning.rich_worlds import TooLargeError, every_operator, least_cost, rich_problem

RELAXED = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))


def asked(*goals):
    return CheckedGoal(Goal(And(())), goals)


@RELAXED
@given(seed=st.integers(0, 10**6))
def test_a_plan_costs_what_an_exhaustive_search_finds(planner, seed):
    domain, things, state, goal = rich_problem(seed)
    try:
        least = least_cost(every_operator(domain, things, state), state, goal)
    except TooLargeError:
        assume(False)
    found = solve(asked(goal), state, things, domain, planner=planner, seconds=10)
    if least is None:
        assert isinstance(found, NoPlan)
        assert found.proven
    else:
        assert isinstance(found, Plan), found
        assert first_failure(found.steps, state, goal) is None
        assert found.optimal
        assert found.cost == least
