"""A plan that somebody says: read, mended, told, and refused with all reasons where it cannot be mended."""

import pytest

from affordances.scene import Scene
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork.decision import DecisionContext, FinalDecision, PlanDecision
from graftwork.decision.model import ProgramDecision
from graftwork.decision.plan_text import decide_plan
from graftwork.record.episode import Outcome
from graftwork.setup.plans import PlanningOptions
from planning import FastDownward, Valid, validate_actions
from planning.service import InProcess
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.reply import PlanText


@pytest.fixture(scope="module")
def service():
    planner = FastDownward()
    yield InProcess(planner)
    planner.close()


@pytest.fixture
def decided(service):
    """Return a function that decides about a text, and checks each plan on the model."""

    def decide(world, scene, text, brief="", goal=None):
        domain = load_domain(world)
        found = load_scene(domain, scene)
        state = Scene.as_written(found, domain).state
        context = DecisionContext(PlanningOptions(service).plans(World.of(found, domain)))
        decision = decide_plan(context, PlanText(tuple(text.strip().splitlines()), brief), state, goal)
        if isinstance(decision, PlanDecision):
            actions = [step.action for step in decision.plan.steps]
            assert isinstance(validate_actions(actions, context.plans.problem(state, decision.plan.goal)), Valid)
            assert decision.goal.conjuncts
        return decision

    return decide


def steps_of(decision):
    assert isinstance(decision, PlanDecision), decision.message
    return [str(step) for step in decision.plan.steps]


DRINK = """
get soda_bottle from rack left_hand
open soda_bottle
pour soda_bottle tall_glass 50
put soda_bottle rack
get tall_glass from counter left_hand
put tall_glass serving_tray
"""


def test_a_right_plan_is_kept_as_it_is_and_its_goal_is_inferred(decided):
    decision = decided("barman", "counter", DRINK)
    assert len(steps_of(decision)) == 6
    assert str(decision.goal.goal.formula) == "(and (contains tall_glass soda_water) (on tall_glass serving_tray))"
    assert decision.goal.goal.notes == (
        "The goal is what the steps of the plan are for.",
        "6 of 6 steps are kept as said.",
    )
    assert not decision.plan.optimal
    assert decision.plan.planner == "as said"


def test_a_goal_as_given_replaces_what_the_steps_are_for(decided):
    goal = Goal(parse_formula("(contains tall_glass soda_water)"))
    assert decided("barman", "counter", DRINK, "Goal: (closed cooler)", goal).goal.goal.formula == goal.formula


def test_what_was_not_taken_is_taken_by_a_rule_and_told(decided):
    text = DRINK.replace("get soda_bottle from rack left_hand\n", "")
    decision = decided("barman", "counter", text)
    assert "(get robot0 left_hand soda_bottle rack)" in steps_of(decision)
    assert any(
        note.startswith("Line 1 is (get robot0 left_hand soda_bottle rack)") for note in decision.goal.goal.notes
    )
    assert decision.goal.goal.notes[-1] == "5 of 5 steps are kept as said."


def test_what_no_rule_mends_is_planned_for(decided):
    decision = decided("pizza", "corner", "pour oil_bottle dough")
    assert str(decision.plan.steps[-1]).startswith("(pour robot0 ")
    assert len(decision.plan.steps) > 1


def test_what_is_done_already_is_left_out_and_told(decided):
    text = DRINK.replace("open soda_bottle\n", "open soda_bottle\nunscrew soda_bottle\n")
    decision = decided("barman", "counter", text)
    assert len(steps_of(decision)) == 6
    assert "6 of 7 steps are kept as said." in decision.goal.goal.notes
    assert [note for note in decision.goal.goal.notes if note.startswith("Line 3 is left out: (unscrew ")]


@pytest.mark.parametrize(
    "brief",
    [
        "Goal: (and (on red_block green_block) (on green_block blue_block))\nState summary: (on blue_block red_block)",
        "Goal:\n- on(red_block, green_block)\n- on(green_block, blue_block)\nObjects needed: all blocks",
    ],
)
def test_a_plan_that_does_not_reach_the_goal_of_its_brief_is_completed(decided, brief):
    decision = decided("blocks", "sussman", "Pickup blue_block (the arm holds it)\nPutdown blue_block", brief)
    assert steps_of(decision)[:2] == ["(unstack blue_block red_block)", "(put-down blue_block)"]
    assert steps_of(decision)[-1] == "(stack red_block green_block)"
    assert any(note.startswith("Added at the end: (pick-up green_block)") for note in decision.goal.goal.notes)


