"""A process that is copied by ``fork`` after the program was used: the copy works with a session of its own."""

import os
import signal
import time
import traceback

import pytest

from graftwork import Outcome, Session
from semantics.errors import UsageError

SECONDS = 120.0
"""What the copy gets."""

pytestmark = pytest.mark.own_planner


def in_a_copy(work):
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
    end = time.monotonic() + SECONDS
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


def test_a_copy_may_not_use_the_session_of_its_parent(session):
    run = session.start("close the fridge")

    def work():
        for use in (lambda: session.start("open the fridge"), lambda: session.subtree("open the fridge"), run.tick):
            with pytest.raises(UsageError, match="after a fork"):
                use()
        session.close()

    assert in_a_copy(work)
    assert run.finish().outcome is Outcome.ACHIEVED
