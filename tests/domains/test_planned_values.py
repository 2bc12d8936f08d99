"""The values of a goal at the steps of a plan."""

import pytest

from domains.planned_values import idle_values, valued, valued_or_misfit, with_numbers_said
from domains.reader import load_domain, load_scene
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Feedback
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import Quantity
from semantics.logic.state import Action, Plan, State

KITCHEN = load_domain("kitchen")
SCENE = load_scene(KITCHEN, "small")
STEPS = ("(move robot0 floor0 table0)", "(place robot0 apple0 table0)")


def plan(*texts: str) -> Plan:
    steps = tuple(KITCHEN.ground(Action.read(text), SCENE.things) for text in texts)
    return Plan(steps, frozenset())


def goal(**values: str) -> Goal:
    read = {name.replace("__", "."): Quantity.read(text) for name, text in values.items()}
    return Goal(parse_formula("(inhand apple0 robot0)"), values=tuple(sorted(read.items())))


def shown(valued_plan: Plan | Feedback) -> list[str]:
    assert isinstance(valued_plan, Plan), valued_plan
    return [str(step) for step in valued_plan.steps]


def test_each_step_that_takes_a_value_gets_it() -> None:
    made = valued_or_misfit(KITCHEN, plan(*STEPS), goal(speed="0.2 m/s"))
    assert shown(made) == ["(move robot0 floor0 table0 :speed 0.2m/s)", STEPS[1]]
    assert isinstance(made, Plan)
    assert made.steps[0].command is not None
    assert made.steps[0].command.values == {"speed": 0.2}
    assert made.steps[0].precondition == plan(*STEPS).steps[0].precondition


def test_a_grasp_takes_the_speed_of_the_base_that_goes_nearer() -> None:
    (step,) = shown(valued(KITCHEN, plan("(grasp robot0 apple0 table0 table0)"), goal(speed="0.2 m/s")))
    assert step == "(grasp robot0 apple0 table0 table0 :speed 0.2m/s)"


def test_what_a_step_has_already_stays() -> None:
    own = plan("(move robot0 floor0 table0 :speed 50cm/s)")
    assert shown(valued(KITCHEN, own, goal(speed="20cm/s"))) == ["(move robot0 floor0 table0 :speed 50cm/s)"]


def test_that_of_one_capability_goes_before() -> None:
    both = goal(speed="20cm/s", move__speed="30cm/s")
    assert shown(valued(KITCHEN, plan(STEPS[0]), both)) == ["(move robot0 floor0 table0 :speed 30cm/s)"]


def test_what_does_not_fit_is_told_at_the_begin_and_kept_near_on_the_way() -> None:
    fast = goal(speed="3 m/s")
    feedback = valued_or_misfit(KITCHEN, plan(*STEPS), fast)
    assert isinstance(feedback, Feedback)
    assert "out of range: 5cm/s to 75cm/s; the nearest is 75cm/s" in feedback.why
    assert shown(valued(KITCHEN, plan(STEPS[0]), fast)) == ["(move robot0 floor0 table0 :speed 75cm/s)"]


def test_a_manner_that_no_step_takes_is_told_and_a_measure_refused() -> None:
    idle = idle_values(KITCHEN, plan(STEPS[1]), goal(speed="20cm/s"))
    assert (idle.refused, idle.notes) == ((), ("No step takes the speed 20cm/s, so it makes no difference.",))
    idle = idle_values(KITCHEN, plan(STEPS[0]), goal(amount="30ml"))
    assert [feedback.what for feedback in idle.refused] == [":amount 30ml"]
    assert idle_values(KITCHEN, plan(*STEPS), goal(speed="20cm/s")).notes == ()
    assert idle_values(KITCHEN, plan(*STEPS), goal(move__speed="20cm/s", wipe__speed="2cm/s")).notes == ()


def test_without_values_a_plan_stays_as_it_is() -> None:
    made = plan(*STEPS)
    assert valued(KITCHEN, made, goal()) is made
    assert valued_or_misfit(KITCHEN, made, goal()) is made


BAR = load_domain("barman")
COUNTER = load_scene(BAR, "counter")
POUR = "(pour robot0 left_hand soda_bottle soda_water tall_glass{})"


def test_an_amount_stands_for_the_portion_in_conditions_and_effects() -> None:
    state = State(COUNTER.facts | {Atom("holding", ("left_hand", "soda_bottle"))}, COUNTER.numbers)
    state = state.with_atoms(deleted=[Atom("closed", ("soda_bottle",))])
    for said, level in (("", 0.05), (" :amount 30ml", 0.03), (" :amount 0.3l", 0.3)):
        step = BAR.ground(Action.read(POUR.format(said)), COUNTER.things)
        assert step.applicable(state)
        assert step.apply(state).numbers[Atom("level", ("tall_glass",))] == pytest.approx(level)
    too_much = BAR.ground(Action.read(POUR.format(" :amount 301ml")), COUNTER.things)
    assert not too_much.applicable(state)
    plain = BAR.ground(Action.read(POUR.format("")), COUNTER.things)
    put = valued(BAR, Plan((plain,), frozenset()), goal(amount="30ml")).steps[0]
    assert put == BAR.ground(Action.read(POUR.format(" :amount 30ml")), COUNTER.things)


def test_plans_are_made_with_the_amounts_that_were_said() -> None:
    state = State(frozenset(), {Atom("portion"): 0.05})
    assert with_numbers_said(BAR, state, goal(amount="30ml")).numbers == {Atom("portion"): pytest.approx(0.03)}
    assert with_numbers_said(BAR, state, goal(speed="20cm/s")) is state
