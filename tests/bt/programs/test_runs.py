"""Programs ticked to their end in whole worlds, with failures, stops and new plans."""

import pytest

from bt import Runner, examine
from domains.problem import Problem
from planning import make_planner, solve
from robots.fake import InjectedFault
from semantics.logic.feedback import Code
from tests.bt.programs.documents import program_of
from tests.bt.programs.worlds import BLOCKS, FOUR, KITCHEN, SMALL, SUSSMAN, TABLETOP, Stage, failure

FRUIT = """
def bring(thing, where):
    '''Take a thing that is in reach to a place.'''
    grasp(thing)
    move(end=where)
    place(thing)

found = [x for x in objects("fruit") if on(x, table0)]
for x in found:
    if not at(robot0, table0):
        move(end=table0)
    bring(x, counter0)
say("brought " + len(found))
"""


@pytest.fixture(scope="module")
def planner():
    made = make_planner()
    yield lambda goal, state: solve(Problem(KITCHEN, SMALL.things, state, goal.conjuncts), planner=made)
    made.close()


@pytest.mark.parametrize("body", ["fake", "symbolic"])
def test_functions_and_loops_move_all_the_fruit(body):
    stage = Stage(FRUIT, body=body)
    assert stage.run().status == "success"
    assert stage.holds("(on apple0 counter0)", "(on banana0 counter0)")
    assert stage.heard == ["brought 2"]


def test_sussmans_anomaly_is_solved_by_a_program():
    text = """
for block in objects("block"):
    for under in objects("block"):
        if on(block, under):
            unstack(block, under)
            put_down(block)
pick_up(green_block)
stack(green_block, blue_block)
pick_up(red_block)
stack(red_block, green_block)
"""
    stage = Stage(text, domain=BLOCKS, scene=SUSSMAN)
    assert stage.run().status == "success"
    assert stage.holds("(on green_block blue_block)", "(on red_block green_block)", "(handempty)")


def test_every_block_of_the_tabletop_finds_its_bowl():
    text = """
for x, bowl in [[yellow_block, yellow_bowl], [red_block, red_bowl], [green_block, green_bowl]]:
    if any(on(x, y) for y in objects("block")):
        unstack(x)
    else:
        pick_up(x)
    put_in(x, bowl)
"""
    stage = Stage(text, domain=TABLETOP, scene=FOUR)
    assert stage.run().status == "success"
    assert stage.holds("(in yellow_block yellow_bowl)", "(in red_block red_bowl)", "(in green_block green_bowl)")


@pytest.mark.parametrize("body", ["fake", "symbolic"])
def test_a_condition_is_planned_for_when_it_is_reached(planner, body):
    text = """
for x in [apple0, banana0]:
    achieve("(in ?x fridge0)")
achieve(closed(fridge0) and every(in_(x, fridge0) for x in [apple0, banana0]))
"""
    stage = Stage(text, body=body, planner=planner)
    assert stage.run().status == "success"
    assert stage.holds("(in apple0 fridge0)", "(in banana0 fridge0)", "(closed fridge0)")


def test_a_goal_that_the_rules_forbid_fails_with_their_reason(planner):
    reason = failure("achieve(opened(fridge0) and closed(fridge0))", planner=planner)
    assert (reason.code, "open and closed" in reason.why) == (Code.CONTRADICTION, True)


def test_a_goal_without_anybody_who_plans_says_so():
    assert failure("achieve(opened(fridge0))").code is Code.UNAVAILABLE


def test_a_step_that_cannot_be_taken_tells_what_it_lacks():
    reason = failure("move(end=counter0)\ngrasp(apple0, table0, table0)")
    assert reason.code is Code.PRECONDITION
    assert reason.culprits == ("robot0", "table0")


