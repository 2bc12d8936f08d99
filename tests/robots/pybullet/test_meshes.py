"""Solids from files in the simulator: what stands on them stays, is seen, and is carried away."""

from pathlib import Path

import numpy as np
import pytest

from affordances.scene import Scene
from domains.reader import load_domain, load_scene
from graftwork import Session
from tests.solid_files import shop

pybullet = pytest.importorskip("pybullet")

from robots.pybullet import PyBulletRobot  # noqa: E402 - pybullet is an extra


def test_things_rest_on_a_mesh_as_the_scene_says_and_below_its_top_is_room(tmp_path: Path):
    domain = load_domain(str(shop(tmp_path)))
    written = load_scene(domain, "room")
    body = PyBulletRobot(written.layout)
    sensed = Scene.start(written, domain).updated(body.observation())
    world = body.rig.world
    ends = [((x, 0.5, 0.5), (x, 0.5, 0.1)) for x in np.linspace(1.65, 2.15, 4)]  # from between the boards downwards
    hits = pybullet.rayTestBatch(*zip(*ends, strict=True), physicsClientId=world.client)
    body.close()
    assert set(sensed.beliefs) == written.facts
    assert [hit[3][2] for hit in hits] == pytest.approx([0.32] * 4, abs=0.002)


def test_a_thing_that_is_a_mesh_is_carried_from_furniture_that_is_one(tmp_path: Path):
    with Session(str(shop(tmp_path)), "room", robot="pybullet", memory=None) as session:
        assert session.handle("put the box on the shelf").outcome == "achieved"
