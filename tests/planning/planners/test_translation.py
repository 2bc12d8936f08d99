"""The translation in a fork of the worker: kept for the same text, and an answer whatever goes wrong."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from planning.planners import worker
from planning.planners.fast_downward import FastDownward
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.feedback import Code
from tests.planning.planners.hard import EASY, FEWER, HARD, TINY, late, opens, worker_of
from tests.planning.processes import children, running, wait_for

FOREVER = 1e9


class Forks:
    """A stand-in for the fork: it counts the translations and writes what it is told."""

    def __init__(self):
        self.count, self.code = 0, 0

    def __call__(self, work, deadline, memory):
        self.count += 1
        if self.code is None:
            raise OSError("no more processes")
        file = os.memfd_create("stand-in")
        os.write(file, f"translation {self.count}".encode())
        return self.code, file


@pytest.fixture
def forks(monkeypatch):
    made = Forks()
    monkeypatch.setattr(worker, "forked", made)
    return made


def text(file):
    return "".join(worker.lines_of(file))


def test_the_same_text_twice_is_translated_once(forks):
    kept = worker.SasTranslation()
    answers = [kept.of("domain", problem, FOREVER, 0) for problem in ("one", "one", "other", "one")]
    assert [code for code, _ in answers] == [0] * 4
    assert forks.count == 3
    assert text(kept.of("domain", "one", FOREVER, 0)[1]) == "translation 3"


def test_a_translation_that_failed_is_not_kept(forks):
    kept = worker.SasTranslation()
    forks.code = worker.UNREADABLE
    assert kept.of("domain", "one", FOREVER, 0)[0] == worker.UNREADABLE
    forks.code = 0
    assert kept.of("domain", "one", FOREVER, 0)[0] == 0
    assert forks.count == 2


def test_after_a_fork_that_failed_the_text_before_is_translated_again(forks):
    kept = worker.SasTranslation()
    kept.of("domain", "one", FOREVER, 0)
    forks.code = None
    with pytest.raises(OSError, match="no more processes"):
        kept.of("domain", "other", FOREVER, 0)
    forks.code = 0
    code, file = kept.of("domain", "one", FOREVER, 0)
    assert (code, text(file)) == (0, "translation 3")


ESCAPE = """
import os, sys, time
from planning.planners import worker
main = os.getpid()
fault, sys.argv[1] = sys.argv[1], str(os.eventfd(0))  # the worker hears there that a question is called off
def refuse(*_):
    raise ValueError("current limit exceeds maximum limit")
if fault == "limit":
    worker.resource.setrlimit = refuse
def work(stream):
    if fault == "interrupt":
        raise KeyboardInterrupt
try:
    code, file = worker.forked(work, time.monotonic() + 30, 1 << 30)
finally:
    print("parent" if os.getpid() == main else "fork", flush=True)
print(code)
"""


@pytest.mark.parametrize("fault", ["limit", "interrupt"])
def test_a_fork_never_goes_on_as_a_second_worker(fault):
    """Its answer would be read as that of the next question."""
    command = [sys.executable, "-c", ESCAPE, fault]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as done:
        assert done.stdout.read().decode().split() == ["parent", str(worker.UNREADABLE)]


def test_a_translator_that_needs_too_much_memory_is_an_answer_and_the_next_problem_works(alone):
    objects = " ".join(f"o{number}" for number in range(3000))
    domain = (
        "(define (domain d) (:requirements :strips) (:predicates (p ?x ?y) (q))"
        " (:action a :parameters (?x ?y) :precondition (and) :effect (p ?x ?y))"
        " (:action b :parameters (?x ?y) :precondition (p ?x ?y) :effect (q)))"
    )
    problem = f"(define (problem x) (:domain d) (:objects {objects}) (:init) (:goal (q)))"
    alone.memory = 1
    answer = alone.solve(domain, problem, seconds=60.0)
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.proven) == (Code.PLANNER_TIMEOUT, False)
    alone.memory = None
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_an_answer_after_an_unreadable_text_is_that_of_its_own_text(alone):
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))
    assert alone.solve("(define", EASY.problem, seconds=10.0).feedback.code is Code.INVALID_PLAN
    answer = alone.solve(*TINY, seconds=10.0)
    assert isinstance(answer, FoundPlan)
    assert answer.actions[0].args == ()
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_lama_searches_the_same_text_below_a_cost_until_nothing_is_cheaper():
    planner = FastDownward()
    first = planner.satisfice(FEWER.domain, FEWER.problem, seconds=20.0)
    assert isinstance(first, FoundPlan)
    cheapest = planner.solve(*TINY, seconds=10.0)
    assert len(cheapest.actions) == 2
    assert isinstance(planner.satisfice(*TINY, seconds=10.0, below=3), FoundPlan)
    none = planner.satisfice(*TINY, seconds=10.0, below=2, attempt=9)
    planner.close()
    assert isinstance(none, NoPlan)
    assert (none.feedback.code, first.optimal) == (Code.NO_PLAN, False)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSEGV])
def test_a_killed_translator_is_an_answer_and_the_worker_goes_on(alone, blow):
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))
    process, answers = worker_of(alone), []
    asker = threading.Thread(target=lambda: answers.append(alone.solve(HARD.domain, HARD.problem, seconds=60.0)))
    asker.start()
    (translator,) = wait_for(lambda: children(process))
    os.kill(translator, blow)
    asker.join(60)
    assert late(answers[0])
    assert worker_of(alone) == process
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))


def test_an_abandoned_worker_ends_its_translator(alone):
    assert opens(alone.solve(EASY.domain, EASY.problem, seconds=10.0))
    process = worker_of(alone)
    asker = threading.Thread(target=lambda: alone.solve(HARD.domain, HARD.problem, seconds=60.0))
    asker.start()
    (translator,) = wait_for(lambda: children(process))
    os.kill(process, signal.SIGKILL)
    assert wait_for(lambda: not running(translator))
    alone.cancel()
    asker.join(60)
    assert not asker.is_alive()
