import sys

import pytest

from planning import solve, validate
from planning.problem import unified
from planning.validation import Invalid, Valid
from semantics.atoms import Atom, Literal
from semantics.state import Action, Plan
from tests.planning.kitchen import DOMAIN, checked, conjunct, scene, shipped

GOALS = ("(inhand milk0 human0)", "(and (in juice0 fridge0) (closed fridge0))", "(not (on apple0 table0))")


@pytest.fixture
def stock_verdict(monkeypatch):
    """Ask the validator of unified-planning about steps; it works in the library's own environment only."""
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.environment import get_environment
    from unified_planning.plans import ActionInstance, SequentialPlan

    monkeypatch.setattr(sys.modules[unified.__module__], "_environment", get_environment)

    def verdict(steps, found, state, goal):
        model, names = unified(DOMAIN, found, state, goal)
        theirs = {ours: name for name, ours in names.items() if not name.endswith("-class")}
        expression = get_environment().expression_manager.ObjectExp
        instances = []
        for step in steps:
            args = tuple(expression(model.object(theirs[arg])) for arg in step.action.args)
            instances.append(ActionInstance(model.action(theirs[step.action.name]), args))
        return bool(SequentialPlanValidator().validate(model, SequentialPlan(instances)))

    return verdict


@pytest.mark.parametrize("text", GOALS)
def test_unified_planning_agrees_on_whole_and_on_broken_plans(planner, stock_verdict, text):
    found, state = shipped("small")
    goal = conjunct(text)
    plan = solve(checked(text), state, found, DOMAIN, planner=planner)
    assert isinstance(plan, Plan)
    variants = [plan.steps, plan.steps[::-1], plan.steps + plan.steps[-1:]]
    variants += [plan.steps[:index] + plan.steps[index + 1 :] for index in range(len(plan.steps))]
    ours = [isinstance(validate(steps, state, goal), Valid) for steps in variants]
    assert ours == [stock_verdict(steps, found, state, goal) for steps in variants]
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
    assert verdict == Invalid(1, (Literal(Atom("closed", ("fridge0",)), False),))


def test_a_goal_that_is_missed_counts_as_the_step_after_the_last():
    _, state = scene({"milk0": "fridge0"})
    goal = conjunct("(opened fridge0)")
    assert validate((), state, goal) == Invalid(0, tuple(goal))
