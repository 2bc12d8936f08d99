from py_trees.common import Status

from bt import Runner, compile_plan
from bt.execution import Execute
from bt.execution.order import Order, claim_of
from bt.execution.remaining import Remaining, Work
from bt.execution.step import Step
from bt.runner import Ending
from semantics.body.protocols import MotionStatus
from semantics.logic.feedback import Code
from tests.bt.execution.team import operator, plan_of
from tests.bt.toy import ToyBeliefs, ToyRobot, atom

OPEN = operator("open robot0 gate", "", "opened gate")
PASS = operator("pass robot0 gate", "opened gate", "behind robot0")
SING = operator("sing robot1 song", "", "sung song")
BOW = operator("bow robot1 crowd", "sung song", "bowed robot1")
PLAN = plan_of(OPEN, PASS, SING, BOW, goal="behind robot0, bowed robot1")


def make(atoms=("opened gate",), braking=0.4):
    """Return a body that needs a while to stop, a weave on it, its runner, and when what was begun."""
    robot = ToyRobot(PLAN.steps, map(atom, atoms))
    robot.braking = braking
    beliefs, begun = ToyBeliefs(robot), []
    start = robot.start
    robot.start = lambda command: begun.append((round(robot.clock.now(), 2), command.primitive)) or start(command)
    steps = [Step(one, beliefs=beliefs, robot=robot, skills={}, patience=1.0) for one in PLAN.steps]
    claims = [claim_of(one, lambda step: frozenset({step.command.agent})) for one in PLAN.steps]
    order = Order.of(4, [(0, 1), (2, 3)])
    weave = Execute(
        Work(PLAN, steps, claims, Remaining(PLAN.steps, PLAN.goal, order)), beliefs=beliefs, clock=robot.clock
    )
    return robot, weave, Runner(weave, robot, beliefs), begun


def test_a_step_that_cannot_go_on_is_stopped_and_begun_again_once_it_rests_while_the_other_goes_on():
    robot, _, runner, begun = make()
    robot.at(0.52, [], ["opened gate"])
    assert runner.run(30).status is Ending.SUCCESS
    assert begun[:2] == [(0.0, "pass"), (0.0, "sing")]
    assert [name for _, name in begun[2:]].count("open") == 1
    again = next(time for time, name in begun if name == "open")
    assert again == 1.2  # seen at 0.55, doubted for 0.25, braking for 0.4
    assert [name for _, name in begun].count("sing") == 1
    assert not robot.motions[1].cancelled


def test_a_motion_that_does_not_come_to_rest_is_a_failure_and_the_others_are_stopped():
    robot, _, runner, _ = make(braking=1000.0)
    robot.at(0.52, [], ["opened gate"])
    end = runner.run(60)
    assert (end.status, end.reason.code) == (Ending.FAILURE, Code.STUCK)
    assert all(motion.cancelled or motion.stage is not MotionStatus.RUNNING for motion in robot.motions)


def test_begun_again_after_a_stop_it_waits_for_what_still_moves():
    robot, weave, runner, begun = make()
    for _ in range(4):
        runner.step()
    weave.stop(Status.INVALID)
    stopped = robot.clock.now()
    assert runner.run(30).status is Ending.SUCCESS
    assert all(time == 0.0 or time > stopped + 0.39 for time, _ in begun)
    assert [name for _, name in begun[2:4]] == ["pass", "sing"]


def test_a_body_that_does_one_thing_at_a_time_is_asked_for_one_thing_at_a_time():
    robot = ToyRobot(PLAN.steps, ())
    beliefs = ToyBeliefs(robot)
    root = compile_plan(PLAN, beliefs=beliefs, robot=robot, together=True)
    assert root.decorated.order.total
