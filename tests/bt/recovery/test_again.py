"""Once more, and the end of the ladder."""

import pytest
from py_trees.common import Status

from bt import Runner
from bt.compiler import compile_plan
from bt.errors import TreeError
from bt.execution.step import Step
from bt.recovery import Budget, Recover, Repeat, Retry, Rule
from bt.runner import Ending
from robots.fake import InjectedFault
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from tests.bt.recovery.bodies import Bar, Rungs

GET = "get robot0 left_hand ginger_bottle rack"
GOAL = "(holding left_hand ginger_bottle)"
UNSCREWED = [
    "get robot0 left_hand soda_bottle rack",
    "unscrew robot0 left_hand right_hand soda_bottle",
    "pour robot0 left_hand soda_bottle soda_water tall_glass",
]


def step_of(bar, text):
    return Step(bar.step(text), beliefs=bar.obstacles, robot=bar.robot, skills={}, patience=1.0)


def test_a_grasp_that_slipped_is_tried_once_more():
    bar = Bar("barman", "counter")
    bar.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "get"))
    assert bar.run(bar.plan(GOAL, [GET]), Rungs()).status is Ending.SUCCESS
    assert bar.uses() == [("again", "not-grasped", True)]
    (failure,) = bar.journal.of("failure")
    assert failure["step"] == f"({GET})"
    assert failure["feedback"]["code"] == "not-grasped"


def test_what_a_second_try_cannot_mend_goes_up_at_once():
    bar = Bar("barman", "counter")
    bar.robot.add_fault(InjectedFault(Code.OBSTRUCTED, "get"))
    assert bar.run(bar.plan(GOAL, [GET]), Rungs()).reason.code is Code.OBSTRUCTED
    assert bar.uses() == []


@pytest.mark.parametrize(("culprits", "uses"), [((), [("again", "refused-by-body", True)]), (("ginger_bottle",), [])])
def test_a_refusal_is_asked_again_unless_the_body_blames_something(culprits, uses):
    bar = Bar("barman", "counter")
    bar.robot.add_fault(InjectedFault(Code.REFUSED_BY_BODY, "get", culprits=culprits))
    bar.run(bar.plan(GOAL, [GET]), Rungs())
    assert bar.uses() == uses


@pytest.mark.parametrize("rung", ["rule", "replan"])
def test_hands_that_were_filled_with_what_nobody_needs_are_emptied(rung, planner):
    useless = {Atom("holding", ("left_hand", "thimble")), Atom("holding", ("right_hand", "lemon1"))}
    bar, goal = Bar("barman", "counter"), "(contains tall_glass soda_water)"
    plan = bar.plan(goal, UNSCREWED)
    bar.robot.change(
        useless,
        {atom for atom in bar.robot.state.atoms if {"thimble", "lemon1"} & set(atom.args) and atom.predicate == "on"}
        | {Atom("free", ("left_hand",)), Atom("free", ("right_hand",))},
    )
    rungs = Rungs(bar.mender) if rung == "rule" else Rungs(None, bar.replanner(goal, planner))
    assert bar.run(plan, rungs).status is Ending.SUCCESS
    assert bar.uses() == [(rung, "precondition", True)]
    assert not useless <= bar.robot.state.atoms


@pytest.mark.parametrize(
    ("budget", "tries"), [(Budget(tries=3, same=3), 3), (Budget(tries=9, same=2), 2), (Budget(9, 9, seconds=7.0), 2)]
)
def test_the_end_lists_what_was_tried_when_the_budget_is_spent(budget, tries):
    bar = Bar("barman", "counter")
    for _ in range(12):
        bar.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "get", why="it slipped"))
    end = bar.run(bar.plan(GOAL, [GET]), Rungs(again=budget))
    assert (end.status, end.reason.code) == (Ending.FAILURE, Code.BUDGET_SPENT)
    assert end.reason.why == f"it slipped; tried before: again for not-grasped ({tries} times, in vain)"
    assert len(bar.journal.of("failure")) == tries + 1


def test_an_answer_that_costs_money_is_bounded_by_it():
    class Dear(Retry):
        price = 2.0

        def propose(self, request):
            return Repeat(price=2.0)

    bar = Bar("barman", "counter")
    for _ in range(5):
        bar.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "get"))
    dear = Recover(
        step_of(bar, GET),
        [Dear()],
        {"again": Budget(9, 9, money=5.0)},
        beliefs=bar.obstacles,
        clock=bar.robot.clock,
        journal=bar.journal,
    )
    assert Runner(dear, bar.robot, bar.obstacles).run(200).status is Ending.FAILURE
    assert len(bar.uses()) == 2


def test_a_budget_is_not_negative():
    with pytest.raises(TreeError, match="not negative"):
        Budget(tries=-1)


def test_the_rungs_stand_in_a_tree_of_ones_own_without_any_plan():
    bar = Bar("barman", "counter")
    bar.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "get"))

    def carry_out(plan, basis, improves):
        return compile_plan(plan, beliefs=bar.obstacles, robot=bar.robot)

    pour = step_of(bar, "pour robot0 left_hand ginger_bottle ginger_beer tall_glass")
    root = Recover(
        pour,
        [Retry(), Rule(bar.mender)],
        beliefs=bar.obstacles,
        clock=bar.robot.clock,
        journal=bar.journal,
        carry_out=carry_out,
    )
    end = Runner(root, bar.robot, bar.obstacles).run(200)
    assert end.status is Ending.SUCCESS, end.reason
    assert {
        Atom("contains", ("tall_glass", "ginger_beer")),
        Atom("on", ("ginger_bottle", "rack")),
    } <= bar.robot.state.atoms
    assert bar.uses() == [("again", "not-grasped", True), ("rule", "precondition", True)]
    assert root.status == Status.SUCCESS
