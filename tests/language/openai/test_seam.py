"""What is sent to a model's server and what it refuses, models for when others fail, and recordings of exchanges."""

import json
import logging
import time

import pytest

from graftwork import Session
from graftwork.language.models import Fallback, model_from_name
from graftwork.language.openai_model import OpenAIModel
from graftwork.language.replayed import ReplayedModel
from graftwork.record.episode import Outcome
from semantics.body.exchange import Exchange, Unusable
from semantics.body.protocols import Message
from semantics.errors import ModelUnreachableError, UsageError
from tests.loopback import Fault, LoopbackServer, Raw, completion, dead_address

QUESTION = (Message("user", "well?"),)
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
OPENED = '{"reply": {"goal": ["(opened fridge0)"], "prefer": null, "note": null}}'


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")


def model_at(address, **options):
    return OpenAIModel("small", base_url=address, api_key="sk-hidden", timeout=5.0, pause=0.01, **options)


def refusal(text):
    return Raw([json.dumps({"error": {"message": text}}).encode()], {"Content-Type": "application/json"}, 400)


def test_an_answer_is_bounded_and_the_likeliest_one():
    with LoopbackServer("good day") as server:
        model_at(server.base_url).complete(QUESTION)
    assert server.requests[0]["temperature"] == 0
    assert server.requests[0]["max_tokens"] > 1000


@pytest.mark.parametrize(
    ("text", "gone", "told"),
    [
        ("Unsupported value: 'temperature' does not support 0", "temperature", "no temperature"),
        ("Unrecognized argument: max_tokens", "max_tokens", "no max_tokens"),
        ("unknown field 'stream_options'", "stream_options", "no stream_options"),
        ("stream: not permitted", "stream", "no stream"),
    ],
)
def test_an_option_that_a_server_refuses_is_left_out_and_noted_once(text, gone, told, caplog):
    with LoopbackServer(refusal(text), "good day") as server, caplog.at_level(logging.WARNING, "graftwork"):
        model = model_at(server.base_url)
        assert [model.complete(QUESTION, schema=SCHEMA).text for _ in range(3)] == ["good day"] * 3
    assert gone in server.requests[0]
    assert all(gone not in request for request in server.requests[1:])
    assert len(model.notes) == 1
    assert told in model.notes[0]
    assert text in model.notes[0]
    assert model.notes[0] in caplog.text


@pytest.mark.parametrize("text", ["response_format is not supported", "'allOf' is not permitted", "bad request"])
def test_a_server_that_refuses_a_schema_is_asked_for_json_in_the_same_request_and_that_is_noted_once(text, caplog):
    with LoopbackServer(refusal(text), "{}") as server, caplog.at_level(logging.WARNING, "graftwork"):
        model = model_at(server.base_url)
        assert [model.complete(QUESTION, schema=SCHEMA).text for _ in range(3)] == ["{}"] * 3
    kinds = [request["response_format"]["type"] for request in server.requests]
    assert kinds == ["json_schema", "json_object", "json_object", "json_object"]
    (note,) = model.notes
    assert f"takes no json_schema (Error code: 400 - {text}); it is asked for any JSON." in note
    assert note in caplog.text


def test_a_server_that_refuses_json_too_is_asked_without(caplog):
    with LoopbackServer(refusal("no response_format"), refusal("none at all"), "{}") as server:
        model = model_at(server.base_url)
        assert [model.complete(QUESTION, schema=SCHEMA).text for _ in range(2)] == ["{}"] * 2
    assert ["response_format" in request for request in server.requests] == [True, True, False, False]
    assert [note.partition(" takes no ")[2].partition(" (")[0] for note in model.notes] == [
        "json_schema",
        "json_object",
    ]


def test_the_schema_has_a_name_and_is_strict():
    with LoopbackServer("{}") as server:
        model_at(server.base_url).complete(QUESTION, schema=SCHEMA)
    sent = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA}}
    assert server.requests[0]["response_format"] == sent


def test_the_pause_that_a_busy_server_asks_for_is_kept():
    busy = Raw([b"{}"], {"Retry-After": "1"}, 503)
    with LoopbackServer(busy, "good day") as server:
        began = time.monotonic()
        assert model_at(server.base_url).complete(QUESTION).text == "good day"
    assert time.monotonic() - began >= 1.0


