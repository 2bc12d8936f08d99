"""Vessels stand upright where they are put, and before anything is put into them."""

import pytest

from graftwork import Outcome, Session

SCENE = """domain: kitchen
speaker: human0
things:
  floor0: {class: floor}
  table0: {class: table, pose: [1.9, 0.5, 3.1416], size: [1.2, 0.6, 0.72]}
  human0: {class: human, pose: [-1.8, -1.6, 0.7854], at: floor0}
  robot0: {class: robot, pose: [0.0, 0.0, 1.5708], at: floor0}
  bowl0: {class: bowl, on: table0, offset: [-0.3, 0.0]}
  apple0: {class: apple, on: table0, offset: [0.2, 0.0]}
facts: ["(overturned bowl0)"]
"""


@pytest.fixture
def lying(tmp_path):
    scene = tmp_path / "lying.yaml"
    scene.write_text(SCENE)
    with Session("kitchen", str(scene), robot="symbolic", memory=None) as session:
        yield session


SET_UPRIGHT = ["(grasp robot0 bowl0 table0 table0)", "(place robot0 bowl0 table0)"]


@pytest.mark.parametrize("said", ["put the bowl on the table", "set the bowl upright"])
def test_a_bowl_that_lies_where_it_is_to_be_is_set_upright(lying, said):
    episode = lying.handle(said)
    assert episode.outcome is Outcome.ACHIEVED
    assert list(episode.plan[1:]) == SET_UPRIGHT


def test_a_bowl_that_lies_is_set_upright_before_something_is_put_into_it(lying):
    episode = lying.handle("put the apple in the bowl")
    assert episode.outcome is Outcome.ACHIEVED
    assert list(episode.plan[1:3]) == SET_UPRIGHT
    assert episode.plan[-1] == "(putin robot0 apple0 bowl0 table0)"


def test_a_bowl_that_stands_costs_nothing_more(lying):
    lying.handle("set the bowl upright")
    assert lying.handle("put the apple in the bowl").cost == 2
    assert lying.handle("put the bowl on the table").outcome is Outcome.ALREADY


def test_a_bowl_stands_upright_on_a_table_with_little_room():
    with Session("kitchen", "full", robot="pybullet", memory=None) as session:
        assert session.handle("put the bowl on the table").outcome is Outcome.ACHIEVED
        assert session.environment.watcher.sightings["bowl0"].box.size[2] == pytest.approx(0.07, abs=0.005)
