"""Where nothing moves, nothing is looked for: what is nowhere is refused, with the advice to look for it."""

from pathlib import Path

from typer.testing import CliRunner

from graftwork import Outcome, Session
from graftwork.cli.app import app
from semantics.logic.feedback import Code

DOMAIN = """
(define (domain one-hand)
  (:requirements :strips :typing)
  (:types carry support actor)
  (:predicates (on ?x - carry ?y - support) (inhand ?x - carry ?a - actor) (idle ?a - actor))
  (:action grasp
    :parameters (?a - actor ?x - carry ?s - support)
    :precondition (and (on ?x ?s) (idle ?a))
    :effect (and (inhand ?x ?a) (not (on ?x ?s)) (not (idle ?a)))))
"""
PROBLEM = """
(define (problem lost)
  (:domain one-hand)
  (:objects cup0 - carry table0 - support robot0 - actor)
  (:init (idle robot0))
  (:goal (inhand cup0 robot0)))
"""


def test_a_plan_for_what_is_nowhere_is_refused_and_looking_is_advised(tmp_path: Path):
    (tmp_path / "domain.pddl").write_text(DOMAIN, encoding="utf-8")
    (tmp_path / "lost.pddl").write_text(PROBLEM, encoding="utf-8")
    given = ["plan", "--domain", str(tmp_path / "domain.pddl"), "--scene", str(tmp_path / "lost.pddl")]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 3
    assert "nobody knows where cup0 is" in done.output
    assert "Look for it" in done.output


def test_what_a_body_that_senses_everything_does_not_see_is_not_looked_for():
    with Session(scene="small", robot="symbolic", memory=None) as session:
        robot = session.environment.robot
        robot.change(deleted=[atom for atom in robot.state.atoms if "cup0" in atom.args])
        before = robot.clock.now()
        robot.clock.sleep(0.1)
        episode = session.handle("bring me the cup")
        assert robot.clock.now() < before + 1.0
    assert (episode.outcome, episode.feedback[-1].code) == (Outcome.REFUSED, Code.WHEREABOUTS_UNKNOWN)
