import pytest

from bt.execution.load_sharing import makespan, shared_out
from bt.execution.order import claim_of, partial_order
from planning.validation import Valid, validate
from tests.bt.recovery.bodies import Bar

SERVED = "(and (on soda_bottle serving_tray) (on apple_bottle serving_tray))"
ONE_HAND = [
    "get robot0 left_hand soda_bottle rack",
    "put robot0 left_hand soda_bottle serving_tray",
    "get robot0 left_hand apple_bottle rack",
    "put robot0 left_hand apple_bottle serving_tray",
]


@pytest.fixture(scope="module")
def bar():
    return Bar("barman", "counter")


def shared(bar, plan):
    return shared_out(
        plan, bar.state, [("left_hand", "right_hand")], lambda one: bar.step(str(one)[1:-1]), bar.robot.occupies
    )


def length(bar, plan):
    order = partial_order(plan.steps, [claim_of(step, bar.robot.occupies) for step in plan.steps])
    return makespan(plan.steps, order, lambda _: 1.0)


def test_a_plan_for_one_hand_is_shared_out_among_two(bar):
    plan = bar.plan(SERVED, ONE_HAND)
    found = shared(bar, plan)
    assert (length(bar, plan), length(bar, found)) == (4.0, 2.0)
    assert found.cost == plan.cost
    assert isinstance(validate(found.steps, bar.state, plan.goal), Valid)


def test_what_the_goal_asks_of_one_hand_stays_with_it(bar):
    goal = "(and (holding left_hand apple_bottle) (on soda_bottle serving_tray))"
    found = shared(bar, bar.plan(goal, ONE_HAND[:3]))
    assert length(bar, found) == 2.0
    assert [step.action.args[1] for step in found.steps] == ["right_hand", "right_hand", "left_hand"]


def test_a_plan_that_cannot_be_shorter_is_left_as_it_is(bar):
    plan = bar.plan("(holding left_hand soda_bottle)", ONE_HAND[:1])
    assert shared(bar, plan) is plan
