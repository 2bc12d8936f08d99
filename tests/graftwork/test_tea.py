"""Water, tea things and a jar: each new capability, from a sentence to a sensed goal, on bodies without physics."""

import io

import pytest

from bt.record import read_record
from bt.terminal import LiveTree
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


class Told:
    def __init__(self):
        self.events = []

    def write(self, event, fields):
        self.events.append((event, fields))


@pytest.mark.parametrize("body", ["fake", "symbolic"])
def test_what_the_person_is_to_do_reaches_them_the_record_and_the_report(body, tmp_path):
    told, stream = Told(), io.StringIO()
    journals = [told, LiveTree(stream)]
    with Session("kitchen", "tea", robot=body, memory=None, record=tmp_path / "run", journals=journals) as session:
        episode = session.handle("open the jar")
    (request,) = episode.as_dict()["requests"]
    assert (request["agent"], request["text"]) == ("human0", "please: unscrew jar0")
    assert [fields for event, fields in told.events if event == "request"] == [request]
    assert "human0, please: unscrew jar0" in stream.getvalue()
    assert [event["text"] for event in read_record(tmp_path / "run") if event["e"] == "request"] == [request["text"]]
    assert "Asked human0</b> please: unscrew jar0" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_what_the_robot_does_alone_asks_nobody(session):
    assert session.handle("chop the cucumber").requests == ()