def test_a_line_after_which_the_goal_cannot_be_reached_is_left_out(decided):
    wrong = "get lemon from lemon_bowl left_hand\nput lemon tall_glass\n"
    goal = "(and (contains tall_glass soda_water) (not (contains tall_glass lemon)))"
    decision = decided("barman", "counter", wrong + DRINK, f"Goal: {goal}")
    assert not any(step.startswith("(add ") for step in steps_of(decision))
    assert "Line 2 is left out: after it, the goal cannot be reached." in decision.goal.goal.notes
    assert decision.goal.goal.notes[-1].endswith("of 8 steps are kept as said.")


UNREAD = "get soda_bottle from rack\njuggle soda_bottle\nput soda_bottle on the mooon\nput it on the counter"


def test_without_a_goal_all_lines_that_cannot_be_read_are_told_at_once(decided):
    decision = decided("barman", "counter", UNREAD)
    assert isinstance(decision, FinalDecision)
    assert decision.outcome is Outcome.REFUSED
    assert [(each.code, each.what) for each in decision.feedback] == [
        (Code.UNKNOWN_NAME, "line 2, 'juggle'"),
        (Code.UNKNOWN_NAME, "line 3, 'mooon'"),
    ]


def test_with_a_goal_lines_that_cannot_be_read_are_left_out_and_told(decided):
    decision = decided("barman", "counter", UNREAD, "Goal: (on soda_bottle counter)")
    assert steps_of(decision) == [
        "(get robot0 left_hand soda_bottle rack)",
        "(put robot0 left_hand soda_bottle counter)",
    ]
    assert sum(note.startswith("Left out: line ") for note in decision.goal.goal.notes) == 2


def test_a_step_that_can_never_be_done_is_told_with_its_line(decided):
    decision = decided("blocks", "sussman", "put-down blue_block\nstack red_block red_block")
    assert isinstance(decision, FinalDecision)
    assert [(each.code, each.what) for each in decision.feedback] == [
        (Code.PRECONDITION, "line 2, (stack red_block red_block)")
    ]


def test_a_goal_of_the_brief_that_cannot_be_reached_says_why(decided):
    decision = decided("barman", "counter", DRINK, "Goal: (contains tall_glass wrong_thing)")
    assert decision.outcome is Outcome.REFUSED
    assert decision.feedback[0].code is Code.UNKNOWN_NAME
    impossible = decided(
        "blocks", "sussman", "Pickup blue_block", "Goal: (and (on red_block blue_block) (holding blue_block))"
    )
    assert impossible.outcome is Outcome.REFUSED


def test_a_goal_that_holds_and_a_plan_that_changes_nothing_do_nothing(decided):
    held = decided("blocks", "sussman", "Pickup blue_block", "Goal: (on blue_block red_block)")
    assert held.outcome is Outcome.ALREADY
    nothing = decided("blocks", "sussman", "Pickup blue_block\nStack it on red_block")
    assert (nothing.outcome, nothing.feedback[0].code) == (Outcome.REFUSED, Code.INVALID_PLAN)


def test_the_kitchen_takes_phrases_calls_and_pddl(decided):
    text = (
        "1. go to table0\n2. take(cup0, table0)\n3. (move robot0 table0 counter0)\n4. Then put the cup on the counter."
    )
    decision = decided("kitchen", "small", text)
    assert decision.goal.goal.notes[-1].startswith("4 of 4 ")
    assert "(on cup0 counter0)" in str(decision.goal.goal.formula)


@pytest.mark.parametrize(
    ("world", "scene", "lines", "program"),
    [
        ("tabletop", "four", "(move_over robot0 blue_bowl)", "move_over(blue_bowl)"),
        (
            "kitchen",
            "small",
            "(move robot0 floor0 table0)\n(grasp robot0 cup0 table0 table0)\n(place robot0 cup0 table0) :turn 90deg",
            'move(floor0, table0)\ngrasp(cup0, table0, table0)\nplace(cup0, table0, turn="90deg")',
        ),
    ],
)
@pytest.mark.parametrize("has_brief", [False, True])
def test_steps_that_no_fact_gives_a_purpose_are_a_program(decided, world, scene, lines, program, has_brief):
    brief = {"tabletop": "(gripper_open robot0)", "kitchen": "(on cup0 table0)"}[world] if has_brief else ""
    decision = decided(world, scene, lines, brief)
    assert isinstance(decision, ProgramDecision), decision.message
    assert decision.text == program
