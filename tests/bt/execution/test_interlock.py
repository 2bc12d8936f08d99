import threading
import time

from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence

from bt import Replan, Runner, compile_plan, pursue
from bt.execution.step import Condition, Step
from bt.runner import Ending
from semantics.body.interlock import interlocked
from semantics.body.protocols import ConcurrentMotion, ExactSensing, Interlocked, MotionStatus, PictureSource, Robot
from semantics.logic.state import Plan
from tests.bt.toy import ToyBeliefs, ToyRobot, conjunct, operator
from tests.sealed_body import SealedBody

WAVE = operator("wave robot0 hand", "at robot0 table0", "waved hand")
NOD = operator("nod robot0 head", "at robot0 table0", "nodded head")
SING = operator("sing robot1 song", "at robot0 table0", "sung song")
HURRY = conjunct("hurry now")


class Slow(ToyRobot):
    """Needs a while to stop, and notes what was begun while it did."""

    def __init__(self, braking):
        super().__init__([WAVE, NOD, SING])
        self.braking = braking
        self.clashes = []
        self.begun = []

    def start(self, command):
        moving = [one for one in self.motions if one.poll().stage is MotionStatus.RUNNING]
        same = [one for one in moving if one.operator.command.agent == command.agent]
        self.clashes += [(one.operator.action.name, command.primitive) for one in same]
        self.begun.append((command.primitive, round(self.clock.now(), 2)))
        return super().start(command)


def made(braking=0.4):
    robot = Slow(braking)
    beliefs = ToyBeliefs(robot)

    def step(operator):
        return Step(operator, beliefs=beliefs, robot=robot, skills={}, patience=1.0)

    return robot, beliefs, step


def test_what_a_selector_turns_to_begins_when_what_it_turned_from_has_stopped():
    robot, beliefs, step = made()
    urgent = Sequence("urgent", False, [Condition("hurry", HURRY, beliefs), step(NOD)])
    root = Selector("either", False, [urgent, step(WAVE)])
    robot.at(0.52, ["hurry now"])
    assert Runner(root, robot, beliefs).run(9).status is Ending.SUCCESS
    assert robot.begun == [("wave", 0.0), ("nod", 0.95)]  # seen at 0.55, and 0.4 of braking
    assert robot.clashes == []


def test_another_agent_need_not_wait():
    robot, beliefs, step = made()
    urgent = Sequence("urgent", False, [Condition("hurry", HURRY, beliefs), step(SING)])
    robot.at(0.52, ["hurry now"])
    Runner(Selector("either", False, [urgent, step(WAVE)]), robot, beliefs).run(9)
    assert robot.begun == [("wave", 0.0), ("sing", 0.55)]


def test_the_next_run_begins_when_the_body_has_stopped_from_the_last():
    robot, beliefs, step = made()
    first = Runner(step(WAVE), robot, beliefs)
    robot.clock.events.append((0.52, first.cancel))
    assert first.run().status is Ending.CANCELLED
    assert Runner(step(NOD), robot, beliefs).run(9).status is Ending.SUCCESS
    assert robot.begun == [("wave", 0.0), ("nod", 0.95)]


def test_a_new_plan_does_not_drive_a_body_that_never_stops():
    robot, beliefs, step = made(braking=600.0)
    plan = Plan((NOD,), conjunct("nodded head"))
    root = pursue(plan, [Replan(lambda request: plan)], beliefs=beliefs, robot=robot)
    wave = step(WAVE)
    wave.tick_once()
    wave.stop(Status.INVALID)
    end = Runner(root, robot, beliefs).run(120)
    assert end.status is Ending.FAILURE
    assert "has not ended after 5 s" in str(end.reason)
    assert [name for name, _ in robot.begun] == ["wave"]


def test_two_steps_of_one_body_that_are_stopped_together_are_both_waited_for():
    robot, beliefs, step = made()
    both = Parallel("both", ParallelPolicy.SuccessOnAll(synchronise=False), [step(WAVE), step(SING)])
    urgent = Sequence("urgent", True, [Condition("hurry", HURRY, beliefs), step(NOD)])
    robot.at(0.52, ["hurry now"])
    assert Runner(Selector("either", False, [urgent, both]), robot, beliefs).run(9).status is Ending.SUCCESS
    assert robot.clashes == []


def test_a_body_that_takes_no_weak_references_is_driven_like_any_other():
    robot, beliefs, _ = made()
    body = SealedBody(robot)
    step = Step(WAVE, beliefs=beliefs, robot=body, skills={}, patience=1.0)
    assert Runner(step, body, beliefs).run(9).status is Ending.SUCCESS


def test_a_body_without_an_interlock_is_given_one_and_keeps_it():
    robot, _, step = made()
    assert not isinstance(robot, Interlocked)
    step(WAVE)
    interlock = robot.motion_interlock
    step(NOD)
    assert interlocked(robot) is robot
    assert robot.motion_interlock is interlock


def test_a_body_that_allows_no_attribute_is_wrapped_and_offers_what_it_offered():
    class Handy(SealedBody):
        __slots__ = ()
        exact_within = 0.05

        def occupies(self, operator):
            return frozenset({operator.action.name})

    plain, handy = interlocked(SealedBody(made()[0])), interlocked(Handy(made()[0]))
    assert isinstance(plain, Robot)
    assert isinstance(plain, Interlocked)
    assert interlocked(plain) is plain
    assert not isinstance(plain, ConcurrentMotion | ExactSensing | PictureSource)
    assert handy.occupies(WAVE) == {"wave"}
    assert handy.exact_within == 0.05


def test_steps_over_a_wrapped_body_wait_for_each_other():
    robot, beliefs, _ = made()
    body = interlocked(SealedBody(robot))

    def step(operator):
        return Step(operator, beliefs=beliefs, robot=body, skills={}, patience=1.0)

    urgent = Sequence("urgent", False, [Condition("hurry", HURRY, beliefs), step(NOD)])
    robot.at(0.52, ["hurry now"])
    assert Runner(Selector("either", False, [urgent, step(WAVE)]), body, beliefs).run(9).status is Ending.SUCCESS
    assert robot.begun == [("wave", 0.0), ("nod", 0.95)]


def test_all_steps_of_a_plan_share_the_wrap_of_a_body_that_allows_no_attribute():
    robot, beliefs, _ = made()
    plan = Plan((WAVE, NOD), conjunct("waved hand", "nodded head"))
    for root in (
        compile_plan(plan, beliefs=beliefs, robot=SealedBody(robot)),
        pursue(plan, [Replan(lambda request: plan)], beliefs=beliefs, robot=SealedBody(robot)),
    ):
        first, second = (node for node in root.iterate() if isinstance(node, Step))
        assert isinstance(first.robot, Interlocked)
        assert first.robot is second.robot


def test_whoever_asks_for_a_body_that_allows_no_attribute_gets_the_same_wrapper():
    body = SealedBody(made()[0])
    first = interlocked(body)
    assert interlocked(body) is first
    assert interlocked(SealedBody(made()[0])) is not first


def test_a_body_gets_one_interlock_though_two_threads_add_one_at_once():
    class Deliberate(ToyRobot):
        def __setattr__(self, name, value):
            if name == "motion_interlock":
                time.sleep(0.2)  # so that the other thread comes meanwhile
            super().__setattr__(name, value)

    body, seen = Deliberate([WAVE]), []
    threads = [threading.Thread(target=lambda: seen.append(interlocked(body).motion_interlock)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen[0] is seen[1]
