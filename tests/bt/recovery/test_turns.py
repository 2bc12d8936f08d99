"""Strategies beyond replanning in the kitchen, made by hand, on the body without physics."""

import pytest
from py_trees.behaviours import Failure, Success
from py_trees.composites import Selector

from bt import Runner
from bt.recovery import Ask, Budget, Detour, NewGoal, Recover, Repeat, UserPrompt
from bt.runner import Ending
from domains.problem import Problem
from planning import solve
from robots.fake import InjectedFault
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Question
from tests.bt.recovery.bodies import Bar, ByHand, Rungs

APPLE = "(on apple0 shelf0)"
CUP = "(on cup0 shelf0)"
MAY_I = Question("Shall I go on?", ("yes", "no"))
ONCE = Budget(tries=1, same=1)


def stuck_kitchen(planner, times=9):
    """A kitchen in which taking the apple fails, and no plan is known to answer that."""
    bar = Bar("kitchen", "small")
    plan = solve(Problem(bar.domain, bar.scene.things, bar.state, bar.goal(APPLE).conjuncts), planner=planner)
    for _ in range(times):
        bar.robot.add_fault(InjectedFault(Code.OUT_OF_REACH, "pick"))
    return bar, plan


def no_plan(state, feedback, domain):
    return NoPlan(Feedback(Code.NO_PLAN, "the goal", "there is none"))


def run(bar, plan, *above, replanner=no_plan, tick=None, **more):
    root = bar.root = Rungs(None, replanner, again=None, above=above, **more).tree(plan, bar)
    runner = Runner(root, bar.robot, bar.obstacles)
    while runner.ended is None:
        runner.step(600)
        if tick is not None:
            tick()
    return runner.ended


def test_another_goal_is_pursued_where_the_first_cannot_be_had(planner):
    bar, plan = stuck_kitchen(planner, times=1)
    turns = []

    def cup(request):
        plan = solve(Problem(bar.domain, bar.scene.things, request.state, bar.goal(CUP).conjuncts), planner=planner)
        return NewGoal((plan.goal,), plan, "The cup is put there instead.")

    instead = ByHand("substitute", cup, codes=None, budget=ONCE)
    end = run(bar, plan, instead, listener=turns.append)
    assert end.status is Ending.SUCCESS, end.reason
    assert bar.robot.world.carriers["cup0"] == ("on", "shelf0")
    assert bar.robot.world.carriers["apple0"] != ("on", "shelf0")
    assert [turn.said for turn in turns] == ["The cup is put there instead."]
    (told,) = bar.journal.of("turn")
    assert told["goal"] == [[CUP]]
    assert bar.uses()[-1][0::2] == ("substitute", True)


def test_after_an_errand_the_goal_is_planned_for_again_however_the_errand_ended(planner):
    bar, plan = stuck_kitchen(planner, times=1)
    looked = []

    def replan(state, feedback, domain):
        if not looked:
            return no_plan(state, feedback, domain)
        return solve(Problem(domain, bar.scene.things, state, bar.goal(APPLE).conjuncts), planner=planner)

    def look(request):
        looked.append(request.feedback.code)
        errand = solve(
            Problem(bar.domain, bar.scene.things, request.state, bar.goal("(opened fridge0)").conjuncts),
            planner=planner,
        )
        return Detour((errand,), said="It looks into the fridge.")

    bar.robot.add_fault(InjectedFault(Code.STUCK, "open"))  # the errand fails
    end = run(bar, plan, ByHand("explore", look, codes=None, budget=ONCE), replanner=replan)
    assert end.status is Ending.SUCCESS, end.reason
    assert looked == [Code.NO_PLAN]
    assert bar.robot.world.carriers["apple0"] == ("on", "shelf0")
    assert bar.journal.of("turn")[0]["goal"] is None


def test_a_run_without_a_first_plan_is_planned_for_when_it_is_ticked(planner):
    bar = Bar("kitchen", "small")
    goals = bar.goal(APPLE).conjuncts
    root = Rungs(None, bar.replanner(APPLE, planner)).tree(None, bar, goals)
    assert Runner(root, bar.robot, bar.obstacles).run(600).status is Ending.SUCCESS
    assert bar.uses() == []
    assert len(bar.plans()) == 1


