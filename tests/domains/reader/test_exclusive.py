"""Facts of a start that exclude each other are told where they stand."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.pddl import read_pddl_domain, read_pddl_problem
from domains.reader import load_domain, load_scene

KITCHEN = load_domain("kitchen")
SMALL = (Path(KITCHEN.source).parent / "scenes" / "small.yaml").read_text(encoding="utf-8")
LINES = SMALL.count("\n")

MOVING = """(define (domain moving)
  (:requirements :strips)
  (:predicates (opened ?d) (closed ?d) (on ?x ?y) (held ?x))
  (:action open :parameters (?d) :precondition (closed ?d) :effect (and (opened ?d) (not (closed ?d))))
  (:action take :parameters (?x ?y) :precondition (on ?x ?y) :effect (and (held ?x) (not (on ?x ?y))))
  (:action put :parameters (?x ?y) :precondition (held ?x) :effect (and (on ?x ?y) (not (held ?x)))))
"""
LEANING = MOVING.replace("(held ?x) (not (on ?x ?y))", "(held ?x)")


def start(tmp_path: Path, domain: str, facts: str) -> list[tuple[int, int, str, str]]:
    """Return the warnings about a PDDL problem."""
    (tmp_path / "domain.pddl").write_text(domain, encoding="utf-8")
    problem = tmp_path / "problem.pddl"
    problem.write_text(
        f"(define (problem p) (:domain moving) (:objects a b c)\n(:init {facts})\n(:goal (and)))", encoding="utf-8"
    )
    told = read_pddl_problem(read_pddl_domain(tmp_path / "domain.pddl"), problem).diagnostics.problems
    return [(one.line, one.column, one.code, one.culprit) for one in told]


@pytest.mark.parametrize(
    ("facts", "culprits"),
    [
        ("[(opened fridge0)]", ["(opened fridge0)"]),
        ("[(on milk0 table0)]", ["(on milk0 table0)"]),
        ("[(on apple0 shelf0)]", ["(on apple0 shelf0)"]),
        ("[(at robot0 table0), (opened fridge0)]", ["(at robot0 table0)", "(opened fridge0)"]),
    ],
)
def test_a_scene_with_facts_that_exclude_each_other_is_refused(tmp_path: Path, facts: str, culprits: list[str]):
    path = tmp_path / "small.yaml"
    path.write_text(f"{SMALL}facts: {facts}\n", encoding="utf-8")
    with pytest.raises(DomainFileError) as caught:
        load_scene(KITCHEN, path)
    assert [(one.code, one.culprit, one.line) for one in caught.value.problems] == [
        ("exclusive-facts", culprit, LINES + 1) for culprit in culprits
    ]
    assert "exclude each other at the start" in str(caught.value)


def test_a_fact_that_repeats_the_arrangement_is_no_mistake(tmp_path: Path):
    path = tmp_path / "small.yaml"
    path.write_text(f"{SMALL}facts: [(on apple0 table0), (closed fridge0)]\n", encoding="utf-8")
    assert load_scene(KITCHEN, path).facts == load_scene(KITCHEN, "small").facts


def test_a_pddl_start_with_such_facts_has_warnings(tmp_path: Path):
    facts = "(opened a) (closed a) (opened b) (on b a) (on b c)"
    assert start(tmp_path, MOVING, facts) == [
        (2, 19, "exclusive-facts", "(closed a)"),
        (2, 50, "exclusive-facts", "(on b c)"),
    ]


def test_where_the_actions_put_a_thing_in_two_places_it_may_start_there(tmp_path: Path):
    assert start(tmp_path, LEANING, "(on b a) (on b c)") == []
