"""The worker answers, whatever it is asked, and goes on."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from planning import FastDownward, PlannerUnavailableError
from planning.planners.fast_downward import OPTIMAL
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.feedback import Code
from tests.planning.planners.hard import EASY, FEWER, TINY, opens, worker_of
from tests.planning.processes import children


def test_when_proof_takes_too_long_any_plan_will_do():
    planner = FastDownward(optimal="astar(blind())")
    answer = planner.solve(FEWER.domain, FEWER.problem, seconds=2.0)
    planner.close()
    assert isinstance(answer, FoundPlan)
    assert not answer.optimal
    assert len(answer.actions) >= 16


def test_a_planner_that_does_not_prove_calls_nothing_optimal():
    planner = FastDownward(proves=False)
    answers = [planner.solve(EASY.domain, EASY.problem, seconds=10.0)]
    planner.close()
    assert [(isinstance(one, FoundPlan), one.optimal) for one in answers] == [(True, False)]


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
    domain = domain.replace("(:predicates", "(:constants fridge0 - fridge)\n(:predicates", 1)
    return domain, EASY.problem.replace("(:goal (and", "(:goal (and (open-door)").replace("fridge0 - fridge", "")


def test_the_features_of_a_translated_task_decide_which_search_proves():
    planner, strict = FastDownward(), FastDownward(optimal=OPTIMAL, greedy=None)
    proved, refused = (one.solve(*with_axiom(), seconds=20.0) for one in (planner, strict))
    planner.close()
    strict.close()
    assert isinstance(proved, FoundPlan)
    assert proved.optimal
    assert isinstance(refused, NoPlan)
    assert "does not support" in refused.feedback.why


def test_what_a_named_search_does_not_take_is_left_to_the_other_one():
    planner = FastDownward(optimal=OPTIMAL)
    loose = planner.solve(*with_axiom(), seconds=20.0)
    planner.close()
    assert isinstance(loose, FoundPlan)
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


def test_the_worker_runs_as_a_module_too():
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-m", "planning.planners.worker", "1"],
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
