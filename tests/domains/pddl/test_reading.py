"""Each mistake in a PDDL file is told with its place, all of them together, and in time."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.lint import PddlPlaces
from domains.pddl import read_pddl_domain, read_pddl_problem, read_pddl_reading
from semantics.logic.atoms import Atom
from tests.domains.pddl.worlds import ROADS, read

GOOD = """(define (domain toy)
  (:requirements :strips :typing)
  (:types block robot)
  (:predicates (on ?x ?y - block) (free ?r - robot))
  (:action grab
    :parameters (?r - robot ?x ?y - block)
    :precondition (and (free ?r) (on ?x ?y))
    :effect (and (not (free ?r)) (not (on ?x ?y)))))
"""
BROKEN = [
    ("(free ?r) (on", "(fre ?r) (on", "7:25: unknown-predicate fre"),
    ("(on ?x ?y))\n", "(on ?x))\n", "7:35: arity on"),
    ("?r - robot ?x", "?r - robt ?x", "6:23: unknown-type robt"),
    ("(free ?r) (on ?x ?y)", "(free ?r) (on ?x ?z)", "7:41: unknown-variable ?z"),
    ("(free ?r) (on ?x ?y)", "(free ?r) (on ?x table)", "7:41: unknown-object table"),
    ("(free ?r - robot)", "(free ?r - robot) (on ?a)", "4:54: duplicate-name on"),
    ("    :effect", "    :efect", "8:5: unknown-keyword :efect"),
    ("(:types", "(:typs", "3:4: unknown-section :typs"),
    ("?x ?y - block)\n    :pre", "?x ?x - block)\n    :pre", "6:32: duplicate-name ?x"),
    ("(free ?r)) (not", "(or (free ?r))) (not", "8:23: effect (or"),
    ("(:action", "(:process", "5:4: not-supported :process"),
    ("(on ?x ?y))\n    :eff", "(on ?x ?y)\n    :eff", "7:19: bracket "),
    (" (:types", " ) (:types", "3:3: bracket "),
    ("block robot", "block - robot robot - block", "3:11: type-cycle block"),
    ("block robot", f"{' '.join(f't{i} - t{i + 1}' for i in range(100))} block robot", "3:11: type-depth t0"),
]


def told(path: Path) -> list[str]:
    with pytest.raises(DomainFileError) as caught:
        read_pddl_domain(path)
    return [f"{one.line}:{one.column}: {one.code} {one.culprit}" for one in caught.value.problems]


@pytest.mark.parametrize(("right", "wrong", "expected"), BROKEN)
def test_a_mistake_is_told_with_its_place(right: str, wrong: str, expected: str, tmp_path: Path):
    assert GOOD.count(right) == 1
    path = tmp_path / "domain.pddl"
    path.write_text(GOOD.replace(right, wrong), encoding="utf-8")
    assert expected in told(path)


def test_all_mistakes_are_told_and_the_nearest_names(tmp_path: Path):
    path = tmp_path / "domain.pddl"
    path.write_text(GOOD.replace("(free ?r) (on", "(fre ?r) (onn").replace("- robot ?x", "- robt ?x"), encoding="utf-8")
    with pytest.raises(DomainFileError) as caught:
        read_pddl_domain(path)
    errors = [one for one in caught.value.problems if one.severity == "error"]
    assert [one.nearest[:1] for one in errors] == [("robot",), ("free",), ("on",)]


@pytest.mark.parametrize("change", ["\r\n", "\r", "\t", "bom", "comment", "case"])
def test_sloppy_but_legal_text_is_read(change: str, tmp_path: Path):
    data = GOOD.encode()
    if change in ("\r\n", "\r"):
        data = data.replace(b"\n", change.encode())
    elif change == "\t":
        data = data.replace(b" ", b"\t")
    elif change == "bom":
        data = b"\xef\xbb\xbf" + data
    elif change == "comment":
        data = data.replace(b"\n", b" ; (a bracket in a comment\n")
    else:
        data = data.upper()
    path = tmp_path / "domain.pddl"
    path.write_bytes(data)
    domain = read_pddl_domain(path)
    assert list(domain.capabilities["grab"].parameters[1].affordances) == ["block"]
    assert set(domain.classes) == {"block", "robot", "thing"}


@pytest.mark.parametrize("data", [b"", b"\xff\xfe(", b"; nothing", b")", b"(" * 3000, b"(define)", b"word"])
def test_what_is_no_definition_is_told(data: bytes, tmp_path: Path):
    path = tmp_path / "domain.pddl"
    path.write_bytes(data)
    assert told(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(DomainFileError, match="cannot be opened"):
        read_pddl_domain(tmp_path / "no.pddl")


def test_requirements_are_compared_with_what_is_needed(tmp_path: Path):
    path = tmp_path / "domain.pddl"
    text = GOOD.replace(":strips :typing", ":strips :equality :fluid").replace("(free ?r) (on", "(not (free ?r)) (on")
    path.write_text(text, encoding="utf-8")
    found = [(one.code, one.culprit) for one in read_pddl_reading(path).document.diagnostics.problems]
    assert ("unused-requirement", ":equality") in found
    assert ("unknown-requirement", ":fluid") in found
    assert ("missing-requirement", ":typing") in found
    assert ("missing-requirement", ":negative-preconditions") in found


def test_a_domain_of_requirements_only_is_read(tmp_path: Path):
    path = tmp_path / "domain.pddl"
    path.write_text("(define (domain bare) (:requirements :strips))", encoding="utf-8")
    assert read_pddl_domain(path).capabilities == {}


def test_types_are_affordances_of_all_below_them(tmp_path: Path):
    text = GOOD.replace("block robot", "cube slab - block block robot - thing thing").replace("?x ?y - block) (", "?x - (either cube slab) ?y - thing) (")  # fmt: skip  # noqa: E501
    path = tmp_path / "domain.pddl"
    path.write_text(text, encoding="utf-8")
    domain = read_pddl_domain(path)
    assert domain.classes["cube"].affordances == {"cube", "block", "thing", "cube-or-slab"}
    assert domain.classes["block"].affordances == {"block", "thing"}
    assert domain.predicates["on"].predicate.parameters == ("cube-or-slab", "thing")


def test_a_problem_tells_every_mistake(tmp_path: Path):
    text = (
        ROADS.problem.replace("(at red a)", "(at red x) (att red a) (at red)")
        .replace("(= (length a b) 2)", "(= (length a b) 2) (= (length a b) 3) (= (len a b) 1)")
        .replace("red - car", "red - cart")
    )
    with pytest.raises(DomainFileError) as caught:
        read(ROADS.domain, text, tmp_path / "own")
    codes = [one.code for one in caught.value.problems if one.severity == "error"]
    assert sorted(codes) == [
        "arity", "duplicate-fact", "unknown-function", "unknown-object", "unknown-predicate", "unknown-type"
    ]  # fmt: skip


def test_the_places_of_a_domain_are_where_things_stand():
    places = PddlPlaces(GOOD)
    assert places.of("capabilities", "grab")[:2] == (5, 12)
    assert places.of("capabilities", "grab", "effect")[:2] == (8, 5)
    assert places.of("predicates", "free")[:2] == (4, 36)


def test_costs_are_counted_when_some_action_says_one(tmp_path: Path):
    domain, problem = read(ROADS.domain, ROADS.problem, tmp_path / "own")
    assert {one.name: one.cost for one in domain.capabilities.values()} == {"drive": 1, "wash": 7, "honk": 0}
    assert problem.scene.numbers[Atom("length", ("a", "c"))] == 9


def test_a_problem_of_another_domain_is_warned_of(tmp_path: Path):
    domain, _ = read(ROADS.domain, ROADS.problem, tmp_path / "own")
    path = tmp_path / "other.pddl"
    path.write_text(ROADS.problem.replace("(:domain roads)", "(:domain rails)"), encoding="utf-8")
    assert "other-domain" in [one.code for one in read_pddl_problem(domain, path).diagnostics.problems]