def asking(heard, desk, seconds=5.0):
    return ByHand(
        "ask",
        lambda request: Ask(MAY_I, heard),
        codes=None,
        budget=ONCE,
        desk=desk,
        answer_seconds=seconds,
    )


def test_a_person_is_waited_for_with_the_robot_at_rest_and_the_answer_taken(planner):
    bar, plan = stuck_kitchen(planner, times=1)
    desk, seen = UserPrompt(), []

    def replan(state, feedback, domain):
        asked = bool(bar.journal.of("answered"))
        return bar.replanner(APPLE, planner)(state, feedback, domain) if asked else no_plan(state, feedback, domain)

    def answer():
        if desk.question is not None:
            seen.append(bar.robot.clock.now())
            if len(seen) == 20:
                assert desk.answer("yes")
                assert not desk.answer("yes")

    end = run(bar, plan, asking(lambda words, request: Repeat(words), desk), replanner=replan, tick=answer)
    assert end.status is Ending.SUCCESS, end.reason
    assert seen[-1] - seen[0] == pytest.approx(0.95, abs=0.01)
    assert bar.journal.of("answered")[0]["words"] == "yes"


@pytest.mark.parametrize("is_open", [True, False])
def test_without_an_answer_the_first_reason_stands_and_nothing_hangs(planner, is_open):
    bar, plan = stuck_kitchen(planner)
    desk = UserPrompt(is_open=is_open)
    end = run(bar, plan, asking(lambda words, request: Repeat(), desk))
    assert end.status is Ending.FAILURE
    assert end.reason.code is Code.NO_PLAN
    assert ("nobody has answered in time" if is_open else "there is nobody to ask") in end.reason.why
    assert len([one for one in bar.journal.of("feedback") if one["node"].endswith("/ask")]) == is_open
    assert desk.question is None
    assert bar.robot.clock.now() < 60


def test_a_run_that_is_called_off_withdraws_its_question(planner):
    bar, plan = stuck_kitchen(planner)
    desk = UserPrompt()
    rungs = Rungs(None, no_plan, again=None, above=[asking(lambda words, request: Repeat(), desk, 600.0)])
    root = rungs.tree(plan, bar)
    runner = Runner(root, bar.robot, bar.obstacles)
    while desk.question is None:
        runner.step(600)
    runner.cancel()
    runner.step(600)
    assert runner.ended.status is Ending.CANCELLED
    assert desk.question is None


def test_a_rung_that_is_started_again_by_one_above_it_has_what_was_left_of_its_budget(planner):
    bar, plan = stuck_kitchen(planner)
    asked = []

    def lower(request):
        asked.append("lower")
        return Repeat()

    def higher(request):
        asked.append("higher")
        return Repeat()

    twice, thrice = Budget(tries=2, same=9), Budget(tries=3, same=9)
    end = run(
        bar,
        plan,
        ByHand("explore", lower, codes=None, budget=twice),
        ByHand("consult", higher, codes=None, budget=thrice),
    )
    assert end.status is Ending.FAILURE
    assert asked == ["lower", "lower", "higher", "higher", "higher"]


def test_a_failure_of_another_kind_goes_up_as_it_was(planner):
    bar, plan = stuck_kitchen(planner)
    never = ByHand("explore", lambda request: pytest.fail("not asked"), codes=frozenset({Code.STUCK}), budget=ONCE)
    end = run(bar, plan, never)
    assert end.reason.code is Code.NO_PLAN


def test_in_a_tree_of_ones_own_the_child_is_begun_again_when_the_person_says_so():
    bar = Bar("kitchen", "small")
    desk = UserPrompt()
    child = Selector("try", memory=False, children=[Failure("no luck")])

    def heard(words, request):
        child.children = [Success("the person has done it")]
        return Repeat(words)

    safe = Recover(
        child,
        [ByHand("ask", lambda request: Ask(MAY_I, heard), budget=Budget())],
        beliefs=bar.obstacles,
        clock=bar.robot.clock,
        desk=desk,
    )
    runner = Runner(safe, bar.robot, bar.obstacles)
    while runner.ended is None:
        runner.step(60)
        desk.answer("done")
    assert runner.ended.status is Ending.SUCCESS
