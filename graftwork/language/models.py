"""The language models by their names on the command line; a new one needs one line in `MODELS`."""

from __future__ import annotations

from collections.abc import Callable

from semantics.body.protocols import LanguageModel
from semantics.errors import UnknownNameError, UsageError

__all__ = ["MODELS", "model_from_name"]

FORMS = ("offline", "openai:NAME", "replay:FILE", "scripted:FILE")


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


def model_from_name(text: str, *, timeout: float = 30.0) -> LanguageModel | None:
    """Return the model named ``openai:NAME``, ``replay:FILE`` or ``scripted:FILE``; None for ``offline``.

    Args:
        text: The name.
        timeout: Time limit of one answer, in seconds.

    Raises:
        UnknownNameError: There is no such kind of model.
        UsageError: The model name is missing or not allowed, there is no API key (`MissingKeyError`), or a file cannot
            be used.
    """
    kind, _, name = text.partition(":")
    if kind not in MODELS:
        raise UnknownNameError("model", text, FORMS)
    made_by = MODELS[kind]
    if made_by is None and name:
        raise UsageError(f"model '{text}': {kind} is an interpreter and takes no model name")
    if made_by is not None and not name:
        form = next(form for form in FORMS if form.startswith(kind))
        raise UsageError(f"model '{text}': say which one, such as {form}")
    return None if made_by is None else made_by(name, timeout)
