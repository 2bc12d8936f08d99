"""What becomes of the processes of a planning service: nothing of them shows, and nothing of them is left."""

import gc
import os
import queue
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from domains.problem import Problem
from planning import OwnProcess, PlannerUnavailableError, PlanningFailedError
from planning.service.shared_values import PlanningRequest
from semantics.body.protocols import NoPlan
from semantics.errors import UnknownNameError
from semantics.logic.feedback import Code
from semantics.logic.state import Plan
from semantics.process.child import family
from semantics.process.seat import Seat, stopped_below
from tests.contracts.test_planning_service import FULL, HARD, MILK, STATE, THINGS, WORLD
from tests.planning.kitchen import checked
from tests.planning.processes import running, told, wait_for


def below():
    """What this process has started, but for what has ended and waits to be asked."""
    return {pid for pid in family(os.getpid())[1:] if running(pid)}


def files():
    return len(os.listdir("/proc/self/fd"))


def solved(answer):
    return isinstance(answer, Plan) and answer.optimal


@pytest.fixture
def before():
    return below(), files()


@pytest.fixture
def service(before):
    made = OwnProcess(seats=1, spares=0)
    yield made
    made.close()
    assert below() == before[0]


def asking(service, goal, world, seconds=60.0):
    """Ask on a thread; return where the answer will be, and what waits for it."""
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(
            service.answer(PlanningRequest("solve", world.with_goal(*goal.conjuncts), given={"seconds": seconds}))
        )
    )
    thread.start()

    def wait():
        thread.join(60)
        return answers[0]

    return wait


def planning_process(service):
    return wait_for(lambda: next(iter(service._pool._busy), None)).pid


def searching(service):
    """Wait until a process has got a question that takes it long, and return it with all below it."""
    return wait_for(lambda: len(found := family(planning_process(service))) > 2 and found)


def test_a_process_that_is_killed_is_replaced_and_asked_again(service):
    wait = asking(service, HARD, FULL)
    killed = searching(service)
    os.kill(killed[0], signal.SIGKILL)
    assert wait_for(lambda: not any(map(running, killed)))
    assert wait_for(lambda: searching(service)[0] != killed[0])
    os.kill(searching(service)[0], signal.SIGKILL)
    answer = wait()
    assert (answer.feedback.code, answer.proven) == (Code.PLANNER_TIMEOUT, False)
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))


