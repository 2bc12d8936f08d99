"""Things are taken from every board of the shipped kitchens, however they stand there."""

from functools import cache

import pytest

from domains import load_domain
from domains.model import SceneFile
from domains.reader import load_scene
from graftwork.session import Session
from robots.pybullet.board_samples import POSES, BoardSample, sample_boards


@cache
def scene(name: str) -> SceneFile:
    return load_scene(load_domain("kitchen"), name)


@cache
def sampled(name: str) -> tuple[BoardSample, ...]:
    layout = scene(name).layout
    assert layout is not None
    classes = load_domain("kitchen").classes
    return tuple(sample_boards(layout, {thing: classes[thing].shape for thing in ("milk", "cola", "tomato")}))


@pytest.mark.parametrize("name", ["full", "small"])
@pytest.mark.parametrize("thing", ["milk", "cola", "tomato"])
def test_a_thing_is_reached_on_every_board(name: str, thing: str):
    reached = {(each.place, each.height): each.reached for each in sampled(name) if thing in each.classes}
    assert len(reached) == 5
    assert min(reached.values()) >= POSES - 1, reached


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7001, 7002])
def test_milk_that_stands_aslant_in_the_fridge_is_brought(seed: int):
    with Session("kitchen", "full", robot="pybullet", seed=seed, memory=None) as session:
        episode = session.handle("bring me the milk")
    assert episode.outcome == "achieved", episode.message
