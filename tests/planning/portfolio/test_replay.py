import pytest

from domains.problem import Problem
from planning import pddl_text
from semantics.logic.state import Action
from tests.planning.kitchen import DOMAIN, conjunct, shipped
from tests.planning.portfolio import problems
from tests.planning.portfolio.replay import replay


def go(*pairs):
    return [Action("go", tuple(pair)) for pair in pairs]


POUR, SERVE = Action("pour"), Action("serve", ("z",))


@pytest.mark.parametrize(
    ("name", "actions"),
    [
        ("PLAIN", go("xz")),
        ("PLAIN", go("xy", "yz")),
        ("NEGATIVE", go("xy")),
        ("ALTERNATIVES", go("xy")),
        ("CONDITIONAL", go("xz")),
        ("COSTS", go("xz")),
        ("NUMERIC", [POUR, POUR, POUR, SERVE]),
        ("EVERYWHERE", [step for a, b in ("xy", "yz", "zx") for step in (Action("light", (a,)), *go(a + b))]),
    ],
)
def test_plans_that_work_pass(name, actions):
    assert replay(*getattr(problems, name), actions) == ""


@pytest.mark.parametrize(
    ("name", "actions", "why"),
    [
        ("PLAIN", go("yz"), "the condition of step 1"),
        ("PLAIN", go("xy"), "the goal does not hold"),
        ("PLAIN", go("xq"), "step 1 has the wrong arguments"),
        ("PLAIN", go("x"), "step 1 has the wrong arguments"),
        ("PLAIN", [Action("fly", ("x", "z"))], "step 1 is no action"),
        ("NUMERIC", [POUR, POUR, SERVE], "the condition of step 3"),
        ("NUMERIC", [POUR] * 4, "the condition of step 4"),
        ("EVERYWHERE", [Action("light", ("x",))], "the goal does not hold"),
    ],
)
def test_plans_that_break_are_told_where(name, actions, why):
    assert replay(*getattr(problems, name), actions).startswith(why)


def test_what_cannot_be_checked_is_let_through():
    assert replay(*problems.LASTING, go("yz")) == ""
    assert replay(*problems.DERIVED, go("yz")) == ""


def test_a_plan_of_the_kitchen_passes_and_breaks_without_its_first_step():
    found, state = shipped("small")
    text = pddl_text(Problem(DOMAIN, found, state, (conjunct("(opened fridge0)"),)))
    steps = [Action("move", ("robot0", "floor0", "fridge0")), Action("open", ("robot0", "fridge0", "fridge0"))]
    assert replay(text.domain, text.problem, steps) == ""
    assert replay(text.domain, text.problem, steps[1:]).startswith("the condition of step 1")
