"""What a run has done, does and is to do can be taken at any moment."""

import pytest

from graftwork import Session
from graftwork.decision.model import Doings
from graftwork.run.doings import doings_of
from graftwork.run.run import Run
from robots.fake import InjectedFault
from semantics.logic.feedback import Code


@pytest.fixture
def session():
    with Session("kitchen", "small", robot="fake", memory=None) as session:
        yield session


def doings(run: Run) -> Doings:
    return doings_of(run._state, run.runner, run.goal, run.episode.message if run.episode else "")


def names(steps):
    return [step.action.name for step in steps]


def test_before_it_is_decided_nothing_is_done_and_nothing_planned(session):
    run = session.start(goal="(opened fridge0)")
    before = doings_of(run._state, None, None)
    assert before == Doings(ended="")
    run.finish()


def test_each_step_is_left_then_running_then_done(session):
    run = session.start(goal="(on apple0 counter0)")
    run.wait()
    plan = names(run.plan.steps)
    seen = set()
    while run.tick():
        now = doings(run)
        every = [*(step for step, _ in now.done), *now.running, *now.left]
        assert names(every) == plan
        seen.add((len(now.done), len(now.running)))
    assert {(0, 1), (1, 1), (2, 1), (3, 1)} <= seen
    after = doings(run)
    assert (names(step for step, _ in after.done), after.left) == (plan, ())
    assert after.goal == "(on apple0 counter0)"
    assert after.ended == "Done: the goal was sensed to hold."
    times = [at for _, at in after.done]
    assert times == sorted(times)
    assert times[0] > 0.0


def test_the_goals_that_come_later_are_named_until_their_turn(session):
    run = session.start("open the fridge, then close the fridge, then put the apple on the counter")
    run.wait()
    later = [doings(run).later]
    while run.tick():
        if doings(run).later != later[-1]:
            later.append(doings(run).later)
    assert later == [("(closed fridge0)", "(on apple0 counter0)"), ("(on apple0 counter0)",), ()]


def test_what_failed_and_what_was_said_are_kept(session):
    session.environment.robot.add_fault(InjectedFault(Code.OBSTRUCTED, "open", culprits=("fridge0",)))
    run = session.start(goal="(opened fridge0)")
    run.wait()
    run.say("hurry up")
    assert run.finish().outcome == "achieved"
    told = doings(run)
    assert Code.OBSTRUCTED in [reason.code for reason in told.failures]
    assert told.said == ("hurry up",)
