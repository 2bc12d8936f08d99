"""Facts that no action changes: they come from the scene for every body, and a body may still report otherwise."""

from dataclasses import replace

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.setup.model_body import symbolic_robot
from semantics.logic.atoms import Atom

DOMAIN = """(define (domain rooms)
  (:requirements :strips :typing)
  (:types room robot)
  (:predicates (at ?r - robot ?x - room) (door ?x ?y - room))
  (:action go :parameters (?r - robot ?x ?y - room)
    :precondition (and (at ?r ?x) (door ?x ?y)) :effect (and (at ?r ?y) (not (at ?r ?x)))))
"""
PROBLEM = """(define (problem three) (:domain rooms)
  (:objects hall kitchen attic - room rover - robot)
  (:init (at rover hall) (door hall kitchen) (door kitchen attic) (door hall attic))
  (:goal (at rover attic)))
"""


class KnowsWhereItIs:
    """A body that tells its own place, and of all else only what `reports` says."""

    name = "rover"

    def __init__(self, body, reports=None):
        self.body, self.clock, self.reports = body, body.clock, reports or {}

    def observation(self):
        seen = self.body.observation()
        places = {atom: true for atom, true in seen.told.items() if atom.predicate == "at"}
        return replace(seen, told={**places, **self.reports})

    def start(self, command):
        return self.body.start(command)

    def stop(self):
        self.body.stop()

    def close(self):
        self.body.close()


@pytest.fixture
def opened(tmp_path):
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "three.pddl").write_text(PROBLEM)
    world, scene = tmp_path / "domain.pddl", tmp_path / "three.pddl"

    def session(**reports):
        told = {Atom("door", tuple(name.split("_"))): true for name, true in reports.items()}
        domain = load_domain(world)
        body = KnowsWhereItIs(symbolic_robot(domain, load_scene(domain, scene)), told)
        return Session(str(world), str(scene), robot=body, memory=None)

    return session


def test_a_body_that_tells_only_its_place_goes_through_the_doors_of_the_scene(opened):
    with opened() as session:
        episode = session.handle(goal="(at rover attic)")
    assert (episode.outcome, episode.plan) == ("achieved", ("(go rover hall attic)",))


def test_a_goal_may_ask_for_a_lasting_fact_as_well(opened):
    with opened() as session:
        episode = session.handle(goal="(and (at rover kitchen) (door kitchen attic) (not (door attic hall)))")
    assert episode.outcome == "achieved", episode.message


def test_a_body_that_reports_a_lasting_fact_is_believed(opened):
    with opened(hall_attic=False) as session:
        episode = session.handle(goal="(at rover attic)")
    assert episode.plan == ("(go rover hall kitchen)", "(go rover kitchen attic)")


def test_what_lasts_is_not_told_as_a_guess(opened):
    with opened() as session:
        run = session.start(goal="(at rover attic)")
        run.finish()
        notes = [event["text"] for event in run._state.events.of("note")]
    assert notes == []
