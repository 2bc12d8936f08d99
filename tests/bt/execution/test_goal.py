import pytest
from py_trees.behaviours import Running, Success
from py_trees.common import Status

from bt import Runner, compile_plan
from bt.errors import TreeError
from bt.execution.goal import GoalNode
from bt.runner import Ending
from semantics.logic.feedback import Code
from semantics.logic.state import Plan
from tests.bt.toy import GOAL, MILK, OPEN, START, ToyBeliefs, ToyRobot, atom, conjunct


def make(plan=MILK, atoms=START):
    robot = ToyRobot(plan.steps, atoms)
    beliefs = ToyBeliefs(robot)
    root = compile_plan(plan, beliefs=beliefs, robot=robot)
    return robot, beliefs, root, Runner(root, robot, beliefs)


def test_luck_that_reaches_the_goal_ends_the_work_at_once():
    robot, *_, runner = make()
    robot.at(0.5, ["inhand milk0 human0"], ["in milk0 fridge0"])
    end = runner.run(60)
    assert (end.status, end.seconds) == (Ending.SUCCESS, 0.5)
    assert robot.motions[0].cancelled


def test_a_step_that_is_bringing_the_goal_about_is_let_come_to_its_end():
    plan = Plan((OPEN,), conjunct("opened fridge0"))
    robot, *_, runner = make(plan, frozenset(map(atom, ("at robot0 fridge0", "closed fridge0"))))
    robot.at(0.3, ["opened fridge0"], ["closed fridge0"])
    end = runner.run(60)
    assert (end.status, end.seconds) == (Ending.SUCCESS, 1.0)
    assert not robot.motions[0].cancelled


def test_nothing_moves_when_the_goal_holds_already():
    robot, *_, runner = make(atoms=START | {atom("inhand milk0 human0")})
    assert runner.run(60).ticks == 1
    assert robot.motions == []


def test_a_belief_that_the_last_sensing_denies_is_no_success():
    class Doubtful(ToyBeliefs):
        def sensed(self, literal, since=0.0):
            return False

    robot = ToyRobot([], [atom("inhand milk0 human0")])
    root = GoalNode([GOAL], Success("nothing to do"), Doubtful(robot))
    root.tick_once()
    assert root.status == Status.FAILURE
    assert root.feedback.code is Code.EFFECT_MISSING


def test_a_belief_that_was_never_sensed_is_no_success():
    robot = ToyRobot([], [atom("inhand milk0 human0")])
    beliefs = ToyBeliefs(robot)
    beliefs.hidden = frozenset({atom("inhand milk0 human0")})
    root = GoalNode([GOAL], Running("work"), beliefs)
    root.tick_once()
    assert root.status == Status.RUNNING


def test_a_child_that_is_content_with_a_belief_is_told_what_was_not_sensed():
    robot = ToyRobot([], [atom("inhand milk0 human0")])
    beliefs = ToyBeliefs(robot)
    beliefs.hidden = frozenset({atom("inhand milk0 human0")})
    root = GoalNode([GOAL], Success("nothing to do"), beliefs)
    root.tick_once()
    assert root.status == Status.FAILURE
    assert root.feedback.code is Code.NOT_VISIBLE
    assert "(inhand milk0 human0)" in root.feedback.why
    assert root.feedback.culprits == ("milk0", "human0")


def kept_cold():
    """Make a program that opens the fridge, for a goal that also says what is in it, which nobody sees yet."""
    plan = Plan((OPEN,), conjunct("opened fridge0", "in milk0 fridge0"))
    made = make(plan, frozenset(map(atom, ("at robot0 fridge0", "closed fridge0", "in milk0 fridge0"))))
    made[1].hidden = frozenset({atom("in milk0 fridge0")})
    return made


def test_when_all_is_done_what_nobody_has_seen_yet_is_waited_for():
    robot, beliefs, _, runner = kept_cold()
    robot.clock.events.append((2.31, lambda: setattr(beliefs, "hidden", frozenset())))
    end = runner.run(60)
    assert (end.status, end.seconds) == (Ending.SUCCESS, 2.35)


def test_what_nobody_sees_in_time_is_the_reason_why_it_failed():
    *_, runner = kept_cold()
    end = runner.run(60)
    assert (end.status, end.reason.code) == (Ending.FAILURE, Code.NOT_VISIBLE)
    assert "(in milk0 fridge0)" in end.reason.why
    assert "opened" not in end.reason.why
    assert end.reason.culprits == ("milk0", "fridge0")
    assert end.seconds >= 1.0 + 3.0


def test_what_turns_out_otherwise_when_it_is_looked_for_is_no_success():
    robot, beliefs, _, runner = kept_cold()
    robot.at(2.0, [], ["in milk0 fridge0"])
    robot.clock.events.append((2.31, lambda: setattr(beliefs, "hidden", frozenset())))
    end = runner.run(60)
    assert (end.status, end.reason.code) == (Ending.FAILURE, Code.PRECONDITION)
    assert "(in milk0 fridge0)" in end.reason.why


def test_any_of_several_goals_will_do():
    robot = ToyRobot([], [atom("on milk0 table0")])
    root = GoalNode([GOAL, conjunct("on milk0 table0")], Running("work"), ToyBeliefs(robot))
    root.tick_once()
    assert root.status == Status.SUCCESS


def test_a_goal_node_without_goals_is_refused():
    with pytest.raises(TreeError):
        GoalNode([], Running("work"), ToyBeliefs(ToyRobot([])))
