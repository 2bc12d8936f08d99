"""The race of several ways to a plan: who starts when, what ends it, and what it answers."""

import threading
from dataclasses import replace

import pytest

from domains.problem import Problem
from planning.anytime import CALLED_OFF, GRACE, Best, PlannerWay
from planning.errors import PlannerUnavailableError
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Plan
from tests.planning.kitchen import DOMAIN, shipped
from tests.planning.processes import wait_for

LONG = 60.0
"""A head start or a patience that no test reaches, seconds."""
PROOF = NoPlan(Feedback(Code.NO_PLAN, "the goal", "it is proved", recoverable=False), proven=True)
LATE = NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", "late"))
NOTHING_CHEAPER = NoPlan(Feedback(Code.NO_PLAN, "the goal", "the search ended without a plan"))
LOST = NoPlan(Feedback(Code.WHEREABOUTS_UNKNOWN, "milk0", "nobody knows where it is"))


STEP = Problem(DOMAIN, *shipped("small")).ground(Action("open", ("robot0", "fridge0", "fridge0")))


def plan(cost, *, optimal=False, bound=0):
    """Make a plan that costs `cost`; its steps do not matter here."""
    assert STEP.cost == 1
    return Plan((STEP,) * cost, frozenset(), optimal=optimal, bound=bound)


class Controlled:
    """A way that answers when the test lets it, or is called off."""

    def __init__(self, name, answer, *, cheaper=(), after=0.0, thorough=False, is_ready=False):
        self.asked, self.go, self.off = threading.Event(), threading.Event(), threading.Event()
        self.questions: list[tuple[int, int]] = []
        self._answer, self._cheaper = answer, list(cheaper)
        if is_ready:
            self.go.set()
        better = self._better if cheaper else None
        self.way = PlannerWay(name, self._ask, self._call_off, after, better, thorough)

    def _ask(self):
        self.asked.set()
        self.go.wait()
        if self.off.is_set():
            return CALLED_OFF
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer

    def _better(self, below, attempt):
        self.questions.append((below, attempt))
        return self._cheaper.pop(0)

    def _call_off(self):
        self.off.set()
        self.go.set()


@pytest.fixture
def race():
    """Start races, and check after the test that no thread of them is left."""
    started = []

    def start(*ways):
        started.append(Best([one.way for one in ways]))
        return started[-1]

    yield start
    for search in started:
        search.cancel()
    assert wait_for(lambda: not threads())


def threads():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("planning.anytime")]


def test_a_late_way_is_not_asked_when_the_first_has_a_proof_in_its_head_start(race):
    proof = Controlled("proof", plan(1, optimal=True), is_ready=True)
    late = Controlled("late", plan(2), after=LONG)
    answer = race(proof, late).wait(LONG)
    assert (answer.cost, answer.optimal) == (1, True)
    assert wait_for(lambda: not threads())
    assert not late.asked.is_set()


@pytest.mark.parametrize("ended", [LATE, PlannerUnavailableError("proof", "gone")])
def test_a_late_way_is_asked_at_once_when_the_first_ended_without_a_proof(race, ended):
    proof, late = Controlled("proof", ended), Controlled("late", plan(2), after=LONG, is_ready=True)
    search = race(proof, late)
    assert proof.asked.wait(LONG)
    assert not late.asked.is_set()
    proof.go.set()
    assert search.wait(LONG).cost == 2


def test_the_plan_of_the_thorough_way_ends_the_race(race):
    thorough = Controlled("solve", plan(3), thorough=True, is_ready=True)
    other = Controlled("floor", plan(2))
    answer = race(thorough, other).wait(LONG)
    assert (answer.cost, answer.optimal) == (3, False)
    assert other.off.is_set()


def test_the_end_of_the_thorough_way_ends_the_race_if_there_is_a_plan(race):
    thorough = Controlled("solve", LATE, thorough=True)
    floor = Controlled("floor", plan(2), is_ready=True)
    other = Controlled("quick", plan(1))
    search = race(thorough, floor, other)
    assert search.wait(LONG, first=True).cost == 2
    thorough.go.set()
    assert search.wait(LONG).cost == 2
    assert other.off.is_set()


