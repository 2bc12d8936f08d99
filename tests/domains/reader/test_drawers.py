"""Drawers: things of their own that are parts of a cabinet."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.model import SceneFile
from domains.reader import load_domain, load_scene

DOMAIN = """\
name: shop
affordances: {contain: things are in it, open: it opens, location: one can be there, actor: it acts, carry: it is light}
classes:
  robot: {affordances: [actor]}
  chest: {affordances: [location], model: cabinet, drawers: 2}
  locker: {affordances: [location], model: cabinet}
  drawer: {affordances: [contain, open], model: drawer}
  nut: {affordances: [carry], shape: {form: box, size: [0.03, 0.03, 0.02]}}
predicates:
  at: {parameters: [actor, location], say: "{0} is at {1}"}
  in: {parameters: [carry, contain], say: "{0} is in {1}"}
  opened: {parameters: [open], say: "{0} is open"}
  closed: {parameters: [open], say: "{0} is shut"}
  part_of: {parameters: [contain, location], say: "{0} is a part of {1}"}
capabilities:
  pull:
    parameters: {a: actor, d: [open, contain], at: location}
    precondition: [part_of: [d, at]]
    effect: [opened: d]
agents: {robot: {capabilities: all}}
"""
THINGS = """\
domain: shop
things:
  robot0: {class: robot, pose: [0, 0, 0]}
  upper0: {class: drawer, of: chest0, level: 1, opened: true}
  chest0: {class: chest, pose: [2, 0, 0], size: [0.6, 0.5, 0.9]}
  lower0: {class: drawer, of: chest0}
  locker0: {class: locker, pose: [-2, 0, 0], size: [0.6, 0.5, 0.9]}
  nut0: {class: nut, in: lower0, offset: [0.1, 0]}
"""


def scene(folder: Path, *changes: tuple[str, str]) -> SceneFile:
    text = THINGS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "domain.yaml").write_text(DOMAIN)
    (folder / "scenes").mkdir()
    (folder / "scenes" / "room.yaml").write_text(text)
    return load_scene(load_domain(folder), folder / "scenes" / "room.yaml")


def test_a_drawer_has_the_place_and_the_size_of_its_cabinet(tmp_path: Path):
    layout = scene(tmp_path).layout
    assert layout is not None
    pieces = {piece.name: piece for piece in layout.furniture}
    upper, chest = pieces["upper0"], pieces["chest0"]
    assert (upper.pose, upper.size, upper.parameters) == (chest.pose, chest.size, chest.parameters)
    assert (upper.model, upper.part_of, upper.level, upper.opened) == ("drawer", "chest0", 1, True)
    assert (pieces["lower0"].level, pieces["lower0"].opened) == (0, False)


def test_the_scene_states_what_a_drawer_is_part_of_and_whether_it_is_open(tmp_path: Path):
    facts = {str(fact) for fact in scene(tmp_path).facts}
    assert facts == {
        "(closed lower0)",
        "(in nut0 lower0)",
        "(opened upper0)",
        "(part_of lower0 chest0)",
        "(part_of upper0 chest0)",
    }


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (("of: chest0}", "of: locker0}"), 6, "'locker0' has no drawers for 'lower0'; expected chest0"),
        (("of: chest0}", "of: chest1}"), 6, "'chest1' has no drawers"),
        (("of: chest0}", "of: upper0}"), 6, "'upper0' has no drawers"),
        (("level: 1", "level: 2"), 4, "it has 2; expected a level among 0, 1"),
        (("of: chest0}", "of: chest0, level: 1}"), 6, "is 'upper0'; expected a level among 0"),
    ],
)
def test_a_drawer_for_which_there_is_no_room_is_refused(tmp_path: Path, change: tuple[str, str], line: int, said: str):
    with pytest.raises(DomainFileError) as caught:
        scene(tmp_path, change)
    problem = caught.value.problems[0]
    assert (problem.code, problem.line) == ("no-drawers", line)
    assert said in problem.message
