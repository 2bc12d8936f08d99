from py_trees.behaviours import Running
from py_trees.common import Status
from py_trees.composites import Selector

from bt.execution.step import Condition
from bt.ticking import Believed, Ticker
from tests.bt.toy import START, ToyBeliefs, ToyRobot, atom, conjunct


class Counted(Condition):
    updates = 0

    def update(self):
        self.updates += 1
        return super().update()


def watched(of_others: bool = False):
    robot = ToyRobot((), START)
    beliefs, others = ToyBeliefs(robot), ToyBeliefs(robot)
    leaf = Counted("open", conjunct("opened fridge0"), beliefs)
    root = Selector("fetch", False, [leaf, Running("open it")])
    return robot, beliefs, leaf, Ticker(root, Believed(others if of_others else beliefs))


def test_a_condition_of_a_step_is_asked_again_only_when_its_facts_have_changed():
    robot, beliefs, leaf, ticker = watched()
    for _ in range(5):
        ticker.tick()
    assert (leaf.updates, leaf.status) == (1, Status.FAILURE)
    assert "does not hold" in leaf.feedback.why
    robot.change(added=[atom("opened fridge0")])
    beliefs.refresh()
    assert ticker.tick() is Status.SUCCESS
    assert (leaf.updates, leaf.feedback) == (2, None)


def test_a_condition_on_beliefs_that_the_ticker_does_not_know_is_asked_every_time():
    *_, leaf, ticker = watched(of_others=True)
    for _ in range(5):
        ticker.tick()
    assert leaf.updates == 5
