"""The language models that a name on the command line can stand for; a new one is one line of `MODELS`."""

from __future__ import annotations

from collections.abc import Callable

from graftwork.language.openai_model import OpenAIModel
from semantics.errors import UnknownNameError, UsageError
from semantics.protocols import LanguageModel

__all__ = ["MODELS", "model_from_name"]

FORMS = ("offline", "openai:NAME", "replay:FILE", "scripted:FILE")


def _offline(name: str, _: float) -> None:
    if name:
        raise UsageError(f"model 'offline:{name}': offline is an interpreter and takes no model name")


def _openai(name: str, timeout: float) -> LanguageModel:
    return OpenAIModel(name, timeout=timeout)


def _replay(name: str, _: float) -> LanguageModel:
    from graftwork.language.replayed import ReplayedModel

    return ReplayedModel(name)


def _scripted(name: str, _: float) -> LanguageModel:
    from graftwork.language.scripted import ScriptedModel

    return ScriptedModel.from_file(name)


MODELS: dict[str, Callable[[str, float], LanguageModel | None]] = {
    "offline": _offline,
    "openai": _openai,
    "replay": _replay,
    "scripted": _scripted,
}


def model_from_name(text: str, *, timeout: float = 30.0) -> LanguageModel | None:
    """Return the model that ``offline``, ``openai:NAME``, ``replay:FILE`` or ``scripted:FILE`` stands for.

    None is the offline interpreter, no model.

    Args:
        text: The name.
        timeout: Seconds that one answer may take in all.

    Raises:
        UnknownNameError: No such kind of model.
        UsageError: A missing or a needless model name, no key (`MissingKeyError`), or a file that cannot be used.
    """
    kind, _, name = text.partition(":")
    if kind not in MODELS:
        raise UnknownNameError("model", text, FORMS)
    if kind != "offline" and not name:
        form = next(form for form in FORMS if form.startswith(kind))
        raise UsageError(f"model '{text}': say which one, such as {form}")
    return MODELS[kind](name, timeout)
