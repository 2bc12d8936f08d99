"""A run on hold: its leaves are stopped, nothing is ticked, and then every leaf starts again."""

from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Sequence

from bt.runner import Ending, Runner, interrupt
from semantics.body.motion import Hold
from tests.bt.toy import ToyBeliefs, ToyRobot


class Counts(Behaviour):
    """Runs for some ticks, counted anew at each start."""

    def __init__(self, name: str, ticks: int) -> None:
        super().__init__(name)
        self.ticks, self.begun, self.stopped = ticks, 0, 0

    def initialise(self) -> None:
        self.left, self.begun = self.ticks, self.begun + 1

    def update(self) -> Status:
        self.left -= 1
        return Status.SUCCESS if self.left < 0 else Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        self.stopped += new_status == Status.INVALID


def tree():
    first, second, third = Counts("first", 1), Counts("second", 3), Counts("third", 5)
    both = Parallel("both", ParallelPolicy.SuccessOnAll(synchronise=True), [second, third])
    return Sequence("root", True, [first, both]), first, second, third


def runner_of(root, hold):
    robot = ToyRobot(())
    return Runner(root, robot, ToyBeliefs(robot), hold=hold), robot


def test_only_what_runs_is_stopped_and_starts_again():
    root, first, second, third = tree()
    hold = Hold()
    runner, _ = runner_of(root, hold)
    for _ in range(4):
        runner.step()
    assert (second.status, third.status) == (Status.RUNNING, Status.RUNNING)
    hold.wait()
    ticks = runner.ticks
    for _ in range(5):
        runner.step()
    assert runner.is_held
    assert (runner.ticks, second.status, third.status, root.status) == (ticks, *(Status.INVALID,) * 2, Status.RUNNING)
    assert hold.go_on()
    assert runner.run().status is Ending.SUCCESS
    assert not runner.is_held
    assert (first.begun, second.begun, third.begun) == (1, 2, 2)
    assert (first.stopped, second.stopped, third.stopped) == (0, 1, 1)


def test_a_held_run_can_be_stopped_and_cancelled():
    for end in ("stop", "cancel"):
        hold = Hold()
        runner, _ = runner_of(tree()[0], hold)
        runner.step()
        hold.wait()
        runner.step()
        hold.stop("enough") if end == "stop" else runner.cancel("enough")
        ended = runner.run()
        assert (ended.status, ended.reason.why) == (Ending.CANCELLED, "enough")


def test_a_stop_lasts_until_go_on():
    hold = Hold()
    hold.stop("enough")
    root = tree()[0]
    assert runner_of(root, hold)[0].run().ticks == 0
    assert hold.go_on()
    assert not hold.go_on()
    assert runner_of(root, hold)[0].run().status is Ending.SUCCESS


def test_a_tree_at_rest_has_nothing_to_interrupt():
    root, first, *_ = tree()
    interrupt(root)
    assert first.stopped == 0


def test_a_tree_that_fails_because_of_a_stop_was_stopped():
    hold = Hold()

    class Refused(Behaviour):
        def update(self) -> Status:
            hold.stop("enough")  # said in the middle of a tick, by another thread
            return Status.FAILURE

    ended = runner_of(Refused("refused"), hold)[0].run()
    assert (ended.status, ended.reason.why) == (Ending.CANCELLED, "enough")
