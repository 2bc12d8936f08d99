"""Sentences done by a body that lives in the model, in worlds with and without geometry."""

import pytest

from graftwork.session import Session
from semantics.errors import UsageError


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
    with Session("blocks", "sussman", memory=None) as session:
        episode = session.handle("pick up the blue block")
    assert (episode.outcome, episode.robot) == ("achieved", "symbolic")


def test_a_body_that_needs_room_says_so_in_a_world_without_geometry():
    with pytest.raises(UsageError, match="symbolic"):
        Session("blocks", "sussman", robot="fake", memory=None)
