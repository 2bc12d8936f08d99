"""Durative actions in PDDL files: what is read as a step of a sequence, and what is refused with its place."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domains.errors import DomainFileError
from domains.pddl import read_pddl_domain, read_pddl_reading
from graftwork.cli.app import app

DEPOT = """(define (domain depot)
  (:requirements :typing :durative-actions)
  (:types place locatable - object truck crate - locatable)
  (:predicates (at ?x - locatable ?p - place) (in ?c - crate ?t - truck) (road ?a ?b - place) (ready ?t - truck))
  (:durative-action drive
    :parameters (?t - truck ?a ?b - place)
    :duration (= ?duration 10)
    :condition (and (at start (at ?t ?a)) (at start (ready ?t)) (over all (road ?a ?b)))
    :effect (and (at start (not (at ?t ?a))) (at start (not (ready ?t))) (at end (at ?t ?b)) (at end (ready ?t))))
  (:durative-action load
    :parameters (?c - crate ?t - truck ?p - place)
    :duration (= ?duration 2.5)
    :condition (and (at start (at ?c ?p)) (over all (at ?t ?p)))
    :effect (and (at start (not (at ?c ?p))) (at end (in ?c ?t))))
  (:durative-action unload
    :parameters (?c - crate ?t - truck ?p - place)
    :duration (= ?duration 2)
    :condition (and (over all (in ?c ?t)) (over all (at ?t ?p)))
    :effect (and (at end (not (in ?c ?t))) (at end (at ?c ?p)))))
"""
PROBLEM = """(define (problem p01) (:domain depot)
  (:objects t - truck c d - crate x y z - place)
  (:init (at t x) (ready t) (at c y) (at d x) (road x y) (road y z) (road z x))
  (:goal (and (at c x) (at d z))))
"""
REFUSED = [
    ("(= ?duration 10)", "(= ?duration (length ?a))", "7:15: not-supported duration"),
    ("(= ?duration 10)", "(<= ?duration 10)", "7:15: not-supported duration"),
    ("(= ?duration 10)", "(= ?duration 0)", "7:15: not-supported duration"),
    (":duration (= ?duration 10)", "", "5:4: not-supported duration"),
    ("(over all (road", "(at last (road", "8:65: time (at"),
    ("(over all (road ?a ?b))", "(road ?a ?b)", "8:65: time (road"),
    ("(over all (road ?a ?b))", "(at end (road ?a ?b))", "8:73: not-supported (road"),
    ("(over all (road ?a ?b))", "(over all (at ?t ?a))", "8:75: contradiction (at"),
    ("(at end (ready ?t))", "(over all (ready ?t))", "9:104: time (ready"),
    ("(at start (not (ready ?t)))", "(at start (road ?b ?a)) (at end (not (road ?b ?a)))", "9:56: not-supported (road"),
    ("(over all (in ?c ?t))", "(at start (in ?c ?t))", "18:31: not-supported (in"),
    ("(over all (road ?a ?b))", "(at start (not (ready ?t)))", "9:102: not-supported ready"),
    ("(at end (ready ?t))", "(at end (when (ready ?t) (ready ?t)))", "9:102: time (when"),
]


def write(folder: Path, text: str = DEPOT) -> Path:
    (folder / "problems").mkdir(exist_ok=True)
    (folder / "problems" / "p01.pddl").write_text(PROBLEM, encoding="utf-8")
    (folder / "domain.pddl").write_text(text, encoding="utf-8")
    return folder / "domain.pddl"


def test_a_durative_action_is_a_capability_with_its_duration(tmp_path: Path) -> None:
    domain = read_pddl_domain(write(tmp_path))
    drive, load, unload = (domain.capabilities[name] for name in ("drive", "load", "unload"))
    assert (drive.duration, load.duration, unload.duration) == (10.0, 2.5, 2.0)
    assert {str(part.literal) for part in drive.precondition} == {"(at ?t ?a)", "(ready ?t)", "(road ?a ?b)"}
    assert {str(part.literal) for part in drive.effect} == {"(not (at ?t ?a))", "(at ?t ?b)", "(ready ?t)"}
    assert load.distinct == (("t", "c"),), "its start makes (at ?c ?p) false, and (at ?t ?p) must still hold"
    assert {str(part.literal) for part in unload.effect} == {"(not (in ?c ?t))", "(at ?c ?p)"}
    codes = [each.code for each in read_pddl_reading(tmp_path / "domain.pddl").document.diagnostics.problems]
    assert codes == []


@pytest.mark.parametrize(("right", "wrong", "expected"), REFUSED)
def test_what_a_sequence_of_steps_would_lose_is_refused_with_its_place(
    right: str, wrong: str, expected: str, tmp_path: Path
) -> None:
    assert DEPOT.count(right) == 1
    with pytest.raises(DomainFileError) as caught:
        read_pddl_domain(write(tmp_path, DEPOT.replace(right, wrong)))
    assert expected in [f"{each.line}:{each.column}: {each.code} {each.culprit}" for each in caught.value.problems]


@pytest.mark.parametrize("planner", ["fast-downward", "up:tamer/durative"])
def test_a_durative_domain_is_planned_from_the_command_line(planner: str, tmp_path: Path) -> None:
    if "tamer" in planner and find_spec("up_tamer") is None:
        pytest.skip("the engine tamer is not installed (pip install up-tamer)")
    write(tmp_path)
    done = CliRunner().invoke(app, ["plan", "--domain", str(tmp_path), "--scene", "p01", "--planner", planner])
    assert done.exit_code == 0, done.output
    assert "7 steps" in done.output


def test_an_imported_durative_domain_keeps_its_durations(tmp_path: Path) -> None:
    write(tmp_path)
    words = ["domain", "import", str(tmp_path / "domain.pddl"), "--into", str(tmp_path / "yaml")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "duration: 2.5" in (tmp_path / "yaml" / "domain.yaml").read_text(encoding="utf-8")
    assert CliRunner().invoke(app, ["check", str(tmp_path / "yaml")]).exit_code == 0
