"""Every corner of ADL: random problems against an exhaustive search of their text, and the corners one by one."""

import pytest

from domains.pddl import goals
from domains.problem import Problem
from planning import FastDownward, solve
from planning.adl import alternatives, compilation, reachability
from planning.adl.solver import solve_adl
from planning.errors import out_of_memory, out_of_time
from planning.reasons import UNPROVED, explain
from planning.validation import Valid, validate_actions
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.feedback import Code
from semantics.logic.state import Plan
from tests.planning.nested_household import nested_household
from tests.planning.pddl_problem import pddl_problem
from tests.planning.random_adl import Oracle, TooLargeError, random_adl

LIMITS = {
    "as-is": (),
    "auxiliaries": ((alternatives, "MOST", 2), (alternatives, "SMALL", 1), (compilation, "ENOUGH", 0)),
    "named-goals": ((goals, "MOST", 0),),
}


def judged(problem: Problem, oracle: Oracle, least: int | None, planner) -> Plan | None:
    """Check an answer against the oracle; return the plan."""
    found = solve(problem, planner=planner, seconds=20)
    if isinstance(found, NoPlan) and found.feedback.code is Code.WHEREABOUTS_UNKNOWN:
        return None  # the type "carry" makes the things of a problem such as need a place
    if least is None:
        assert isinstance(found, NoPlan)
        assert found.proven
        return None
    assert isinstance(found, Plan), found
    actions = [step.action for step in found.steps]
    assert oracle.replayed(actions) == found.cost == least
    assert found.optimal
    assert isinstance(validate_actions(actions, problem), Valid)
    return found


@pytest.mark.parametrize("limits", LIMITS)
def test_plans_cost_what_an_exhaustive_search_of_the_text_finds(limits, planner, tmp_path, monkeypatch):
    for module, name, value in LIMITS[limits]:
        monkeypatch.setattr(module, name, value)
    plans = 0
    for seed in range(110 if limits == "as-is" else 40):
        made = random_adl(seed)
        oracle = Oracle(made)
        try:
            least = oracle.least_cost()
        except TooLargeError:
            continue
        plans += judged(pddl_problem(tmp_path, *made.texts()), oracle, least, planner) is not None
    assert plans > 15


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # its own use of its parser
def test_a_second_validator_accepts_the_plans(planner, tmp_path, stock_verdict):
    accepted = 0
    for seed in range(7000, 7060):
        made = random_adl(seed)
        if made.layers or Oracle(made).least_cost() is None:  # it reads no derived predicates
            continue
        problem = pddl_problem(tmp_path, *made.texts())
        found = solve(problem, planner=planner, seconds=20)
        if isinstance(found, Plan) and found.steps:
            assert stock_verdict(problem.domain, found.steps, problem.objects, problem.state, found.goal)
            accepted += 1
    assert accepted > 5


ROBOT = """(define (domain d) (:requirements :adl) (:types place robot - object)
  (:predicates (at ?r - robot ?p - place) (used ?r - robot))
  (:action go :parameters (?r - robot ?from ?to - place)
    :precondition (and (at ?r ?from) (not (at ?r ?to)))
    :effect (and (not (at ?r ?from)) (at ?r ?to) (used ?r))))"""


def test_no_action_requires_a_fact_and_its_denial(planner, tmp_path):
    text = "(define (problem x) (:domain d) (:objects r - robot p q - place) (:init (at r p)) (:goal {}))"
    problem = pddl_problem(tmp_path, ROBOT, text.format("(and (used r) (at r p))"))
    plan = solve(problem, planner=planner)
    assert isinstance(plan, Plan)
    assert [step.action.args for step in plan.steps] == [("r", "p", "q"), ("r", "q", "p")]


KINDS = """(define (domain k) (:requirements :adl) (:types red green - object)
  (:predicates (lit ?x - object))
  (:action light :parameters (?x - object) :effect (lit ?x)))"""


@pytest.mark.parametrize(
    ("goal", "cost"),
    [("(forall (?x - (either red green)) (lit ?x))", 2), ("(exists (?x - (either green red)) (lit ?x))", 1)],
)
def test_a_goal_quantifies_over_a_union_that_the_domain_does_not_have(goal, cost, planner, tmp_path):
    text = f"(define (problem x) (:domain k) (:objects a - red b - green c) (:init) (:goal {goal}))"
    plan = solve(pddl_problem(tmp_path, KINDS, text), planner=planner)
    assert isinstance(plan, Plan)
    assert plan.cost == cost


