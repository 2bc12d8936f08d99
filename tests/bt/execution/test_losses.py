"""How often the same is lost: counted until something else fails that has nothing to do with it."""

import pytest

from bt.execution.step import Step
from bt.execution.trouble import LossCounter
from semantics.logic.feedback import Code, Feedback
from tests.bt.recovery.bodies import Bar


def losses_until_given_up(culprits):
    """Take a thing away as often as it is grasped, while a drive in between fails; return how often that goes on."""
    bar = Bar("kitchen", "small")
    grasp, drive = (
        Step(bar.step(text), beliefs=bar.obstacles, robot=bar.robot, skills={}, patience=1.0)
        for text in ("grasp robot0 apple0 table0 table0", "move robot0 table0 counter0")
    )
    counter = LossCounter()
    for times in range(9):
        if counter.begin(grasp, bar.state) is not None:
            return times
        counter.end(grasp)
        counter.end(drive, Feedback(Code.DROPPED, "drive", "", culprits=culprits))
    return None


@pytest.mark.parametrize(("culprits", "times"), [(("apple0",), 3), (("banana0",), None), ((), None)])
def test_a_failure_that_does_not_blame_what_was_lost_begins_the_count_anew(culprits, times):
    assert losses_until_given_up(culprits) == times


def test_what_a_step_does_not_bring_about_is_not_called_lost():
    bar = Bar("kitchen", "small")
    grasp = Step(
        bar.step("grasp robot0 apple0 table0 table0"), beliefs=bar.obstacles, robot=bar.robot, skills={}, patience=1.0
    )
    counter = LossCounter()
    for _ in range(3):
        assert counter.begin(grasp, bar.state) is None
        counter.end(grasp, Feedback(Code.EFFECT_MISSING, "apple0", "", culprits=("apple0",)))
    given_up = counter.begin(grasp, bar.state)
    assert given_up is not None
    assert "was missing after the step 3 times" in given_up.why
