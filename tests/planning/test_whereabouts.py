"""A thing is called lost only if its place is needed, and may have changed."""

from dataclasses import replace
from pathlib import Path

import pytest

from domains.pddl import read_pddl_domain
from domains.problem import Problem
from planning import solve
from planning.reasons import Kind, explain, nowhere
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from semantics.logic.state import Plan, State
from tests.planning.kitchen import DOMAIN, conjunct, shipped

SERVING = """(define (domain serving)
  (:types hand carry heavy - object tray cup - carry chair - heavy)
  (:predicates (on ?x - carry ?y - object) (inhand ?x - carry ?h - hand) (idle ?h - hand) (rests ?x - heavy))
  (:action take :parameters (?x - carry ?y - object ?h - hand)
    :precondition (and (on ?x ?y) (idle ?h)) :effect (and (not (on ?x ?y)) (inhand ?x ?h) (not (idle ?h))))
  (:action put :parameters (?x - carry ?y - object ?h - hand)
    :precondition (inhand ?x ?h) :effect (and (on ?x ?y) (not (inhand ?x ?h)) (idle ?h))))
"""


def serving(tmp_path: Path, goal: str) -> Problem:
    path = tmp_path / "domain.pddl"
    path.write_text(SERVING, encoding="utf-8")
    domain = read_pddl_domain(path)
    things = {
        name: domain.thing(name, kind)
        for name, kind in {"tray0": "tray", "cup0": "cup", "shelf0": "chair", "hand0": "hand"}.items()
    }
    state = State(frozenset({Atom("on", ("cup0", "shelf0")), Atom("idle", ("hand0",))}))
    return Problem(domain, things, state, (conjunct(goal),))


def test_what_is_put_on_a_tray_needs_no_place_of_the_tray(planner, tmp_path):
    answer = solve(serving(tmp_path, "(on cup0 tray0)"), planner=planner)
    assert isinstance(answer, Plan)
    assert list(map(str, answer.steps)) == ["(take cup0 shelf0 hand0)", "(put cup0 tray0 hand0)"]


def test_a_tray_that_is_to_be_taken_needs_a_place(planner, tmp_path):
    answer = solve(serving(tmp_path, "(and (on cup0 tray0) (inhand tray0 hand0))"), planner=planner)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.WHEREABOUTS_UNKNOWN
    assert "nobody knows where tray0 is" in str(answer.feedback)


def portable(name: str, *affordances: str):
    """Return the small kitchen, where the thing `name` has more affordances."""
    things, state = shipped("full")
    return {**things, name: replace(things[name], affordances=things[name].affordances | {*affordances})}, state


@pytest.mark.parametrize("goal", ["(on milk0 table0)", "(at robot0 table0)", "(on apple0 shelf0)"])
def test_a_place_that_can_be_carried_is_not_lost(planner, goal):
    name = goal.strip("()").split()[-1]
    things, state = portable(name, "carry")
    problem = Problem(DOMAIN, things, state, (conjunct(goal),))
    assert nowhere([name], problem) == []
    assert isinstance(solve(problem, planner=planner), Plan)


def test_what_no_action_takes_away_is_not_lost():
    things, state = shipped("full")
    chair = replace(things["cup0"], name="chair0", affordances=frozenset({"carry"}))
    asking = {
        name: replace(
            capability,
            parameters=tuple(
                replace(each, affordances=(*each.affordances, "light")) if "carry" in each.affordances else each
                for each in capability.parameters
            ),
        )
        for name, capability in DOMAIN.capabilities.items()
    }
    goal = conjunct("(inhand chair0 robot0)")
    light, heavy = (
        Problem(replace(DOMAIN, capabilities=each), {**things, "chair0": chair}, state, (goal,))
        for each in (DOMAIN.capabilities, asking)
    )
    assert (nowhere(["chair0"], light), nowhere(["chair0"], heavy)) == (["chair0"], [])
    assert explain(heavy).kind is Kind.NO_AFFORDANCE


def test_what_was_taken_from_its_place_is_lost():
    things, state = shipped("full")
    gone = State(state.atoms - {atom for atom in state.atoms if "plate0" in atom.args})
    assert nowhere(["plate0"], Problem(DOMAIN, things, gone)) == ["plate0"]
