"""The language models that a name on the command line can stand for; a new one is one line of `MODELS`."""

from __future__ import annotations

from collections.abc import Callable

from graftwork.language.openai_model import OpenAIModel
from semantics.errors import UnknownNameError, UsageError
from semantics.protocols import LanguageModel

__all__ = ["MODELS", "model_from_name"]


def _offline(name: str, _: float) -> None:
    if name:
        raise UsageError(f"model 'offline:{name}': offline is an interpreter and takes no model name")


def _openai(name: str, timeout: float) -> LanguageModel:
    return OpenAIModel(name, timeout=timeout)


MODELS: dict[str, Callable[[str, float], LanguageModel | None]] = {"offline": _offline, "openai": _openai}


def model_from_name(text: str, *, timeout: float = 30.0) -> LanguageModel | None:
    """Return the model that ``offline`` or ``openai:NAME`` stands for; None is the offline interpreter, no model.

    Args:
        text: The name.
        timeout: Seconds that one answer may take in all.

    Raises:
        UnknownNameError: No such kind of model.
        UsageError: A missing or a needless model name, or no key (`MissingKeyError`).
    """
    kind, _, name = text.partition(":")
    if kind not in MODELS:
        raise UnknownNameError("model", text, ("offline", "openai:NAME"))
    if kind != "offline" and not name:
        raise UsageError(f"model '{text}': say which one, such as {kind}:NAME")
    return MODELS[kind](name, timeout)