def test_a_process_that_does_not_listen_is_replaced(service, monkeypatch):
    monkeypatch.setattr("semantics.process.seat.DEAF", 0.3)
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    (idle,) = service._pool._idle
    os.kill(idle.pid, signal.SIGSTOP)
    assert wait_for(lambda: Path(f"/proc/{idle.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    assert not running(idle.pid)


def test_a_process_that_is_late_is_killed_with_all_below_it(service):
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    wait = asking(service, HARD, FULL, seconds=2.0)
    late = searching(service)
    os.kill(late[0], signal.SIGSTOP)
    assert wait().feedback.code is Code.PLANNER_TIMEOUT
    assert wait_for(lambda: not any(map(running, late)))


def test_a_process_that_is_stopped_is_replaced_long_before_its_time_is_over(service):
    wait = asking(service, HARD, FULL, seconds=120.0)
    stopped = searching(service)[0]
    os.kill(stopped, signal.SIGSTOP)
    assert wait_for(lambda: not running(stopped), 30)
    assert wait_for(lambda: any(seat.pid != stopped for seat in service._pool._busy), 30)
    service.cancel()
    assert wait().feedback.code is Code.CANCELLED


def test_a_search_below_a_process_that_is_stopped_is_found():
    with subprocess.Popen(["sh", "-c", "sleep 60 & wait"]) as shell:
        below_shell = wait_for(lambda: family(shell.pid)[1:])
        assert stopped_below(shell.pid) == frozenset()
        os.kill(below_shell[0], signal.SIGSTOP)
        assert wait_for(lambda: stopped_below(shell.pid)) == set(below_shell)
        for pid in (*below_shell, shell.pid):
            os.kill(pid, signal.SIGKILL)


def test_a_process_that_is_stopped_while_it_starts_is_replaced(before):
    service = OwnProcess(seats=1, spares=0)
    service.warm_up()
    starting = wait_for(lambda: service._pool._starting)
    os.kill(starting.pid, signal.SIGSTOP)
    assert wait_for(lambda: not running(starting.pid), 20)
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    service.close()
    assert below() == before[0]


def test_calling_off_ends_the_search_and_the_process_answers_the_next_question(before):
    service = OwnProcess(seats=1, spares=0)
    wait = asking(service, HARD, FULL)
    process, planner, *search = searching(service)
    service.cancel()
    assert wait().feedback.code is Code.CANCELLED
    assert wait_for(lambda: not any(map(running, search)))
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    assert family(service._pool._idle[0].pid)[:2] == [process, planner]
    service.close()
    assert (below(), files()) == before


@pytest.mark.parametrize("below_it", [False, True], ids=["process", "planner"])
def test_a_process_that_does_not_hear_that_it_is_called_off_is_killed(before, below_it):
    service = OwnProcess(seats=1, spares=0)
    wait = asking(service, HARD, FULL)
    at_work = searching(service)
    os.kill(at_work[below_it], signal.SIGSTOP)
    service.cancel()
    assert wait().feedback.code is Code.CANCELLED
    assert wait_for(lambda: not any(map(running, at_work[2:])))
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    assert not running(at_work[below_it])
    service.close()
    assert (below(), files()) == before


def test_closing_answers_whoever_waits_and_leaves_nothing(before):
    service = OwnProcess()
    waits = [asking(service, HARD, FULL) for _ in range(3)]  # one of them waits for a seat
    searching(service)
    service.close()
    assert [wait().feedback.code for wait in waits] == [Code.CANCELLED] * 3
    assert (below(), files()) == before


def test_a_service_that_is_forgotten_leaves_nothing(before):
    service = OwnProcess(seats=1, spares=0)
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    del service
    gc.collect()
    assert (below(), files()) == before


def test_many_time_outs_leave_nothing(service, before, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for seconds in (0.0, 0.01, 0.3, 0.0, 0.05):
        answer = service.solve(FULL.with_goal(*HARD.conjuncts), seconds=seconds)
        assert isinstance(answer, Plan) or answer.feedback.code is Code.PLANNER_TIMEOUT
    service.close()
    assert (below(), files()) == before
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_needs_more_memory_than_it_may_have_is_no_more_than_late(service):
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    (idle,) = service._pool._idle
    resource.prlimit(idle.pid, resource.RLIMIT_DATA, (1 << 20, 1 << 20))
    answer = service.solve(FULL.with_goal(*HARD.conjuncts), seconds=5.0)
    assert isinstance(answer, Plan) or answer.feedback.code is Code.PLANNER_TIMEOUT
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))


def test_a_fault_of_the_program_is_told_with_its_traceback(service):
    with pytest.raises(PlanningFailedError, match="AttributeError") as caught:
        service.solve(Problem(None, THINGS, STATE, MILK.conjuncts))
    assert "Traceback" in caught.value.trace
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))


def test_what_cannot_travel_is_the_askers_mistake_and_harms_nobody_else(service):
    with pytest.raises((AttributeError, TypeError)):
        service.solve(WORLD.with_goal(lambda: None))
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))


def test_a_planner_that_cannot_be_started_says_so(monkeypatch, tmp_path):
    with pytest.raises(UnknownNameError, match="fast-downward"):
        OwnProcess("fastdownward")
    monkeypatch.setattr("sys.executable", "/nonexistent/python")
    service = OwnProcess()
    with pytest.raises(PlannerUnavailableError, match="/nonexistent"):
        service.solve(WORLD.with_goal(*MILK.conjuncts))
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(PlannerUnavailableError, match="ended before"):
        service.solve(WORLD.with_goal(*MILK.conjuncts))
    monkeypatch.undo()
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    service.close()


@pytest.mark.slow
def test_an_engine_of_unified_planning_plans_there_too():
    service = OwnProcess("up:fast-downward-opt", seats=1, spares=0)
    answer = service.solve(WORLD.with_goal(*checked("(opened fridge0)").conjuncts), seconds=60)
    unknown = OwnProcess("up:fast-downward-optimal", seats=1, spares=0)
    with pytest.raises(UnknownNameError, match="fast-downward-opt"):
        unknown.solve(WORLD.with_goal(*MILK.conjuncts))
    service.close()
    unknown.close()
    assert solved(answer)


