"""The worlds of blocks and table tops, carried out by an arm in PyBullet, and sensed as they are written."""

from math import hypot
from pathlib import Path

import pytest

from affordances.scene import Scene
from domains.reader import available_scenes, load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.setup.bodies import robot_for
from semantics.errors import UnknownNameError

SCENES = [(world, scene) for world in ("blocks", "tabletop") for scene in available_scenes(load_domain(world))]


@pytest.mark.parametrize("body", ["fake", "pybullet"])
@pytest.mark.parametrize(("world", "scene"), SCENES)
def test_a_body_senses_at_the_start_what_the_scene_says(world, scene, body):
    if body == "pybullet":
        pytest.importorskip("pybullet")
    domain = load_domain(world)
    written = load_scene(domain, scene)
    robot = robot_for(body, domain, written)
    sensed = Scene.start(written, domain).updated(robot.observation())
    robot.close()
    assert set(sensed.beliefs) == written.facts


DONE = [
    ("blocks", "sussman", "put the green block on the blue block"),
    ("blocks", "sussman", "(and (on red_block green_block) (on green_block blue_block))"),
    ("tabletop", "four", "put the green block in the top left corner"),
    ("tabletop", "four", "put the red block in the red bowl"),
    ("tabletop", "four", "put all the blocks in the green bowl"),
    ("tabletop", "tower", "(and (on purple_block orange_block) (on orange_block gray_block))"),
]


@pytest.mark.parametrize("body", ["fake", "pybullet"])
@pytest.mark.parametrize(("world", "scene", "asked"), DONE)
def test_an_arm_at_a_table_does_what_is_asked(world, scene, asked, body):
    if body == "pybullet":
        pytest.importorskip("pybullet")
    with Session(world, scene, robot=body, memory=None) as session:
        episode = session.handle(goal=asked) if asked.startswith("(") else session.handle(asked)
    assert episode.outcome == "achieved"


@pytest.mark.parametrize("body", ["fake", "pybullet"])
def test_what_is_put_in_an_area_stands_near_its_middle(body):
    if body == "pybullet":
        pytest.importorskip("pybullet")
    with Session("tabletop", "tower", robot=body, memory=None) as session:
        episode = session.handle("put all the blocks in the bottom right corner")
        seen = session.environment.watcher.sightings
        places = [seen[name].box.centre for name in ("gray_block", "orange_block", "purple_block")]
    assert episode.outcome == "achieved"
    assert all(hypot(x - 0.30, y + 0.23) <= 0.06 for x, y, _ in places)
    assert all(abs(z - 0.74) < 0.005 for _, _, z in places)


def test_a_body_that_does_not_exist_is_told_with_those_there_are(tmp_path):
    pytest.importorskip("pybullet")
    domain = load_domain("blocks")
    text = (Path(str(domain.source)).parent / "scenes" / "sussman.yaml").read_text(encoding="utf-8")
    scene = tmp_path / "sussman.yaml"
    scene.write_text(text.replace("panda-fixed", "panda-fixt"), encoding="utf-8")
    with pytest.raises(UnknownNameError, match="panda-fixed"):
        Session("blocks", str(scene), robot="pybullet", memory=None)


OVER_CORNER = "red_bowl: {class: bowl, on: table0, offset: [-0.23, -0.23]"


def test_a_corner_that_a_bowl_takes_is_given_up_soon(tmp_path):
    scene = tmp_path / "corner.yaml"
    written = (Path(str(load_domain("tabletop").source)).parent / "scenes" / "four.yaml").read_text(encoding="utf-8")
    moved = written.replace("red_bowl: {class: bowl, on: table0, offset: [-0.14, -0.14]", OVER_CORNER)
    assert moved != written
    scene.write_text(moved)
    with Session("tabletop", str(scene), robot="fake", memory=None) as session:
        episode = session.handle("put the green block in the top left corner")
        seconds = session.environment.robot.clock.now()
    assert episode.outcome is Outcome.FAILED
    assert "no free spot on top_left_corner for green_block" in episode.message
    assert seconds - episode.failures[1]["t"] < 10.0
