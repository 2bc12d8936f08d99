from dataclasses import replace
from functools import cache, reduce
from operator import and_
from pathlib import Path
from random import Random

import pytest
import yaml

from affordances.scene import completed
from domains.pddl import read_pddl_domain, read_pddl_problem
from domains.pddl.goals import problem_of
from domains.problem import Problem
from domains.reader import available_domains, load_domain, load_scene
from planning import CostModel, pddl_text, solve
from planning.problem.grounding import ground
from planning.reasons import LITTLE, UNPROVED, Kind, explain, impossible, plain_conflicts
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.atoms import And, Atom, Literal, dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Plan, State
from tests.planning.adl_worlds import adl_problem, every_operator
from tests.planning.exhaustive import reachable
from tests.planning.kitchen import DOMAIN, checked, conjunct, scene, shipped
from tests.planning.random_kitchens import goal, kitchen
from tests.planning.random_worlds import world
from tests.planning.relaxation import reached_operators

ROWS = yaml.safe_load((Path(__file__).parent / "unreachable.yaml").read_text(encoding="utf-8"))
CODES = {Kind.WHEREABOUTS_UNKNOWN: Code.WHEREABOUTS_UNKNOWN, Kind.UNEXPLAINED: Code.PLANNER_TIMEOUT}
PLACES = {
    "floor0": (0.0, 0.0),
    "table0": (1.9, 0.5),
    "shelf0": (-2.1, 0.0),
    "fridge0": (1.2, -1.9),
    "counter": (1.0, 1.0),
}
NEVER = {("apple0", "carry"): 0.0, ("fridge0", "open"): 0.0, ("tall_glass", "carry"): 0.3}


def priced(row):
    """Return costs of distance, duration and risk, with actions among them that never work."""
    model = CostModel(per_metre=2.0, per_second=0.1, risk=3.0, places=PLACES, durations={"grasp": 4.0}, sure=NEVER)
    return model if row.get("priced") else None


def set_up(row):
    """Return domain, things, state and goal of a row."""
    name = row.get("world", "kitchen")
    domain, (found, state) = world(name), begun(name, row.get("scene", "full"))
    found = {name: thing for name, thing in found.items() if name not in row.get("without", ())}
    untrue, more = ({parse_formula(text) for text in row.get(key, ())} for key in ("untrue", "also"))
    kept = (atom for atom in (state.atoms - untrue) | more if set(atom.args) <= set(found))
    numbers = {number: value for number, value in state.numbers.items() if set(number.args) <= set(found)}
    return domain, found, State(frozenset(kept), numbers), conjunct(row["goal"])


@cache
def begun(name, scene_name):
    """Return things and state of a shipped scene."""
    scene = load_scene(world(name), scene_name)
    told = State(frozenset(scene.facts) | frozenset(scene.beliefs), scene.numbers)
    return dict(scene.things), completed(Problem(world(name), scene.things, told))


def test_the_table_is_long_enough_and_has_every_kind():
    assert len(ROWS) >= 80
    assert {row["kind"] for row in ROWS} == set(Kind) - {Kind.ALREADY_TRUE}
    assert {row.get("world", "kitchen") for row in ROWS} == set(available_domains())
    assert sum(row["kind"] == Kind.UNEXPLAINED for row in ROWS) == 1


def named(row):
    return f"{row.get('world', 'kitchen')} {row['goal']}{' with costs' if row.get('priced') else ''}"


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_reason_is_the_one_expected(row):
    domain, found, state, wanted = set_up(row)
    reason = explain(Problem(domain, found, state, (wanted,), priced(row)))
    assert reason.kind == row["kind"]
    assert row["says"] in str(reason)
    if "literals" in row:
        assert [str(literal) for literal in reason.literals] == row["literals"]
    assert set(reason.literals) <= wanted
    assert {arg for literal in reason.literals for arg in literal.atom.args} <= {*reason.culprits, *found}
    everything = begun(row.get("world", "kitchen"), row.get("scene", "full"))[0]
    assert set(reason.culprits) <= {*everything, *domain.constants}
    assert (impossible(Problem(domain, found, state, (wanted,))) is None) == (row["kind"] in UNPROVED)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_planner_finds_no_plan_either(planner, row):
    domain, found, state, wanted = set_up(row)
    goal = CheckedGoal(Goal(And(())), (wanted,))
    seconds = 1 if row["kind"] == Kind.UNEXPLAINED else 20
    answer = solve(Problem(domain, found, state, goal.conjuncts, priced(row)), planner=planner, seconds=seconds)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is CODES.get(Kind(row["kind"]), Code.NO_PLAN)
    assert answer.proven == (answer.feedback.code is Code.NO_PLAN)
    assert row["says"] in str(answer.feedback) or row["kind"] == Kind.UNEXPLAINED


def test_what_is_so_already_is_said_to_be_so():
    found, state = shipped("small")
    reason = explain(Problem(DOMAIN, found, state, (conjunct("(and (closed fridge0) (on apple0 table0))"),)))
    assert reason.kind is Kind.ALREADY_TRUE
    assert "it is so already" in str(reason)


