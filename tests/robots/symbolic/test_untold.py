"""A motion that is not told all its parts is done where the rest leaves one way, and refused at once elsewhere."""

from pathlib import Path

import pytest

from domains.reader import load_domain, load_scene
from graftwork.session import Session
from graftwork.setup.model_body import symbolic_robot
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from semantics.logic.state import Command

DOMAIN = """
name: lamps
affordances: {actor: it acts, switch: it has a switch}
classes:
  robot: {affordances: [actor], abstract: true}
  lamp: {affordances: [switch], abstract: true}
predicates:
  lit: {parameters: [switch], say: "{0} is lit"}
  near: {parameters: [actor, switch], say: "{0} is near {1}"}
agents: {robot: {capabilities: all}}
capabilities:
  light:
    parameters: {a: actor, l: switch}
    precondition: (and (near ?a ?l) (not (lit ?l)))
    effect: (lit ?l)
    primitive: press
phrases:
  - {pattern: "light {thing}", goal: "(lit {thing})"}
"""
SCENE = """
domain: lamps
things:
  robot0: {class: robot}
  lamp0: {class: lamp}
  lamp1: {class: lamp}
facts: [FACTS]
"""


def world(folder: Path, facts: str) -> Path:
    (folder / "scenes").mkdir()
    (folder / "domain.yaml").write_text(DOMAIN)
    (folder / "scenes" / "room.yaml").write_text(SCENE.replace("FACTS", facts))
    return folder / "domain.yaml"


def pressed(folder: Path, facts: str):
    domain = load_domain(world(folder, facts))
    robot = symbolic_robot(domain, load_scene(domain, "room"))
    motion = robot.start(Command("press", "robot0", {}))
    robot.clock.sleep(2.0)
    return robot, motion.poll()


def test_the_only_thing_that_can_be_meant_is_meant(tmp_path: Path):
    robot, _ = pressed(tmp_path, "(near robot0 lamp1)")
    robot.observation()
    assert Atom("lit", ("lamp1",)) in robot.state.atoms


def test_where_several_would_do_it_is_refused_and_what_is_missing_is_named(tmp_path: Path):
    robot, progress = pressed(tmp_path, "(near robot0 lamp0), (near robot0 lamp1)")
    assert progress.feedback.code is Code.REFUSED_BY_BODY
    assert progress.feedback.culprits == ("l",)
    assert not progress.feedback.recoverable
    assert not any(atom.predicate == "lit" for atom in robot.state.atoms)


@pytest.mark.parametrize(
    ("facts", "outcome"), [("(near robot0 lamp1)", True), ("(near robot0 lamp0), (near robot0 lamp1)", False)]
)
def test_a_run_ends_well_or_with_what_is_missing(tmp_path: Path, facts: str, outcome: bool):
    with Session(world(tmp_path, facts), "room", robot="symbolic", memory=None) as session:
        episode = session.handle("light lamp1")
    assert (episode.outcome == "achieved") is outcome
    assert outcome or {one.culprits for one in episode.feedback} == {("l",)}
