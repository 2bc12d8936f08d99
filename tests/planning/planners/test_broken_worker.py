"""Workers and searches that are late, killed, called off or hang: each an answer, and nothing left."""

import os
import signal
import threading

import pytest

from planning import PlannerUnavailableError
from planning.planners.fast_downward import _PlannerProcess
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code
from tests.planning.planners.hard import EASY, HARD, TINY, late, opens, worker_of, written
from tests.planning.processes import children, running, wait_for


def test_a_time_out_leaves_no_search_behind(alone):
    answer = alone.solve(HARD.domain, HARD.problem, seconds=1.0)
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.proven) == (Code.PLANNER_TIMEOUT, False)
    assert children(worker_of(alone)) == []
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_a_time_out_of_the_translation_is_told_apart_from_nothing(alone):
    alone.solve(EASY.domain, EASY.problem, seconds=10.0)
    answer = alone.solve(HARD.domain, HARD.problem, seconds=0.01)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.PLANNER_TIMEOUT
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_a_worker_killed_in_mid_search_is_replaced_once_and_then_there_was_no_time(alone):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(alone.solve(HARD.domain, HARD.problem, seconds=60.0)))
    thread.start()
    (first,) = wait_for(lambda: alone._worker and children(worker_of(alone)), 20)
    killed = worker_of(alone)
    os.kill(killed, signal.SIGKILL)
    assert wait_for(lambda: not running(killed) and not running(first))
    (second,) = wait_for(lambda: alone._worker and worker_of(alone) != killed and children(worker_of(alone)), 20)
    os.kill(worker_of(alone), signal.SIGKILL)
    thread.join(30)
    assert [answer.feedback.code for answer in answers] == [Code.PLANNER_TIMEOUT]
    assert not answers[0].proven
    assert wait_for(lambda: not running(second))
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_a_killed_search_is_an_answer_and_the_worker_goes_on(alone):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(alone.solve(HARD.domain, HARD.problem, seconds=20.0)))
    thread.start()
    (search,) = wait_for(lambda: alone._worker and children(worker_of(alone)))
    os.kill(search, signal.SIGKILL)
    thread.join(30)
    assert [answer.feedback.code for answer in answers] == [Code.PLANNER_TIMEOUT]
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_closing_ends_a_search_in_another_thread(alone):
    raised = []

    def work():
        try:
            alone.solve(HARD.domain, HARD.problem, seconds=20.0)
        except PlannerUnavailableError as error:
            raised.append(error.planner)

    thread = threading.Thread(target=work)
    thread.start()
    (search,) = wait_for(lambda: alone._worker and children(worker_of(alone)))
    worker = worker_of(alone)
    alone.close()
    thread.join(30)
    assert raised == ["fast-downward"]
    assert not running(worker)
    assert wait_for(lambda: not running(search))


def test_calling_off_ends_a_question_in_another_thread_and_the_next_one_is_answered(alone):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(alone.solve(HARD.domain, HARD.problem, seconds=60.0)))
    thread.start()
    (search,) = wait_for(lambda: alone._worker and children(worker_of(alone)))
    worker = worker_of(alone)
    alone.cancel()
    thread.join(30)
    assert [answer.feedback.code for answer in answers] == [Code.CANCELLED]
    assert wait_for(lambda: not running(search))
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))
    alone.cancel()  # of nothing
    assert running(worker)
    assert worker_of(alone) == worker


def test_a_worker_that_does_not_hear_that_it_is_called_off_is_replaced(alone):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(alone.solve(HARD.domain, HARD.problem, seconds=60.0)))
    thread.start()
    (search,) = wait_for(lambda: alone._worker and children(worker_of(alone)))
    os.kill(worker_of(alone), signal.SIGSTOP)
    alone.cancel()
    thread.join(30)
    assert [answer.feedback.code for answer in answers] == [Code.CANCELLED]
    assert wait_for(lambda: not running(search))
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_what_calls_off_one_question_does_not_end_the_next(alone):
    """The one who calls off may be late: then the worker hears it during the next question, which is asked again."""
    alone.solve(*TINY, seconds=10.0)
    ask, replies = _PlannerProcess.ask, []

    def late(process, request):
        if not replies:
            process.call_off()
        replies.append(ask(process, request))
        return replies[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_PlannerProcess, "ask", late)
        assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))
    assert len(replies) == 2


def test_a_worker_that_hangs_is_replaced(alone, monkeypatch):
    monkeypatch.setattr("planning.planners.fast_downward.GRACE", 0.3)
    alone.solve(EASY.domain, EASY.problem, seconds=10.0)
    os.kill(worker_of(alone), signal.SIGSTOP)
    assert late(alone.solve(EASY.domain, EASY.problem, seconds=0.5))
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_a_worker_that_does_not_even_read_is_replaced(alone, monkeypatch):
    monkeypatch.setattr("planning.planners.fast_downward.GRACE", 0.3)
    long = EASY.problem + "; more than a pipe holds" * 100_000
    alone.solve(*TINY, seconds=10.0)
    os.kill(worker_of(alone), signal.SIGSTOP)
    assert late(alone.solve(EASY.domain, long, seconds=0.5))
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_the_answer_to_an_interrupted_question_is_not_given_to_the_next(alone, monkeypatch):
    alone.solve(*TINY, seconds=10.0)
    worker = worker_of(alone)
    monkeypatch.setattr("planning.planners.fast_downward._PlannerProcess._line", interrupted)
    with pytest.raises(KeyboardInterrupt):
        alone.solve(EASY.domain, EASY.problem, seconds=10.0)
    monkeypatch.undo()
    impossible = written("(at human0 table0)", "small")
    answer = alone.solve(impossible.domain, impossible.problem, seconds=10.0)
    assert isinstance(answer, NoPlan)
    assert answer.proven
    assert worker_of(alone) == worker


def interrupted(*_):
    raise KeyboardInterrupt
