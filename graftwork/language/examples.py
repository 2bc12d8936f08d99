"""Which of many sentences that were taught a request is nearest to, as examples for a language model.

What was said last counts most, and what was said before it less and less (Bärmann et al., section 3.4); of the nearest
those are taken that are also unlike each other (maximal marginal relevance, LRLL, section III-B). Sentences are vectors
of their words, of which one that few sentences have counts more. This chooses what a model is shown, and never what is
done: the likeness of two sentences is no proof that they mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

DECAY, UNLIKE = 0.6, 0.3
"""How much a sentence counts against the one said after it, and likeness to a chosen example against nearness."""
_WORD = re.compile(r"[a-z]+")


def nearest_examples(said: Sequence[str], examples: Sequence[str], most: int) -> list[int]:
    """Return the numbers of the examples that are nearest to what was said, the nearest first.

    Args:
        said: What was said, the last sentence first.
        examples: The sentences to choose from.
        most: How many are chosen at most; those that share no word with what was said are not.
    """
    words = sorted({word for text in examples for word in _WORD.findall(text.lower())})
    if not words or not said:
        return []
    places = {word: at for at, word in enumerate(words)}
    counts = np.zeros((len(examples), len(words)))
    for row, text in enumerate(examples):
        for word in _WORD.findall(text.lower()):
            counts[row, places[word]] = 1.0
    weights = np.log((1 + len(examples)) / (1 + counts.sum(axis=0))) + 1
    vectors = _of_length_one(counts * weights)
    query = np.zeros(len(words))
    for age, text in enumerate(said):
        heard = [places[word] for word in set(_WORD.findall(text.lower())) if word in places]
        query[heard] += DECAY**age * weights[heard]
    near = vectors @ _of_length_one(query[None])[0]
    left = [int(row) for row in np.argsort(-near, kind="stable") if near[row] > 0]
    chosen: list[int] = []
    while left and len(chosen) < most:
        alike = (vectors[left] @ vectors[chosen].T).max(axis=1) if chosen else np.zeros(len(left))
        chosen.append(left.pop(int(np.argmax((1 - UNLIKE) * near[left] - UNLIKE * alike))))
    return chosen


def _of_length_one(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)
