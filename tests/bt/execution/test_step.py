import pytest
from py_trees.common import Status

from bt.errors import TreeError
from bt.execution.step import ActionLeaf, Condition, Step, kept_conditions
from bt.node import failure_of
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Operator
from tests.bt.toy import OPEN, TAKE, ToyBeliefs, ToyClock, ToyRobot, atom, conjunct, move


def make(operator, atoms, **options):
    robot = ToyRobot([operator], frozenset(map(atom, atoms)))
    beliefs = ToyBeliefs(robot)
    return robot, beliefs, Step(operator, beliefs=beliefs, robot=robot, skills={}, patience=3.0, **options)


def tick(step, robot, beliefs, times=1):
    for _ in range(times):
        robot.clock.sleep(0.05)
        beliefs.refresh()
        step.tick_once()
        if step.status != Status.RUNNING:
            break
    return step.status


def test_what_a_step_changes_and_bookkeeping_and_its_own_place_may_change_while_it_runs():
    assert kept_conditions(OPEN) == frozenset()
    assert kept_conditions(TAKE) == conjunct("!closed fridge0")
    assert kept_conditions(move("table0", "sink0")) == frozenset()


def test_a_step_whose_condition_does_not_hold_says_which_literal_and_moves_nothing():
    robot, beliefs, step = make(OPEN, ["at robot0 table0", "closed fridge0"])
    assert tick(step, robot, beliefs) == Status.FAILURE
    reason = failure_of(step)
    assert reason.code is Code.PRECONDITION
    assert "(at robot0 fridge0)" in reason.why
    assert robot.motions == []


def test_an_effect_seen_only_before_the_motion_ended_does_not_count():
    robot, beliefs, step = make(OPEN, ["at robot0 fridge0", "closed fridge0"])
    tick(step, robot, beliefs, 19)
    refresh, beliefs.refresh = beliefs.refresh, lambda: False
    assert tick(step, robot, beliefs, 20) == Status.RUNNING
    beliefs.refresh = refresh
    assert tick(step, robot, beliefs) == Status.SUCCESS


def test_an_effect_sensed_false_is_waited_for_and_then_told():
    robot, beliefs, step = make(OPEN, ["at robot0 fridge0", "closed fridge0"])
    robot.change = lambda **changes: None
    assert tick(step, robot, beliefs, 60) == Status.RUNNING
    assert tick(step, robot, beliefs, 25) == Status.FAILURE
    assert failure_of(step).code is Code.EFFECT_MISSING
    assert "is not so" in failure_of(step).why
    assert failure_of(step).culprits == ("fridge0",)


def test_stopping_a_step_cancels_its_motion_once_and_not_after_its_end():
    robot, beliefs, step = make(OPEN, ["at robot0 fridge0", "closed fridge0"])
    tick(step, robot, beliefs, 3)
    step.stop(Status.INVALID)
    assert robot.motions[0].cancelled
    tick(step, robot, beliefs, 25)
    step.stop(Status.INVALID)
    assert not robot.motions[1].cancelled


def test_a_skill_of_ones_own_gives_the_motion():
    class Push:
        def start(self, operator, robot):
            return robot.start(operator.command)

    robot = ToyRobot([OPEN], frozenset(map(atom, ["at robot0 fridge0", "closed fridge0"])))
    beliefs = ToyBeliefs(robot)
    bare = Operator(OPEN.action, OPEN.precondition, OPEN.added, OPEN.deleted, command=OPEN.command)
    step = Step(bare, beliefs=beliefs, robot=robot, skills={"open": Push()}, patience=3.0)
    assert tick(step, robot, beliefs, 25) == Status.SUCCESS
    assert step.act.what == "skill open"


def test_a_step_without_command_or_skill_is_refused_at_once():
    robot = ToyRobot([])
    bare = Operator(Action("think", ("robot0",)), frozenset(), frozenset(), frozenset())
    with pytest.raises(TreeError, match="think robot0"):
        Step(bare, beliefs=ToyBeliefs(robot), robot=robot, skills={}, patience=1.0)


def test_a_motion_that_fails_without_a_reason_gets_one():
    class Broken:
        def poll(self):
            return MotionProgress(MotionStatus.FAILED)

        def cancel(self):
            raise AssertionError("it has ended already")

    act = ActionLeaf("drive", Broken, ToyClock())
    act.tick_once()
    act.stop(Status.INVALID)
    assert act.feedback.code is Code.STUCK


def test_a_reason_is_forgotten_when_a_leaf_starts_anew():
    robot = ToyRobot([], [])
    beliefs = ToyBeliefs(robot)
    leaf = Condition("before", conjunct("opened fridge0"), beliefs)
    leaf.tick_once()
    assert isinstance(leaf.feedback, Feedback)
    robot.change(added=[atom("opened fridge0")])
    beliefs.refresh()
    leaf.tick_once()
    assert leaf.feedback is None
