"""What a rule puts into a plan is done at once with the rest where that can be, and comes out as one by one."""

import pytest

from bt.execution.execute import plan_under_way
from bt.execution.improvement import Basis
from bt.recovery.incident import failure_below
from bt.runner import Ending
from robots.fake import InjectedFault
from semantics.logic.feedback import Code
from tests.bt.execution.team import Team
from tests.bt.execution.test_execute import BOTH, CUP, JUG, START
from tests.bt.recovery.bodies import Bar, Rungs
from tests.bt.recovery.test_rules import BEER, MISHAPS, POUR_BEER, POUR_SODA, SODA

MANY = (None, f"(and {SODA} {BEER} (on tall_glass serving_tray))", [POUR_SODA, POUR_BEER], set())
SERVED = "(and (on soda_bottle serving_tray) (on apple_bottle serving_tray))"
EACH_HAND = [
    "get robot0 left_hand soda_bottle rack",
    "get robot0 right_hand apple_bottle rack",
    "put robot0 left_hand soda_bottle serving_tray",
    "put robot0 right_hand apple_bottle serving_tray",
]


def mended(mishap, together):
    change, goal, steps, _ = mishap
    bar = Bar("barman", "counter", change)
    end = bar.run(bar.plan(goal, steps), Rungs(bar.mender, together=together))
    assert end.status is Ending.SUCCESS, end.reason
    return bar


@pytest.mark.parametrize("name", [*MISHAPS, "many mistakes"])
def test_what_a_rule_puts_in_and_restores_comes_out_as_one_after_the_other(name):
    if name == "many mistakes":
        change, goal, steps, rules = MANY
        mishap = change, goal, [*steps, "put robot0 left_hand tall_glass serving_tray"], rules
    else:
        mishap = MISHAPS[name]
    in_turn, at_once = mended(mishap, False), mended(mishap, True)
    assert at_once.robot.state == in_turn.robot.state
    assert dict(at_once.robot.state.numbers) == dict(in_turn.robot.state.numbers)
    assert at_once.plans() == in_turn.plans()
    assert at_once.robot.clock.now() <= in_turn.robot.clock.now()


def test_when_both_hands_slip_each_begins_once_more():
    bar = Bar("barman", "counter")
    for bottle in ("soda_bottle", "apple_bottle"):
        bar.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "get", {"o": bottle}))
    end = bar.run(bar.plan(SERVED, EACH_HAND), Rungs(bar.mender, together=True))
    assert end.status is Ending.SUCCESS, end.reason
    assert bar.robot.clock.now() < 30.0  # twice half a grasp, twice a whole one, and both put down at once


def test_what_is_left_of_steps_done_at_once_follows_from_those_that_have_ended():
    team = Team(BOTH, START, seconds=lambda step: 1.0 if step.action.args[0] == "robot0" else 3.0)
    team.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "lay", {"role0": "cup"}))
    start = team.robot.state
    team.run()
    node = plan_under_way(team.root)
    assert node.plan is BOTH
    node.basis = Basis(start)
    left, (expected, _) = node.rest(team.robot.state)
    assert left.steps == failure_below(team.root).plan.steps == (CUP[1], JUG[1])
    assert expected == CUP[0].apply(JUG[0].apply(start)) == team.robot.state
