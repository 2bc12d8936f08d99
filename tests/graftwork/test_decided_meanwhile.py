"""A run is decided on while its caller does something else: ticked, waited for, answered, and called off at once."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from robots.fake import FakeRobot
from semantics.body.protocols import ModelReply
from semantics.errors import ModelUnreachableError, UsageError

SENTENCE, GOAL = "open the fridge", '{"goal": "(opened fridge0)"}'
AT_ONCE = 0.25
"""Seconds that something may take which waits for nobody, on a busy machine."""


class Thinks:
    """A model that answers when it is let."""

    name = "thinks"

    def __init__(self, *replies: str) -> None:
        self.asked, self.go = threading.Event(), threading.Event()
        self.replies = list(replies or (GOAL,))

    def complete(self, messages, *, schema=None) -> ModelReply:
        self.asked.set()
        assert self.go.wait(60)
        return ModelReply(self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])


def opened(model: Thinks, *, simulated: bool = True, **given) -> Session:
    robot = FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement)
    robot.clock.simulated = simulated
    return Session(scene="small", robot=robot, model=model, memory=None, **given)


@pytest.fixture
def model() -> Iterator[Thinks]:
    thinks = Thinks()
    yield thinks
    thinks.go.set()


class Passed:
    """Takes the time on the clock of the wall."""

    def __enter__(self) -> "Passed":
        self.began = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.monotonic() - self.began


def test_on_a_real_clock_nothing_waits_for_the_model(model):
    with opened(model, simulated=False) as session:
        with Passed() as passed:
            run = session.start(SENTENCE)
            assert run.tick()
        assert passed.seconds < AT_ONCE
        assert run.is_undecided
        assert (run.decision, run.plan, run.question, run.goal, run.cost, run.runner) == (None,) * 6
        assert not run.recalled
        assert not run.wait(0.05)
        assert session.environment.robot.clock.now() == 0.0
        model.go.set()
        assert run.wait(60)
        assert len(run.plan.steps) == 2
        assert run.finish().outcome is Outcome.ACHIEVED


def test_a_run_that_is_ticked_to_its_end_on_a_real_clock_is_decided_on_the_way(model):
    with opened(model, simulated=False) as session:
        run = session.start(SENTENCE)
        threading.Timer(0.2, model.go.set).start()
        while run.tick():
            time.sleep(0.001)
        assert run.episode.outcome is Outcome.ACHIEVED


def test_a_simulated_clock_stands_still_and_the_first_tick_waits(model):
    with opened(model) as session:
        run = session.start(SENTENCE)
        began = session.environment.robot.clock.now()
        threading.Timer(0.3, model.go.set).start()
        with Passed() as passed:
            assert run.tick()
        assert passed.seconds > 0.2
        assert run.runner.ticks == 1
        assert session.environment.robot.clock.now() == pytest.approx(began + 0.05)
        assert run.finish().outcome is Outcome.ACHIEVED


@pytest.mark.parametrize("end", ["run", "session", "stop"])
@pytest.mark.parametrize("simulated", [True, False])
def test_deciding_is_called_off_at_once(model, end, simulated):
    with opened(model, simulated=simulated) as session:
        run = session.start(SENTENCE)
        assert model.asked.wait(30)
        with Passed() as passed:
            {"run": run.cancel, "session": session.cancel, "stop": lambda: run.say("stop")}[end]()
            assert not run.tick()
        assert passed.seconds < AT_ONCE
        assert run.episode.outcome is Outcome.STOPPED
        model.go.set()
        assert session.say("go on") is (end == "stop")
        assert session.start(SENTENCE).finish().outcome is Outcome.ACHIEVED


def test_a_tick_that_waits_ends_when_another_thread_cancels(model):
    with opened(model) as session:
        run, ticked = session.start(SENTENCE), []
        thread = threading.Thread(target=lambda: ticked.append(run.tick()))
        thread.start()
        assert model.asked.wait(30)
        with Passed() as passed:
            run.cancel("enough")
            thread.join(30)
        assert passed.seconds < AT_ONCE
        assert (ticked, run.episode.message) == ([False], "Stopped: enough.")


def test_a_session_that_is_closed_plans_for_nobody(model):
    planner = Counted()
    with Passed() as passed, opened(model, planner=planner) as session:
        session.start(SENTENCE)
        assert model.asked.wait(30)
    assert passed.seconds < 30
    model.go.set()
    for thread in [one for one in threading.enumerate() if one.name == "run-decision"]:
        thread.join(30)
        assert not thread.is_alive()
    assert planner.solved == 0


class Counted:
    """A planner that is not to be asked."""

    name = "counted"
    solved = 0

    def solve(self, domain, problem, *, seconds):
        self.solved += 1
        raise AssertionError

    def close(self) -> None:
        pass


def test_an_interrupt_reaches_whoever_waits(model):
    with opened(model) as session:
        run = session.start(SENTENCE)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            run.finish()
        with Passed() as passed:
            assert not run.tick()
        assert passed.seconds < AT_ONCE
        assert run.episode.outcome is Outcome.STOPPED


def test_an_answer_is_taken_at_once_and_decided_on_anew():
    model = Thinks('{"question": "Which one?", "options": ["fridge0"]}', GOAL)
    model.go.set()
    with opened(model, simulated=False) as session:
        run = session.start(SENTENCE)
        assert run.wait(60)
        assert run.question is not None
        model.go.clear()
        with Passed() as passed:
            assert run.say("the fridge")
            assert run.tick()
        assert passed.seconds < AT_ONCE
        assert run.question is None
        model.go.set()
        assert run.finish().outcome is Outcome.ACHIEVED


def test_a_question_is_seen_before_the_tick_that_ends_for_want_of_an_answer():
    with Session(robot="fake", memory=None) as session:
        run = session.start("bring me the can")
        assert run.tick()
        assert run.question is not None
        assert not run.tick()
        assert run.episode.outcome is Outcome.QUESTION


class Broken(Thinks):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def complete(self, messages, *, schema=None) -> ModelReply:
        raise self.error


def test_a_model_that_is_gone_ends_the_run_and_is_told():
    with opened(Broken(ModelUnreachableError("there", "it is gone", "start it"))) as session:
        run = session.start(SENTENCE)
        assert run.wait(60)
        assert run.finish().outcome is Outcome.UNAVAILABLE


def test_a_callers_mistake_is_raised_where_the_run_is_waited_for_and_leaves_the_session_free():
    with opened(Broken(UsageError("no such thing"))) as session:
        run = session.start(SENTENCE)
        for wait in (run.wait, run.tick, run.finish):
            with pytest.raises(UsageError, match="no such thing"):
                wait()
        assert run.episode is None
        assert session.start(SENTENCE) is not run


def test_a_tree_of_ones_own_is_decided_on_before_it_is_given(model):
    model.go.set()
    with opened(model) as session:
        assert session.run(session.subtree(SENTENCE)).status == "success"
