import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from planning import FastDownward, PlannerUnavailableError, problem
from planning.planners.fast_downward import OPTIMAL
from semantics.feedback import Code
from semantics.protocols import Found, NoPlan
from tests.planning.kitchen import DOMAIN, conjunct, shipped

FOUR_FRUITS = "(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))"


def written(goal, name="full", without=()):
    found, state = shipped(name)
    kept = {name: thing for name, thing in found.items() if name not in without}
    return problem(DOMAIN, kept, state, conjunct(goal))


EASY = written("(opened fridge0)", "small")
HARD = written(FOUR_FRUITS)
"""With nothing left out, the optimal search takes about a minute."""
NEEDED = ("apple0", "banana0", "lemon0", "orange0", "plate0", "pan0", "bowl0", "towel0")
FEWER = written(
    FOUR_FRUITS,
    without=[name for name, one in shipped("full")[0].items() if "carry" in one.affordances and name not in NEEDED],
)


TINY = (
    "(define (domain d) (:requirements :strips) (:predicates (p) (q))"
    " (:action move :parameters () :precondition (and) :effect (p))"
    " (:action open :parameters () :precondition (p) :effect (q)))",
    "(define (problem x) (:domain d) (:init) (:goal (q)))",
)


def children(pid):
    tasks = Path(f"/proc/{pid}/task")
    with contextlib.suppress(OSError):
        return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]
    return []


def running(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_for(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def worker_of(planner):
    return planner._worker.process.pid


@pytest.fixture
def alone():
    """A planner that proves or gives up, to be broken."""
    made = FastDownward(greedy=None)
    yield made
    made.close()


def opens(answer):
    return isinstance(answer, Found) and answer.optimal and [one.name for one in answer.actions] == ["move", "open"]


def late(answer):
    return isinstance(answer, NoPlan) and answer.feedback.code is Code.PLANNER_TIMEOUT


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


def test_when_proof_takes_too_long_any_plan_will_do():
    planner = FastDownward(optimal="astar(blind())")
    answer = planner.solve(FEWER.domain, FEWER.problem, seconds=2.0)
    planner.close()
    assert isinstance(answer, Found)
    assert not answer.optimal
    assert len(answer.actions) >= 16


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
    alone.cancel()
    thread.join(30)
    assert [answer.feedback.code for answer in answers] == [Code.CANCELLED]
    assert wait_for(lambda: not running(search))
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))
    worker = worker_of(alone)
    alone.cancel()  # of nothing
    assert running(worker)


def test_a_planner_that_does_not_prove_calls_nothing_optimal():
    planner = FastDownward(proves=False)
    answers = [planner.solve(EASY.domain, EASY.problem, seconds=10.0)]
    planner.close()
    assert [(isinstance(one, Found), one.optimal) for one in answers] == [(True, False)]


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
    monkeypatch.setattr("planning.planners.fast_downward._Worker._line", interrupted)
    with pytest.raises(KeyboardInterrupt):
        alone.solve(EASY.domain, EASY.problem, seconds=10.0)
    monkeypatch.undo()
    impossible = written("(at human0 table0)", "small")
    answer = alone.solve(impossible.domain, impossible.problem, seconds=10.0)
    assert isinstance(answer, NoPlan)
    assert answer.proven


def interrupted(*_):
    raise KeyboardInterrupt


def test_closing_twice_is_no_mistake_and_a_closed_planner_starts_again(alone):
    alone.close()
    alone.close()
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_two_threads_take_turns(alone):
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(alone.solve(EASY.domain, EASY.problem, seconds=20.0)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [opens(answer) for answer in answers] == [True] * 4


def test_unreadable_text_is_an_answer_and_the_next_problem_works(alone):
    for text in ("(define", "", "(define (domain kitchen) (:nonsense))", "é"):
        answer = alone.solve(text, EASY.problem, seconds=10.0)
        assert isinstance(answer, NoPlan)
        assert answer.feedback.code is Code.INVALID_PLAN
        assert "cannot be read" in answer.feedback.why
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def with_axiom():
    axiom = "(:derived (open-door) (opened fridge0))\n (:action move"
    domain = EASY.domain.replace("(:action move", axiom, 1).replace("(opened ?x0", "(open-door) (opened ?x0", 1)
    domain = domain.replace("(:predicates", "(:constants fridge0 - fridge-class)\n(:predicates", 1)
    return domain, EASY.problem.replace("(:goal (and", "(:goal (and (open-door)").replace("fridge0 - fridge-class", "")


def test_the_features_of_a_translated_task_decide_which_search_proves():
    planner, strict = FastDownward(), FastDownward(optimal=OPTIMAL, greedy=None)
    proved, refused = (one.solve(*with_axiom(), seconds=20.0) for one in (planner, strict))
    planner.close()
    strict.close()
    assert isinstance(proved, Found)
    assert proved.optimal
    assert isinstance(refused, NoPlan)
    assert "does not support" in refused.feedback.why


def test_what_a_named_search_does_not_take_is_left_to_the_other_one():
    planner = FastDownward(optimal=OPTIMAL)
    loose = planner.solve(*with_axiom(), seconds=20.0)
    planner.close()
    assert isinstance(loose, Found)
    assert not loose.optimal


def test_two_hundred_problems_leak_nothing(alone):
    alone.solve(EASY.domain, EASY.problem, seconds=10.0)
    worker = worker_of(alone)

    def open_files():
        return [len(os.listdir(f"/proc/{pid}/fd")) for pid in (os.getpid(), worker)]

    before = open_files()
    assert all(opens(alone.solve(*TINY, seconds=10.0)) for _ in range(200))
    assert open_files() == before
    assert worker_of(alone) == worker
    assert children(worker) == []


PARENT = """
import threading
from planning import FastDownward
from tests.planning.planners.test_worker import HARD
planner = FastDownward(greedy=None)
planner.warm_up()
print(planner._worker.process.pid, flush=True)
planner.solve(HARD.domain, HARD.problem, seconds=60.0)
"""


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_a_killed_program(blow, tmp_path):
    root = Path(__file__).parents[3]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(root)}
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env=environment,
        text=True,
    )
    with parent:
        worker = int(parent.stdout.readline())
        (search,) = wait_for(lambda: children(worker), 20)
        parent.send_signal(blow)
        parent.wait(20)
        assert wait_for(lambda: not running(worker) and not running(search))
    assert list(tmp_path.iterdir()) == []


def test_a_program_killed_during_translation_leaves_nothing(tmp_path):
    worker = subprocess.Popen(
        [sys.executable, "-P", str(Path(__file__).parents[3] / "planning" / "planners" / "worker.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    with worker:
        worker.stdin.close()
        assert worker.wait(20) == 0
    assert list(tmp_path.iterdir()) == []


def test_the_worker_runs_as_a_module_too():
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-m", "planning.planners.worker"],
        input="",
        capture_output=True,
        text=True,
        cwd=root,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_planner_that_cannot_start_says_why(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['up_fast_downward'] = None\n")
    (tmp_path / "up_fast_downward.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    planner = FastDownward()
    with pytest.raises(PlannerUnavailableError, match="up-fast-downward"):
        planner.solve(EASY.domain, EASY.problem, seconds=5.0)
    planner.close()
