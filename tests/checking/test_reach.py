"""Goals of problems that nothing reaches: told for what is asked for and never comes about, and for nothing else."""

from pathlib import Path

import pytest

from graftwork.checks import check_paths

DOMAIN = """(define (domain lamps)
  (:requirements :strips :negative-preconditions)
  (:predicates (lit ?l) (broken ?l) (dusty ?l))
  (:action light :parameters (?l)
    :precondition (not (broken ?l)) :effect (and (lit ?l) (not (dusty ?l)))))
"""


@pytest.mark.parametrize(
    ("start", "goal", "told"),
    [
        ("", "(not (lit a))", []),
        ("", "(and (lit a) (not (lit b)))", []),
        ("(lit a)", "(not (lit a))", ["(not (lit a))"]),
        ("(lit b)", "(not (lit a))", []),
        ("(dusty a)", "(not (dusty a))", []),
        ("", "(broken a)", ["(broken a)"]),
        ("(broken a)", "(not (broken a))", ["(not (broken a))"]),
    ],
)
def test_a_denied_fact_is_reached_where_it_is_false_at_the_start(
    tmp_path: Path, start: str, goal: str, told: list[str]
):
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    problem = f"(define (problem one) (:domain lamps) (:objects a b) (:init {start}) (:goal {goal}))"
    (tmp_path / "problem.pddl").write_text(problem)
    problems = check_paths([str(tmp_path / "problem.pddl")]).problems
    assert [one.culprit for one in problems if one.code == "unreachable-goal"] == told


@pytest.mark.parametrize(("goal", "told"), [("(not (lit a))", []), ("(lit a)", [":negative-preconditions"])])
def test_negation_that_only_a_goal_beside_needs_is_needed(tmp_path: Path, goal: str, told: list[str]):
    plain = DOMAIN.replace(":precondition (not (broken ?l)) ", "")
    (tmp_path / "domain.pddl").write_text(plain)
    problem = f"(define (problem one) (:domain lamps) (:objects a b) (:init (dusty a)) (:goal {goal}))"
    (tmp_path / "problem.pddl").write_text(problem)
    problems = check_paths([str(tmp_path)]).problems
    assert [one.culprit for one in problems if one.code == "unused-requirement"] == told


NUMBERED = """(define (domain roads)
  (:requirements :strips :action-costs)
  (:predicates (seen ?p))
  (:functions (length ?p) (total-cost))
  (:action see :parameters (?p) :precondition (and) :effect (and (seen ?p) (increase (total-cost) (length ?p)))))
"""


@pytest.mark.parametrize(("start", "told"), [("", [(2, "length")]), ("(= (length a) 3)", [])])
def test_a_number_that_is_read_and_has_no_value_is_told_at_the_start(
    tmp_path: Path, start: str, told: list[tuple[int, str]]
):
    (tmp_path / "domain.pddl").write_text(NUMBERED)
    problem = f"(define (problem one) (:domain roads) (:objects a)\n(:init {start}) (:goal (seen a)))"
    (tmp_path / "problem.pddl").write_text(problem)
    problems = check_paths([str(tmp_path / "problem.pddl")]).problems
    assert [(one.line, one.culprit) for one in problems if one.code == "no-value"] == told


MANY = [
    # An effect for all items and places, which nobody has to write out to see what can never be.
    (
        """(:action go :parameters (?a - item ?p ?q - place) :precondition (at ?a ?p)
            :effect (and (at ?a ?q) (forall (?x - item ?y - place) (when (at ?x ?y) (on ?x)))))""",
        25,
    ),
    # Four parameters, which are free but for a choice.
    (
        """(:action swap :parameters (?a ?b - item ?p ?q - place)
            :precondition (and (or (at ?a ?p) (on ?a)) (not (lit ?q)))
            :effect (and (at ?a ?q) (at ?b ?p)))""",
        14,
    ),
]


@pytest.mark.parametrize(("action", "count"), MANY)
def test_a_goal_that_nothing_reaches_is_told_among_many_objects(tmp_path: Path, action: str, count: int):
    (tmp_path / "domain.pddl").write_text(
        f"""(define (domain many) (:requirements :adl :typing) (:types item place)
        (:predicates (at ?x - item ?p - place) (on ?x - item) (lit ?p - place)) {action})"""
    )
    items, places = (" ".join(f"{letter}{index}" for index in range(count)) for letter in "ip")
    start = " ".join(f"(at i{index} p0)" for index in range(count))
    (tmp_path / "problem.pddl").write_text(
        f"""(define (problem one) (:domain many) (:objects {items} - item {places} - place)
        (:init {start}) (:goal (and (at i1 p1) (lit p0))))"""
    )
    problems = check_paths([str(tmp_path / "problem.pddl")]).problems
    assert [problem.culprit for problem in problems if problem.code == "unreachable-goal"] == ["(lit p0)"]
