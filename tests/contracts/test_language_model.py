"""What every language model must do; each is made by naming itself in `MODELS`, and none needs a network."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graftwork.conformance import models
from graftwork.conformance.models import MODEL
from graftwork.conformance.suite import judged
from graftwork.language.openai_model import OpenAIModel
from graftwork.testing import ReplayedModel, ScriptedModel
from semantics.body.protocols import LanguageModel, Message, ModelReply
from semantics.errors import ModelUnreachableError, OutsideError
from tests.loopback import Fault, LoopbackServer

SCHEMA = {"type": "object", "properties": {"goal": {"type": "string"}}, "required": ["goal"]}
ASKED = (Message("system", "You answer in JSON."), Message("user", "open the fridge"))
SAID = json.dumps({"goal": "(opened fridge0)", "question": None, "refusal": None})


@contextmanager
def scripted(folder: Path, *, gone: bool) -> Iterator[LanguageModel]:
    yield ScriptedModel([] if gone else [SAID] * 9)


@contextmanager
def replayed(folder: Path, *, gone: bool) -> Iterator[LanguageModel]:
    made = ReplayedModel(folder / "recording.jsonl", record=ScriptedModel([SAID, SAID]))
    for schema in (None, SCHEMA):
        made.complete(ASKED[:1] if gone else ASKED, schema=schema)
    yield ReplayedModel(folder / "recording.jsonl")


@contextmanager
def recording(folder: Path, *, gone: bool) -> Iterator[LanguageModel]:
    yield ReplayedModel(folder / "recording.jsonl", record=ScriptedModel([] if gone else [SAID] * 9))


@contextmanager
def openai(folder: Path, *, gone: bool) -> Iterator[LanguageModel]:
    pytest.importorskip("openai")
    with LoopbackServer(Fault.ERROR if gone else SAID) as server:
        yield OpenAIModel("small", base_url=server.base_url, api_key="none", timeout=5.0, pause=0.01)


MODELS = {"scripted": scripted, "replayed": replayed, "recording": recording, "openai": openai}


@pytest.fixture(params=MODELS)
def make(request, tmp_path):
    return lambda *, gone=False: MODELS[request.param](tmp_path, gone=gone)


def test_it_is_a_language_model_with_a_name(make):
    with make() as model:
        assert isinstance(model, LanguageModel)
        assert model.name


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_it_answers_with_text_and_a_count_of_tokens(make, schema):
    with make() as model:
        reply = model.complete(ASKED, schema=schema)
        assert isinstance(reply, ModelReply)
        assert json.loads(reply.text)["goal"] == "(opened fridge0)"
        assert reply.tokens >= 0


def test_messages_may_be_any_sequence_and_are_left_as_they_are(make):
    with make() as model:
        asked = list(ASKED)
        model.complete(asked)
        assert asked == list(ASKED)


def test_it_can_be_asked_the_same_again(make):
    with make() as model:
        assert model.complete(ASKED).text == model.complete(ASKED).text


def test_one_that_cannot_answer_is_an_outage_that_says_so(make):
    with make(gone=True) as model, pytest.raises(OutsideError, match="language model"):
        model.complete(ASKED)


@pytest.mark.parametrize("one", MODEL, ids=lambda one: one.sentence)
@pytest.mark.parametrize("name", ["scripted", "recording", "openai"])
def test_it_meets_what_every_model_has_to_do(name, one, tmp_path, monkeypatch):
    monkeypatch.setattr(models, "LATEST_SECONDS", 10.0)  # the machine may be busy
    with MODELS[name](tmp_path, gone=False) as model:
        one.test(lambda: model)


class Wrong:
    """A model that does what a requirement forbids."""

    name = "wrong"

    def __init__(self):
        self.notes = []

    def complete(self, messages, *, schema=None):
        return ModelReply(SAID)


class Late(Wrong):
    def complete_unless(self, called_off, messages, *, schema=None):
        time.sleep(0.5)
        return ModelReply(SAID)


class Cut(Wrong):
    def complete(self, messages, *, schema=None):
        return ModelReply(SAID, is_cut=True)


class Picky(Wrong):
    def complete(self, messages, *, schema=None):
        if schema and "oneOf" in schema:
            raise ModelUnreachableError("there", "it refused the schema", "send none")
        return ModelReply(SAID)


class Repeating(Wrong):
    def complete(self, messages, *, schema=None):
        self.notes.append("It takes no schema.")
        return ModelReply(SAID)


class Mumbling(Wrong):
    def __init__(self):
        self.notes = ["no schema"]


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (Late, "it was left"),
        (Cut, "cut off"),
        (Picky, "it refused the schema"),
        (Repeating, "has added notes"),
        (Mumbling, "no sentences"),
    ],
)
def test_a_model_that_does_not_is_found_out(made, why):
    unmet = [finding.unmet for finding in judged(MODEL, made) if finding.unmet]
    assert len(unmet) == 1
    assert why in unmet[0]


def test_what_a_model_need_not_have_is_not_tried():
    untried = [finding.untried for finding in judged(MODEL, lambda: ScriptedModel([SAID] * 9)) if finding.untried]
    assert [why.partition(",")[0] for why in untried] == [
        "it has no attribute notes",
        "it has no method complete_unless",
    ]
