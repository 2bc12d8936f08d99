"""The language models by their names on the command line; a new one needs one line in `MODELS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from semantics.body.exchange import answer_of
from semantics.body.protocols import AbandonableModel, LanguageModel, Message, ModelReply, NotingModel
from semantics.errors import ModelError, UnknownNameError, UsageError

FORMS = ("offline", "openai:NAME", "replay:FILE", "scripted:FILE")


class Fallback(AbandonableModel):
    """Several language models, each of which is asked when those before it give no usable answer.

    Args:
        models: The models; None at the end for the offline interpreter, which reads sentences and answers nothing else.
    """

    def __init__(self, models: Sequence[LanguageModel | None]) -> None:
        self.models = tuple(models)
        self.name = ",".join("offline" if model is None else model.name for model in models)

    @property
    def notes(self) -> list[str]:
        """What the models have noted of their servers."""
        notes: list[str] = []
        for model in self.models:
            notes += model.notes if isinstance(model, NotingModel) else ()
        return notes

    def complete_unless(
        self, called_off: Callable[[], object], messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None
    ) -> ModelReply:
        """Return the answer of the first model that gives one, unless it is called off, see `AbandonableModel`.

        Raises:
            ModelError: None does, or the answer was called off.
        """
        *others, last = [model for model in self.models if model is not None]
        for model in others:
            try:
                reply = answer_of(model, called_off, messages, schema)
            except ModelError:
                if called_off():
                    raise
            else:
                return replace(reply, model=reply.model or model.name)
        return replace(answer_of(last, called_off, messages, schema), model=last.name)


def _openai(name: str, timeout: float) -> LanguageModel:
    from graftwork.language.openai_model import OpenAIModel

    return OpenAIModel(name, timeout=timeout)


def _replay(name: str, _: float) -> LanguageModel:
    from graftwork.language.replayed import ReplayedModel

    return ReplayedModel(name)


def _scripted(name: str, _: float) -> LanguageModel:
    from graftwork.language.scripted import ScriptedModel

    return ScriptedModel.from_file(name)


MODELS: dict[str, Callable[[str, float], LanguageModel] | None] = {
    "offline": None,
    "openai": _openai,
    "replay": _replay,
    "scripted": _scripted,
}
"""The constructor of each kind of model; None for the offline interpreter, which is no model."""


def model_from_name(text: str, *, timeout: float = 30.0, record: Path | None = None) -> LanguageModel | None:
    """Return the model named ``openai:NAME``, ``replay:FILE`` or ``scripted:FILE``; None for ``offline``.

    Args:
        text: The name; or several, separated by commas, each for when those before it give no usable answer.
        timeout: Time limit of one answer, in seconds.
        record: A file to which each exchange is added, for ``replay:FILE``.

    Raises:
        UnknownNameError: There is no such kind of model.
        UsageError: The model name is missing or not allowed, there is no API key (`MissingKeyError`), or a file cannot
            be used.
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) > 1:
        if "offline" in names[:-1]:
            raise UsageError(f"model '{text}': offline always answers, so it stands last")
        if record is not None:
            raise UsageError(f"model '{text}': the exchanges of one model are recorded; name one")
        return Fallback([model_from_name(name, timeout=timeout) for name in names])
    kind, _, name = text.partition(":")
    if kind not in MODELS:
        raise UnknownNameError("model", text, FORMS)
    made_by = MODELS[kind]
    if made_by is None and name:
        raise UsageError(f"model '{text}': {kind} is an interpreter and takes no model name")
    if made_by is not None and not name:
        form = next(form for form in FORMS if form.startswith(kind))
        raise UsageError(f"model '{text}': say which one, such as {form}")
    model = None if made_by is None else made_by(name, timeout)
    if model is None or record is None:
        return model
    from graftwork.language.replayed import ReplayedModel

    return ReplayedModel(record, record=model)
