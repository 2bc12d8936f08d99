import dataclasses
from random import Random

import pytest

from domains.problem import Problem
from planning import pddl_text, solve
from planning.cheapest.reach import distinct
from planning.relevance import Reduction, relevant
from semantics.body.protocols import FoundPlan
from semantics.logic.atoms import Atom
from semantics.logic.state import Plan, State
from tests.planning.kitchen import DOMAIN, checked, complete, conjunct, scene, shipped
from tests.planning.random_kitchens import goal, kitchen, with_dear_moves


def reduced(goal: str, state, found, domain=DOMAIN, **more) -> Reduction:
    return relevant(Problem(domain, found, state, (conjunct(goal),)), **more)


def carried(reduction: Reduction) -> set[str]:
    return {name for name, thing in reduction.things.items() if "carry" in thing.affordances}


def grouped(reduction: Reduction) -> set[str]:
    return {member for members in reduction.groups.values() for member in members}


def test_a_door_needs_nothing_that_can_be_carried():
    found, state = shipped("full")
    assert carried(reduced("(opened fridge0)", state, found)) == set()


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
        assert carried(reduced(f"(on {name} shelf0)", state, found)) == {"apple0", "plate0", "milk0"}
    assert "fork0" in reduced("(on bowl0 table0)", state, found).things


def test_what_nothing_can_be_put_on_or_in_is_left_out():
    found, state = scene({"apple0": "table0", "milk0": "table0", "jam0": "counter0"})
    reduction = reduced("(on apple0 shelf0)", state, found)
    assert (carried(reduction), grouped(reduction)) == ({"apple0"}, set())


def test_bowls_stand_in_groups_without_what_is_in_them():
    found, state = scene(
        {"apple0": "table0", "bowl0": "table0", "bowl1": "counter0", "fork0": "bowl0", "jam0": "shelf0"}
    )
    reduction = reduced("(on apple0 shelf0)", state, found)
    assert (carried(reduction), grouped(reduction)) == ({"apple0"}, {"bowl0", "bowl1"})
    assert sorted(map(len, reduction.groups.values())) == [2]
    assert sorted(map(len, reduced("(on apple0 shelf0)", state, found, fine=found).groups.values())) == [1, 1]


def test_a_hand_that_holds_what_it_should_not_leaves_nothing_out():
    """A hand that counts as free with something in it breaks the argument by which things are left out."""
    found, state = scene({"apple0": "table0", "jam0": "robot0", "milk0": "counter0"})
    wrong = State(frozenset(atom for atom in state.atoms if atom.predicate != "hand_occupied"))
    assert grouped(reduced("(on apple0 shelf0)", wrong, found)) == {"milk0"}
    assert grouped(reduced("(on apple0 shelf0)", state, found)) == set()


def test_where_driving_is_dear_the_bowl_carries_the_fruit(planner):
    where = {"apple0": "table0", "banana0": "table0", "lemon0": "table0", "bowl0": "table0", "jam0": "counter0"}
    found, state = scene(where, at="table0")
    wanted = checked("(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0))")
    plan = solve(Problem(with_dear_moves(20), found, state, wanted.conjuncts), planner=planner)
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
    assert grouped(relevant(Problem(DOMAIN, found, state, (wanted,)))) == set()
    assert grouped(relevant(Problem(domain, found, state, (wanted,)))) == {"milk0"}


@pytest.mark.parametrize("seed", range(16))
def test_leaving_things_out_never_costs_anything(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, 5)
    wanted = goal(random, (found, state), 2)
    domain = with_dear_moves(random.choice([1, 1, 5]))
    text = pddl_text(Problem(domain, found, state, (wanted,)))
    whole = planner.solve(text.domain, text.problem, seconds=60)
    plan = solve(
        Problem(domain, found, state, (wanted,)),
        planner=planner,
    )
    assert isinstance(plan, Plan) == isinstance(whole, FoundPlan)
    if isinstance(plan, Plan):
        assert plan.optimal
        assert plan.cost == sum(domain.ground(text.read(action), found).cost for action in whole.actions)


def test_any_of_many_costs_what_the_cheapest_of_them_costs(planner):
    where = {f"apple{number}": place for number, place in enumerate(["fridge0"] * 3 + ["counter0"] * 3 + ["table0"])}
    found, state = scene({**where, "plate0": "shelf0"}, at="table0")
    goals = tuple(conjunct(f"(inhand {name} human0)") for name in where)
    plan = solve(
        Problem(DOMAIN, found, state, goals),
        planner=planner,
    )
    assert isinstance(plan, Plan)
    assert (plan.optimal, plan.cost, plan.goal) == (True, 3, conjunct("(inhand apple6 human0)"))


def test_of_interchangeable_things_one_alternative_is_enough():
    found, state = scene({"apple0": "table0", "apple1": "table0", "apple2": "counter0", "plate0": "table0"})
    goals = tuple(conjunct(f"(on apple{number} shelf0)") for number in range(3))
    assert distinct(Problem(DOMAIN, found, state, tuple(goals))) == [0, 2]
    stacked = complete(
        found, set(state.atoms) - {Atom("on", ("apple1", "table0"))} | {Atom("on", ("apple1", "plate0"))}
    )
    assert distinct(Problem(DOMAIN, found, stacked, tuple(goals))) == [0, 1, 2]
