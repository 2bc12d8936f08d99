"""What every language model has to do, see docs/decision.md#reading. Each test asks the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from graftwork.conformance.suite import Requirement, met, requirement
from semantics.body.protocols import CountingModel, LanguageModel, Message, ModelReply

__all__ = ["MODEL", "MakeModel"]

ASKED = (
    Message("system", 'You answer with one JSON object and nothing else: {"goal": TEXT}.'),
    Message("user", 'The text is "(opened fridge0)".'),
)
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"goal": {"type": "string"}},
    "required": ["goal"],
    "additionalProperties": False,
}


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
    text, read = _answered(make(), SCHEMA).text, None
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


@_must("If it counts its requests, it counts each.")
def _counts(make: MakeModel) -> str | None:
    model = make()
    if not isinstance(model, CountingModel):
        return "it has no attribute calls, so its answers are counted"
    before = model.calls
    _answered(model, SCHEMA)
    met(model.calls > before, f"after a request calls is still {model.calls}")
    return None


def _answered(model: LanguageModel, schema: Mapping[str, Any] | None) -> ModelReply:
    reply = model.complete(ASKED, schema=schema)
    met(isinstance(reply, ModelReply), f"complete returns {type(reply).__name__}, no ModelReply")
    met(isinstance(reply.tokens, int) and reply.tokens >= 0, f"its count of tokens is {reply.tokens!r}")
    return reply