def test_a_thorough_way_without_a_plan_leaves_the_race_to_the_others(race):
    thorough, floor = Controlled("solve", LATE, thorough=True, is_ready=True), Controlled("floor", plan(2))
    search = race(thorough, floor)
    assert wait_for(lambda: search.failures == [LATE])
    assert search.best() is None
    floor.go.set()
    assert search.wait(LONG).cost == 2


def test_cheaper_plans_are_asked_for_until_a_search_for_one_gives_up(race):
    floor = Controlled("floor", plan(5), cheaper=[plan(4), plan(2), LATE], is_ready=True)
    search = race(floor)
    assert search.wait(LONG).cost == 2
    assert floor.questions == [(5, 0), (4, 1), (2, 2)]
    assert search.first.cost == 5


def test_each_search_for_a_cheaper_plan_is_more_thorough_before_it_gives_up(race):
    floor = Controlled("floor", plan(5), cheaper=[NOTHING_CHEAPER] * 10, is_ready=True)
    assert race(floor).wait(LONG).cost == 5
    assert floor.questions == [(5, 0), (5, 1), (5, 2), (5, 3)]


def test_a_cheaper_plan_is_asked_for_below_the_best_plan_of_any_way(race):
    quick = Controlled("quick", plan(3), is_ready=True)
    floor = Controlled("floor", plan(5), cheaper=[LATE])
    search = race(quick, floor)
    assert search.wait(LONG, first=True).cost == 3
    floor.go.set()
    assert search.wait(LONG).cost == 3
    assert floor.questions == [(3, 0)]


@pytest.mark.parametrize("error", [PlannerUnavailableError("broken", "gone"), KeyboardInterrupt()])
def test_an_error_of_one_way_does_not_matter_if_another_has_a_plan(race, error):
    broken, fine = Controlled("broken", error, is_ready=True), Controlled("fine", plan(1), is_ready=True)
    assert race(broken, fine).wait(LONG).cost == 1


@pytest.mark.parametrize("error", [PlannerUnavailableError("broken", "gone"), KeyboardInterrupt(), MemoryError()])
def test_an_error_of_all_ways_reaches_the_caller(race, error):
    ways = [Controlled(name, error, is_ready=True) for name in ("one", "other")]
    with pytest.raises(type(error)):
        race(*ways).wait(LONG)
    with pytest.raises(type(error)):
        race(*(Controlled(name, error, is_ready=True) for name in ("one", "other"))).decide(LONG)


def test_an_error_of_the_thorough_way_reaches_the_caller_if_the_other_only_failed(race):
    thorough = Controlled("solve", PlannerUnavailableError("solve", "gone"), thorough=True, is_ready=True)
    with pytest.raises(PlannerUnavailableError):
        race(thorough, Controlled("floor", LATE, is_ready=True)).wait(LONG)


def test_an_error_does_not_hide_a_proof_that_there_is_no_plan(race):
    thorough = Controlled("solve", PlannerUnavailableError("solve", "gone"), thorough=True, is_ready=True)
    assert race(thorough, Controlled("floor", PROOF, is_ready=True)).wait(LONG) == PROOF


def test_a_plan_as_cheap_as_the_bound_of_another_way_is_optimal_and_ends_the_race(race):
    bounded = Controlled("bounded", plan(4, bound=2), is_ready=True)
    cheap, other = Controlled("cheap", plan(2)), Controlled("other", plan(1))
    search = race(bounded, cheap, other)
    first = search.wait(LONG, first=True)
    assert (first.cost, first.optimal, first.bound) == (4, False, 2)
    cheap.go.set()
    answer = search.wait(LONG)
    assert (answer.cost, answer.optimal, answer.bound) == (2, True, 2)
    assert other.off.is_set()


def test_the_bound_of_a_failure_counts(race):
    failed = Controlled("failed", NoPlan(LATE.feedback, bound=3), is_ready=True)
    answer = race(failed, Controlled("cheap", plan(3), is_ready=True)).wait(LONG)
    assert (answer.optimal, answer.bound) == (True, 3)


