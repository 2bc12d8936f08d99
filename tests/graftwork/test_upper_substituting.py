"""What cannot be had under way is replaced by something as good, when the person agrees or has agreed."""

import pytest

from graftwork import Outcome, Session
from robots.fake import InjectedFault
from semantics.logic.feedback import Code
from tests.graftwork.upper import opened, scene, take_away

CUPS = "  cup1: {class: cup, on: shelf0, level: 1, offset: [0.25, -0.03]}\n"
SENTENCE = "put cup0 on the counter"


def lost_half_way(session: Session, name: str):
    """Start the sentence, and take its thing away when the robot has set off."""
    run = session.start(SENTENCE)
    for _ in range(5):
        run.tick()
    take_away(session, name)
    return run


def test_another_cup_is_used_when_the_first_is_gone(tmp_path):
    session, journal = opened(scene(tmp_path, more=CUPS), substitute="allow")
    with session:
        episode = lost_half_way(session, "cup0").finish()
        assert session.environment.robot.world.carriers["cup1"] == ("on", "counter0")
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on cup1 counter0)")
    assert episode.first_goal == "(on cup0 counter0)"
    assert "nother cup instead of cup0" in episode.message
    (turn,) = [event for event in journal.of("turn") if event["rung"] == "substitute"]
    assert turn["goal"] == [["(on cup1 counter0)"]]


def test_a_thing_out_of_reach_is_replaced_once_nothing_else_helps(tmp_path):
    faults = [InjectedFault(Code.OUT_OF_REACH, "pick", {"object": "cup0"}, culprits=("cup0",)) for _ in range(9)]
    session, _ = opened(scene(tmp_path, more=CUPS), substitute="allow")
    with session:
        for fault in faults:
            session.environment.robot.add_fault(fault)
        episode = session.handle(SENTENCE)
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on cup1 counter0)")


@pytest.mark.parametrize(("said", "outcome"), [("yes", Outcome.ACHIEVED), ("no", Outcome.FAILED)])
def test_the_person_is_asked_under_way(tmp_path, said, outcome):
    session, journal = opened(scene(tmp_path, more=CUPS), ladder={"ask": None, "part": None})
    with session:
        run = lost_half_way(session, "cup0")
        while run.tick():
            if run.question is not None:
                assert run.question.text.endswith("Would this do: another cup instead of cup0?")
                run.say(said)
        assert run.episode.outcome is outcome
    assert [event["words"] for event in journal.of("answered")] == [said]


def test_where_it_is_not_allowed_nothing_else_is_used(tmp_path):
    session, journal = opened(scene(tmp_path, more=CUPS), substitute="never", ladder={"ask": None})
    with session:
        episode = lost_half_way(session, "cup0").finish()
    assert episode.outcome is Outcome.FAILED
    assert not [event for event in journal.of("turn") if event["goal"]]


def test_what_was_done_instead_is_not_remembered_as_the_meaning(tmp_path):
    session, _ = opened(scene(tmp_path, more=CUPS), substitute="allow", memory=tmp_path / "memory.sqlite")
    with session:
        assert lost_half_way(session, "cup0").finish().outcome is Outcome.ACHIEVED
        run = session.start(SENTENCE)
        run.wait()
        assert not run.recalled