DERIVED = """(define (domain v) (:requirements :adl :derived-predicates)
  (:predicates (on) (done) (dark))
  (:derived (dark) (not (on)))
  (:action flip :parameters () :precondition (dark) :effect (on))
  (:action end :parameters () :precondition (not (dark)) :effect (done)))"""


def test_derived_facts_need_not_be_stated(planner, tmp_path):
    problem = pddl_problem(tmp_path, DERIVED, "(define (problem x) (:domain v) (:init) (:goal (not (dark))))")
    assert problem.reached is None
    plan = solve(problem, planner=planner)
    assert [step.action.name for step in plan.steps] == ["flip"]
    assert isinstance(validate_actions([step.action for step in plan.steps], problem), Valid)


def test_a_quantified_deletion_of_many_variables_is_explained(tmp_path):
    domain = """(define (domain q) (:requirements :adl) (:predicates (p ?x) (q ?x ?y))
      (:action do :parameters (?a ?b ?c) :precondition (and (p ?a) (p ?b) (p ?c))
        :effect (and (p ?a) (forall (?d ?e ?f ?g) (and (not (q ?f ?g)) (not (p ?d)) (not (p ?e)))))))"""
    problem = "(define (problem x) (:domain q) (:objects a b) (:init (q a b)) (:goal (and (not (q a b)) (p b))))"
    assert explain(pddl_problem(tmp_path, domain, problem)).kind not in UNPROVED


def test_a_numeric_goal_is_refused_by_name(tmp_path):
    domain = """(define (domain n) (:requirements :adl :numeric-fluents) (:predicates (p)) (:functions (level))
      (:action up :parameters () :effect (and (p) (increase (level) 1))))"""
    problem = "(define (problem x) (:domain n) (:init (= (level) 0)) (:goal (and (p) (>= (level) 3))))"
    with pytest.raises(UsageError, match=r"the goal compares numbers \(\(level\)\)"):
        pddl_problem(tmp_path, domain, problem)


PRICED = """(define (domain c) (:requirements :adl :action-costs) (:types place)
  (:predicates (at ?p - place) (seen ?p - place))
  (:functions (total-cost) - number (way ?a ?b - place) - number)
  (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (not (at ?b)))
    :effect (and (not (at ?a)) (at ?b) (when (at ?a) (seen ?b)) (increase (total-cost) (way ?a ?b)))))"""


def test_an_action_that_contradicts_itself_needs_no_cost(planner, tmp_path):
    problem = """(define (problem x) (:domain c) (:objects a b - place) (:init (at a) (= (way a b) 7) (= (way b a) 0))
      (:goal (seen b)) (:metric minimize (total-cost)))"""
    plan = solve(pddl_problem(tmp_path, PRICED, problem), planner=planner)
    assert isinstance(plan, Plan)
    assert plan.cost == 7


LAMPS = """(define (domain l) (:requirements :adl) (:types lamp desk)
  (:predicates (lit ?l - lamp) (broken ?l - lamp) (near ?l - lamp ?d - desk))
  (:action light :parameters (?l - lamp) :precondition (not (broken ?l)) :effect (lit ?l))
  (:action smash :parameters (?l - lamp) :effect (broken ?l))
  (:action carry :parameters (?l - lamp ?d - desk) :effect (near ?l ?d)))"""


def lamps(goal: str) -> str:
    names = " ".join(f"l{number}" for number in range(14))
    return f"(define (problem x) (:domain l) (:objects {names} - lamp d e f - desk) (:init) (:goal {goal}))"


@pytest.mark.parametrize(
    "goal",
    [
        "(forall (?l - lamp) (or (lit ?l) (broken ?l)))",
        "(forall (?l - lamp) (exists (?d - desk) (near ?l ?d)))",
        "(not (exists (?l - lamp) (not (and (imply (not (lit ?l)) (broken ?l)) (or (lit ?l) (broken ?l))))))",
    ],
)
def test_a_goal_with_very_many_alternatives_is_planned(goal, planner, tmp_path):
    problem = pddl_problem(tmp_path, LAMPS, lamps(goal))
    plan = solve(problem, planner=planner, seconds=4)
    assert isinstance(plan, Plan), plan
    assert len(plan.steps) == 14
    assert isinstance(validate_actions([step.action for step in plan.steps], problem), Valid)


