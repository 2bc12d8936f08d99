"""A session tells which alternatives of its goal are left out, in the words of ``graftwork plan``."""

import io
import json
from pathlib import Path

import pytest

from bt.record import read_record
from bt.terminal import LiveTree
from graftwork import Outcome, Session
from graftwork.cli.run import closing_words, plan_words
from graftwork.record.episode import Episode
from planning import FastDownward
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula

GOAL = Goal(parse_formula("(or (opened fridge0) (on fridge0 milk0) (at human0 table0))"), "open it")
TOLD = ["left out: (on fridge0 milk0): fridge0", "left out: human0 is at table0: human0 cannot move"]
CODES = [Code.WRONG_AFFORDANCE, Code.WRONG_AFFORDANCE, Code.NO_PLAN]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs") / "one"


def session(record: Path | None) -> Session:
    return Session("kitchen", "full", robot="fake", memory=None, planner=FastDownward(), record=record)


@pytest.fixture(scope="module")
def episode(record: Path) -> Episode:
    with session(record) as opened:
        return opened.start(GOAL).finish()


def goal_event(record: Path) -> dict[str, object]:
    (event,) = [event for event in read_record(record) if event["e"] == "goal"]
    return event


def test_the_episode_and_its_document_hold_the_reasons(episode: Episode):
    assert episode.outcome is Outcome.ACHIEVED
    assert [reason.code for reason in episode.dropped] == CODES
    assert Episode.from_dict(json.loads(json.dumps(episode.as_dict()))) == episode


def test_the_record_holds_the_reasons_and_the_whole_goal(episode: Episode, record: Path):
    event = goal_event(record)
    assert event["dropped"] == [reason.as_dict() for reason in episode.dropped]
    assert event["formula"] == str(GOAL)


def test_the_terminal_and_the_report_say_what_the_command_plan_says(episode: Episode, record: Path):
    screen = io.StringIO()
    live = LiveTree(screen)
    live.write("goal", goal_event(record))
    report = (record / "report.html").read_text(encoding="utf-8")
    for text in TOLD:
        assert f"note    {text}" in closing_words(episode)
        assert text in screen.getvalue()
        assert text in report


def test_the_plan_that_is_shown_before_a_run_says_it_too():
    with session(None) as opened:
        run = opened.start(GOAL)
        run.wait()
        assert all(text in plan_words(run) for text in TOLD)
        assert [reason.code for reason in run.leave().dropped] == CODES


def test_a_resumed_run_tells_the_same(record: Path, tmp_path: Path):
    with session(tmp_path / "one") as opened:
        opened.start(GOAL).wait()
    with session(tmp_path / "two") as opened:
        again = opened.resume(tmp_path / "one").finish()
    assert goal_event(tmp_path / "two") == goal_event(tmp_path / "one")
    assert [reason.code for reason in again.dropped] == CODES


def test_a_goal_of_which_nothing_is_left_out_has_no_such_field(tmp_path: Path):
    with session(tmp_path / "one") as opened:
        episode = opened.start(Goal(parse_formula("(opened fridge0)"))).finish()
    assert episode.dropped == ()
    assert "dropped" not in goal_event(tmp_path / "one")
