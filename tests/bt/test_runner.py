import sys

import pytest
from py_trees.behaviour import Behaviour
from py_trees.behaviours import Running
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Sequence
from py_trees.decorators import Inverter

from bt import Runner, compile_plan
from bt.errors import TreeError
from bt.execution.step import ActionLeaf
from bt.node import walk
from bt.runner import Ending
from semantics.logic.feedback import Code
from tests.bt.toy import MILK, ToyBeliefs, ToyMotion, ToyRobot


class Faulty(Behaviour):
    """Runs for some ticks, then raises."""

    def __init__(self, name="faulty", ticks=3, error=None):
        super().__init__(name)
        self.left = ticks
        self.error = error or ZeroDivisionError("a leaf broke")

    def update(self):
        self.left -= 1
        if self.left < 0:
            raise self.error
        return Status.RUNNING


class Stubborn(Running):
    """Runs for ever, and raises when it is stopped."""

    def terminate(self, new_status):
        raise OSError("it does not end")


class Listening:
    def __init__(self):
        self.ticks = 0
        self.ends = []

    def ticked(self, runner):
        self.ticks += 1

    def ended(self, runner, end):
        self.ends.append(end)


def toy(extra=(), listeners=(), **options):
    robot = ToyRobot(MILK.steps)
    beliefs = ToyBeliefs(robot)
    plan = compile_plan(MILK, beliefs=beliefs, robot=robot)
    root = Parallel("both", ParallelPolicy.SuccessOnAll(synchronise=False), [plan, *extra]) if extra else plan
    return robot, beliefs, Runner(root, robot, beliefs, listeners=listeners, **options)


def still(runner):
    return all(node.status != Status.RUNNING for node in runner.root.iterate())


def test_a_run_ticks_at_its_rate_on_the_bodys_clock():
    listening = Listening()
    _, _, runner = toy(listeners=[listening], rate_hz=10)
    end = runner.run()
    assert (end.status, end.reason, end.error) == (Ending.SUCCESS, None, None)
    assert end.ticks == listening.ticks == round(end.seconds * 10) + 1
    assert listening.ends == [end]


@pytest.mark.parametrize("ticks", [0, 3])
def test_an_exception_in_a_leaf_leaves_nothing_running(ticks):
    robot, _, runner = toy([Faulty(ticks=ticks), Running("other")])
    end = runner.run(60)
    assert end.status is Ending.EXCEPTION
    assert isinstance(end.error, ZeroDivisionError)
    assert end.reason.code is Code.EXCEPTION
    assert end.reason.what == "both/faulty"
    assert still(runner)
    assert robot.motions[0].cancelled
    assert robot.stops == 1


def test_a_motion_whose_first_poll_raises_is_cancelled():
    class Mute(ToyMotion):
        def poll(self):
            raise OSError("no answer")

    robot = ToyRobot(MILK.steps)
    motion = Mute(robot, MILK.steps[0])
    runner = Runner(ActionLeaf("drive", lambda: motion, robot.clock), robot, ToyBeliefs(robot))
    assert runner.run().status is Ending.EXCEPTION
    assert motion.cancelled


def test_a_leaf_that_raises_when_stopped_does_not_keep_the_others_running():
    robot, _, runner = toy([Stubborn("stubborn"), Running("other")])
    end = runner.run(0.5)
    assert (end.status, end.reason.what) == (Ending.EXCEPTION, "both/stubborn")
    assert robot.motions[0].cancelled
    assert robot.stops >= 1
    assert runner.root.children[2].status == Status.INVALID


def test_the_time_limit_is_of_the_bodys_clock():
    robot, _, runner = toy()
    end = runner.run(1.5)
    assert (end.status, end.reason.code, end.seconds) == (Ending.TIMEOUT, Code.TIMEOUT, 1.5)
    assert robot.motions[-1].cancelled
    assert still(runner)


