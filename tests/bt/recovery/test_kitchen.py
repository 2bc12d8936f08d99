"""The lower rungs in the kitchen, on the body without physics: real plans, and mishaps on the way."""

import pytest
from py_trees.composites import Sequence

from bt import Runner
from bt.compiler import compile_plan
from bt.execution.step import Step
from bt.recovery import Recover, Rule
from bt.runner import Ending
from domains.problem import Problem
from planning import solve
from robots.fake import InjectedFault
from semantics.logic.feedback import Code
from tests.bt.recovery.bodies import Bar, Rungs

MILK = "(inhand milk0 human0)"


class Once:
    """Does something once, when the body begins a motion."""

    def __init__(self, robot, primitive, act):
        self.start, self.primitive, self.act = robot.start, primitive, act

    def __call__(self, command):
        if self.act is not None and command.primitive == self.primitive:
            act, self.act = self.act, None
            act()
        return self.start(command)


def kitchen(planner, goal, scene="small"):
    bar = Bar("kitchen", scene)
    plan = solve(Problem(bar.domain, bar.scene.things, bar.state, bar.goal(goal).conjuncts), planner=planner)
    return bar, plan, Rungs(bar.mender, bar.replanner(goal, planner))


def run(bar, plan, rungs):
    end = bar.run(plan, rungs)
    assert end.status is Ending.SUCCESS, end.reason
    return [use[0] for use in bar.uses() if use[2]]


def test_a_plan_that_forgot_the_door_is_mended_and_the_door_closed_again():
    bar = Bar("kitchen", "small")
    start = next(atom.args[1] for atom in bar.state.atoms if atom.predicate == "at" and atom.args[0] == "robot0")
    plan = bar.plan(
        MILK,
        [
            f"move robot0 {start} fridge0",
            "take_out robot0 milk0 fridge0 fridge0",
            "move robot0 fridge0 human0",
            "handover robot0 human0 milk0",
        ],
    )
    assert run(bar, plan, Rungs(bar.mender)) == ["rule"]
    assert bar.robot.world.doors["fridge0"] == 0.0
    assert "milk0" in bar.robot.world.held("human0")


def test_a_hand_that_is_full_already_is_emptied_by_a_rule(planner):
    bar, plan, _ = kitchen(planner, "(on apple0 shelf0)")
    bar.robot.world.hold("milk0", "robot0")
    bar.robot.clock.sleep(0.1)
    bar.obstacles.refresh()
    assert run(bar, plan, Rungs(bar.mender)) == ["rule"]
    assert bar.robot.world.carriers["apple0"] == ("on", "shelf0")
    assert bar.robot.world.held("robot0") == ("milk0",)


def test_a_slip_is_tried_again_before_anything_is_planned(planner):
    bar, plan, rungs = kitchen(planner, "(on apple0 shelf0)")
    bar.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "pick"))
    assert run(bar, plan, rungs) == ["again"]
    assert bar.asked == 0


def test_a_thing_that_was_moved_is_for_the_planner(planner):
    bar, plan, rungs = kitchen(planner, "(on apple0 shelf0)")
    bar.robot.start = Once(bar.robot, "drive", lambda: bar.robot.move_piece("apple0", "on", "counter0"))
    assert run(bar, plan, rungs) == ["replan"]
    assert bar.asked == 1


def test_a_door_pushed_shut_again_needs_no_rung_at_all(planner):
    bar, plan, rungs = kitchen(planner, MILK)
    bar.robot.start = Once(bar.robot, "pick", lambda: bar.robot.set_door("fridge0", 0.0))
    assert bar.run(plan, rungs).status is Ending.SUCCESS
    assert bar.asked == 0


def test_what_stands_in_the_way_is_put_aside_before_the_planner_is_asked(planner):
    bar, plan, rungs = kitchen(planner, "(on apple0 shelf0)")
    beside = [name for name, carrier in bar.robot.world.carriers.items() if carrier == ("on", "table0")]
    other = next(name for name in beside if name != "apple0")
    bar.robot.add_fault(InjectedFault(Code.OBSTRUCTED, "pick", {"object": "apple0"}, culprits=(other,)))
    assert run(bar, plan, rungs) == ["rule"]
    assert bar.asked == 0
    assert bar.robot.world.carriers[other] != ("on", "table0")


def test_what_stands_in_the_way_of_a_step_of_a_tree_of_ones_own_is_really_put_aside():
    bar = Bar("kitchen", "small")
    step = Step(
        bar.step("grasp robot0 apple0 table0 table0"), beliefs=bar.obstacles, robot=bar.robot, skills={}, patience=3.0
    )
    safe = Recover(
        step,
        [Rule(bar.mender)],
        beliefs=bar.obstacles,
        clock=bar.robot.clock,
        journal=bar.journal,
        carry_out=lambda plan, *_: compile_plan(plan, beliefs=bar.obstacles, robot=bar.robot),
    )
    there = Step(bar.step("move robot0 floor0 table0"), beliefs=bar.obstacles, robot=bar.robot, skills={}, patience=3.0)
    bar.robot.add_fault(InjectedFault(Code.OBSTRUCTED, "pick", {"object": "apple0"}, culprits=("cup0",)))
    root = Sequence("fetch", True, [there, safe])
    assert Runner(root, bar.robot, bar.obstacles).run(200).status is Ending.SUCCESS
    assert bar.uses() == [("rule", "obstructed", True)]
    assert bar.robot.world.carriers["cup0"] != ("on", "table0")
    assert bar.robot.world.held("robot0") == ("apple0",)


@pytest.mark.parametrize("seed", range(6))
def test_mishaps_of_every_kind_one_after_another_are_survived(planner, seed):
    bar, plan, rungs = kitchen(planner, MILK)
    codes = [Code.NOT_GRASPED, Code.STUCK, Code.OUT_OF_REACH, Code.OBSTRUCTED, Code.DROPPED]
    for number in range(3):
        primitive = ("pick", "give", "open", "drive")[(seed + number) % 4]
        bar.robot.add_fault(InjectedFault(codes[(seed + number) % 5], primitive))
    assert bar.run(plan, rungs).status is Ending.SUCCESS
    assert "milk0" in bar.robot.world.held("human0")
