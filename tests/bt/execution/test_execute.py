import json
from dataclasses import replace

from bt import Runner, compile_plan, examine, pursue
from bt.document import document
from bt.execution import Order
from bt.node import failure_of
from bt.recovery import Recover, Replan, Retry
from bt.recovery.incident import failure_below
from bt.runner import Ending
from robots.fake import InjectedFault
from semantics.logic.feedback import Code
from tests.bt.execution.team import Team, carry, operator, plan_of
from tests.bt.toy import atom

CUP, JUG = carry("robot0", "cup", "left", "right"), carry("robot1", "jug", "left", "right")
BOTH = plan_of(*CUP, *JUG, goal="lies cup right, lies jug right")
START = ("free robot0", "free robot1", "lies cup left", "lies jug left")


def hand(side, thing):
    take = operator(
        f"take robot0 {side} {thing}",
        f"free {side}, stands {thing}",
        f"held {thing} {side}, !free {side}, !stands {thing}",
        side,
    )
    lay = operator(
        f"lay robot0 {side} {thing}", f"held {thing} {side}", f"served {thing}, free {side}, !held {thing} {side}", side
    )
    return take, lay


HANDS = plan_of(*hand("lefty", "cup"), *hand("righty", "jug"), goal="served cup, served jug")
TABLE = ("free lefty", "free righty", "stands cup", "stands jug")


def test_two_agents_need_half_the_time_of_one_after_the_other():
    at_once, in_turn = Team(BOTH, START), Team(BOTH, START, together=False)
    assert at_once.run().status is in_turn.run().status is Ending.SUCCESS
    assert [time for time, _ in at_once.begun] == [0.0, 0.0, 1.05, 1.05]
    assert at_once.robot.clock.now() <= 0.5 * in_turn.robot.clock.now()
    assert at_once.journal.of("resume")[0]["together"] == [0, 2]


def test_agents_work_at_once_by_default_and_hands_when_it_is_asked_for():
    assert not Team(BOTH, START, together=None).root.decorated.order.total
    assert Team(HANDS, TABLE, together=None).root.decorated.order.total
    assert not Team(HANDS, TABLE, together=True).root.decorated.order.total
    assert Team(BOTH, START, together=False).root.decorated.order.total


def test_with_a_search_for_cheaper_plans_only_a_cheapest_plan_is_done_at_once():
    team = Team(BOTH, START)
    made = [
        compile_plan(plan, beliefs=team.beliefs, robot=team.robot, improver=lambda state: None, together=True).decorated
        for plan in (replace(BOTH, optimal=True), BOTH)
    ]
    assert [one.order.total for one in made] == [False, True]


def test_two_hands_of_one_robot_work_at_once():
    team = Team(HANDS, TABLE)
    assert team.run().status is Ending.SUCCESS
    assert [time for time, _ in team.begun] == [0.0, 0.0, 1.05, 1.05]


def test_a_step_of_the_whole_robot_waits_for_both_hands():
    look = operator("look robot0 room", "free lefty", "seen room")
    team = Team(plan_of(*HANDS.steps, look, goal="served cup, served jug, seen room"), TABLE)
    assert team.run().status is Ending.SUCCESS
    assert [time for time, _ in team.begun] == [0.0, 0.0, 1.05, 1.05, 2.1]


def test_an_object_is_changed_by_one_at_a_time():
    wash = operator("wash robot0 cup", "", "clean cup")
    fill = operator("fill robot1 cup", "", "full cup")
    team = Team(plan_of(wash, fill, goal="clean cup, full cup"), ())
    assert team.run().status is Ending.SUCCESS
    assert [time for time, _ in team.begun] == [0.0, 1.05]


