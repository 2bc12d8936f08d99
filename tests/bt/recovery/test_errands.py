"""Detours before the goal is gone for again: when they end, and what is left of them."""

import threading

import pytest
from py_trees.common import Status

from bt.background import Cancellation
from bt.execution.execute import plan_under_way
from bt.execution.step import Step
from bt.recovery import Ask, Budget, Detour, Nothing, Repeat, UserPrompt
from bt.recovery.inquiry import PendingQuestion
from bt.runner import Ending
from domains.problem import Problem
from planning import solve
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Question
from tests.bt.recovery.bodies import ByHand
from tests.bt.recovery.test_turns import APPLE, MAY_I, run, stuck_kitchen

NOTHING = Feedback(Code.NO_PLAN, "the goal", "there is none")


def planned_after_turns(bar, planner):
    """Return a replanner that knows a plan for the apple once there was a turn."""

    def replan(state, feedback, domain):
        known = bar.journal.of("turn")
        return (
            solve(Problem(domain, bar.scene.things, state, bar.goal(APPLE).conjuncts), planner=planner)
            if known
            else NoPlan(NOTHING)
        )

    return replan


def to_the_fridge(bar, planner, until=None):
    """Return a finder of an errand: to open the fridge."""

    def look(request):
        errand = solve(
            Problem(bar.domain, bar.scene.things, request.state, bar.goal("(opened fridge0)").conjuncts),
            planner=planner,
        )
        assert [step.action.name for step in errand.steps][-1] == "open"
        return Detour((errand,), said="It looks into the fridge.", until=until)

    return look


@pytest.mark.parametrize(("while_running", "opens"), [("move", False), ("open", True)])
def test_an_errand_that_is_needed_no_more_ends_on_the_way_and_not_with_a_hand_at_work(planner, while_running, opens):
    bar, plan = stuck_kitchen(planner, times=1)
    running = set()

    def tick():
        steps = [node for node in bar.root.iterate() if isinstance(node, Step) and node.status == Status.RUNNING]
        if bar.journal.of("turn"):
            running.update(step.operator.action.name for step in steps)

    look = to_the_fridge(bar, planner, lambda state: while_running in running)
    explore = ByHand("explore", look, codes=None, budget=Budget(tries=1, same=1))
    end = started(bar, plan, planned_after_turns(bar, planner), explore, tick=tick)
    assert end.status is Ending.SUCCESS, end.reason
    assert (Atom("opened", ("fridge0",)) in bar.state.atoms) is opens


def started(bar, plan, replanner, *above, replan=None, tick=None):
    given = {} if replan is None else {"replan": replan}
    return run(bar, plan, *above, replanner=replanner, tick=tick, **given)


def test_an_errand_that_is_over_is_not_taken_for_the_plan_under_way(planner):
    bar, plan = stuck_kitchen(planner, times=1)
    seen = []

    def tick():
        if len(bar.journal.of("plan")) > 1:
            seen.append(plan_under_way(bar.root).plan.goal)

    explore = ByHand("explore", to_the_fridge(bar, planner), codes=None, budget=Budget(tries=1, same=1))
    started(bar, plan, planned_after_turns(bar, planner), explore, tick=tick)
    assert seen
    assert set(seen) == {plan.goal}


def test_where_nothing_plans_anew_the_plan_that_failed_is_taken_up_again(planner):
    bar, plan = stuck_kitchen(planner, times=1)
    again = ByHand("ask", lambda request: Repeat("Once more."), codes=None, budget=Budget(tries=1, same=1))
    end = started(bar, plan, None, again)
    assert end.status is Ending.SUCCESS, end.reason


def test_the_plan_after_an_errand_is_no_try_of_a_repair(planner):
    bar, plan = stuck_kitchen(planner, times=1)
    explore = ByHand("explore", to_the_fridge(bar, planner), codes=None, budget=Budget(tries=1, same=1))
    end = started(bar, plan, planned_after_turns(bar, planner), explore, replan=Budget(tries=0))
    assert end.status is Ending.SUCCESS, end.reason


def test_what_was_paid_for_in_vain_is_off_the_budget(planner):
    bar, plan = stuck_kitchen(planner)
    asked = []

    def consult(request):
        asked.append(request.feedback)
        return Ask(MAY_I, lambda words, request: Nothing(NOTHING, price=2.0), price=2.0)

    def again(request):
        return Repeat("")

    desk, adl = UserPrompt(), Budget(tries=9, same=9)
    poor = Budget(tries=9, same=9, money=3.0)
    dear = ByHand("consult", consult, codes=None, budget=poor, desk=desk)
    end = run(bar, plan, dear, ByHand("ask", again, codes=None, budget=adl), tick=lambda: desk.answer("yes"))
    assert end.status is Ending.FAILURE
    assert len(asked) == 1


def test_a_question_waits_no_longer_than_its_rung_may_answer(planner):
    bar, plan = stuck_kitchen(planner)
    desk, waited = UserPrompt(), []

    def tick():
        if desk.question is not None:
            waited.append(bar.robot.clock.now())

    def ask(request):
        return Ask(MAY_I, lambda words, request: Repeat(""))

    budget = Budget(tries=9, same=9, seconds=4.0)
    run(bar, plan, ByHand("ask", ask, codes=None, budget=budget, desk=desk, answer_seconds=60.0), tick=tick)
    assert 2.0 < waited[-1] - waited[0] <= 4.0


def test_an_answer_at_the_last_moment_is_heard():
    desk, heard = UserPrompt(), []
    given = {"due": 1.0, "delay": 0.0, "heard": heard.append, "cancellation": Cancellation()}
    inquiry = PendingQuestion(desk, MAY_I, lambda words: lambda: words, **given)
    assert desk.answer("yes")
    assert inquiry.arrived(1.0)
    assert (heard, inquiry.result()) == (["yes"], "yes")
    late = PendingQuestion(desk, Question("And now?"), lambda words: lambda: words, **given)
    assert late.arrived(1.0)
    assert isinstance(late.result(), Nothing)
    assert not desk.answer("too late")


def test_what_is_believed_when_an_answer_comes_is_read_between_ticks(planner):
    bar, plan = stuck_kitchen(planner)
    desk, readers = UserPrompt(), set()
    kind = type(bar.obstacles)

    class Watched(kind):
        @property
        def state(self):
            readers.add(threading.current_thread().name)
            return super().state

    bar.obstacles.__class__ = Watched

    def ask(request):
        return Ask(MAY_I, lambda words, request: Nothing(NOTHING))

    budget = Budget(tries=1, same=1)
    run(bar, plan, ByHand("ask", ask, codes=None, budget=budget, desk=desk), tick=lambda: desk.answer("yes"))
    assert bar.journal.of("answered")
    assert not [name for name in readers if "answer" in name]
