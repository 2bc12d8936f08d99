"""The language models that a name on the command line can stand for; a new one is one line of `MODELS`."""

from __future__ import annotations

from collections.abc import Callable

from graftwork.language.openai_model import OpenAIModel
from semantics.errors import UnknownNameError, UsageError
from semantics.protocols import LanguageModel

__all__ = ["MODELS", "model_from_name"]

FORMS = ("offline", "openai:NAME", "replay:FILE", "scripted:FILE")


def _openai(name: str, timeout: float) -> LanguageModel:
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
"""What makes each; None for the offline interpreter, which is no model."""


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
    made_by = MODELS[kind]
    if made_by is None and name:
        raise UsageError(f"model '{text}': {kind} is an interpreter and takes no model name")
    if made_by is not None and not name:
        form = next(form for form in FORMS if form.startswith(kind))
        raise UsageError(f"model '{text}': say which one, such as {form}")
    return None if made_by is None else made_by(name, timeout)
