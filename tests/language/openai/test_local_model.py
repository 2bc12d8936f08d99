"""The client of models against a real server with a small real model: what it says is of no account here."""

import json
import threading
import time

import pytest

from affordances.elicitation import ClassInquiry
from graftwork import Outcome, Session
from graftwork.conformance.models import MODEL
from graftwork.language.openai_model import OpenAIModel
from graftwork.language.replayed import ReplayedModel
from semantics.body.exchange import Exchange, ModelUse
from semantics.body.protocols import Message
from semantics.errors import ModelUnreachableError
from tests.affordances.elicitation.room import SMALL
from tests.local_model import missing, served_model

pytestmark = [pytest.mark.local_model, pytest.mark.skipif(bool(missing()), reason=missing() or "there is one")]

HELLO = (Message("user", "Say hello in three words."),)
STORY = (Message("user", "Tell a very long story of a robot in a kitchen, with many chapters."),)
COLOURS = ("red", "green", "blue")
COLOUR = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": list(COLOURS)}},
    "required": ["colour"],
    "additionalProperties": False,
}
AT_ONCE = 5.0
"""Seconds: a story of this model takes a minute, whatever else the machine does."""


@pytest.fixture(scope="module")
def address():
    with served_model() as url:
        yield url


@pytest.fixture
def model(address, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return OpenAIModel("smollm2", base_url=address, api_key="any", timeout=120.0)


def test_an_answer_comes_as_a_stream_with_its_tokens(model):
    reply = model.complete(HELLO)
    assert reply.text
    assert reply.tokens > reply.tokens_out > 0
    assert model.notes == []  # it takes every option that is sent


def test_an_answer_obeys_its_schema(model):
    for question in ("What colour is grass?", "What colour is blood?"):
        assert json.loads(model.complete([Message("user", question)], schema=COLOUR).text)["colour"] in COLOURS
    assert model.notes == []


def test_the_likeliest_answer_is_the_same_again(model):
    assert model.complete(HELLO, schema=COLOUR).text == model.complete(HELLO, schema=COLOUR).text


@pytest.mark.parametrize("seconds", [0.0, 0.3, 3.0])
def test_a_story_is_left_when_it_is_called_off(model, seconds):
    ended = time.monotonic() + seconds
    with pytest.raises(ModelUnreachableError, match="called off"):
        model.complete_unless(lambda: time.monotonic() >= ended, STORY)
    assert time.monotonic() - ended < AT_ONCE


def test_the_server_is_free_again_after_a_story_that_was_left(model):
    for _ in range(2):
        ended = time.monotonic() + 1.0
        with pytest.raises(ModelUnreachableError, match="called off"):
            model.complete_unless(lambda ended=ended: time.monotonic() >= ended, STORY)
    began = time.monotonic()
    assert model.complete(HELLO, schema=COLOUR).text
    assert time.monotonic() - began < 30.0  # it has one place; the stories would take minutes


def test_a_story_ends_at_the_deadline(address):
    late = OpenAIModel("smollm2", base_url=address, api_key="any", timeout=1.0, retries=0)
    with pytest.raises(ModelUnreachableError, match="no answer within 1 s"):
        late.complete(STORY)


def test_an_answer_beyond_its_bound_is_cut_and_not_read(model, monkeypatch):
    model._options["max_tokens"] = 8
    exchange = Exchange(model, list(STORY))
    assert exchange.ask(lambda text: text, lambda _: "again", 1) is None
    assert "cut off" in str(exchange.feedback[0])


def test_what_it_takes_is_counted(model):
    use = ModelUse(prices={"smollm2": (1e6, 0.0)})
    Exchange(model, list(HELLO), COLOUR, use).ask(str, str, 1)
    assert (use.calls, use.tokens_in > 0, use.tokens_out > 0) == (1, True, True)
    assert use.money == use.tokens_in


def test_its_answers_are_recorded_and_replayed(model, tmp_path):
    file = tmp_path / "said.jsonl"
    said = ReplayedModel(file, record=model).complete(HELLO, schema=COLOUR)
    assert ReplayedModel(file).complete(HELLO, schema=COLOUR) == said


@pytest.mark.parametrize("one", MODEL, ids=lambda one: one.sentence)
def test_it_meets_what_every_model_has_to_do(model, one, monkeypatch):
    monkeypatch.setattr("graftwork.conformance.models.LATEST_SECONDS", AT_ONCE)
    one.test(lambda: model)


def test_it_is_asked_about_classes(model):
    one = {"grasp": SMALL["grasp"]}
    inquiry = ClassInquiry(["mug"], model, ontology=one, strategy="yes-no", tries=1)
    inquiry.run()
    assert inquiry.outage is None
    assert inquiry.counts.asked == 1


def test_a_run_is_stopped_while_it_reads_a_sentence(model):
    with Session(scene="small", robot="fake", memory=None, model=model) as session:
        run = session.start("open the fridge")
        began = time.monotonic()
        threading.Timer(1.0, run.say, ("stop",)).start()
        assert run.finish().outcome is Outcome.STOPPED
        assert time.monotonic() - began < 1.0 + AT_ONCE
