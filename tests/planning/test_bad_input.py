"""What bad problems do to the program that asks: nothing that lasts, and no more than one answer late."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from domains.problem import Problem
from planning import FastDownward, OwnProcess, solve
from planning.errors import UnplannableError
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code
from semantics.logic.state import Plan, State
from semantics.process.child import family
from tests.planning.kitchen import DOMAIN, checked, scene, shipped
from tests.planning.processes import children, running, wait_for

TICK = 0.05
HUGE = {
    f"{name}{index}": place
    for index in range(250)
    for name, place in (("apple", "table0"), ("plate", "shelf0"), ("bowl", "counter0"), ("milk", "sink0"))
}
TASKS = " ".join(f"(on apple{index} plate{index}) (in milk{index} bowl{index})" for index in range(30))


def enormous():
    found, state = scene(HUGE)
    return f"(and {TASKS})", found, state


def unsolvable():
    return "(and (on apple0 towel0) (on banana0 towel0) (inhand bowl0 human0))", *shipped("full")


def malformed():
    found, state = shipped("small")
    return "(on unicorn0 table0)", found, state


def blank():
    found, _ = shipped("small")
    return "(opened fridge0)", found, State(frozenset())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in and to put temporary files in; it has to be empty afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [enormous, unsolvable, malformed, blank], ids=lambda kind: kind.__name__)
def test_a_bad_problem_neither_blocks_a_ticking_thread_nor_leaves_a_process(kind, folder):
    goal, found, state = kind()
    before = children(os.getpid())
    service, ended = OwnProcess(seats=1, spares=0), []

    def work():
        try:
            ended.append(service.solve(Problem(DOMAIN, found, state, checked(goal).conjuncts), seconds=3.0))
        except UnplannableError as error:
            ended.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    longest, last, end = 0.0, time.monotonic(), time.monotonic() + 60
    busiest, worked = 0.0, time.process_time()
    while thread.is_alive() and time.monotonic() < end:
        time.sleep(TICK)
        longest, last = max(longest, time.monotonic() - last), time.monotonic()
        busiest, worked = max(busiest, time.process_time() - worked), time.process_time()
    assert isinstance(ended[0], NoPlan | Plan | UnplannableError)
    assert isinstance(ended[0], NoPlan) or kind in (enormous, malformed)
    assert longest < 2.0  # a tick is 0.05 s; a machine with other work to do is late by more than that
    assert busiest < 0.5  # of our own work between two ticks, which other programs do not add to
    workers = [pid for pid in children(os.getpid()) if pid not in before]
    # A process that is late is killed by another thread than the one that is answered.
    assert wait_for(lambda: not [search for one in workers for worker in children(one) for search in children(worker)])
    service.close()
    assert not any(map(running, workers))


def test_what_nobody_can_call_off_ends_with_its_time_all_the_same(folder):
    goal, found, state = enormous()
    service = OwnProcess(seats=1, spares=0)
    assert isinstance(service.solve(Problem(DOMAIN, *shipped("small"), checked("(opened fridge0)").conjuncts)), Plan)
    began = time.process_time()
    answer = service.solve(
        Problem(DOMAIN, found, state, checked(goal).conjuncts), seconds=0.2
    )  # grounding it takes longer
    assert answer.feedback.code is Code.PLANNER_TIMEOUT
    assert time.process_time() - began < 0.5
    service.close()


PARENT = """
import sys, threading
from domains.problem import Problem
from planning import FastDownward, OwnProcess, solve
from tests.planning.kitchen import DOMAIN, checked
from tests.planning.test_bad_input import enormous
planner = FastDownward()
planner.warm_up()
goal, found, state = enormous()
print("ready", flush=True)
solve(Problem(DOMAIN, found, state, checked(goal).conjuncts), planner=planner, seconds=60.0)
"""


def test_one_second_after_the_program_is_killed_nothing_of_it_runs(folder):
    root = Path(__file__).parents[2]
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    with parent:
        assert parent.stdout.readline() == b"ready\n"
        time.sleep(1.0)  # in the midst of it
        pids = wait_for(lambda: len(some := family(parent.pid)) > 1 and some)
        assert pids
        parent.send_signal(signal.SIGKILL)
        parent.wait(10)
        time.sleep(1.0)
        assert [pid for pid in pids if running(pid)] == []


def test_no_process_outlives_any_of_many_timeouts(folder):
    planner = FastDownward()
    goal, found, state = unsolvable()
    for _ in range(3):
        for seconds in (0.01, 0.05, 0.3):
            answer = solve(Problem(DOMAIN, found, state, checked(goal).conjuncts), planner=planner, seconds=seconds)
            assert isinstance(answer, NoPlan)
            worker = planner._worker
            assert worker is None or children(worker.process.pid) == []
    planner.close()
