"""The new motions in the simulated room, each from a sentence to a sensed goal."""

import pytest

from graftwork.session import Session


@pytest.mark.parametrize(
    "said",
    [
        "wipe the table with the sponge",
        "fill the glass with lemonade",
        "fill the glass with water",
        "chop the cucumber",
        "boil the water",
    ],
)
def test_a_sentence_is_done_by_real_motions(said):
    pytest.importorskip("pybullet")
    with Session("kitchen", "tea", robot="pybullet", memory=None) as session:
        episode = session.handle(said)
    assert episode.outcome == "achieved", episode.message
