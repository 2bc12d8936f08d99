import pytest

from domains import load_domain, load_scene
from domains.problem import Problem
from planning import solve, validate
from planning.validation import Invalid, Valid, proved, validate_actions
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, Plan, State
from tests.planning.kitchen import DOMAIN, checked, conjunct, scene, shipped

GOALS = ("(inhand milk0 human0)", "(and (in juice0 fridge0) (closed fridge0))", "(not (on apple0 table0))")


@pytest.mark.parametrize("text", GOALS)
def test_unified_planning_agrees_on_whole_and_on_broken_plans(planner, stock_verdict, text):
    found, state = shipped("small")
    goal = conjunct(text)
    plan = solve(Problem(DOMAIN, found, state, checked(text).conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    variants = [plan.steps, plan.steps[::-1], plan.steps + plan.steps[-1:]]
    variants += [plan.steps[:index] + plan.steps[index + 1 :] for index in range(len(plan.steps))]
    ours = [isinstance(validate(steps, state, goal), Valid) for steps in variants]
    assert ours == [stock_verdict(DOMAIN, steps, found, state, goal) for steps in variants]
    assert ours[0]
    assert not all(ours)


def test_the_first_broken_step_and_what_it_lacks_are_named():
    found, state = scene({"milk0": "fridge0"})
    steps = [
        DOMAIN.ground(Action(name, args), found)
        for name, *args in (
            ("move", ("robot0", "floor0", "fridge0")),
            ("take_out", ("robot0", "milk0", "fridge0", "fridge0")),
        )
        for args in args
    ]
    verdict = validate(steps, state, conjunct("(inhand milk0 robot0)"))
    assert isinstance(verdict, Invalid)
    assert (verdict.step, verdict.missing) == (1, (Literal(Atom("closed", ("fridge0",)), False),))
    assert str(verdict) == (
        "step 2, (take_out robot0 milk0 fridge0 fridge0): (not (closed fridge0)) does not hold there."
    )
    assert verdict.feedback.culprits == ("fridge0",)


def test_a_goal_that_is_missed_counts_as_the_step_after_the_last():
    _, state = scene({"milk0": "fridge0"})
    goal = conjunct("(opened fridge0)")
    assert validate((), state, goal) == Invalid(0, tuple(goal))
    assert str(validate((), state, goal)) == "the goal at the end of the plan: (opened fridge0) does not hold there."


OPEN = (Action("move", ("robot0", "floor0", "fridge0")), Action("open", ("robot0", "fridge0", "fridge0")))
WRONG = {
    "an unknown capability": (Action("fly", ("robot0",)), "fly"),
    "an unknown thing": (Action("move", ("robot0", "floor0", "moon0")), "moon0"),
    "too few arguments": (Action("move", ("robot0",)), "3 arguments"),
    "a thing that does not afford it": (Action("open", ("robot0", "milk0", "fridge0")), "afford"),
    "somebody who cannot": (Action("move", ("human0", "floor0", "fridge0")), "human0 cannot move"),
}


def test_actions_as_somebody_wrote_them_are_run_too():
    found, state = scene({"milk0": "fridge0"})
    verdict = validate_actions(OPEN, Problem(DOMAIN, found, state, (conjunct("(opened fridge0)"),)))
    assert isinstance(verdict, Valid)
    assert Atom("opened", ("fridge0",)) in verdict.state.atoms


@pytest.mark.parametrize(("action", "word"), WRONG.values(), ids=WRONG)
def test_an_action_that_is_none_breaks_the_plan_where_it_stands(action, word):
    found, state = scene({"milk0": "fridge0"})
    verdict = validate_actions((*OPEN, action), Problem(DOMAIN, found, state, (conjunct("(opened fridge0)"),)))
    assert isinstance(verdict, Invalid)
    assert (verdict.step, verdict.action, verdict.missing) == (2, action, ())
    assert word in str(verdict)


def test_a_step_that_fails_before_one_that_is_none_is_told_first():
    found, state = scene({"milk0": "fridge0"})
    verdict = validate_actions((OPEN[1], WRONG["an unknown thing"][0]), Problem(DOMAIN, found, state))
    assert isinstance(verdict, Invalid)
    assert (verdict.step, str(verdict.missing[0])) == (0, "(at robot0 fridge0)")


def test_a_plan_that_breaks_at_an_amount_is_refused_with_the_nearest_one():
    bar = load_domain("barman")
    scene = load_scene(bar, "counter")
    held = scene.facts | {Atom("holding", ("left_hand", "soda_bottle"))}
    state = State(held - {Atom("closed", ("soda_bottle",))}, scene.numbers)
    text = "(pour robot0 left_hand soda_bottle soda_water tall_glass :amount 400ml)"
    pour = bar.ground(Action.read(text), scene.things, scene.numbers)
    invalid = validate((pour,), state, frozenset())
    assert isinstance(invalid, Invalid)
    assert invalid.reason == "tall_glass holds 0ml, tall_glass has room for 300ml, and 400ml are asked"
    assert invalid.feedback.how == invalid.remedy == "At most 300ml."
    answer = proved((pour,), frozenset(), state, optimal=False, planner="any", seconds=0.0)
    assert answer.feedback.why == f"the planner's plan breaks there: {invalid.reason}"
    assert answer.feedback.how == "At most 300ml."
