"""The race of a proof and LAMA in processes: what answers, and that nothing of the losers is left."""

import os
import threading
from collections import Counter

import pytest

from planning import OwnProcess
from planning.anytime import LAMA
from planning.service.own_process import NICENESS
from planning.service.shared_values import PlanningRequest
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code
from semantics.logic.state import Plan
from semantics.process.child import family
from tests.contracts.test_planning_service import FULL, HARD, MILK, WORLD
from tests.planning.processes import running, wait_for
from tests.planning.service.test_own_process import below, files, solved

EASY, LONG = WORLD.with_goal(*MILK.conjuncts), FULL.with_goal(*HARD.conjuncts)


@pytest.fixture
def service():
    before = below(), files()
    made = OwnProcess()
    made.warm_up()
    assert wait_for(lambda: made.is_warm, 60)
    yield made
    made.close()
    assert wait_for(lambda: (below(), files()) == before)


def races():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("planning.anytime")]


def test_without_patience_lama_answers_for_a_long_proof_and_the_losers_live_on(service):
    started = processes(service)
    answer = service.solve(LONG, seconds=60.0, patience=0.0)
    assert isinstance(answer, Plan)
    assert (answer.planner, answer.optimal) == (LAMA, False)
    assert wait_for(lambda: service.is_warm, 60)
    assert wait_for(lambda: not races())
    assert service._pool._busy == {}
    assert solved(service.solve(EASY))
    assert wait_for(lambda: processes(service) == started)


def processes(service):
    """Return the processes that wait for a question, and the planners below them."""
    return {seat.pid: set(family(seat.pid)[1:]) for seat in service._pool._idle}


def test_decisions_one_after_the_other_start_no_process(service):
    started = processes(service)
    for number in range(10):
        answer = service.solve(LONG if number % 2 else EASY, seconds=60.0, patience=0.0)
        assert isinstance(answer, Plan)
    assert wait_for(lambda: service.is_warm)
    assert wait_for(lambda: processes(service) == started)


def test_with_patience_the_proof_of_an_easy_problem_answers(service):
    answer = service.solve(EASY, seconds=60.0, patience=60.0)
    assert solved(answer)
    assert wait_for(lambda: service.is_warm, 60)


def priorities(service):
    pids = [pid for seat in service._pool._idle for pid in family(seat.pid)]
    return Counter(os.getpriority(os.PRIO_PROCESS, pid) for pid in pids)


def test_planning_has_a_lower_priority_only_while_something_ticks(service):
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    assert wait_for(lambda: service.is_warm, 60)
    assert priorities(service).keys() == {mine}
    service.give_way()
    assert solved(service.solve(EASY))
    assert priorities(service)[min(mine + NICENESS, 19)] >= 2
    service.take_turns()
    assert wait_for(lambda: service.is_warm and priorities(service).keys() == {mine}, 60)
    assert solved(service.solve(EASY))


@pytest.mark.parametrize("ending", [OwnProcess.cancel, OwnProcess.close])
def test_what_ends_the_service_during_a_race_answers_it_and_leaves_nothing(service, ending):
    answers = []
    asker = threading.Thread(target=lambda: answers.append(service.solve(LONG, seconds=60.0)))
    asker.start()
    busy = wait_for(lambda: len(service._pool._busy) == 1 and [seat.pid for seat in service._pool._busy])
    ending(service)
    asker.join(60)
    assert isinstance(answers[0], Plan) or answers[0].feedback.code is Code.CANCELLED
    assert wait_for(lambda: not races())
    if ending is OwnProcess.close:
        assert wait_for(lambda: not any(map(running, busy)))
    else:
        assert wait_for(lambda: service.is_warm)
        assert all(map(running, busy))


def test_a_race_that_is_older_than_a_close_starts_no_process(service):
    """Nobody would end such a process: the race cancels its questions at the processes that it began with."""
    way = service._way(PlanningRequest("floor", EASY), 60.0)
    service.close()
    answer = way.ask()
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.CANCELLED
    assert service._pool._keeper is None


def test_replanning_races_too(service):
    plan = service.solve(EASY)
    replanned = service.replan(EASY, plan, EASY.state, seconds=60.0)
    assert isinstance(replanned.answer, Plan)
    assert replanned.answer.cost == plan.cost
    assert wait_for(lambda: service.is_warm, 60)


def test_too_little_memory_is_an_answer_and_nothing_else():
    service = OwnProcess(memory=150 << 20)
    answer = service.solve(LONG, seconds=5.0)
    assert isinstance(answer, Plan) or answer.feedback.code is Code.PLANNER_TIMEOUT
    service.close()
    assert wait_for(lambda: not races())
