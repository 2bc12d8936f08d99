"""Sentences done by a body that lives in the model, in worlds with and without geometry."""

import pytest

from bt.record import Entries
from graftwork.session import Session
from semantics.errors import UsageError

LAMP = """(define (domain lamps)
  (:requirements :strips :typing)
  (:types lamp)
  (:predicates (lit ?l - lamp) (dark ?l - lamp))
  (:action switch :parameters (?l - lamp) :precondition (dark ?l) :effect (and (lit ?l) (not (dark ?l)))))
"""
DARK = "(define (problem dark) (:domain lamps) (:objects lamp0 - lamp) (:init (dark lamp0)) (:goal (lit lamp0)))"


@pytest.mark.parametrize(
    ("domain", "scene", "said"),
    [
        ("kitchen", "small", "bring me the milk"),
        ("kitchen", "small", "put the apple in the fridge"),
        ("blocks", "sussman", "put the red block on the green block"),
    ],
)
def test_a_sentence_is_done_and_sensed(domain, scene, said):
    with Session(domain, scene, robot="symbolic", memory=None) as session:
        assert session.handle(said).outcome == "achieved"


def test_a_world_without_geometry_takes_the_symbolic_body_by_itself():
    with Session("barman", "shot", memory=None) as session:
        episode = session.handle(goal="(holding left_hand shot_glass)")
    assert (episode.outcome, episode.robot) == ("achieved", "symbolic")


def test_a_body_that_needs_room_says_so_in_a_world_without_geometry():
    with pytest.raises(UsageError, match="symbolic"):
        Session("barman", "shot", robot="fake", memory=None)


@pytest.fixture
def lamps(tmp_path):
    (tmp_path / "domain.pddl").write_text(LAMP)
    (tmp_path / "dark.pddl").write_text(DARK)
    return str(tmp_path / "domain.pddl"), str(tmp_path / "dark.pddl")


def test_a_problem_in_pddl_takes_the_symbolic_body_by_itself_and_that_is_said(lamps):
    told = Entries()
    with Session(*lamps, memory=None, journals=[told]) as session:
        episode = session.handle(goal="(lit lamp0)")
    assert (episode.outcome, episode.robot) == ("achieved", "symbolic")
    note = "scene 'dark' says nowhere where its things stand, so the body is symbolic"
    assert [event["text"] for event in told.of("note")] == [note]


def test_a_problem_in_pddl_does_not_run_in_an_empty_room(lamps):
    with pytest.raises(UsageError, match="symbolic"):
        Session(*lamps, robot="fake", memory=None)


def test_a_body_that_was_named_is_not_told_of():
    told = Entries()
    with Session("blocks", "sussman", robot="symbolic", memory=None, journals=[told]) as session:
        session.handle("pick up the blue block")
    assert told.of("note") == []
