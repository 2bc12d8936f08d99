"""Which of many sentences that were taught a request is nearest to, as examples for a language model.

What was said last counts most, and what was said before it less and less (Bärmann et al., section 3.4); of the nearest
those are taken that are also unlike each other (maximal marginal relevance, LRLL, section III-B). Sentences are vectors
of their words, of which one that few sentences have counts more. This chooses what a model is shown, and never what is
done: the likeness of two sentences is no proof that they mean the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from math import log

import numpy as np

DECAY, UNLIKE = 0.6, 0.3
"""How much a sentence counts against the one said after it, and likeness to a chosen example against nearness."""
WIDER = 4  # so many times the examples that are wanted are compared with each other
_WORD = re.compile(r"[a-z]+")


class Examples:
    """Sentences to choose from, by their words.

    Args:
        sentences: The sentences.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._words = [frozenset(_WORD.findall(text.lower())) for text in sentences]
        rows = defaultdict[str, list[int]](list)
        for row, words in enumerate(self._words):
            for word in words:
                rows[word].append(row)
        self._rows = {word: np.array(found) for word, found in rows.items()}
        self._weights = {word: log((1 + len(sentences)) / (1 + len(found))) + 1 for word, found in rows.items()}
        squares = np.zeros(len(sentences))
        for word, found in self._rows.items():
            squares[found] += self._weights[word] ** 2
        self._lengths = np.sqrt(np.maximum(squares, 1e-9))

    def nearest(self, said: Sequence[str], most: int) -> list[int]:
        """Return the numbers of the sentences that are nearest to what was said, the nearest first.

        Args:
            said: What was said, the last sentence first.
            most: How many are chosen at most; those that share no word with what was said are not.
        """
        near = np.zeros(len(self._words))
        for age, text in enumerate(said):
            for word in self._rows.keys() & set(_WORD.findall(text.lower())):
                near[self._rows[word]] += DECAY**age * self._weights[word] ** 2
        near /= self._lengths
        near /= max(float(near.max(initial=0.0)), 1e-9)
        many = min(WIDER * most, len(near))
        top = np.argpartition(-near, many - 1)[:many].tolist() if many else []
        alike = {row: 0.0 for row in sorted(top, key=lambda row: (-near[row], row)) if near[row] > 0}
        chosen: list[int] = []
        while alike and len(chosen) < most:
            best = max(alike, key=lambda row: (1 - UNLIKE) * near[row] - UNLIKE * alike[row])
            del alike[best]
            chosen.append(best)
            alike = {row: max(before, self._likeness(row, best)) for row, before in alike.items()}
        return chosen

    def _likeness(self, row: int, other: int) -> float:
        """Return the cosine of two sentences."""
        both = sum(self._weights[word] ** 2 for word in self._words[row] & self._words[other])
        return float(both / (self._lengths[row] * self._lengths[other]))
