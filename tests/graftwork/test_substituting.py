"""Something that is not there: another thing is proposed, and used only when the person agrees or has agreed."""

import json

import pytest
from typer.testing import CliRunner

from domains.reader import load_domain
from graftwork import Outcome, Session
from graftwork.cases import CaseRunner, CaseWorld
from graftwork.cases.model import Case, CasePosition, Substituted
from graftwork.cli.app import app
from graftwork.decision.substitute import Presence, replaced
from graftwork.errors import SettingsError
from semantics.logic.feedback import Code
from semantics.logic.parsing import parse_formula

SENTENCE = "bring me a glass"


@pytest.fixture
def session(tmp_path):
    with Session(scene="small", robot="fake", memory=tmp_path / "memory.sqlite") as opened:
        yield opened


def test_a_missing_class_becomes_a_proposal(session):
    run = session.start(SENTENCE)
    run.wait()
    assert run.question.text == "There is no glass here. Would a cup do?"
    assert run.question.feedback.code is Code.QUESTION
    run.cancel()


@pytest.mark.parametrize("yes", ["yes", "Yes, please.", "the cup", "1"])
def test_with_a_yes_the_run_goes_on_with_the_other_thing(session, yes):
    run = session.start(SENTENCE)
    run.wait()
    assert run.say(yes)
    episode = run.finish()
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(inhand cup0 human0)")


def test_with_a_no_it_is_refused_as_declined(session):
    run = session.start(SENTENCE)
    run.wait()
    run.say("no")
    episode = run.finish()
    assert episode.outcome is Outcome.REFUSED
    assert [record.code for record in episode.feedback] == [Code.DECLINED]


def test_nobody_to_ask_ends_it_with_the_proposal_and_exit_code_3(session):
    episode = session.handle(SENTENCE)
    assert episode.exit_code == 3
    assert "Would a cup do?" in episode.message


def test_the_person_may_name_another_thing(session):
    run = session.start(SENTENCE)
    run.wait()
    run.say("the apple")
    assert run.finish().goal == "(inhand apple0 human0)"


def test_once_agreed_is_not_agreed_for_ever(session):
    run = session.start(SENTENCE)
    run.wait()
    run.say("yes")
    assert run.finish().outcome is Outcome.ACHIEVED
    run = session.start("bring me a glass")
    run.wait()
    assert run.question is not None


def test_who_allows_it_is_told_and_not_asked_and_it_is_not_learned(tmp_path):
    with Session(scene="small", robot="fake", memory=tmp_path / "m.sqlite", substitute="allow") as session:
        run = session.start(SENTENCE)
        run.wait()
        assert run.question is None
        assert any(note.startswith("a cup instead of a glass") for note in run.goal.goal.notes)
        episode = run.finish()
        assert episode.outcome is Outcome.ACHIEVED
        assert episode.notes == run.goal.goal.notes
        run = session.start(SENTENCE)
        run.wait()
        assert not run.recalled
        run.cancel()


def test_who_wants_none_is_refused_as_before(tmp_path):
    with Session(scene="small", robot="fake", memory=None, substitute="never") as session:
        episode = session.handle(SENTENCE)
    assert (episode.outcome, episode.feedback[0].code) == (Outcome.REFUSED, Code.UNKNOWN_NAME)


def test_what_nothing_can_replace_is_refused_as_before(session):
    assert session.handle("bring me a hammer").outcome is Outcome.REFUSED


def test_a_consent_has_one_of_three_names():
    with pytest.raises(SettingsError, match=r"substitute must be .*allow.*, not 'always'"):
        Session(substitute="always")
    with pytest.raises(SettingsError, match=r"part must be .*allow.*, not 'always'"):
        Session(part="always")


def test_only_the_name_is_replaced_in_a_goal():
    goal = parse_formula("(or (and (inhand glass0 human0) (not (on glass0 table0))) (clean glass01))")
    assert str(replaced(goal, "glass0", "mug0")) == str(
        parse_formula("(or (and (inhand mug0 human0) (not (on mug0 table0))) (clean glass01))")
    )


@pytest.mark.parametrize("said", [{"goal": parse_formula("(inhand glass0 human0)")}, {"instruction": SENTENCE}])
def test_a_case_can_expect_a_substitute(said):
    case = Case(
        "a cup will do",
        CasePosition("x.yaml", 1),
        "small",
        said.get("goal"),
        said.get("instruction", ""),
        Substituted("cup"),
    )
    with CaseRunner() as runner:
        assert runner.run(case, CaseWorld(load_domain("kitchen"))).problems == ()


def command(*words):
    result = CliRunner().invoke(app, ["substitute", *words, "--scene", "small", "--yes"])
    return result.exit_code, result.output


def test_the_command_says_what_would_do_and_what_the_goal_becomes():
    code, told = command("glass", "--for", SENTENCE)
    assert code == 0
    assert told.startswith("a cup instead of a glass: people drink from it")
    assert "becomes cup0 is in the hand of human0" in told


def test_the_command_prints_one_object_with_reasons_for_each_class():
    code, told = command("glass", "--goal", "(inhand {glass} human0)", "--json")
    document = json.loads(told)
    assert (code, document["substitute"], document["new_goal"]) == (0, "cup", "(inhand cup0 human0)")
    assert all(one["why"] for one in document["refused"])


def test_the_command_exits_with_3_when_nothing_would_do():
    assert command("hammer", "--goal", "(inhand {hammer} human0)")[0] == 3


def test_what_is_there_needs_nothing_instead():
    assert command("cup") == (0, "cup0 is there, so nothing has to stand in for it\n")
    code, told = command("cup", "--json")
    document = json.loads(told)
    assert (code, document["missing"], document["there"], document["substitute"]) == (0, None, ["cup0"], None)


def test_several_that_are_there_are_told_as_several():
    told = Presence("glass", ("glass0", "glass1", "glass2")).sentence
    assert told == "glass0, glass1 and glass2 are there, so nothing has to stand in for them"