@pytest.mark.parametrize(
    "text",
    ["(opened fridge0)", "(and (on apple0 plate0) (on plate0 shelf0))", "(and (on apple0 plate0) (on banana0 plate0))"],
)
def test_nothing_is_said_against_what_can_be_had(text):
    found, state = shipped("full")
    assert explain(Problem(DOMAIN, found, state, (conjunct(text),))).kind is Kind.UNEXPLAINED
    assert impossible(Problem(DOMAIN, found, state, (conjunct(text),))) is None


def test_what_takes_too_much_is_left_unexplained_whatever_the_clock_says():
    found, state = shipped("full")
    wanted = conjunct("(and (in bowl0 pan0) (in pan0 bowl0) (on fridge0 table0))")
    assert (
        explain(Problem(DOMAIN, found, state, (wanted,)), effort=10).kind is Kind.NO_AFFORDANCE
    )  # which takes no picture
    circle = conjunct("(and (in bowl0 pan0) (in pan0 bowl0))")
    assert explain(Problem(DOMAIN, found, state, (circle,)), effort=10).kind is Kind.UNEXPLAINED
    assert impossible(Problem(DOMAIN, found, state, (circle,)), effort=10) is None
    assert impossible(Problem(DOMAIN, found, state, (circle,)), effort=LITTLE) is not None


def test_three_that_exclude_each_other_only_together_are_named():
    found, state = scene({"bowl0": "table0", "pan0": "table0", "bowl1": "table0", "apple0": "table0"})
    circle = conjunct("(and (in bowl0 pan0) (in pan0 bowl1) (in bowl1 bowl0) (on apple0 shelf0))")
    reason = explain(Problem(DOMAIN, found, state, (circle,)))
    assert reason.kind is Kind.EXCLUSION
    assert set(reason.literals) < circle


def test_a_thousand_things_are_no_more_to_explain_than_ten():
    names = [f"{name}{index}" for index in range(250) for name in ("apple", "towel", "bowl", "milk")]
    found, state = scene(dict.fromkeys(names, "table0"))
    wanted = conjunct("(and (on apple0 towel0) (on apple1 towel0) (in milk7 fridge0))")
    reason = explain(Problem(DOMAIN, found, state, (wanted,)))
    assert [str(literal) for literal in reason.literals] == ["(on apple0 towel0)", "(on apple1 towel0)"]


@pytest.mark.parametrize("seed", range(30))
def test_nothing_reachable_is_called_impossible(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, 4)
    wanted = goal(random, (found, state), random.choice([1, 2, 3]))
    reason = explain(Problem(DOMAIN, found, state, (wanted,)))
    text = pddl_text(Problem(DOMAIN, found, state, (frozenset(reason.literals),)))
    if reason.kind is not Kind.UNEXPLAINED:
        answer = planner.solve(text.domain, text.problem, seconds=60)
        assert isinstance(answer, NoPlan)
        assert answer.proven


@pytest.mark.parametrize("seed", range(12))
def test_what_a_random_walk_reaches_is_never_called_impossible(seed):
    random = Random(seed)
    found, state = kitchen(random, 5)
    operators, start = ground(Problem(DOMAIN, found, State())), state
    for _ in range(25):
        state = random.choice([one for one in operators if one.applicable(state)]).apply(state)
    facts = sorted(atom for atom in state.atoms - start.atoms if not DOMAIN.predicates[atom.predicate].bookkeeping)
    wanted = dnf(parse_formula(f"(and {' '.join(map(str, facts))})"))[0]
    reason = explain(Problem(DOMAIN, found, start, (wanted,)))
    assert reason.kind in (Kind.UNEXPLAINED, Kind.ALREADY_TRUE)


def test_beliefs_that_contradict_each_other_are_not_taken_for_an_exclusion(planner):
    found, state = scene({"milk0": "fridge0", "cup0": "table0"})
    doubled = State(state.atoms | {Atom("on", ("milk0", "table0")), Atom("reachable", ("milk0", "table0"))})
    wanted = conjunct("(and (inhand milk0 human0) (in milk0 fridge0))")
    assert explain(Problem(DOMAIN, found, doubled, (wanted,))).kind is Kind.UNEXPLAINED
    text = pddl_text(Problem(DOMAIN, found, doubled, (wanted,)))
    assert isinstance(planner.solve(text.domain, text.problem, seconds=60), FoundPlan)
    assert isinstance(
        solve(Problem(DOMAIN, found, doubled, checked("(opened fridge0)").conjuncts), planner=planner), Plan
    )


@pytest.mark.parametrize(
    ("placed", "kind"), [("(holding left_hand tall_glass)", Kind.NO_AFFORDANCE), ("", Kind.WHEREABOUTS_UNKNOWN)]
)
def test_what_a_hand_holds_is_somewhere(placed, kind):
    bar = load_domain("barman")
    scene_file = load_scene(bar, "counter")
    facts = frozenset(scene_file.facts) - {Atom("on", ("tall_glass", "counter")), Atom("free", ("left_hand",))}
    facts |= {parse_formula(placed)} if placed else set()
    state = completed(Problem(bar, scene_file.things, State(facts, scene_file.numbers)))
    assert explain(Problem(bar, scene_file.things, state, (conjunct("(closed tall_glass)"),))).kind == kind