@pytest.mark.parametrize("final", [PROOF, LOST], ids=["proof", "whereabouts"])
def test_what_no_other_way_can_change_ends_the_race(race, final):
    other = Controlled("other", plan(1))
    assert race(Controlled("final", final, is_ready=True), other).wait(LONG) == final
    assert other.off.is_set()


def test_patience_that_ends_gives_the_best_plan_so_far(race):
    quick, thorough = Controlled("quick", plan(2), is_ready=True), Controlled("solve", plan(1, optimal=True))
    search = race(quick, thorough)
    assert search.wait(LONG, first=True).cost == 2
    assert search.decide(0.0).cost == 2
    thorough.go.set()
    assert search.decide(LONG).optimal


def test_without_a_patience_a_proof_is_waited_for_as_long_as_the_first_plan_took(race, monkeypatch):
    waited = []
    proof, quick = Controlled("proof", plan(1, optimal=True)), Controlled("quick", replace(plan(2), seconds=1.5))
    search = race(proof, quick)
    monkeypatch.setattr(search, "_changed", Noted(search._changed, waited))
    quick.go.set()
    answer = search.decide(None)
    assert (answer.cost, answer.optimal) == (2, False)
    assert waited == [None, 1.5 + GRACE, None]


class Noted:
    """A condition that notes the time limit of each wait, and lets no wait with one take any time."""

    def __init__(self, condition, waited):
        self._condition, self._waited = condition, waited

    def __enter__(self):
        return self._condition.__enter__()

    def __exit__(self, *error):
        return self._condition.__exit__(*error)

    def notify_all(self):
        self._condition.notify_all()

    def wait_for(self, predicate, timeout=None):
        self._waited.append(timeout)
        return self._condition.wait_for(predicate, None if timeout is None else 0.0)


def test_without_a_plan_patience_is_followed_by_waiting_for_the_first_one(race):
    quick, thorough = Controlled("quick", plan(2)), Controlled("solve", plan(1, optimal=True))
    search, answers = race(quick, thorough), []
    caller = threading.Thread(target=lambda: answers.append(search.decide(0.0)))
    caller.start()
    assert quick.asked.wait(LONG)
    assert answers == []
    quick.go.set()
    caller.join(LONG)
    assert [answer.cost for answer in answers] == [2]


@pytest.mark.parametrize("moment", ["head start", "asked", "first plan"])
def test_cancelling_at_any_moment_ends_every_thread(race, moment):
    first = Controlled("first", plan(2), is_ready=moment == "first plan")
    thorough, late = Controlled("solve", plan(1), thorough=True), Controlled("late", plan(3), after=LONG)
    search = race(first, thorough, late) if moment != "head start" else race(thorough, late)
    if moment == "first plan":
        assert search.wait(LONG, first=True).cost == 2
    elif moment == "asked":
        assert first.asked.wait(LONG)
    search.cancel()
    assert wait_for(lambda: not threads())
    answer = search.wait(LONG)
    assert answer.cost == 2 if moment == "first plan" else answer.feedback.code is Code.CANCELLED
    assert search.done


def test_a_way_that_misses_the_first_call_is_called_off_again(race):
    """A way may be between two questions when it is called off, so one call is not enough."""
    calls, off = [], threading.Event()

    def call_off():
        calls.append(None)
        if len(calls) == 3:
            off.set()

    deaf = Controlled("deaf", LATE)
    deaf.way = PlannerWay("deaf", lambda: off.wait(LONG) and CALLED_OFF, call_off)
    search = race(deaf)
    search.cancel()
    assert wait_for(lambda: not threads())
    assert len(calls) >= 3


def test_many_races_that_are_cancelled_at_once_answer_and_end(race):
    for _ in range(100):
        ways = [Controlled("one", plan(2), is_ready=True), Controlled("two", plan(1, optimal=True), is_ready=True)]
        search = race(*ways, Controlled("late", plan(3), after=LONG))
        search.cancel()
        answer = search.wait(LONG)
        assert isinstance(answer, Plan) or answer.feedback.code is Code.CANCELLED
