import dataclasses
from random import Random

import pytest

from planning import Reduction, problem, relevant, solve
from planning.relevance.merging import PROXY
from semantics.atoms import Not
from semantics.goal import CheckedGoal, Goal
from semantics.protocols import Found
from semantics.state import Plan
from tests.planning.kitchen import DOMAIN, checked, conjunct, scene, shipped
from tests.planning.random_kitchens import goal, kitchen, with_dear_moves


def carried(reduction: Reduction) -> set[str]:
    return {name for name, thing in reduction.things.items() if "carry" in thing.affordances}


def test_a_door_needs_nothing_that_can_be_carried():
    found, state = shipped("full")
    reduction = relevant(conjunct("(opened fridge0)"), state, found, DOMAIN)
    assert (carried(reduction), reduction.bound) == (set(), ())


def test_what_is_above_below_inside_and_in_the_hand_is_kept():
    found, state = scene(
        {
            "plate0": "table0",
            "apple0": "plate0",
            "bowl0": "shelf0",
            "fork0": "bowl0",
            "milk0": "robot0",
            "jam0": "table0",
        }
    )
    for name in ("apple0", "plate0"):
        reduction = relevant(conjunct(f"(on {name} shelf0)"), state, found, DOMAIN)
        assert carried(reduction) == {"apple0", "plate0", "milk0"}
    assert "fork0" in relevant(conjunct("(on bowl0 table0)"), state, found, DOMAIN).things


def test_without_containers_to_carry_nothing_remains_to_be_shown():
    found, state = scene({"apple0": "table0", "milk0": "table0", "jam0": "counter0"})
    reduction = relevant(conjunct("(on apple0 shelf0)"), state, found, DOMAIN)
    assert (carried(reduction), reduction.bound) == ({"apple0"}, ())


def test_with_a_bowl_it_remains_to_be_shown_that_it_saves_nothing():
    found, state = scene({"apple0": "table0", "bowl0": "table0", "jam0": "counter0"})
    reduction = relevant(conjunct("(on apple0 shelf0)"), state, found, DOMAIN)
    assert carried(reduction) == {"apple0"}
    assert reduction.behind == {"bowl0"}
    assert {one.action.name for one in reduction.bound} >= {"putin", "take_out"}


def test_where_driving_is_dear_the_bowl_carries_the_fruit(planner):
    where = {"apple0": "table0", "banana0": "table0", "lemon0": "table0", "bowl0": "table0", "jam0": "counter0"}
    found, state = scene(where, at="table0")
    wanted = checked("(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0))")
    plan = solve(wanted, state, found, with_dear_moves(20), planner=planner)
    assert isinstance(plan, Plan)
    assert plan.optimal
    assert sum(step.action.name == "move" for step in plan.steps) == 1
    assert "jam0" not in {arg for step in plan.steps for arg in step.action.args}


def test_a_hand_that_is_freed_without_letting_go_is_no_resource():
    """Where the model breaks the balance between a hand and what is in it, taking another thing may be of use."""
    found, state = scene({"apple0": "table0", "milk0": "table0"})
    template = DOMAIN.capabilities["place"].effect
    juggle = dataclasses.replace(
        DOMAIN.capabilities["place"],
        name="juggle",
        effect=tuple(one for one in template if one.predicate == "hand_occupied"),
    )
    robot = dataclasses.replace(DOMAIN.agents["robot"], capabilities=DOMAIN.agents["robot"].capabilities | {"juggle"})
    domain = dataclasses.replace(
        DOMAIN,
        capabilities={**DOMAIN.capabilities, "juggle": juggle},
        agents={**DOMAIN.agents, "robot": robot},
    )
    wanted = conjunct("(on apple0 shelf0)")
    assert relevant(wanted, state, found, DOMAIN).bound == ()
    assert "grasp" in {
        one.action.name for one in relevant(wanted, state, found, domain).bound if PROXY in one.action.args
    }


@pytest.mark.parametrize("seed", range(16))
def test_leaving_things_out_never_costs_anything(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, 5)
    wanted = goal(random, (found, state), 2)
    domain = with_dear_moves(random.choice([1, 1, 5]))
    text = problem(domain, found, state, wanted)
    whole = planner.solve(text.domain, text.problem, seconds=60)
    plan = solve(CheckedGoal(Goal(Not(next(iter(wanted)).atom)), (wanted,)), state, found, domain, planner=planner)
    assert isinstance(plan, Plan) == isinstance(whole, Found)
    if isinstance(plan, Plan):
        assert plan.optimal
        assert plan.cost == sum(domain.ground(text.read(action), found).cost for action in whole.actions)
