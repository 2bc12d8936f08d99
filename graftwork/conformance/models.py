"""What every language model has to do, see docs/decision.md#reading. Each test asks the model."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from graftwork.conformance.suite import Requirement, met, requirement
from semantics.body.protocols import AbandonableModel, LanguageModel, Message, ModelReply, NotingModel
from semantics.errors import OutsideError
from semantics.schemas import object_schema

ASKED = (
    Message("system", 'You answer with one JSON object and nothing else: {"goal": TEXT}.'),
    Message("user", 'The text is "(opened fridge0)".'),
)
SCHEMA = object_schema({"goal": {"type": "string"}})
ANSWERING_SECONDS, LATEST_SECONDS = 0.05, 0.1
"""How long a request goes on before it is called off, and how soon it must be left then."""


MakeModel = Callable[[], LanguageModel]
"""Makes what is under test anew."""

MODEL: list[Requirement[MakeModel]] = []
_must = partial(requirement, MODEL, "docs/decision.md#reading")


@_must("It has the attributes and methods of a language model, and a name.")
def _protocol(make: MakeModel) -> None:
    made = make()
    met(isinstance(made, LanguageModel), "it lacks one of name and complete")
    met(isinstance(made.name, str) and made.name, f"its name is {made.name!r}")


@_must("It answers with a text and a count of tokens.")
def _reply(make: MakeModel) -> None:
    _answered(make(), None)


@_must("With a schema it answers in JSON that obeys it.")
def _schema(make: MakeModel) -> None:
    reply, read = _answered(make(), SCHEMA), None
    text = reply.text
    met(not reply.is_cut, "its answer was cut off: a few words are asked for")
    with suppress(ValueError):
        read = json.loads(text)
    is_obeyed = isinstance(read, dict) and isinstance(read.get("goal"), str)
    met(is_obeyed, f"its answer is {text[:200]!r}, and not an object with the text 'goal'")


@_must("It leaves the messages as they are, and can be asked the same again.")
def _again(make: MakeModel) -> None:
    model, asked = make(), list(ASKED)
    for _ in range(2):
        model.complete(asked, schema=SCHEMA)
    met(asked == list(ASKED), "it has changed the messages")


@_must("A schema that is more than its server takes is no failure.")
def _refused_schema(make: MakeModel) -> None:
    _answered(make(), {"oneOf": [SCHEMA, {**SCHEMA, "properties": {"refusal": {"type": "null"}}, "required": []}]})


@_must("What its server does not take, such as a schema or a stream, it notes once, in a sentence each.")
def _notes(make: MakeModel) -> str | None:
    model = make()
    if not isinstance(model, NotingModel):
        return "it has no attribute notes, so nothing is told of its server"
    _answered(model, SCHEMA)
    noted = list(model.notes)
    _answered(model, SCHEMA)
    met(model.notes == noted, f"the same request again has added notes: {model.notes[len(noted) :]}")
    met(all(isinstance(note, str) and note.endswith(".") for note in noted), f"these are no sentences: {noted}")
    return None


@_must("A request that is called off, before it is sent or later, is left within 100 ms.")
def _called_off(make: MakeModel) -> str | None:
    model = make()
    if not isinstance(model, AbandonableModel):
        return "it has no method complete_unless, so what is not needed any more goes on"
    for seconds in (0.0, ANSWERING_SECONDS):
        ended = time.monotonic() + seconds
        with suppress(OutsideError):  # or it has answered before
            model.complete_unless(partial(_is_past, ended), ASKED, schema=SCHEMA)
        late = time.monotonic() - ended
        met(late <= LATEST_SECONDS, f"called off after {seconds:g} s, it was left {late:.2f} s later")
    return None


def _is_past(moment: float) -> bool:
    return time.monotonic() >= moment


def _answered(model: LanguageModel, schema: Mapping[str, Any] | None) -> ModelReply:
    reply = model.complete(ASKED, schema=schema)
    met(isinstance(reply, ModelReply), f"complete returns {type(reply).__name__}, no ModelReply")
    met(isinstance(reply.tokens, int) and reply.tokens >= 0, f"its count of tokens is {reply.tokens!r}")
    met(reply.is_cut in (True, False), f"whether its answer was cut off is {reply.is_cut!r}")
    return reply