def test_a_pause_beyond_the_deadline_is_not_begun():
    with LoopbackServer(Raw([b"{}"], {"Retry-After": "3600"}, 429)) as server, pytest.raises(ModelUnreachableError):
        model_at(server.base_url).complete(QUESTION)
    assert server.count == 1


def test_a_bound_that_has_another_name_is_sent_by_it():
    with LoopbackServer(refusal("'max_tokens' is not supported. Use 'max_completion_tokens'"), "good day") as server:
        model = model_at(server.base_url)
        assert model.complete(QUESTION).text == "good day"
    assert server.requests[1]["max_completion_tokens"] == server.requests[0]["max_tokens"]
    assert model.notes == []


def test_a_request_that_is_refused_without_these_options_too_is_an_error():
    with (
        LoopbackServer(refusal("no such model")) as server,
        pytest.raises(ModelUnreachableError, match="no such model"),
    ):
        model_at(server.base_url).complete(QUESTION, schema=SCHEMA)
    assert server.count == 3


def test_what_a_server_cut_off_is_not_read():
    body = completion(OPENED)
    body["choices"][0]["finish_reason"] = "length"
    cut = Raw([json.dumps(body).encode()], {"Content-Type": "application/json"})
    with LoopbackServer(cut, "whole") as server:
        exchange = Exchange(model_at(server.base_url), list(QUESTION))
        answer = exchange.ask(lambda text: text, lambda unusable: str(unusable.feedback[0]), 3)
    assert answer == "whole"
    assert exchange.unusable[0] == Unusable(exchange.feedback)
    assert "cut off" in exchange.messages[2].content


def test_a_model_that_fails_is_followed_by_the_next_and_that_is_told(monkeypatch, tmp_path):
    with LoopbackServer("hm") as deaf, LoopbackServer(OPENED) as good:
        chain = Fallback([model_at(dead_address(), retries=0), model_at(deaf.base_url), model_at(good.base_url)])
        with Session(scene="small", robot="fake", memory=None, model=chain) as session:
            episode = session.handle("open sesame")
    assert episode.outcome is Outcome.ACHIEVED
    assert len(good.requests) == 1
    assert sum("gave no usable answer" in note for note in episode.notes) == 2
    assert [message["role"] for message in good.requests[0]["messages"]] == ["system", "user"]  # begun anew


def test_the_last_of_several_may_be_the_interpreter():
    chain = Fallback([model_at(dead_address(), retries=0), None])
    with Session(scene="small", robot="fake", memory=None, model=chain) as session:
        episode = session.handle("open the fridge")
    assert episode.outcome is Outcome.ACHIEVED
    assert "no connection" in episode.notes[0]


def test_several_models_have_one_name():
    chain = model_from_name("openai:a, openai:b,offline")
    assert isinstance(chain, Fallback)
    assert chain.name == "a,b,offline"
    with pytest.raises(UsageError, match="stands last"):
        model_from_name("offline,openai:a")


def test_a_server_that_takes_no_schema_is_told_in_the_record(tmp_path):
    with LoopbackServer(Fault.NO_SCHEMA) as server:
        model = model_at(server.base_url)
        with Session(scene="small", robot="fake", memory=None, model=model, record=tmp_path / "run") as session:
            assert session.handle("open sesame").outcome is Outcome.ACHIEVED
    record = (tmp_path / "run" / "record.jsonl").read_text(encoding="utf-8")
    assert record.count("takes no json_schema") == 1


def test_exchanges_are_recorded_and_replayed(monkeypatch, tmp_path):
    file = tmp_path / "said.jsonl"
    with LoopbackServer(OPENED) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        with Session(scene="small", robot="fake", memory=None, model="openai:small", record_model=file) as session:
            assert session.handle("open sesame").outcome is Outcome.ACHIEVED
    assert len(ReplayedModel(file)) == 1
    assert "sk-hidden" not in file.read_text(encoding="utf-8")
    with Session(scene="small", robot="fake", memory=None, model=f"replay:{file}") as session:
        assert session.handle("open sesame").outcome is Outcome.ACHIEVED


def test_answers_that_cannot_be_used_have_an_outcome_and_an_exit_of_their_own(monkeypatch):
    with LoopbackServer("hm") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        with Session(scene="small", robot="fake", memory=None, model="openai:small") as session:
            episode = session.handle("open sesame")
    assert (episode.outcome, episode.exit_code) == (Outcome.UNUSABLE_REPLY, 6)
    assert episode.feedback[-1].code == "unusable-reply"
