"""An answer that is not understood: the question is put once more, and then it ends with the reason."""

import json
from pathlib import Path

import pytest

from graftwork import Session
from graftwork.record.episode import Outcome
from semantics.logic.feedback import Code
from tests.graftwork.test_commands import graftwork

WHICH = "Which is meant by 'the can': 'can0', 'can1' or 'any can'?"
CAN = ("bring me the can", "--scene", "full")


@pytest.fixture
def session():
    with Session(scene="full", robot="symbolic", memory=None) as opened:
        yield opened


def asked(session, *answers):
    """Ask for the can, and answer each question; return the questions and the episode."""
    left, put = list(answers), []

    def answer(question):
        put.append(question)
        return left.pop(0)

    return put, session.handle("bring me the can", answer)


def test_the_question_is_put_again_with_what_was_not_understood(session):
    put, episode = asked(session, "the unicorn", "the last one")
    assert put[0].text == WHICH
    assert put[1].text.startswith("I do not understand 'the unicorn' as an answer: ")
    assert put[1].text.endswith(WHICH)
    assert put[1].options == put[0].options
    assert episode.goal == "(inhand can1 human0)"


def test_the_second_time_it_ends_with_the_reason(session):
    put, episode = asked(session, "the unicorn", "the dragon")
    assert len(put) == 2
    assert episode.outcome is Outcome.REFUSED
    assert "dragon" in episode.message


def test_a_no_is_understood(session):
    put, episode = asked(session, "neither of them")
    assert len(put) == 1
    assert [reason.code for reason in episode.feedback] == [Code.DECLINED]


def test_another_request_takes_the_place_of_the_one_in_doubt_and_that_is_told(session):
    _, episode = asked(session, "put the apple on the counter")
    assert episode.goal == "(on apple0 counter0)"
    assert episode.notes[0] == "'put the apple on the counter' was read as another request, not as an answer."


def test_an_answer_on_the_command_line_is_taken_for_the_question_and_one_too_many_is_told(tmp_path: Path):
    words = ("run", *CAN, "--robot", "fake", "--no-memory", "--answer", "the last", "--answer", "the first")
    ended = graftwork(*words, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "goal    can1 is in the hand of human0" in ended.stdout
    assert f"{WHICH}\n> the last\n" in ended.stderr
    assert "The answer 'the first' was not needed." in ended.stderr


def test_the_same_holds_for_a_plan(tmp_path: Path):
    ended = graftwork("plan", *CAN, "--answer", "the second one", "--answer", "yes", cwd=tmp_path)
    assert ended.stdout.startswith("goal   can1 is in the hand of human0\n")
    assert "The answer 'yes' was not needed." in ended.stderr


@pytest.mark.parametrize("words", [("run", "--robot", "fake", "--no-memory"), ("plan",)])
def test_the_options_of_a_question_stand_in_the_document(words, tmp_path: Path):
    ended = graftwork(words[0], *CAN, *words[1:], "--json", cwd=tmp_path)
    document = json.loads(ended.stdout)
    assert document["question"] == {"text": WHICH, "options": ["can0", "can1", "any can"]}
    assert ended.returncode == 3


def test_answers_are_for_one_run(tmp_path: Path):
    ended = graftwork("run", *CAN, "--seeds", "1..2", "--answer", "the last", cwd=tmp_path)
    assert ended.returncode == 2
    assert "--answer" in ended.stderr
