import threading

import pytest
from py_trees.behaviours import Success
from py_trees.common import Status
from py_trees.composites import Sequence

from bt import Entries, Recover, Replan, Runner, Strategy, compile_plan, pursue
from bt.background import Cancellation
from bt.errors import TreeError
from bt.recovery import Budget, Repeat
from bt.runner import Ending
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan
from tests.bt.toy import GIVE, GOAL, GRASP, MILK, ToyBeliefs, ToyRobot, atom, conjunct, move

FETCH = Plan((move("fridge0", "table0"), GRASP, move("table0", "human0"), GIVE), GOAL, optimal=True, planner="toy")
SLIPPED = Feedback(Code.NOT_GRASPED, "milk0", "the fingers closed on air", culprits=("milk0",))


def make(replanner, tries=6, seconds=0.1, **options):
    robot = ToyRobot((*MILK.steps, *FETCH.steps))
    beliefs, journal, cancellation = ToyBeliefs(robot), Entries(), Cancellation()
    root = pursue(
        MILK,
        [Replan(replanner, seconds=seconds)],
        {"replan": Budget(tries=tries, most=tries)},
        beliefs=beliefs,
        robot=robot,
        journal=journal,
        cancellation=cancellation,
        **options,
    )
    return robot, beliefs, journal, Runner(root, robot, beliefs, cancellation=cancellation)


def test_an_object_that_was_moved_is_fetched_by_a_new_plan():
    asked = []

    def replanner(request):
        asked.append((request.state, request.feedback, threading.current_thread()))
        return FETCH

    robot, _, journal, runner = make(replanner)
    robot.at(2.5, ["on milk0 table0"], ["in milk0 fridge0"])
    robot.failures["take_out"] = [SLIPPED]
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open", "take_out", "move", "grasp", "move", "handover"]
    ((state, feedback, thread),) = asked
    assert atom("on milk0 table0") in state.atoms
    assert feedback == SLIPPED
    assert thread is not threading.main_thread()
    (use,) = journal.of("rung")
    assert (use["rung"], use["code"], use["solved"]) == ("replan", "not-grasped", True)
    (plan,) = journal.of("plan")
    assert (plan["why"], plan["cost"], plan["optimal"]) == ("replan", 4, True)


def test_the_same_physical_failure_three_times_ends_it_with_its_causes():
    robot, _, journal, runner = make(lambda request: MILK)
    robot.failures["take_out"] = [SLIPPED] * 9
    end = runner.run(60)
    assert (end.status, end.reason.code) == (Ending.FAILURE, Code.BUDGET_SPENT)
    assert "the fingers closed on air" in end.reason.why
    assert end.reason.culprits == ("milk0",)
    assert robot.done.count("take_out") == 3
    assert [use["solved"] for use in journal.of("rung")] == [False, False]


def test_different_failures_are_answered_until_the_tries_are_spent():
    robot, *_, runner = make(lambda request: MILK, tries=4)
    robot.failures["take_out"] = [Feedback(Code.STUCK, f"try {number}", "no progress") for number in range(9)]
    assert runner.run(60).reason.code is Code.BUDGET_SPENT
    assert robot.done.count("take_out") == 5


def test_answers_that_only_lead_to_the_next_failure_have_solved_nothing():
    robot, _, journal, runner = make(lambda request: MILK, tries=4)
    robot.failures["take_out"] = [Feedback(Code.STUCK, f"try {number}", "no progress") for number in range(9)]
    assert runner.run(60).status is Ending.FAILURE
    assert [use["solved"] for use in journal.of("rung")] == [False] * 4


def test_an_answer_has_solved_it_once_the_failed_step_has_worked_whatever_comes_later():
    robot, _, journal, runner = make(lambda request: MILK)
    robot.failures["take_out"] = [SLIPPED]
    robot.failures["handover"] = [Feedback(Code.STUCK, "the arm", "no progress", recoverable=False)]
    assert runner.run(60).status is Ending.FAILURE
    (use,) = journal.of("rung")
    assert (use["code"], use["solved"]) == ("not-grasped", True)
    assert use["t"] < 6.0


