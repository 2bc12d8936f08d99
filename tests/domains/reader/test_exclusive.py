"""Facts of a start that exclude each other are told where they stand."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError, Severity
from domains.pddl import read_pddl_domain, read_pddl_problem
from domains.reader import load_domain, load_scene
from graftwork.checks import check_paths

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
SWITCHING = MOVING.replace("(:predicates", "(:predicates (worn ?d)").replace(
    "(and (opened ?d) (not (closed ?d)))",
    "(and (not (closed ?d)) (when (worn ?d) (and (opened ?d) (not (closed ?d)))))",
)
REQUIRING = MOVING.replace(
    "(:action take",
    """(:action close :parameters (?d)
    :precondition (and (held ?d) (not (opened ?d))) :effect (closed ?d))
  (:action take""",
)
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


def test_a_pddl_start_with_a_thing_in_two_places_has_a_warning(tmp_path: Path):
    assert start(tmp_path, MOVING, "(closed a) (opened b) (on b a) (on b c)") == [
        (2, 39, "exclusive-facts", "(on b c)"),
    ]


@pytest.mark.parametrize("domain", [MOVING, SWITCHING, REQUIRING], ids=["one way", "under a condition", "required"])
def test_a_pddl_start_with_a_door_that_the_actions_open_or_close_is_refused_in_both_states(tmp_path: Path, domain: str):
    with pytest.raises(DomainFileError) as caught:
        start(tmp_path, domain, "(opened a) (closed a) (opened b)")
    assert [(one.line, one.column, one.code, one.culprit) for one in caught.value.problems] == [
        (2, 19, "exclusive-facts", "(closed a)")
    ]


@pytest.mark.parametrize(
    "domain",
    [
        MOVING.replace("(opened ?d) (not (closed ?d))", "(opened ?d)"),
        MOVING.replace(":parameters (?d)", ":parameters (?d ?e)").replace(
            "(and (opened ?d)", "(and (opened ?d) (closed ?e) (not (opened ?e))"
        ),
        MOVING.replace("(:action open", "(:action nothing").replace(
            "(closed ?d) :effect (and (opened ?d) (not (closed ?d)))", "(closed ?d) :effect (held ?d)"
        ),
        MOVING.replace(
            "(:action take",
            """(:action wedge :parameters (?d) :precondition (and (opened ?d) (closed ?d)) :effect (held ?d))
  (:action take""",
        ),
    ],
    ids=["kept closed", "two doors that may be one", "never moved", "asked for in both"],
)
def test_a_pddl_start_whose_actions_do_not_tell_the_states_apart_has_a_warning(tmp_path: Path, domain: str):
    assert start(tmp_path, domain, "(opened a) (closed a)") == [(2, 19, "exclusive-facts", "(closed a)")]


def test_two_states_with_other_names_between_which_the_actions_switch_have_a_warning(tmp_path: Path):
    domain = MOVING.replace("opened", "open").replace("closed", "shut")
    assert start(tmp_path, domain, "(open a) (shut b) (shut a) (held a)") == [(2, 26, "exclusive-facts", "(shut a)")]
    assert start(tmp_path, LEANING.replace("opened", "open"), "(open a) (held a) (open b) (held c)") == []


def test_a_pddl_problem_of_a_world_in_yaml_is_held_to_the_meanings_of_that_world(tmp_path: Path):
    problem = tmp_path / "problem.pddl"
    problem.write_text(
        "(define (problem p) (:domain kitchen) (:objects milk1 - milk table1 table2 - table)\n"
        "(:init (on milk1 table1)\n(on milk1 table2))\n(:goal (and)))",
        encoding="utf-8",
    )
    with pytest.raises(DomainFileError) as caught:
        read_pddl_problem(KITCHEN, problem)
    assert [(one.line, one.column, one.code, one.culprit) for one in caught.value.problems] == [
        (3, 1, "exclusive-facts", "(on milk1 table2)")
    ]


def test_check_tells_the_place_of_the_second_fact_and_fails(tmp_path: Path):
    (tmp_path / "domain.pddl").write_text(MOVING, encoding="utf-8")
    problem = tmp_path / "problem.pddl"
    problem.write_text(
        "(define (problem p) (:domain moving) (:objects a)\n(:init (opened a)\n(closed a))\n(:goal (and (held a))))",
        encoding="utf-8",
    )
    report = check_paths([str(problem)])
    assert [(one.line, one.column, one.code) for one in report.problems if one.severity is Severity.ERROR] == [
        (3, 1, "exclusive-facts")
    ]


def test_where_the_actions_put_a_thing_in_two_places_it_may_start_there(tmp_path: Path):
    assert start(tmp_path, LEANING, "(on b a) (on b c)") == []
