"""Water, tea things and a jar: each new capability, from a sentence to a sensed goal, on bodies without physics."""

import pytest

from graftwork.session import Session

SENTENCES = {
    "fill the glass with water": ["draw"],
    "give me a glass of water": ["draw", "handover"],
    "fill the glass with lemonade": ["handover", "unscrew", "receive_object", "fill"],
    "open the jar": ["handover", "unscrew"],
    "chop the cucumber": ["chop"],
    "wipe the table with the sponge": ["wetten", "wet_swipe"],
    "boil the water": ["draw", "boil"],
    "pour the oats into the bowl": ["pour"],
    "cook the cucumber": ["heat_food"],
}


@pytest.fixture(params=["fake", "symbolic"])
def session(request):
    with Session("kitchen", "tea", robot=request.param, memory=None) as opened:
        yield opened


@pytest.mark.parametrize("said", SENTENCES)
def test_each_new_capability_is_planned_optimally_done_and_sensed(session, said):
    episode = session.handle(said)
    assert episode.outcome == "achieved", episode.message
    assert episode.optimal
    done = [step.strip("()").split()[0] for step in episode.plan]
    assert [name for name in done if name in SENTENCES[said]] == SENTENCES[said]
