"""Answers that come in parts, those of servers that send none, and those that break off."""

import json

import pytest

from graftwork.language.completions import BrokenOffError, read_completion
from graftwork.language.openai_model import OpenAIModel
from semantics.body.protocols import Message
from tests.loopback import Fault, LoopbackServer, Raw, chunks, completion

QUESTION = (Message("user", "well?"),)
SAID = 'He said "no\\n" \u2028 and left: Gr\u00fc\u00dfe \U0001f44b'


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def model_at(server, key="sk-hidden"):
    return OpenAIModel("small", base_url=server.base_url, api_key=key, timeout=5.0, pause=0.01)


def stream(*events, end="\n\n"):
    return "".join(f"data: {event if isinstance(event, str) else json.dumps(event)}{end}" for event in events)


def part(text, reason=None):
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]}


def test_an_answer_in_parts_is_one_answer_with_its_tokens():
    with LoopbackServer(SAID) as server:
        model = model_at(server)
        reply = model.complete(QUESTION)
    assert (reply.text, reply.tokens, reply.tokens_out, reply.is_cut) == (SAID, 10, 1, False)
    assert (server.requests[0]["stream"], server.requests[0]["stream_options"]) == (True, {"include_usage": True})
    assert model.notes == []


def test_a_server_that_sends_no_parts_is_asked_for_none_and_that_is_noted_once():
    with LoopbackServer(Fault.NO_STREAM) as server:
        model = model_at(server)
        for _ in range(2):
            assert model.complete(QUESTION).tokens == 10
    assert ["stream" in request for request in server.requests] == [True, False]
    assert ["stream_options" in request for request in server.requests] == [True, False]
    (note,) = model.notes
    assert "takes no stream" in note


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r", "\n: a comment\nid: 7\n\n"])
def test_each_end_of_a_line_is_read(end):
    assert read_completion(stream(part("a"), part("b", "stop"), "[DONE]", end=end)).text == "ab"


@pytest.mark.parametrize(("reason", "is_cut"), [("stop", False), ("length", True), ("content_filter", True)])
def test_the_last_part_says_whether_the_answer_was_cut(reason, is_cut):
    assert read_completion(b"".join(chunks("well", reason=reason)).decode()).is_cut is is_cut
    body = completion("well")
    body["choices"][0]["finish_reason"] = reason
    assert read_completion(json.dumps(body)).is_cut is is_cut


def test_either_end_of_a_stream_will_do():
    assert read_completion(stream(part("a", "stop"))).text == "a"
    assert read_completion(stream(part("a"), "[DONE]")).text == "a"
    with pytest.raises(BrokenOffError):
        read_completion(stream(part("a")))


def test_a_refusal_in_parts_is_a_refusal():
    parts = [{"choices": [{"index": 0, "delta": {"refusal": text}, "finish_reason": None}]} for text in ("no", " way")]
    assert json.loads(read_completion(stream(*parts, "[DONE]")).text) == {"refusal": "no way"}


def test_a_key_that_comes_in_parts_is_starred():
    with LoopbackServer("the key is sk-Secret") as server:
        assert model_at(server, "sk-Secret").complete(QUESTION).text == "the key is ***"


@pytest.mark.parametrize("event", ["{", '{"error": {"message": "out of memory"}}', "null", "[1]", '{"choices": 7}'])
def test_a_stream_of_something_else_is_an_error_of_the_model(event):
    body = Raw([stream(part("a"), event).encode()], {"Content-Type": "text/event-stream"})
    with LoopbackServer(body, "good day") as server:
        assert model_at(server).complete(QUESTION).text == "good day"
    assert server.count == 2
