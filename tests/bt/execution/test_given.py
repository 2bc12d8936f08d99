import pytest

from bt.errors import TreeError
from bt.execution import Deordered, ordered, pairs_of_times
from semantics.logic.feedback import Code
from semantics.logic.state import State
from tests.bt.execution.team import carry, operator, plan_of
from tests.bt.toy import atom

CUP, JUG = carry("robot0", "cup", "left", "right"), carry("robot1", "jug", "left", "right")
BOTH = plan_of(*CUP, *JUG, goal="lies cup right, lies jug right")
START = State(frozenset(map(atom, ("free robot0", "free robot1", "lies cup left", "lies jug left"))))


def test_an_order_whose_open_pairs_are_independent_is_taken_as_it_is():
    found = ordered(BOTH, [(0, 1), (2, 3)], START)
    assert isinstance(found, Deordered)
    assert found.order.pairs == ((0, 1), (2, 3))
    assert found.plan.steps == BOTH.steps


def test_steps_are_put_into_a_sequence_that_keeps_the_order():
    mixed = plan_of(CUP[1], *JUG, CUP[0], goal="lies cup right, lies jug right")
    found = ordered(mixed, [(3, 0), (1, 2)], START)
    assert [str(step.action) for step in found.plan.steps[-2:]] == ["(take robot0 cup left)", "(lay robot0 cup right)"]
    assert found.order.pairs == ((0, 1), (2, 3))


def test_a_pair_that_must_not_change_places_is_named():
    shut = operator("shut robot1 gate", "", "!opened gate")
    go = operator("pass robot0 gate", "opened gate", "behind robot0")
    plan = plan_of(go, shut, goal="behind robot0")
    refused = ordered(plan, [], State(frozenset({atom("opened gate")})))
    assert refused.code is Code.INVALID_PLAN
    assert refused.what == "(pass robot0 gate) beside (shut robot1 gate)"
    assert set(refused.culprits) == {"robot0", "robot1", "gate"}


def test_a_pair_that_works_either_way_is_put_in_its_order():
    one, other = (operator(f"ring {agent} bell", "", "rung bell") for agent in ("robot0", "robot1"))
    plan = plan_of(one, other, goal="rung bell")
    assert ordered(plan, [], START).order.pairs == ((0, 1),)
    assert ordered(plan, [], START, most=1).code is Code.INVALID_PLAN


def test_a_plan_that_breaks_in_its_own_order_is_refused_with_the_step():
    refused = ordered(plan_of(*CUP, goal="lies jug right"), [(0, 1)], START)
    assert "the goal" in refused.what


@pytest.mark.parametrize(("pairs", "why"), [([(0, 1), (1, 0)], "circle"), ([(0, 9)], "steps 0 to 3")])
def test_pairs_that_are_no_order_are_a_mistake(pairs, why):
    with pytest.raises(TreeError, match=why):
        ordered(BOTH, pairs, START)


def test_times_say_what_has_ended_before_what_begins():
    assert pairs_of_times([(0.0, 1.0), (1.001, 1.0), (0.5, 2.0)]) == {(0, 1)}
    assert pairs_of_times([(0.0, 0.0), (0.0, 0.0)]) == {(0, 1)}
    found = ordered(BOTH, pairs_of_times([(0.0, 1.0), (1.0, 1.0), (0.0, 1.0), (1.0, 1.0)]), START)
    assert [step.action.name for step in found.plan.steps] == ["take", "take", "lay", "lay"]
    assert found.order.pairs == ((0, 2), (0, 3), (1, 2), (1, 3))
