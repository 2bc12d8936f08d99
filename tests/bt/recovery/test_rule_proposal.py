"""Rules proposed from repairs that worked, and tried before they are kept."""

from dataclasses import replace

import pytest

from bt.recovery import RepairSearch
from bt.recovery.rule_proposal import Fix, TrialCounts, fixes, passes, propose, tried
from bt.runner import Ending
from domains.repairs import RepairRule, RepairStep
from semantics.logic.atoms import Atom
from semantics.logic.state import Action, State
from tests.bt.recovery.bodies import Bar, Rungs

GLASSES = {"tall_glass": "left_hand", "thimble": "right_hand"}


def mended_by_planning(planner):
    """Run three plans that forget to take the bottle, without any rule, and return their records as one log."""
    events = []
    for glass, hand in [*GLASSES.items(), ("mixing_cup", "left_hand")]:
        bar = Bar("barman", "counter")
        goal = f"(and (contains {glass} ginger_beer) (holding {hand} ginger_bottle))"
        plan = bar.plan(goal, [f"pour robot0 {hand} ginger_bottle ginger_beer {glass}"])
        rungs = Rungs(RepairSearch(()), bar.replanner(goal, planner))
        assert bar.run(plan, rungs).status is Ending.SUCCESS
        events += bar.journal.events
    return bar, tuple(fixes(events))


def test_a_repair_that_planning_found_again_and_again_becomes_a_rule_that_mends_without_planning(planner):
    bar, log = mended_by_planning(planner)
    assert {fix.before[0].name for fix in log} == {"get"}
    bare = replace(bar.domain, repairs=())
    (rule,) = propose(log, bare, bar.scene.things)
    assert (rule.code, rule.capability, rule.name) == ("precondition", "pour", "learned-pour-1")
    assert rule.before == (RepairStep("get", ("?a", "?h", "?b", "?v1")),)
    scene = (bar.scene.things, State(bar.scene.facts, bar.scene.numbers))
    trial = tried(rule, bare, [scene])
    assert passes(trial), trial
    fresh = Bar("barman", "counter")
    goal = "(contains thimble ginger_beer)"
    fresh.mender = RepairSearch((rule,))
    plan = fresh.plan(goal, ["pour robot0 right_hand ginger_bottle ginger_beer thimble"])
    assert fresh.run(plan, Rungs(fresh.mender)).status is Ending.SUCCESS
    assert fresh.uses() == [("rule", "precondition", True)]


def test_what_a_rule_of_the_domain_does_already_is_not_proposed():
    bar = Bar("barman", "counter")
    put = Action("put", ("robot0", "left_hand", "tall_glass", "serving_tray"))
    get = Action("get", ("robot0", "left_hand", "tall_glass", "counter"))
    log = [Fix("precondition", put, (get,), (), "replan")] * 3
    assert propose(log, bar.domain, bar.scene.things) == ()
    assert len(propose(log, replace(bar.domain, repairs=()), bar.scene.things)) == 1
    assert propose(log[:2], replace(bar.domain, repairs=()), bar.scene.things) == ()


def test_a_rule_that_does_not_mend_does_not_pass():
    bar = Bar("barman", "counter")
    idle = RepairRule(
        "look", "precondition", "pour", Atom("free", ("?h",)), before=(RepairStep("gaze", ("?a", "?b")),), say="look"
    )
    scene = (bar.scene.things, State(bar.scene.facts, bar.scene.numbers))
    trial = tried(idle, bar.domain, [scene], samples=20)
    assert trial.tried >= 10
    assert trial.mended == 0
    assert not passes(trial)


@pytest.mark.parametrize(("tried_", "mended", "kept"), [(9, 9, False), (10, 10, True), (10, 9, False)])
def test_a_rule_passes_when_it_was_tried_often_and_never_failed(tried_, mended, kept):
    assert passes(TrialCounts(tried_, mended)) is kept


def test_a_failure_that_was_not_mended_teaches_nothing():
    told = {"feedback": {"code": "precondition"}, "step": "(pour a b)", "plan": ["(pour a b)"]}
    plan = {"e": "plan", "why": "replan", "steps": ["(get a b)", "(pour a b)"]}
    for last in ({"e": "rung", "rung": "replan", "solved": False}, {"e": "rung", "rung": "again", "solved": True}):
        events = [{"e": "failure", **told}, *([plan] if last["rung"] == "replan" else []), last]
        assert list(fixes(events)) == []
    good = [{"e": "failure", **told}, plan, {"e": "rung", "rung": "replan", "solved": True}]
    assert list(fixes(good)) == [
        Fix("precondition", Action("pour", ("a", "b")), (Action("get", ("a", "b")),), (), "replan")
    ]
