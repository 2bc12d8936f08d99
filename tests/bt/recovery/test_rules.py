"""The rules of the bar, in whole runs on the symbolic body: each mishap mended without any planner."""

import pytest

from bt.recovery import Mended, Parking, RepairSearch
from bt.runner import Ending
from domains.repairs import RepairRule, RepairStep
from robots.fake import InjectedFault
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from tests.bt.recovery.bodies import Bar, Rungs

BEER = "(contains tall_glass ginger_beer)"
POUR_BEER = "pour robot0 left_hand ginger_bottle ginger_beer tall_glass"
SODA = "(contains tall_glass soda_water)"
POUR_SODA = "pour robot0 left_hand soda_bottle soda_water tall_glass"
GET_SODA = "get robot0 left_hand soda_bottle rack"
UNCAP_SODA = "unscrew robot0 left_hand right_hand soda_bottle"


def holding(hand, thing):
    return Atom("holding", (hand, thing))


def full_hands(robot):
    taken = {"left_hand": "mint_bowl", "right_hand": "lemon_bowl"}
    gone = [Atom("free", (hand,)) for hand in taken] + [Atom("on", (thing, "counter")) for thing in taken.values()]
    robot.change([holding(hand, thing) for hand, thing in taken.items()], gone)


def left_full(robot):
    robot.change(
        [holding("left_hand", "mint_bowl")], [Atom("free", ("left_hand",)), Atom("on", ("mint_bowl", "counter"))]
    )


MISHAPS = {
    "what is poured was never taken": (None, BEER, [POUR_BEER], {"fetch-to-pour"}),
    "nor was its cap taken off": (None, SODA, [POUR_SODA], {"fetch-to-pour", "uncap-to-pour"}),
    "what is put somewhere was never taken": (
        None,
        "(on tall_glass serving_tray)",
        ["put robot0 left_hand tall_glass serving_tray"],
        {"fetch-first"},
    ),
    "the hand holds something else": (
        left_full,
        BEER,
        ["get robot0 left_hand ginger_bottle rack", POUR_BEER],
        {"other-hand"},
    ),
    "both hands are full": (
        full_hands,
        BEER,
        ["get robot0 left_hand ginger_bottle rack", POUR_BEER],
        {"set-down-for-good"},
    ),
    "both hands are full and the hand is free later": (
        full_hands,
        f"(and {BEER} (holding left_hand mint_bowl))",
        ["get robot0 left_hand ginger_bottle rack", POUR_BEER, "put robot0 left_hand ginger_bottle rack"],
        {"free-a-hand-to-get"},
    ),
    "both hands are full and something is to be put down": (
        full_hands,
        "(on tall_glass serving_tray)",
        ["put robot0 left_hand tall_glass serving_tray"],
        {"fetch-with-full-hands"},
    ),
    "the door is closed": (
        None,
        "(contains tall_glass milk)",
        [
            "get robot0 left_hand milk_bottle cooler",
            "unscrew robot0 left_hand right_hand milk_bottle",
            "pour robot0 left_hand milk_bottle milk tall_glass",
        ],
        {"open-to-get"},
    ),
    "both hands are full and a cap is to come off": (
        full_hands,
        "(not (closed soda_bottle))",
        [UNCAP_SODA],
        {"fetch-to-unscrew"},
    ),
    "the steps come in the wrong order": (None, SODA, [UNCAP_SODA, GET_SODA, POUR_SODA], set()),
    "a door is to be opened with full hands": (
        full_hands,
        "(not (closed cooler))",
        ["open_door robot0 left_hand cooler"],
        {"free-a-hand-to-open"},
    ),
}


@pytest.mark.parametrize("name", [name for name, mishap in MISHAPS.items() if mishap[3]])
def test_a_small_mishap_is_mended_by_its_rule(name):
    change, goal, steps, rules = MISHAPS[name]
    bar = Bar("barman", "counter", change)
    end = bar.run(bar.plan(goal, steps))
    assert end.status is Ending.SUCCESS, end.reason
    (conjunct,) = bar.goal(goal).conjuncts
    assert bar.robot.state.satisfies(conjunct)
    used = {note["text"].split(":")[0].removeprefix("repair ") for note in bar.journal.of("note")}
    assert used == rules
    assert bar.uses() == [("rule", "precondition", True)]


def test_a_door_that_was_opened_is_closed_again():
    bar = Bar("barman", "counter")
    _, goal, steps, _ = MISHAPS["the door is closed"]
    assert bar.run(bar.plan(goal, steps)).status is Ending.SUCCESS
    assert Atom("closed", ("cooler",)) in bar.robot.state.atoms


