import json

import pytest

from graftwork.record.episode import VERSION, Episode, Outcome, RungUse
from semantics.errors import UsageError
from semantics.logic.feedback import Code, Feedback

EPISODE = Episode(
    outcome=Outcome.FAILED,
    instruction="bring me the milk",
    domain="kitchen",
    scene="full",
    robot="fake",
    model="offline",
    seed=3,
    goal="(inhand milk0 human0)",
    plan=("(move robot0 floor0 fridge0)",),
    cost=1,
    optimal=True,
    feedback=(Feedback(Code.DROPPED, "milk0", "it fell", "Pick it up.", ("milk0",), recoverable=False),),
    ticks=12,
    rungs=(RungUse(Code.DROPPED, "replan", solved=False, seconds=0.5),),
    seconds={"plan": 0.25},
    message="The milk fell.",
    report="r/report.html",
)


def test_an_episode_comes_back_from_its_json_as_it_was():
    assert Episode.from_dict(json.loads(json.dumps(EPISODE.as_dict()))) == EPISODE


def test_the_document_holds_every_field_and_its_version():
    document = EPISODE.as_dict()
    assert document["version"] == VERSION
    assert set(document) == {"version", *Episode.__dataclass_fields__}
    assert document["feedback"][0]["level"] == "physical"
    assert document["rungs"] == [{"code": "dropped", "rung": "replan", "solved": False, "seconds": 0.5}]


@pytest.mark.parametrize(
    "change",
    [{"version": 99}, {"version": None}, {"outcome": "great"}, {"surprise": 1}, {"rungs": [{}]}, {"plan": None}],
)
def test_a_document_that_is_no_episode_is_refused(change):
    with pytest.raises(UsageError):
        Episode.from_dict({**EPISODE.as_dict(), **change})


def test_each_outcome_has_its_exit_code():
    codes = {str(outcome): outcome.exit_code for outcome in Outcome}
    documented = {
        "achieved": 0,
        "already": 0,
        "failed": 1,
        "refused": 3,
        "question": 3,
        "stopped": 4,
        "unavailable": 5,
        "fault": 70,
    }
    assert documented.items() <= codes.items()
