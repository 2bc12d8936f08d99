import threading
import time

import pytest

from domains.problem import Problem
from planning import FastDownward, PlannerUnavailableError, make_planner, solve
from planning.portfolio import Kairos, Portfolio
from planning.portfolio.planner import race
from semantics.body.protocols import FoundPlan, NoPlan, Planner
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Plan
from tests.planning.kitchen import DOMAIN, checked, shipped
from tests.planning.planners.hard import HARD
from tests.planning.portfolio import problems
from tests.planning.portfolio.replay import replay
from tests.planning.processes import children, wait_for

pytest.importorskip("kairos")
GO = Action("go", ("x", "z"))


@pytest.fixture(scope="module")
def portfolio():
    made = Portfolio()
    yield made
    made.close()


@pytest.fixture(scope="module")
def kairos():
    made = Kairos()
    yield made
    made.close()


@pytest.mark.parametrize("name", ["PLAIN", "NEGATIVE", "ALTERNATIVES", "CONDITIONAL", "DERIVED", "COSTS"])
def test_it_proves_what_can_be_proved(portfolio, name):
    answer = portfolio.solve(*getattr(problems, name), seconds=20)
    assert isinstance(answer, FoundPlan)
    assert (answer.optimal, len(answer.actions)) == (True, 1)
    assert replay(*getattr(problems, name), answer.actions) == ""


@pytest.mark.parametrize(("name", "steps"), [("NUMERIC", 4), ("LASTING", 1)])
def test_numbers_and_durations_get_a_plan_without_a_claim(portfolio, name, steps):
    answer = portfolio.solve(*getattr(problems, name), seconds=20)
    assert isinstance(answer, FoundPlan)
    assert (answer.optimal, len(answer.actions)) == (False, steps)
    assert replay(*getattr(problems, name), answer.actions) == ""
    assert portfolio.choice.planner == "kairos"


def test_text_that_is_no_pddl_is_an_answer(portfolio, kairos):
    for planner in (portfolio, kairos):
        answer = planner.solve(*problems.BROKEN, seconds=5)
        assert isinstance(answer, NoPlan)
        assert answer.feedback.code is Code.INVALID_PLAN


def test_kairos_gives_times(kairos):
    ((start, action, duration),) = kairos.schedule(*problems.LASTING, seconds=5)
    assert (start, action, duration) == (0.0, GO, 3.0)


def test_kairos_never_claims_a_proof(kairos):
    assert not kairos.solve(*problems.PLAIN, seconds=5).optimal
    answer = kairos.solve(problems.PLAIN[0], problems.task("(lit z)"), seconds=5)
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.proven) == (Code.NO_PLAN, False)


def test_time_that_ran_out_is_not_called_a_cancellation(kairos):
    answer = kairos.solve(HARD.domain, HARD.problem, seconds=0.001)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.PLANNER_TIMEOUT


def test_impossible_is_proven_by_who_can(portfolio):
    answer = portfolio.solve(problems.PLAIN[0], problems.task("(lit z)"), seconds=10)
    assert isinstance(answer, NoPlan)
    assert answer.proven


def test_when_the_proof_takes_too_long_the_quick_plan_is_the_answer_and_no_search_is_left(portfolio):
    answer = portfolio.solve(HARD.domain, HARD.problem, seconds=3.0)
    assert isinstance(answer, FoundPlan)
    assert not answer.optimal
    workers = [made._worker.process.pid for made in portfolio._made.values() if isinstance(made, FastDownward)]
    assert wait_for(lambda: not any(children(pid) for pid in workers))


def test_for_a_first_plan_the_slower_one_is_called_off():
    quick = Portfolio(proof=False)
    answer = quick.solve(HARD.domain, HARD.problem, seconds=30)
    assert isinstance(answer, FoundPlan)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("planning.race")]
    quick.close()


def test_a_greedy_plan_is_never_called_optimal():
    alone = Portfolio(proof=False, available=("fast-downward",))
    answer = alone.solve(*problems.PLAIN, seconds=20)
    alone.close()
    assert isinstance(answer, FoundPlan)
    assert not answer.optimal


@pytest.mark.parametrize("goal", ["(inhand milk0 human0)", "(or (opened fridge0) (on apple0 shelf0))"])
def test_kairos_takes_ground_tasks_too(kairos, goal):
    found, state = shipped("small")
    plan = solve(Problem(DOMAIN, found, state, checked(goal).conjuncts), planner=kairos)
    assert isinstance(plan, Plan)
    assert (plan.planner, plan.optimal) == ("kairos", False)


class Sleeper:
    """A planner that sleeps until it is called off."""

    def __init__(self, name: str, answer: FoundPlan | NoPlan | Exception | None = None) -> None:
        self.name = name
        self.answer = answer
        self.off = threading.Event()

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        if self.answer is None:
            self.off.wait(30)
            return NoPlan(Feedback(Code.CANCELLED, "planning", "it was called off"))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def cancel(self) -> None:
        self.off.set()

    def close(self) -> None:
        self.cancel()


QUICK, PROOF = FoundPlan((GO, GO), False), FoundPlan((GO,), True)


def test_the_first_sound_answer_ends_the_race():
    sleeper = Sleeper("sleeper")
    result = race([sleeper, Sleeper("quick", PROOF)], "", "", seconds=30, ends=lambda answer: True)
    assert result is PROOF
    assert sleeper.off.is_set()


def test_an_answer_that_does_not_end_the_race_is_kept_for_want_of_a_better_one():
    heard = []
    nothing = NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", "no plan"))
    racers = [Sleeper("a", QUICK), Sleeper("b", nothing), Sleeper("c", RuntimeError("broken"))]
    result = race(racers, "", "", seconds=5, ends=heard.append)
    assert result is QUICK
    assert len(heard) == 2


def test_nobody_there_is_an_error():
    broken = PlannerUnavailableError("a", "it is not installed")
    with pytest.raises(PlannerUnavailableError):
        race([Sleeper("a", broken), Sleeper("b", OSError("gone"))], "", "", seconds=5, ends=lambda answer: True)


def test_it_can_be_called_off_and_asked_again(portfolio):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(portfolio.solve(HARD.domain, HARD.problem, seconds=60)))
    thread.start()
    time.sleep(0.5)
    portfolio.cancel()
    thread.join(10)
    assert answers
    assert portfolio.solve(*problems.PLAIN, seconds=20).optimal


@pytest.mark.parametrize("name", ["kairos", "portfolio"])
def test_they_are_made_by_name(name):
    made = make_planner(name)
    assert isinstance(made, Planner)
    made.close()