def test_a_hold_that_is_lost_before_the_step_has_ended_is_not_counted_as_solved():
    robot, _, journal, runner = make(lambda request: MILK, tries=1)
    robot.failures["take_out"] = [SLIPPED, Feedback(Code.DROPPED, "milk0", "it fell")]
    robot.at(4.0, ["inhand milk0 robot0"], ["in milk0 fridge0"])
    robot.at(4.3, ["in milk0 fridge0"], ["inhand milk0 robot0"])
    assert runner.run(60).reason.code is Code.BUDGET_SPENT
    assert [use["solved"] for use in journal.of("rung")] == [False]


def test_a_plan_that_was_lost_is_solved_by_what_its_next_step_was_for():
    robot, _, journal, runner = make(lambda request: FETCH)
    robot.at(1.5, ["on milk0 table0"], ["in milk0 fridge0"])
    robot.failures["handover"] = [Feedback(Code.STUCK, "the arm", "no progress", recoverable=False)]
    assert runner.run(60).status is Ending.FAILURE
    assert [(use["code"], use["solved"]) for use in journal.of("rung")] == [("precondition", True)]


def test_planning_again_for_what_nobody_sees_has_solved_nothing_until_it_is_seen():
    nothing = Plan((), conjunct("in milk0 fridge0"))
    robot = ToyRobot([])
    beliefs, journal = ToyBeliefs(robot), Entries()
    beliefs.hidden = frozenset({atom("in milk0 fridge0")})
    root = pursue(nothing, [Replan(lambda request: nothing)], beliefs=beliefs, robot=robot, journal=journal)
    robot.clock.events.append((8.0, lambda: setattr(beliefs, "hidden", frozenset())))
    assert Runner(root, robot, beliefs).run(60).status is Ending.SUCCESS
    assert [(use["code"], use["solved"]) for use in journal.of("rung")] == [
        ("not-visible", False),
        ("not-visible", True),
    ]


def test_a_plan_that_is_undone_again_and_again_ends_with_the_budget():
    robot, *_, runner = make(lambda request: MILK)
    start = robot.start

    def spoiled(command):
        if command.primitive == "take_out":
            robot.at(robot.clock.now() + 0.3, ["closed fridge0"], ["opened fridge0"])
        return start(command)

    robot.start = spoiled
    end = runner.run(600)
    assert (end.status, end.reason.code) == (Ending.FAILURE, Code.BUDGET_SPENT)
    assert "(opened fridge0) was reached and lost again 3 times" in end.reason.why


def test_no_plan_is_the_reason_why_it_ends():
    reason = Feedback(Code.NO_PLAN, "the goal", "the milk is gone")
    robot, _, journal, runner = make(lambda request: NoPlan(reason, proven=True))
    robot.at(0.5, [], ["in milk0 fridge0"])
    end = runner.run(60)
    assert (end.status, end.reason) == (Ending.FAILURE, reason)
    assert [use["solved"] for use in journal.of("rung")] == [False]


def test_a_world_that_changed_since_is_asked_about_again():
    answers = [NoPlan(Feedback(Code.WHEREABOUTS_UNKNOWN, "milk0", "nobody sees it")), MILK]
    robot, *_, runner = make(lambda request: answers.pop(0))
    robot.at(0.5, [], ["in milk0 fridge0"])
    robot.at(1.59, ["in milk0 fridge0", "at robot0 table0"])
    assert runner.run(60).status is Ending.SUCCESS
    assert answers == []


def test_the_answer_arrives_after_its_simulated_delay_however_long_it_takes():
    def slow(request):
        threading.Event().wait(0.1)
        return MILK

    ends = []
    for replanner in (slow, lambda request: MILK):
        robot, *_, runner = make(replanner, seconds=0.25)
        robot.failures["take_out"] = [SLIPPED]
        ends.append(runner.run(60))
        assert ends[-1].status is Ending.SUCCESS
    assert ends[0] == ends[1]


def test_on_a_real_clock_ticks_go_on_until_the_answer_is_there():
    release = threading.Event()

    def replanner(request):
        release.wait(10)
        return MILK

    robot, _, journal, runner = make(replanner)
    robot.clock.simulated = False
    robot.failures["take_out"] = [SLIPPED]
    robot.clock.events.append((6.0, release.set))
    assert runner.run(200).status is Ending.SUCCESS
    assert journal.of("rung")[0]["seconds"] >= 3.0


