from pathlib import Path
from random import Random

import pytest
import yaml

from affordances.scene import completed
from domains.reading import load_domain, load_scene
from planning import ground, problem, solve
from planning.reasons import Kind, explain, explaining, impossible
from semantics.atoms import Atom, dnf
from semantics.feedback import Code
from semantics.parsing import parse_formula
from semantics.protocols import Found, NoPlan
from semantics.state import Plan, State
from tests.planning.kitchen import DOMAIN, checked, conjunct, scene, shipped
from tests.planning.random_kitchens import goal, kitchen


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Let nothing else that the machine does decide what is found: the search for a reason gives up by the clock."""
    monkeypatch.setattr(explaining, "SECONDS", 20.0)


ROWS = yaml.safe_load((Path(__file__).parent / "unreachable.yaml").read_text(encoding="utf-8"))


def set_up(row):
    found, state = shipped(row.get("scene", "full"))
    found = {name: thing for name, thing in found.items() if name not in row.get("without", ())}
    untrue = {parse_formula(text) for text in row.get("untrue", ())}
    kept = (atom for atom in state.atoms - untrue if set(atom.args) <= set(found))
    return found, State(frozenset(kept)), conjunct(row["goal"])


def test_the_table_is_long_enough_and_has_every_kind():
    assert len(ROWS) >= 20
    assert {row["kind"] for row in ROWS} == set(Kind) - {Kind.ALREADY_TRUE, Kind.UNEXPLAINED}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["goal"])
def test_the_reason_is_the_one_expected(row):
    found, state, wanted = set_up(row)
    reason = explain(wanted, state, found, DOMAIN)
    assert reason.kind == row["kind"]
    assert row["says"] in str(reason)
    if "literals" in row:
        assert [str(literal) for literal in reason.literals] == row["literals"]
    assert set(reason.literals) <= wanted
    assert {arg for literal in reason.literals for arg in literal.atom.args} <= {*reason.culprits, *found}
    assert set(reason.culprits) <= set(shipped("full")[0])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["goal"])
def test_the_planner_finds_no_plan_either(planner, row):
    found, state, _ = set_up(row)
    answer = solve(checked(row["goal"]), state, found, DOMAIN, planner=planner)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is (
        Code.WHEREABOUTS_UNKNOWN if row["kind"] == Kind.WHEREABOUTS_UNKNOWN else Code.NO_PLAN
    )
    assert answer.proven == (answer.feedback.code is Code.NO_PLAN)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["goal"])
def test_all_but_the_unknown_is_proved_without_a_search(row):
    found, state, wanted = set_up(row)
    proof = impossible(wanted, state, found, DOMAIN)
    assert (proof is None) == (row["kind"] == Kind.WHEREABOUTS_UNKNOWN)


def test_what_is_so_already_is_said_to_be_so():
    found, state = shipped("small")
    reason = explain(conjunct("(and (closed fridge0) (on apple0 table0))"), state, found, DOMAIN)
    assert reason.kind is Kind.ALREADY_TRUE
    assert "it is so already" in str(reason)


@pytest.mark.parametrize("text", ["(opened fridge0)", "(and (on apple0 plate0) (on plate0 shelf0))"])
def test_nothing_is_said_against_what_can_be_had(text):
    found, state = shipped("full")
    assert explain(conjunct(text), state, found, DOMAIN).kind is Kind.UNEXPLAINED
    assert impossible(conjunct(text), state, found, DOMAIN) is None


def test_three_that_exclude_each_other_only_together_are_named():
    found, state = scene({"bowl0": "table0", "pan0": "table0", "bowl1": "table0", "apple0": "table0"})
    circle = conjunct("(and (in bowl0 pan0) (in pan0 bowl1) (in bowl1 bowl0) (on apple0 shelf0))")
    reason = explain(circle, state, found, DOMAIN)
    assert reason.kind is Kind.EXCLUSION
    assert set(reason.literals) < circle


def test_a_thousand_things_are_no_more_to_explain_than_ten():
    names = [f"{name}{index}" for index in range(250) for name in ("apple", "plate", "bowl", "milk")]
    found, state = scene(dict.fromkeys(names, "table0"))
    wanted = conjunct("(and (on apple0 plate0) (on apple1 plate0) (in milk7 fridge0))")
    reason = explain(wanted, state, found, DOMAIN)
    assert [str(literal) for literal in reason.literals] == ["(on apple0 plate0)", "(on apple1 plate0)"]


@pytest.mark.parametrize("seed", range(30))
def test_nothing_reachable_is_called_impossible(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, 4)
    wanted = goal(random, (found, state), random.choice([1, 2, 3]))
    reason = explain(wanted, state, found, DOMAIN)
    text = problem(DOMAIN, found, state, frozenset(reason.literals))
    if reason.kind is not Kind.UNEXPLAINED:
        answer = planner.solve(text.domain, text.problem, seconds=60)
        assert isinstance(answer, NoPlan)
        assert answer.proven


@pytest.mark.parametrize("seed", range(12))
def test_what_a_random_walk_reaches_is_never_called_impossible(seed):
    random = Random(seed)
    found, state = kitchen(random, 5)
    operators, start = ground(DOMAIN, found), state
    for _ in range(25):
        state = random.choice([one for one in operators if one.applicable(state)]).apply(state)
    facts = sorted(atom for atom in state.atoms - start.atoms if not DOMAIN.predicates[atom.predicate].bookkeeping)
    wanted = dnf(parse_formula(f"(and {' '.join(map(str, facts))})"))[0]
    reason = explain(wanted, start, found, DOMAIN)
    assert reason.kind in (Kind.UNEXPLAINED, Kind.ALREADY_TRUE)


def test_beliefs_that_contradict_each_other_are_not_taken_for_an_exclusion(planner):
    found, state = scene({"milk0": "fridge0", "cup0": "table0"})
    doubled = State(state.atoms | {Atom("on", ("milk0", "table0")), Atom("reachable", ("milk0", "table0"))})
    wanted = conjunct("(and (inhand milk0 human0) (in milk0 fridge0))")
    assert explain(wanted, doubled, found, DOMAIN).kind is Kind.UNEXPLAINED
    text = problem(DOMAIN, found, doubled, wanted)
    assert isinstance(planner.solve(text.domain, text.problem, seconds=60), Found)
    assert isinstance(solve(checked("(opened fridge0)"), doubled, found, DOMAIN, planner=planner), Plan)


@pytest.mark.parametrize(
    ("placed", "kind"), [("(holding left_hand tall_glass)", Kind.NO_AFFORDANCE), ("", Kind.WHEREABOUTS_UNKNOWN)]
)
def test_what_a_hand_holds_is_somewhere(placed, kind):
    bar = load_domain("barman")
    scene_file = load_scene(bar, "counter")
    facts = frozenset(scene_file.facts) - {Atom("on", ("tall_glass", "counter")), Atom("free", ("left_hand",))}
    facts |= {parse_formula(placed)} if placed else set()
    state = completed(State(facts, scene_file.numbers), scene_file.things, bar)
    assert explain(conjunct("(closed tall_glass)"), state, scene_file.things, bar).kind == kind