def test_what_is_left_out_and_not_to_be_found_is_told_with_the_fact_it_hangs_on():
    reason = failure("move(end=counter0)\ngrasp(milk0)")
    assert (reason.code, reason.what) == (Code.PRECONDITION, "line 2, column 1: grasp(milk0)")
    assert reason.why.endswith("there is no from_ and at with which it is possible now, for want of (on milk0 ?from_)")


def test_a_failed_motion_is_answered_by_the_program():
    stage = Stage(
        """
move(end=table0)
for again in range(3):
    try:
        grasp(apple0)
        break
    except:
        say("once more")
""",
        body="fake",
    )
    stage.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "pick"))
    assert stage.run().status == "success"
    assert stage.heard == ["once more"]
    assert stage.holds("(inhand apple0 robot0)")
    assert next(entry["node"] for entry in stage.journal.of("feedback")).endswith("capability")


@pytest.mark.parametrize("body", ["fake", "symbolic"])
@pytest.mark.parametrize("after", [1, 20, 40, 60, 80, 100])
def test_a_program_that_was_stopped_goes_on_where_it_stood(body, after):
    stage = Stage(FRUIT, body=body)
    first = stage.runner()
    for _ in range(after):
        first.step()
    first.cancel()
    assert first.run().status == "cancelled"
    assert Runner(stage.tree, stage.robot, stage.beliefs).run(900).status == "success"
    assert stage.heard == ["brought 2"]
    assert stage.holds("(on apple0 counter0)", "(on banana0 counter0)")
    assert program_of(stage.tree) == stage.program


def test_a_program_can_be_begun_anew():
    stage = Stage('say("one")\nmove(end=table0)\nsay("two")')
    for _ in range(2):
        stage.runner().step()
        stage.tree.restart()
    assert stage.run().status == "success"
    assert stage.heard == ["one", "one", "one", "two"]


def test_a_person_is_asked_and_the_answer_is_a_thing():
    stage = Stage('x = ask("Which?")\nmove(end=table0)\ngrasp(x)', answers=["banana0"])
    assert stage.run().status == "success"
    assert stage.person.asked == ["Which?"]
    assert stage.holds("(inhand banana0 robot0)")


def test_an_answer_that_names_nothing_fails_where_it_is_used():
    reason = failure('x = ask("Which?")\ngrasp(x)', answers=["the moon"])
    assert (reason.code, reason.what) == (Code.UNKNOWN_NAME, "line 2, column 7: x")


def test_a_tick_does_no_more_than_it_may():
    stage = Stage("for i in range(90):\n    for j in range(10):\n        pass")
    runner = stage.runner()
    runner.step()
    assert stage.tree.setting.spent.steps <= 100
    assert runner.run(100).status == "success"
    assert runner.ticks > 15


def test_what_is_said_stands_in_the_record():
    stage = Stage('say("hello")')
    stage.run()
    assert [entry["text"] for entry in stage.journal.of("note")] == ["hello"]


def test_steps_can_be_put_under_a_rung_of_ones_own():
    from py_trees.decorators import FailureIsSuccess

    stage = Stage("grasp(apple0, table0, table0)\nsay(1)", around=lambda step: FailureIsSuccess("let it", step))
    assert stage.run().status == "success"


def test_a_tree_of_a_program_has_no_flaws():
    assert examine(Stage(FRUIT).tree) == ()


def test_a_planner_that_breaks_down_ends_the_run_and_is_named():
    def broken(goal, state):
        raise ArithmeticError("no planner today")

    stage = Stage("move(end=table0)\nachieve(opened(fridge0))", planner=broken)
    end = stage.run()
    assert (end.status, end.reason.what) == ("exception", "program/block/achieve")
    assert "no planner today" in end.reason.why


def test_what_fails_is_located_in_the_program():
    stage = Stage("def fetch(x):\n    grasp(x, table0, table0)\n\nfetch(apple0)")
    assert stage.run().status == "failure"
    assert (stage.tree.failed_at.line, stage.tree.failed_at.column) == (2, 5)
