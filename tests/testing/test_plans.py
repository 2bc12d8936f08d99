import pytest

from domains.problem import Problem
from domains.reader import load_domain, load_scene
from graftwork.testing import assert_plan_valid
from planning import FastDownward, solve
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action
from tests.planning.kitchen import checked

DOMAIN = load_domain("kitchen")
SCENE = load_scene(DOMAIN, "small")
GOAL = "(on apple0 counter0)"
STEPS = [
    "(move robot0 floor0 table0)",
    "(grasp robot0 apple0 table0 table0)",
    "(move robot0 table0 counter0)",
    "(place robot0 apple0 counter0)",
]


def fails(steps, goal=GOAL):
    with pytest.raises(AssertionError) as caught:
        assert_plan_valid(steps, DOMAIN, SCENE, goal)
    return str(caught.value)


def test_a_valid_plan_gives_the_state_it_ends_in():
    assert Atom("on", ("apple0", "counter0")) in assert_plan_valid(STEPS, DOMAIN, SCENE, GOAL).atoms


@pytest.mark.parametrize(
    "goal",
    [
        parse_formula(GOAL),
        Goal(parse_formula(GOAL)),
        checked(GOAL),
        frozenset({Literal(Atom("on", ("apple0", "counter0")))}),
        f"(or (opened fridge0) {GOAL})",
    ],
)
def test_a_goal_may_be_given_in_any_form(goal):
    assert_plan_valid(STEPS, DOMAIN, SCENE, goal)


def test_a_world_may_be_given_by_name_and_a_plan_as_steps_or_whole():
    planner = FastDownward()
    state = assert_plan_valid([], DOMAIN, SCENE, "(closed fridge0)")
    plan = solve(Problem(DOMAIN, SCENE.things, state, checked(GOAL).conjuncts), planner=planner)
    planner.close()
    for steps in (plan, plan.steps, [step.action for step in plan.steps]):
        assert_plan_valid(steps, "kitchen", "small", GOAL)


def test_the_first_step_that_cannot_be_taken_is_named_with_what_it_lacks():
    assert fails(STEPS[1:]) == (
        "the plan breaks at step 1 of 3, (grasp robot0 apple0 table0 table0), because (at robot0 table0) does not hold "
        "before it\n"
        ">   1 (grasp robot0 apple0 table0 table0)\n"
        "    2 (move robot0 table0 counter0)\n"
        "    3 (place robot0 apple0 counter0)"
    )


def test_a_goal_that_is_not_reached_is_named():
    told = fails(STEPS[:3])
    assert told.startswith(
        "the plan breaks at the end of the plan, because (on apple0 counter0) of the goal does not hold"
    )


def test_a_step_that_nobody_knows_says_so():
    assert "step 1 of 1, (fly robot0), because unknown capability 'fly'" in fails(["(fly robot0)"])
    assert "(place robot0 milk9 table0), because unknown object 'milk9'" in fails(["(place robot0 milk9 table0)"])


def test_of_several_alternatives_the_nearest_is_told():
    told = fails([*STEPS[:3], Action("place", ("robot0", "banana0", "counter0"))], f"(or (opened fridge0) {GOAL})")
    assert "step 4 of 4, (place robot0 banana0 counter0), because (inhand banana0 robot0) does not hold" in told


def test_a_choice_between_nothing_is_reached_by_nothing():
    assert "no alternatives" in fails([], "(or)")


def test_text_that_is_no_step_is_bad_usage():
    with pytest.raises(UsageError, match="is no step"):
        assert_plan_valid(["(and (a b))"], DOMAIN, SCENE, GOAL)
