"""A process that is copied by ``fork`` after the program was used: the copy works with a session of its own."""

import atexit
import os
import signal
import threading
import time
import traceback
from contextlib import closing
from functools import cached_property

import pytest

from graftwork import Outcome, Session
from graftwork.language.openai_model import OpenAIModel
from planning import FastDownward
from semantics.body.protocols import Message
from semantics.errors import ModelUnreachableError, UsageError
from tests.planning.planners.hard import EASY, opens

SECONDS = 120.0
"""What the copy gets."""

pytestmark = pytest.mark.own_planner


def in_a_copy(work, seconds=SECONDS):
    """Do some work in a copy of this process, and return whether it ended well in time."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


@pytest.fixture
def session():
    with Session("kitchen", "small", robot="fake", memory=None) as opened:
        opened.handle("open the fridge")
        yield opened


def test_a_copy_opens_a_session_of_its_own_and_the_first_one_lives_on(session):
    def work():
        with Session("kitchen", "small", robot="fake", memory=None) as own:
            assert own.handle("put the apple on the counter").outcome is Outcome.ACHIEVED

    assert in_a_copy(work)
    assert session.handle("close the fridge").outcome is Outcome.ACHIEVED


def test_a_copy_computes_what_another_thread_was_computing_at_the_fork():
    held, over = threading.Event(), threading.Event()

    class Slow:
        @cached_property
        def value(self):
            held.set()
            over.wait(SECONDS)
            return 1

    objects = Slow(), Slow()
    thread = threading.Thread(target=lambda: objects[0].value)
    thread.start()
    held.wait()

    def work():
        over.set()
        assert objects[1].value == 1

    assert in_a_copy(work, 20.0)
    over.set()
    thread.join()


def test_a_copy_plans_with_a_worker_of_its_own_and_leaves_that_of_its_parent_alone():
    with closing(FastDownward()) as planner:
        assert opens(planner.solve(EASY.domain, EASY.problem, seconds=60.0))
        worker = planner._worker.process

        def work():
            assert opens(planner.solve(EASY.domain, EASY.problem, seconds=60.0))
            assert planner._worker.process.pid != worker.pid
            planner.close()

        assert in_a_copy(work)
        assert in_a_copy(atexit._run_exitfuncs)
        assert opens(planner.solve(EASY.domain, EASY.problem, seconds=60.0))
        assert planner._worker.process is worker


def test_a_copy_asks_a_model_over_a_client_of_its_own():
    model = OpenAIModel("a-model", base_url="http://127.0.0.1:9/v1", api_key="key", retries=0)
    with pytest.raises(ModelUnreachableError):
        model.complete([Message("user", "hello")])
    client = model._client

    def work():
        with pytest.raises(ModelUnreachableError, match="no connection"):
            model.complete([Message("user", "hello")])

    with client._client._transport._pool._optional_thread_lock._lock:  # as by a thread that the copy does not have
        assert in_a_copy(work)


def test_a_copy_may_not_use_the_session_of_its_parent(session):
    run = session.start("close the fridge")

    def work():
        for use in (lambda: session.start("open the fridge"), lambda: session.subtree("open the fridge"), run.tick):
            with pytest.raises(UsageError, match="after a fork"):
                use()
        session.close()

    assert in_a_copy(work)
    assert run.finish().outcome is Outcome.ACHIEVED