def test_on_a_clock_that_is_not_simulated_no_tick_waits_for_the_answer():
    release = threading.Event()

    def replanner(request):
        release.wait(10)
        return MILK

    robot, _, journal, runner = make(replanner)
    robot.clock.simulated = False
    root = pursue(MILK, [Replan(replanner)], beliefs=runner.beliefs, robot=robot, journal=journal)
    robot.failures["take_out"] = [SLIPPED]
    robot.clock.events.append((6.0, release.set))
    assert Runner(root, robot, runner.beliefs).run(200).status is Ending.SUCCESS
    assert journal.of("rung")[0]["seconds"] >= 2.0


def test_a_run_that_is_cancelled_while_a_tick_waits_for_the_answer_ends_without_it():
    release, answered = threading.Event(), []

    def replanner(request):
        due = robot.clock.now() + 0.1
        while runner.beliefs.time < due:
            release.wait(0.001)
        runner.cancel("enough")
        release.wait(20)
        answered.append(request.state)
        return MILK

    robot, *_, runner = make(replanner)
    robot.failures["take_out"] = [SLIPPED]
    end = runner.run(60)
    assert (end.status, end.reason.why) == (Ending.CANCELLED, "enough")
    assert answered == []
    release.set()


def test_an_exception_of_the_replanner_ends_the_run():
    def replanner(request):
        raise ConnectionError("the planner is gone")

    robot, *_, runner = make(replanner)
    robot.failures["open"] = [SLIPPED]
    end = runner.run(60)
    assert end.status is Ending.EXCEPTION
    assert isinstance(end.error, ConnectionError)
    assert end.reason.what == "goal/recover"


def test_what_cannot_be_mended_is_not_asked_about():
    fatal = Feedback(Code.REFUSED_BY_BODY, "open", "no arm", recoverable=False)
    robot, *_, runner = make(lambda request: pytest.fail("asked"))
    robot.failures["open"] = [fatal]
    assert runner.run(60).reason == fatal


def test_a_replan_node_stands_in_a_tree_written_by_hand():
    robot = ToyRobot(MILK.steps)
    beliefs = ToyBeliefs(robot)

    robot.failures["open"] = [SLIPPED]
    bring = pursue(MILK, [Replan(lambda request: MILK)], beliefs=beliefs, robot=robot)
    root = Sequence("errand", memory=True, children=[bring, Success("done")])
    assert Runner(root, robot, beliefs).run(60).status is Ending.SUCCESS
    assert beliefs.state.satisfies(GOAL)


def test_a_strategy_of_ones_own_says_how_to_go_on():
    class Again(Strategy):
        name = "try again"
        asked = ()

        def propose(self, request):
            self.asked = (*self.asked, request.feedback)
            return Repeat()

    robot = ToyRobot(MILK.steps)
    beliefs, journal, again = ToyBeliefs(robot), Entries(), Again()
    child = compile_plan(MILK, beliefs=beliefs, robot=robot)
    budgets = {"try again": Budget(tries=1)}
    root = Recover(child, [again], budgets, beliefs=beliefs, clock=robot.clock, journal=journal)
    robot.failures["open"] = [SLIPPED]
    assert Runner(root, robot, beliefs).run(60).status is Ending.SUCCESS
    assert again.asked == (SLIPPED,)
    assert journal.of("rung")[0]["rung"] == "try again"


def test_a_stopped_rung_lets_go_of_its_question():
    robot, _, _, runner = make(lambda request: MILK)
    robot.failures["open"] = [SLIPPED]
    for _ in range(50):
        runner.tick()
        robot.clock.sleep(0.05)
    runner.cancel()
    assert runner.tick() == Status.INVALID
    assert all(node.status != Status.RUNNING for node in runner.root.iterate())


def test_luck_while_planning_counts_as_the_goal():
    robot, *_, runner = make(lambda request: MILK)
    robot.failures["open"] = [SLIPPED]
    robot.at(2.2, ["inhand milk0 human0"])
    assert runner.run(60).status is Ending.SUCCESS


def test_another_goal_of_the_same_program_will_do():
    robot, *_, runner = make(lambda request: MILK, goals=(GOAL, conjunct("opened fridge0")))
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open"]


def test_a_rung_with_a_senseless_budget_is_refused():
    with pytest.raises(TreeError):
        make(lambda request: MILK, tries=-1)