def test_a_cancelled_run_ends_before_its_next_tick():
    robot, _, runner = toy()
    robot.clock.events.append((1.31, lambda: runner.cancel("enough")))
    end = runner.run()
    assert (end.status, end.reason.code, end.reason.why) == (Ending.CANCELLED, Code.CANCELLED, "enough")
    assert robot.motions[-1].cancelled
    assert still(runner)


def test_a_finished_run_does_not_tick_again():
    _, _, runner = toy()
    end = runner.run()
    assert runner.tick() == Status.SUCCESS
    assert runner.run() is end
    assert runner.ticks == end.ticks


def test_the_statuses_of_a_finished_tree_stay_readable():
    _, _, runner = toy()
    runner.run()
    assert runner.root.decorated.children[-1].status == Status.SUCCESS


def test_a_listener_that_raises_ends_the_run():
    class Full(Listening):
        def ticked(self, runner):
            raise OSError("disk full")

    robot, _, runner = toy(listeners=[Full()])
    end = runner.run()
    assert (end.status, end.reason.what) == (Ending.EXCEPTION, "the run")
    assert robot.motions[0].cancelled


def test_a_listener_that_raises_at_the_end_is_told_of():
    class Full(Listening):
        def ended(self, runner, end):
            raise OSError("disk full")

    _, _, runner = toy(listeners=[Full()])
    assert runner.run().status is Ending.EXCEPTION


def test_a_body_that_breaks_while_time_passes_ends_the_run():
    robot, _, runner = toy()

    def gone():
        raise ConnectionError("the simulator is gone")

    robot.clock.events.append((0.5, gone))
    end = runner.run()
    assert isinstance(end.error, ConnectionError)
    assert still(runner)


def test_a_body_that_cannot_be_stopped_is_told_of():
    robot, _, runner = toy()

    def stop():
        raise ConnectionError("no answer")

    robot.stop = stop
    assert isinstance(runner.run().error, ConnectionError)


def test_an_interrupt_stops_everything_and_goes_on_upwards():
    robot, _, runner = toy([Faulty(error=KeyboardInterrupt())])
    with pytest.raises(KeyboardInterrupt):
        runner.run()
    assert still(runner)
    assert robot.motions[0].cancelled
    assert runner.ended.status is Ending.CANCELLED


def test_a_tree_deeper_than_recursion_goes_is_run_and_stopped():
    robot = ToyRobot([])
    leaf = root = Running("leaf")
    for _ in range(1500):
        root = Sequence("deeper", memory=False, children=[root])
    end = Runner(root, robot, ToyBeliefs(robot)).run(1.0)
    assert end.status is Ending.TIMEOUT
    assert (leaf.status, root.status) == (Status.INVALID, Status.INVALID)


def test_decorators_too_deep_to_be_stopped_are_an_exception_with_nothing_running():
    robot = ToyRobot([])
    root = Running("leaf")
    for _ in range(sys.getrecursionlimit() + 50):
        root = Inverter("deeper", root)
    runner = Runner(root, robot, ToyBeliefs(robot))
    end = runner.run(1.0)
    assert isinstance(end.error, RecursionError)
    assert robot.stops
    assert all(node.status != Status.RUNNING for node in walk(root) if not node.children)


def test_a_failed_foreign_tree_gives_its_last_message_as_the_reason():
    class Sulking(Behaviour):
        def update(self):
            self.feedback_message = "not today"
            return Status.FAILURE

    robot = ToyRobot([])
    end = Runner(Sequence("all", memory=True, children=[Sulking("sulking")]), robot, ToyBeliefs(robot)).run()
    assert (end.status, end.reason.what, end.reason.why) == (Ending.FAILURE, "sulking", "not today")


def test_a_rate_of_nothing_is_refused():
    robot = ToyRobot([])
    with pytest.raises(TreeError, match="rate"):
        Runner(Running("leaf"), robot, ToyBeliefs(robot), rate_hz=0)