def test_when_a_step_fails_the_others_end_and_the_failure_says_which_and_why():
    team = Team(BOTH, START, seconds=lambda step: 1.0 if step.action.args[0] == "robot0" else 3.0)
    team.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "take", {"role0": "cup"}))
    end = team.run()
    assert end.status is Ending.FAILURE
    assert end.reason is failure_of(team.root)
    assert end.reason.code is Code.NOT_GRASPED
    failed = failure_below(team.root)
    assert (failed.step, failed.number, failed.plan.steps) == (CUP[0], 0, (*CUP, JUG[1]))
    assert team.done == ["(take robot0 cup left)", "(take robot1 jug left)"]
    assert team.robot.state.satisfies(JUG[1].precondition)
    assert team.root.decorated.sought == CUP[0].effects


def test_what_somebody_undoes_is_done_again_while_the_others_go_on():
    team = Team(BOTH, START, seconds=lambda step: 1.0 if step.action.args[0] == "robot0" else 4.0)
    while team.robot.clock.now() < 2.5:
        team.runner.step()
    team.robot.change([atom("lies cup left")], [atom("lies cup right")])
    assert team.run().status is Ending.SUCCESS
    assert team.done.count("(take robot0 cup left)") == 2
    assert team.done.count("(take robot1 jug left)") == 1


def test_what_is_known_of_a_weave_can_be_written_down_and_checked():
    team = Team(BOTH, START)
    told = document(team.root)["children"][0]
    assert (told["type"], told["order"]) == ("execute", [[0, 1], [2, 3]])
    assert json.loads(json.dumps(told)) == told
    assert examine(team.root) == ()


def test_a_given_order_is_kept():
    team = Team(BOTH, START, together=Order.of(4, [(0, 1), (1, 2), (2, 3)]))
    assert team.root.decorated.order.total
    loose = Team(BOTH, START, together=Order.of(4, [(0, 1), (0, 2), (2, 3)]))
    assert loose.run().status is Ending.SUCCESS
    assert [time for time, _ in loose.begun] == [0.0, 1.05, 1.05, 2.1]


def test_a_second_try_goes_on_where_each_agent_has_got_to():
    team = Team(BOTH, START)
    team.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "take", {"role0": "cup"}))
    root = Recover(team.root, [Retry()], beliefs=team.beliefs, clock=team.robot.clock, journal=team.journal)
    team.runner = Runner(root, team.robot, team.beliefs)
    assert team.run().status is Ending.SUCCESS
    assert team.done.count("(take robot0 cup left)") == 2
    assert team.done.count("(take robot1 jug left)") == 1
    assert [rung["solved"] for rung in team.journal.of("rung")] == [True]


def test_what_a_weave_has_lost_is_planned_anew():
    anew = plan_of(*carry("robot0", "cup", "floor", "right"), *JUG, goal="lies cup right, lies jug right")
    team = Team(plan_of(*BOTH.steps, *anew.steps[:2], goal="lies cup right, lies jug right"), START)
    asked = []
    team.plan = BOTH
    root = pursue(
        BOTH,
        [Replan(lambda request: asked.append(request.feedback) or anew)],
        beliefs=team.beliefs,
        robot=team.robot,
        journal=team.journal,
    )
    team.runner = Runner(root, team.robot, team.beliefs)
    team.runner.step()
    team.robot.change([atom("lies cup floor")], [atom("lies cup left")])
    assert team.run().status is Ending.SUCCESS
    assert len(asked) == 1
    assert team.done[-1] == "(lay robot0 cup right)"


def test_the_body_takes_no_second_motion_of_a_busy_hand_nor_one_of_the_whole_robot():
    look = operator("look robot0 room", "", "seen room")
    other = operator("wipe robot0 lefty", "", "clean lefty", "lefty")
    team = Team(plan_of(*HANDS.steps, look, other, goal="served cup"), TABLE)
    team.robot.start(HANDS.steps[0].command)
    answers = [team.robot.start(one.command).poll().feedback for one in (other, look, HANDS.steps[2])]
    assert [answer and answer.code for answer in answers] == [Code.REFUSED_BY_BODY, Code.REFUSED_BY_BODY, None]
