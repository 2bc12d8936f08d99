import threading

import pytest

from domains.problem import Problem
from planning import Anytime, FastDownward, PlannerUnavailableError
from planning.anytime import Best, PlannerWay
from planning.portfolio import Kairos
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.errors import UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Plan
from tests.planning.kitchen import DOMAIN, checked, shipped
from tests.planning.planners.hard import worker_of
from tests.planning.processes import children, running, wait_for

GOAL = checked("(at robot0 shelf0)")
DETOUR = FoundPlan(
    (Action("move", ("robot0", "floor0", "table0")), Action("move", ("robot0", "table0", "shelf0"))), optimal=False
)
DIRECT = FoundPlan((Action("move", ("robot0", "floor0", "shelf0")),), optimal=True)
NOTHING = NoPlan(Feedback(Code.NO_PLAN, "the goal", "nothing reaches it"), proven=True)
HARD = checked("(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0) (in orange0 sink0) (in cup0 fridge0))")


class Told:
    """A planner that answers when it is let, or is called off."""

    def __init__(self, name, answer):
        self.name, self.answer = name, answer
        self.go, self.off = threading.Event(), threading.Event()

    def solve(self, domain, problem, *, seconds):
        while not self.go.wait(0.005):
            if self.off.is_set():
                return NoPlan(Feedback(Code.CANCELLED, "planning", "called off"))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def cancel(self):
        self.off.set()

    def close(self):
        self.cancel()


def start(*planners, goal=GOAL, scene="small", **options):
    found, state = shipped(scene)
    return Anytime(Problem(DOMAIN, found, state, goal.conjuncts), planners=planners, **options)


def test_nothing_is_there_before_somebody_answers_and_asking_never_waits():
    quick, thorough = Told("quick", DETOUR), Told("thorough", DIRECT)
    search = start(quick, thorough)
    assert (search.first, search.best(), search.done) == (None, None, False)
    quick.go.set()
    assert search.wait(10, first=True).cost == 2
    assert (search.first.cost, search.done) == (2, False)
    thorough.go.set()
    best = search.wait(10)
    assert (best.cost, best.optimal, search.first.cost, search.done) == (1, True, 2, True)


def test_a_dearer_plan_that_comes_later_is_not_taken():
    quick, thorough = Told("quick", DETOUR), Told("thorough", DIRECT)
    search = start(quick, thorough)
    thorough.go.set()
    assert search.wait(10).cost == 1
    assert quick.off.is_set()  # what is proved needs no more search
    assert search.best().cost == 1


def test_a_plan_that_does_not_work_does_not_count():
    wrong = Told("wrong", FoundPlan((Action("move", ("robot0", "table0", "shelf0")),), True))
    wrong.go.set()
    answer = start(wrong).wait(10)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.INVALID_PLAN


def test_when_nobody_finds_one_the_proof_is_the_reason():
    doubt, proof = Told("doubt", NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", "late"))), Told("proof", NOTHING)
    doubt.go.set()
    proof.go.set()
    search = start(doubt, proof, goal=checked("(at human0 shelf0)"))
    assert search.wait(10).proven
    assert search.first is None


def test_calling_off_keeps_what_was_found_and_returns_at_once():
    quick, thorough = Told("quick", DETOUR), Told("thorough", DIRECT)
    search = start(quick, thorough)
    quick.go.set()
    search.wait(10, first=True)
    search.cancel()
    search.cancel()
    assert search.wait(10).cost == 2
    assert search.done


def test_a_proof_calls_off_the_rest():
    go, off = threading.Event(), threading.Event()

    def slow():
        go.wait(30)
        return Plan((), frozenset())

    def call_off():
        off.set()
        go.set()

    proof = PlannerWay("proof", lambda: Plan((), frozenset(), optimal=True), lambda: None)
    search = Best([PlannerWay("slow", slow, call_off), proof])
    assert search.wait(30).optimal
    assert search.done
    assert off.is_set()
    assert wait_for(lambda: not [one for one in threading.enumerate() if one.name.startswith("planning.anytime")])
    assert search.best().optimal


def test_a_broken_planner_does_not_matter_unless_all_are():
    broken, fine = Told("broken", PlannerUnavailableError("broken", "gone")), Told("fine", DIRECT)
    broken.go.set()
    fine.go.set()
    assert start(broken, fine).wait(10).cost == 1
    with pytest.raises(PlannerUnavailableError):
        start(broken).wait(10)
    with pytest.raises(UsageError):
        start()


def test_real_planners_give_a_first_plan_before_the_proof_and_leave_no_search():
    pytest.importorskip("kairos")
    quick, thorough = Kairos(), FastDownward(greedy=None)
    search = start(quick, thorough, goal=HARD, scene="full", seconds=60)
    first = search.wait(30, first=True)
    assert isinstance(first, Plan)
    pid = wait_for(lambda: thorough._worker and worker_of(thorough))
    search.cancel()
    assert search.wait(10).cost <= first.cost
    assert wait_for(lambda: search.done and (not running(pid) or not children(pid)))
    thorough.close()
    assert not running(pid)
    assert wait_for(lambda: not [one for one in threading.enumerate() if one.name.startswith("planning.anytime")])


def test_the_first_plan_is_there_for_whoever_only_looks():
    pytest.importorskip("kairos")
    quick, thorough = Kairos(), FastDownward(greedy=None)
    search = start(quick, thorough, goal=HARD, scene="full", seconds=30)
    assert wait_for(lambda: isinstance(search.best(), Plan), 30)
    search.cancel()
    assert wait_for(lambda: search.done)
    thorough.close()
