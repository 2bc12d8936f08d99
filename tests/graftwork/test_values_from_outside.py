"""What comes from a model, a person or a callback is a value or an error of its boundary, and never a fault."""

import json

import pytest

from graftwork import Outcome, Session
from graftwork.testing import ScriptedModel
from semantics.body.protocols import ModelReply
from semantics.errors import UsageError
from semantics.logic.feedback import Code
from tests.graftwork.blocked import GOAL, SENTENCE, blocked, said
from tests.loopback import LoopbackServer, Raw

HALF = "\ud800"
FIRST = {"goal": GOAL}


def answered_by(answer):
    session, journal = blocked(model=ScriptedModel([FIRST, {"question": "Would the table do?"}, {"refusal": "no"}]))
    with session:
        run = session.start(SENTENCE)
        try:
            run.finish(answer=answer)
        finally:
            assert run.is_over
            assert run.episode.outcome is Outcome.STOPPED
            assert said(journal, "end", "outcome") == ["stopped"]


def failing(question):
    raise KeyError("no answer")


@pytest.mark.parametrize("answer", [lambda _: 7, lambda _: ["yes"], lambda _: b"yes", lambda _: f"yes {HALF}", failing])
def test_an_answer_that_is_no_text_stops_the_run_and_is_the_callers_mistake(answer):
    with pytest.raises(UsageError, match="answer"):
        answered_by(answer)


def test_the_error_of_a_callback_names_the_question_and_keeps_its_cause():
    with pytest.raises(UsageError, match=r"Would the table do.*KeyError") as caught:
        answered_by(failing)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize("words", [f"bring me the milk {HALF}", 7, ["milk"]])
def test_a_request_that_is_no_text_is_refused_before_anything_begins(words, tmp_path):
    with Session(robot="fake", memory=None, record=tmp_path / "runs") as session:
        with pytest.raises(UsageError, match="a request is text"):
            session.start(words)
        with pytest.raises(UsageError, match="a request is text"):
            session.subtree(words)
        assert session.handle("open the fridge").outcome is Outcome.ACHIEVED


def test_a_resumed_request_that_is_no_text_is_refused(tmp_path):
    start = {"v": 1, "e": "start", "instruction": f"milk {HALF}", "domain": "kitchen", "scene": "small"}
    (tmp_path / "record.jsonl").write_text(json.dumps(start) + "\n")
    with Session(scene="small", robot="fake", memory=None) as session, pytest.raises(UsageError):
        session.resume(tmp_path)


@pytest.mark.parametrize("words", [HALF, 7, None])
def test_words_that_are_no_text_are_refused(words):
    with Session(scene="small", robot="fake", memory=None) as session:
        run = session.start("open the fridge")
        with pytest.raises(UsageError, match="what a person says is text"):
            run.say(words)
        assert run.finish().outcome is Outcome.ACHIEVED


def test_half_a_character_in_a_reply_reaches_no_record_and_no_memory(tmp_path):
    model = ScriptedModel([ModelReply(f'{{"refusal": "no {HALF}"}}')])
    with Session(robot="fake", model=model, memory=tmp_path / "m.sqlite", record=tmp_path / "run") as session:
        episode = session.handle("fly")
    assert episode.outcome is Outcome.REFUSED
    assert "no \N{REPLACEMENT CHARACTER}" in episode.message
    assert "\N{REPLACEMENT CHARACTER}" in (tmp_path / "run" / "record.jsonl").read_text(encoding="utf-8")


class Odd:
    """A model of somebody else, which raises or returns what no model should."""

    name = "odd"

    def __init__(self, *replies):
        self.replies = list(replies)

    def complete(self, messages, *, schema=None):
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


ODD = [RecursionError("too deep"), AttributeError("'NoneType'"), OverflowError("1e999"), MemoryError(), None, "text", 7]


@pytest.mark.parametrize("reply", ODD, ids=repr)
def test_a_model_that_fails_is_an_outage_and_no_fault(reply):
    with Session(robot="fake", model=Odd(reply), memory=None) as session:
        episode = session.handle("bring me the milk")
    assert episode.outcome is Outcome.UNAVAILABLE
    assert "odd" in episode.message


@pytest.mark.parametrize("reply", ODD, ids=repr)
def test_a_model_that_fails_in_mid_run_is_one_recovery_strategy_without_an_answer(reply):
    session, journal = blocked(model=Odd(ModelReply(json.dumps(FIRST)), reply))
    with session:
        episode = session.handle(SENTENCE)
    assert episode.outcome is Outcome.FAILED
    assert Code.UNAVAILABLE in {Code(feedback["code"]) for feedback in said(journal, "feedback", "feedback")}
    assert "consult" in episode.message


@pytest.mark.parametrize("body", [b'{"choices": [{"message": null}]}', b'{"choices": ' + b"[" * 100_000, b"1e999"])
def test_a_server_that_talks_nonsense_in_mid_run_is_one_strategy_without_an_answer(monkeypatch, body):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with LoopbackServer(json.dumps(FIRST), Raw([body])) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        session, _ = blocked(model="openai:stand-in")
        with session:
            episode = session.handle(SENTENCE)
    assert episode.outcome is Outcome.FAILED
    assert "consult" in episode.message


def test_what_a_model_is_told_of_its_answers_stays_small():
    goal = f"(and {' '.join(f'(flying thing{number})' for number in range(1100))})"
    model = ScriptedModel([{"goal": goal}] * 5)
    with Session(robot="fake", model=model, memory=None) as session:
        episode = session.handle("let everything fly")
    assert episode.outcome is Outcome.REFUSED
    sent = sum(len(message.content) for message in model.requests[-1].messages)
    assert sent < 200_000
    corrections = [message.content for message in model.requests[-1].messages if "cannot be used" in message.content]
    assert len(corrections) == 4
    assert all(len(text) < 20_000 and "more." in text for text in corrections)
    assert len(json.dumps(episode.as_dict())) < 200_000