def test_questions_wait_for_a_seat_and_are_all_answered(service):
    waits = [asking(service, MILK, WORLD) for _ in range(4)]
    assert all(solved(wait()) for wait in waits)
    assert isinstance(service.solve(WORLD.with_goal(*checked("(at human0 table0)").conjuncts)), NoPlan)


PARENT = """
import sys, threading
from planning import OwnProcess
from tests.contracts.test_planning_service import FULL, HARD, MILK, WORLD
service = OwnProcess(seats=1, spares=1)
service.solve(WORLD.with_goal(*MILK.conjuncts))
print("ready", flush=True)
if sys.argv[1] == "works":
    service.solve(FULL.with_goal(*HARD.conjuncts), seconds=60.0)
threading.Event().wait(60)
"""


@pytest.mark.parametrize(
    ("doing", "blow"), [("works", signal.SIGKILL), ("rests", signal.SIGKILL), ("works", signal.SIGINT)]
)
def test_soon_after_the_program_has_ended_nothing_of_it_runs(doing, blow, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", PARENT, doing]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, cwd=tmp_path, env=environment) as parent:
        assert parent.stdout.readline() == b"ready\n"
        least = 6 if doing == "works" else 5
        pids = wait_for(lambda: len(some := family(parent.pid)) >= least and some)
        assert pids
        parent.send_signal(blow)
        parent.wait(20)
        # One that is being started notices it when it has begun.
        assert wait_for(lambda: not any(map(running, pids))), {pid: told(pid) for pid in pids if running(pid)}
    assert list(tmp_path.iterdir()) == []


def test_a_copy_of_the_program_that_ends_takes_nothing_with_it(service):
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    command = "import os, sys; sys.exit(0)"
    (idle,) = service._pool._idle
    child = os.fork()
    if not child:
        try:
            service.close()
        finally:
            os.execv(sys.executable, [sys.executable, "-c", command])
    assert os.waitpid(child, 0)[1] == 0
    assert running(idle.pid)
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))


def test_after_a_fork_the_child_plans_with_processes_of_its_own(service):
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    wait = asking(service, MILK, WORLD)  # the child has no such thread
    child = os.fork()
    if not child:
        code = 9
        try:
            code = 0 if solved(service.solve(WORLD.with_goal(*MILK.conjuncts), seconds=60.0)) else 1
            service.close()
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert solved(wait())
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))


def test_a_process_that_ended_while_nobody_asked_is_replaced_before_it_is_missed(before):
    service = OwnProcess(seats=1, spares=1)
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    assert wait_for(lambda: len(service._pool._idle) == 2)
    idle = list(service._pool._idle)
    os.kill(idle[0].pid, signal.SIGKILL)
    assert wait_for(lambda: not idle[0].alive())  # its main thread ends before its others do
    assert solved(service.solve(WORLD.with_goal(*MILK.conjuncts)))
    assert wait_for(lambda: len(service._pool._idle) == 2 and idle[0] not in service._pool._idle)
    service.close()
    assert (below(), files()) == before


def test_a_process_that_becomes_ready_while_its_pool_is_closed_is_waited_for(monkeypatch):
    service, seats, closing = OwnProcess(seats=1, spares=0), [], []
    pool = service._pool
    ready = Seat.ready

    def ready_at_the_last_moment(seat, seconds):
        ready(seat, seconds)
        seats.append(seat)
        closer = threading.Thread(target=pool.close)
        closer.start()
        closing.append(closer)
        while not pool._closed or pool._jobs.empty():
            time.sleep(0.001)

    monkeypatch.setattr(Seat, "ready", ready_at_the_last_moment)
    pool.begin()
    while not closing:
        time.sleep(0.01)
    closing[0].join(30)
    assert seats[0]._process.returncode is not None


def test_threads_that_end_hide_no_process():
    for index in range(200):  # the kernel lists them before the thread that starts the process
        threading.Thread(target=time.sleep, args=(0.2 + index / 200,)).start()
    started, over = queue.SimpleQueue(), threading.Event()

    def start():
        with subprocess.Popen(["sleep", "60"]) as child:
            started.put(child.pid)
            over.wait()
            child.kill()

    starter = threading.Thread(target=start)
    starter.start()
    child, end = started.get(), time.monotonic() + 1.2
    seen = []
    while time.monotonic() < end:
        seen.append(child in family(os.getpid()))
    over.set()
    starter.join()
    assert all(seen)