def test_a_condition_with_very_many_alternatives_is_planned(planner, tmp_path):
    domain = LAMPS.replace("(:predicates", "(:constants d e - desk) (:predicates (done)").removesuffix(")")
    domain += """(:action end :parameters () :effect (done)
      :precondition (forall (?l - lamp) (or (lit ?l) (broken ?l) (near ?l d) (near ?l e)))))"""
    plan = solve(pddl_problem(tmp_path, domain, lamps("(done)")), planner=planner, seconds=4)
    assert isinstance(plan, Plan), plan
    assert len(plan.steps) == 15


def test_a_planner_that_grounds_itself_is_asked_when_there_is_too_much(planner, tmp_path, monkeypatch):
    monkeypatch.setattr(reachability, "MOST_ACTIONS", 2)
    plan = solve(pddl_problem(tmp_path, KINDS, KINDS_PROBLEM), planner=planner, seconds=10)
    assert isinstance(plan, Plan)
    assert plan.cost == 3
    assert plan.optimal


class Spent(FastDownward):
    """A planner that fails in the same way at each text."""

    failure = out_of_time(3.0)

    def solve(self, domain, problem, *, seconds):
        return NoPlan(self.failure)


@pytest.mark.parametrize(
    ("seconds", "failure", "said", "how"),
    [
        (100.0, out_of_memory("the memory was spent"), "too much to be grounded: ", "Give it more memory."),
        (100.0, out_of_time(3.0), "too much to be grounded: ", "Give it more time."),
        (0.0, out_of_memory("the memory was spent"), "grounded in time: ", "Give it more time, or more memory."),
        (0.0, out_of_time(3.0), "too much to be grounded in time: ", "Give it more time."),
    ],
)
def test_spent_memory_is_told_apart_from_spent_time_where_there_is_too_much(
    seconds, failure, said, how, tmp_path, monkeypatch
):
    monkeypatch.setattr(reachability, "MOST_ACTIONS", 2)
    monkeypatch.setattr(Spent, "failure", failure)
    (answer,) = solve_adl(pddl_problem(tmp_path, KINDS, KINDS_PROBLEM), Spent(), seconds)
    assert answer.feedback.code is Code.PLANNER_TIMEOUT
    assert said in answer.feedback.why
    assert answer.feedback.how == how
    assert ("the memory was spent" in answer.feedback.why) == ("memory" in how)


KINDS_PROBLEM = """(define (problem x) (:domain k) (:objects a - red b - green c) (:init)
  (:goal (and (lit a) (lit b) (exists (?x - green) (lit ?x)) (lit c))))"""
MANY = """(define (domain m) (:requirements :adl) (:predicates (p ?x) (done))
  (:action blow-up :parameters (?a ?b ?c ?d ?e ?f)
    :precondition (or (p ?a) (p ?b) (p ?c) (p ?d) (p ?e) (not (= ?e ?f))) :effect (when (p ?a) (done))))"""


def test_what_blows_up_is_named_with_counts(planner, tmp_path):
    names = " ".join(f"o{number}" for number in range(40))
    problem = f"(define (problem x) (:domain m) (:objects {names}) (:init (p o0)) (:goal (done)))"
    answer = solve(pddl_problem(tmp_path, MANY, problem), planner=planner, seconds=1)
    assert isinstance(answer, NoPlan)
    assert not answer.proven
    assert answer.feedback.code is Code.PLANNER_TIMEOUT
    assert "blow-up: " in str(answer.feedback)
    assert "possible actions; reachable: " in str(answer.feedback)


@pytest.mark.parametrize(
    ("goal", "steps"),
    [("(held cup0)", 2), ("(reachable cup0)", 1), ("(exists (?c - cup) (and (held ?c) (opened box0)))", 2)],
)
def test_things_in_boxes_in_boxes_are_reached(goal, steps, planner, tmp_path):
    plan = solve(pddl_problem(tmp_path, *nested_household(100, goal)), planner=planner, seconds=20)
    assert isinstance(plan, Plan), plan
    assert len(plan.steps) == steps
    assert plan.optimal


def test_the_steps_of_a_plan_recompute_all_derived_facts(planner, tmp_path):
    problem = pddl_problem(tmp_path, *nested_household(100, "(held cup0)"))
    plan = solve(problem, planner=planner, seconds=20)
    state = problem.closed
    for step in plan.steps:
        state = step.apply(state)
    assert {atom.predicate for atom in state.atoms} >= {"within", "reachable"}
    assert not [atom for atom in state.atoms if atom.predicate == "within" and atom.args[0] == "cup0"]