def test_what_was_left_in_a_drink_for_good_is_somewhere():
    bar = load_domain("barman")
    found, state = begun("barman", "counter")
    put = State((state.atoms - {Atom("on", ("mint1", "mint_bowl"))}) | {Atom("in", ("mint1", "tall_glass"))})
    assert explain(Problem(bar, found, put, (conjunct("(looked_at mint1)"),))).kind is Kind.UNEXPLAINED
    reason = explain(Problem(bar, found, put, (conjunct("(on mint1 counter)"),)))
    assert reason.kind is not Kind.WHEREABOUTS_UNKNOWN


def every_literal(operators, state):
    atoms = sorted({atom for one in operators for atom in one.added | one.deleted} | state.atoms)
    return frozenset(Literal(atom, positive) for atom in atoms for positive in (True, False))


def wrong_conflicts(domain, things, state, operators):
    """Return the conflicts that a state which can be reached holds, and how many are none of these."""
    literals = every_literal(operators, state)
    where = dict.fromkeys(literals, 0)  # a bit for each state that a literal holds in
    for number, (_, now) in enumerate(reachable(operators, state)):
        for literal in filter(now.holds, literals):
            where[literal] |= 1 << number
    conflicts = plain_conflicts(Problem(domain, things, state, (literals,)))
    wrong = [one for one in conflicts if reduce(and_, map(where.get, one))]
    return wrong, len(conflicts) - len(wrong)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_plainly_in_conflict_holds_in_no_state_that_can_be_reached(seed):
    found, state = kitchen(Random(seed), 2)
    wrong, right = wrong_conflicts(
        DOMAIN, found, state, reached_operators(ground(Problem(DOMAIN, found, State())), state)
    )
    assert wrong == []
    assert right > 20


@pytest.mark.parametrize("seed", range(60))
def test_nor_in_a_rich_world(seed):
    domain, things, state, _ = adl_problem(seed)
    assert wrong_conflicts(domain, things, state, every_operator(domain, things, state))[0] == []


DOORS = """(define (domain doors)
  (:requirements :strips :negative-preconditions)
  (:predicates (open ?d) (shut ?d) (on ?x ?y) (held ?x))
  (:action unlock :parameters (?d) :precondition (shut ?d) :effect (and (open ?d) (not (shut ?d))))
  (:action lock :parameters (?d) :precondition (open ?d) :effect (and (shut ?d) (not (open ?d))))
  (:action take :parameters (?x ?y) :precondition (on ?x ?y) :effect (and (held ?x) (not (on ?x ?y))))
  (:action put :parameters (?x ?y) :precondition (held ?x) :effect (and (on ?x ?y) (not (held ?x)))))
"""


@pytest.mark.parametrize(
    ("facts", "goal", "named"),
    [
        ("(open a) (shut a)", "(and (not (open a)) (not (shut a)))", ("(open a)", "(shut a)")),
        ("(on b a) (on b c)", "(and (held b) (on b b))", ("(on b a)", "(on b c)")),
        ("(on b a) (held b)", "(and (held b) (on b b))", None),
        ("(open a) (shut a) (on b c)", "(and (held b) (on b b))", None),
    ],
)
def test_a_reason_names_the_facts_of_the_state_that_contradict_each_other(tmp_path, facts, goal, named):
    """Only facts of the same thing, which the goal or the reason is about."""
    (tmp_path / "domain.pddl").write_text(DOORS, encoding="utf-8")
    (tmp_path / "p.pddl").write_text(
        f"(define (problem p) (:domain doors) (:objects a b c) (:init {facts}) (:goal {goal}))", encoding="utf-8"
    )
    domain = read_pddl_domain(tmp_path / "domain.pddl")
    reason = explain(problem_of(domain, read_pddl_problem(domain, tmp_path / "p.pddl")))
    assert reason.kind not in (Kind.ALREADY_TRUE, Kind.WHEREABOUTS_UNKNOWN)
    if named is None:
        assert "contradicts itself" not in str(reason)
    else:
        assert all(fact in str(reason) for fact in named)
        assert "the state contradicts itself" in str(reason)


@pytest.mark.parametrize(("goal", "lack"), [("(on apple0 table0)", "steady"), ("(chopped apple0)", "steady")])
def test_a_refusal_names_the_class_and_the_affordance_that_it_lacks(goal, lack):
    found, state = scene({"apple0": "shelf0", "knife0": "table0"})
    found["shelf0"] = replace(found["shelf0"], class_name="chair", affordances=found["shelf0"].affordances - {lack})
    reason = explain(Problem(DOMAIN, found, state, (conjunct(goal),)))
    assert reason.kind is Kind.NO_AFFORDANCE
    assert "apple0 is in the hand of robot0, and a chair lacks `steady`, which grasp needs" in str(reason)
    assert "shelf0" in reason.culprits