def test_what_was_set_down_is_held_again_and_never_stood_on_a_place_of_the_goal():
    bar = Bar("barman", "counter", full_hands)
    _, goal, steps, _ = MISHAPS["both hands are full and something is to be put down"]
    assert bar.run(bar.plan(goal, steps)).status is Ending.SUCCESS
    assert holding("left_hand", "mint_bowl") in bar.robot.state.atoms
    (mended,) = bar.plans()
    assert "(put robot0 left_hand mint_bowl serving_tray)" not in mended


def test_a_plan_with_many_mistakes_is_mended_before_anything_moves():
    bar = Bar("barman", "counter")
    goal = f"(and {SODA} {BEER} (on tall_glass serving_tray))"
    steps = [POUR_SODA, POUR_BEER, "put robot0 left_hand tall_glass serving_tray"]
    end = bar.run(bar.plan(goal, steps))
    assert end.status is Ending.SUCCESS, end.reason
    assert len(bar.plans()) == 1
    assert bar.robot.state.satisfies(bar.goal(goal).conjuncts[0])


def test_a_repair_that_would_only_cause_the_next_failure_is_not_made_and_says_so():
    bar = Bar("barman", "counter")
    harmful = RepairRule(
        "leave-it-in-the-hand",
        "precondition",
        "pour",
        bar.domain.repairs[3].when,
        bar.domain.repairs[3].variables,
        before=(RepairStep("get", ("?a", "?h", "?b", "?from")),),
    )
    assert bar.domain.repairs[3].name == "fetch-to-pour"
    bar.mender.rules = (harmful,)
    goal = f"(and {BEER} (holding left_hand soda_bottle))"
    end = bar.run(bar.plan(goal, [POUR_BEER, GET_SODA]))
    assert end.status is Ending.FAILURE
    assert not bar.robot.clock.now() > 3.0
    told = " ".join(event["feedback"]["why"] for event in bar.journal.of("feedback"))
    assert "the rule leave-it-in-the-hand would help, but then (get robot0 left_hand soda_bottle rack)" in told


def test_a_failure_without_a_rule_goes_up_as_it_is():
    bar = Bar("barman", "counter")
    bar.robot.add_fault(InjectedFault(Code.OUT_OF_REACH, "get", why="the arm is too short"))
    end = bar.run(bar.plan("(holding left_hand soda_bottle)", [GET_SODA]))
    assert end.status is Ending.FAILURE
    assert end.reason.code is Code.OUT_OF_REACH
    assert "the arm is too short" in end.reason.why


def test_places_to_park_are_ranked_by_what_is_known_of_them():
    bar = Bar("barman", "counter")
    places = ["counter", "rack", "serving_tray", "blender"]
    goal = bar.goal("(on tall_glass serving_tray)").conjuncts[0]
    ranked = Parking().ranked(places, bar.state, goal, [bar.step(GET_SODA)], ())
    assert ranked == ("blender", "counter", "rack")
    far = Parking(distance=lambda place, state: {"blender": float("inf"), "rack": 0.5}.get(place, 2.0))
    assert far.ranked(places, bar.state, goal, [], ()) == ("rack", "counter")
    assert Parking(room=4).ranked(places, bar.state, goal, [], ()) == ("blender", "rack")


def test_mending_is_a_function_of_the_model_alone():
    bar = Bar("barman", "counter")
    plan = bar.plan(BEER, [POUR_BEER])
    mended = bar.mender.mend(plan.steps, bar.obstacles.world.problem(bar.state, plan.goal))
    assert isinstance(mended, Mended)
    assert str(mended.steps[0]) == "(get robot0 left_hand ginger_bottle rack)"
    nothing = RepairSearch(()).mend(plan.steps, bar.obstacles.world.problem(bar.state, plan.goal))
    assert nothing.feedback == Feedback(Code.INVALID_PLAN, "repair by rules", "no rule is for this")


def test_a_goal_that_no_rule_is_for_is_left_to_the_planner(planner):
    bar = Bar("barman", "counter")
    _, goal, steps, _ = MISHAPS["the steps come in the wrong order"]
    rungs = Rungs(RepairSearch(()), bar.replanner(goal, planner))
    assert bar.run(bar.plan(goal, steps), rungs).status is Ending.SUCCESS
    assert bar.asked == 1
    assert bar.uses() == [("replan", "precondition", True)]
    assert Atom("contains", ("tall_glass", "soda_water")) in bar.robot.state.atoms
