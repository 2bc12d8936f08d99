"""A goal that cannot be had as a whole: its part is offered with the reasons, and done when the person agrees."""

import json

import pytest
from typer.testing import CliRunner

from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.errors import SettingsError
from semantics.logic.feedback import Code

SENTENCE = "chop the apple and open the fridge"
NO_KNIFE = "nothing here affords carry and cut"


@pytest.fixture
def session(tmp_path):
    with Session(scene="small", robot="fake", memory=tmp_path / "memory.sqlite") as opened:
        yield opened


def test_the_part_that_can_be_had_is_offered_with_the_reason_for_the_rest(session):
    run = session.start(SENTENCE)
    run.wait()
    assert NO_KNIFE in run.question.text
    assert run.question.text.endswith("Would this do: fridge0 is open?")
    run.cancel()


@pytest.mark.parametrize("yes", ["yes", "Sure.", "1"])
def test_with_a_yes_the_part_is_done_and_the_rest_is_told(session, yes):
    run = session.start(SENTENCE)
    run.wait()
    assert run.say(yes)
    episode = run.finish()
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(opened fridge0)")
    assert episode.part["reached"] == ["(opened fridge0)"]
    (left,) = episode.part["left_out"]
    assert left["literal"] == "(chopped apple0)"
    assert NO_KNIFE in left["feedback"]["why"]


def test_with_a_no_nothing_is_done(session):
    run = session.start(SENTENCE)
    run.wait()
    run.say("no")
    episode = run.finish()
    assert episode.outcome is Outcome.REFUSED
    assert [record.code for record in episode.feedback] == [Code.DECLINED]


def test_an_answer_that_is_neither_asks_again(session):
    run = session.start(SENTENCE)
    run.wait()
    asked = run.question.text
    run.say("well, it depends")
    run.wait()
    assert run.question.text == asked
    run.cancel()


def test_nobody_to_ask_ends_it_with_the_offer(session):
    episode = session.handle(SENTENCE)
    assert (episode.outcome, episode.exit_code) == (Outcome.QUESTION, 3)
    assert NO_KNIFE in episode.feedback[0].why


def test_who_allows_it_is_told_and_it_is_not_learned(tmp_path):
    memory = tmp_path / "m.sqlite"
    with Session(scene="small", robot="fake", memory=memory, part="allow") as session:
        run = session.start(SENTENCE)
        run.wait()
        assert any(NO_KNIFE in note for note in run.goal.goal.notes)
        assert run.finish().outcome is Outcome.ACHIEVED
    with Session(scene="small", robot="fake", memory=memory, part="ask") as session:
        run = session.start(SENTENCE)
        run.wait()
        assert not run.recalled
        assert run.question is not None
        run.cancel()


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("never", SENTENCE),
        ("allow", "chop the apple and close the fridge"),  # it is closed already
        ("allow", "chop the apple"),
    ],
)
def test_where_nothing_is_to_be_gained_it_is_refused_as_before(part, sentence):
    with Session(scene="small", robot="fake", memory=None, part=part) as session:
        episode = session.handle(sentence)
    assert episode.outcome is Outcome.REFUSED
    assert [record.code for record in episode.feedback] == [Code.NO_PLAN]
    assert episode.part is None


def test_a_consent_that_does_not_exist_is_named():
    with pytest.raises(SettingsError, match="part must be 'ask'"):
        Session(robot="fake", memory=None, part="perhaps")


def test_on_the_command_line_a_part_is_planned_when_that_is_allowed():
    given = ["plan", SENTENCE, "--scene", "small", "--json"]
    asked = CliRunner().invoke(app, given)
    assert asked.exit_code == 3
    assert json.loads(asked.stdout)["outcome"] == "question"
    allowed = CliRunner().invoke(app, [*given, "--part", "allow"])
    assert allowed.exit_code == 0
    document = json.loads(allowed.stdout)
    assert document["plan"] == ["(move robot0 floor0 fridge0)", "(open robot0 fridge0 fridge0)"]
    assert document["part"]["left_out"][0]["literal"] == "(chopped apple0)"


def test_a_run_tells_what_it_left_out():
    given = ["run", SENTENCE, "--scene", "small", "--robot", "fake", "--no-memory", "--part", "allow"]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 0
    assert "without apple0 is chopped: " in done.stdout
