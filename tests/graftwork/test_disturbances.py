"""What changes from outside is told, in the record, on the terminal and in the report; what the robot does is not."""

import pytest

from bt.record import read_record
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from robots.fake import FakeRobot

SAID = "bring me the milk"


@pytest.fixture
def body():
    return FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement)


def run(body, folder, meddle=None, at=12.0, said=SAID):
    """Carry out an instruction; return the disturbances of its record, and its report."""
    with Session("kitchen", "small", robot=body, memory=None, record=folder / "one") as session:
        begun = session.start(said)
        begun.wait()
        while not begun.is_over:
            begun.tick()
            if meddle is not None and body.clock.now() >= at:
                meddle()
                meddle = None
        assert begun.episode.outcome is Outcome.ACHIEVED
    events = read_record(folder / "one")
    return [event for event in events if event["e"] == "disturbed"], (folder / "one" / "report.html").read_text()


@pytest.mark.parametrize("said", [SAID, "put all the fruit on the shelf", "put the juice in the fridge and close it"])
def test_what_the_robot_does_is_no_disturbance(body, tmp_path, said):
    told, report = run(body, tmp_path, said=said)
    assert told == []
    assert "No step reported any trouble." in report


def test_a_door_that_is_shut_is_told_once_it_has_lasted(body, tmp_path):
    (told,), report = run(body, tmp_path, lambda: body.set_door("fridge0", 0.0), at=6.0)
    assert told["facts"]["-"] == ["(opened fridge0)"]
    assert told["text"].endswith("(before: fridge0 is open), and no step does that")
    assert 6.0 <= told["t"] <= 6.2
    assert told["text"] in report
    assert "Changed from outside" in report
    assert "No step reported any trouble." not in report


def test_a_thing_that_is_moved_is_told_with_its_new_place(body, tmp_path):
    (told,), _ = run(body, tmp_path, lambda: body.move_piece("apple0", "on", "counter0"), at=1.0)
    assert told["facts"] == {"+": ["(on apple0 counter0)"], "-": ["(on apple0 table0)"]}


def test_what_leaves_the_hand_during_a_step_of_the_robot_is_no_change_from_outside(body, tmp_path):
    dropped = []

    def drop():
        dropped.extend(body.world.held("robot0"))
        body.move_piece("milk0", "on", "table0")

    told, report = run(body, tmp_path, drop, at=10.5)
    assert dropped == ["milk0"]
    assert told == []
    assert "Changed from outside" not in report


def test_a_change_that_does_not_last_is_not_told(body, tmp_path):
    with Session("kitchen", "small", robot=body, memory=None, record=tmp_path / "one") as session:
        begun = session.start(SAID)
        begun.wait()
        while body.clock.now() < 1.0:
            begun.tick()
        body.move_piece("apple0", "on", "counter0")
        for _ in range(3):
            begun.tick()
        body.move_piece("apple0", "on", "table0")
        begun.finish()
    assert not [event for event in read_record(tmp_path / "one") if event["e"] == "disturbed"]


def test_the_report_tells_steps_and_facts_in_words(body, tmp_path):
    _, report = run(body, tmp_path)
    assert "<summary>robot0 takes milk0 out of fridge0</summary><code>(take_out robot0 milk0 fridge0 fridge0)" in report
    assert "<summary>fridge0 is open</summary><code>(opened fridge0)</code>" in report
