"""What is left out of a rich problem, or put together in it, changes neither its cost nor whether there is a plan."""

from functools import cache

import pytest
from hypothesis import HealthCheck, assume, example, given, settings, strategies as st

from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import solve
from planning.adl import solver
from planning.adl.abstraction import folded, like_things
from planning.adl.compilation import decided, needed, opened
from planning.adl.reachability import reach_all
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import And, Atom, Literal
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan, State, first_failure
from tests.planning.adl_worlds import TooLargeError, adl_problem, every_operator, least_cost

BAR = load_domain("barman")
SCENE = load_scene(BAR, "counter")
SOON = 3.0
"""Seconds: a wrong plan with things put together is found at once; what cannot be had is searched for to the end."""


def asked(*goals):
    return CheckedGoal(Goal(And(())), goals)


def drink(*substances, glass="tall_glass"):
    return frozenset(Literal(Atom("contains", (glass, one))) for one in substances)


@cache
def reached():
    """Return what may happen at the bar, whatever is wanted; computed once, since it takes ten seconds."""
    return reach_all(Problem(BAR, SCENE.things, State(SCENE.facts, SCENE.numbers)))


@cache
def opened_bar(goal):
    return opened(Problem(BAR, SCENE.things, State(SCENE.facts, SCENE.numbers), (goal,)), reached())


@cache
def reduced_bar(goal):
    return needed(opened_bar(goal))


def names(task):
    return {arg for step in task.steps for arg in step.operator.action.args}


def test_bottles_bowls_and_glasses_of_no_use_are_left_out():
    left = names(reduced_bar(drink("apple_juice", "mint")))
    assert {"apple_bottle", "mint1", "mint_bowl", "tall_glass", "left_hand", "right_hand"} <= left
    assert left.isdisjoint({"soda_bottle", "ginger_bottle", "milk_bottle", "lemon1", "lemon_bowl", "thimble"})


def test_what_a_hand_holds_at_the_start_is_put_down_and_not_left_out(planner):
    facts = SCENE.facts - {Atom("on", ("soda_bottle", "rack")), Atom("free", ("left_hand",))}
    facts -= {Atom("on", ("ginger_bottle", "rack")), Atom("free", ("right_hand",))}
    held = {Atom("holding", ("left_hand", "soda_bottle")), Atom("holding", ("right_hand", "ginger_bottle"))}
    state = State(frozenset(facts | held), SCENE.numbers)
    plan = solve(Problem(BAR, SCENE.things, state, asked(drink("mint")).conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert plan.optimal
    assert [step.action.name for step in plan.steps] == ["put", "get", "add"]


def test_a_cap_is_not_screwed_on_to_be_unscrewed():
    assert "screw" not in {one.operator.action.name for one in reduced_bar(drink("soda_water")).steps}
    wished = frozenset({Literal(Atom("closed", ("ginger_bottle",)))})
    assert "screw" in {one.operator.action.name for one in reduced_bar(wished).steps}


def test_pieces_of_one_kind_are_put_together_and_told_apart_where_two_are_needed(planner):
    goal = drink("mint") | drink("mint", glass="thimble")
    task = reduced_bar(goal)
    groups = like_things(task)
    assert ("mint1", "mint2") in groups
    assert len(folded(task, groups).steps) < len(task.steps)
    plan = solve(Problem(BAR, SCENE.things, State(SCENE.facts, SCENE.numbers), asked(goal).conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert plan.optimal
    assert {"mint1", "mint2"} <= {arg for step in plan.steps for arg in step.action.args}
    assert plan.cost == 4


def test_what_two_pieces_cannot_do_is_not_done_by_putting_them_together(planner):
    glasses = ("tall_glass", "thimble", "mixing_cup")
    goal = frozenset[Literal]().union(*(drink("mint", glass=one) for one in glasses))
    held = frozenset(Literal(Atom("in", (piece, "tall_glass"))) for piece in ("mint1", "mint2"))
    state = State(SCENE.facts, SCENE.numbers)
    plan = solve(Problem(BAR, SCENE.things, state, asked(goal).conjuncts), planner=planner, seconds=SOON)
    assert isinstance(plan, NoPlan) or first_failure(plan.steps, state, goal) is None
    wished = asked(held | drink("mint", glass="thimble"))
    assert isinstance(solve(Problem(BAR, SCENE.things, state, wished.conjuncts), planner=planner, seconds=SOON), NoPlan)


def everything(task):
    """Put all things together, which is as weak as it gets."""
    found = tuple(sorted(names(task)))
    return (found,) if len(found) > 1 else ()


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
@example(seed=176)  # what is put together does not cost the same, so that the first plan of the whole proves nothing
def test_whatever_is_put_together_no_cost_is_proved_that_is_not_the_least(planner, seed):
    domain, things, state, goal = adl_problem(seed)
    try:
        least = least_cost(every_operator(domain, things, state), state, goal)
    except TooLargeError:
        assume(False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "like_things", everything)
        found = solve(Problem(domain, things, state, asked(goal).conjuncts), planner=planner, seconds=10)
    if least is None:
        assert isinstance(found, NoPlan)
        assert found.proven
    else:
        assert isinstance(found, Plan), found
        assert (found.optimal, found.cost) == (True, least)


def test_without_leaving_anything_out_the_task_has_all_that_helps():
    whole = decided(opened_bar(drink("soda_water")))
    assert names(reduced_bar(drink("soda_water"))) < names(whole)
