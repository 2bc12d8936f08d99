"""The known classes nearest to an unknown one, each with a weight.

Three signs make the weight: the likeness in meaning of the two names, what their words say by themselves
(`affordances.elicitation.estimate.nouns`), and whether a class is of the kinds that the others point to. Likeness alone
is flat among short nouns ("glass" is nearly as like "sponge" as "cup"), so it only orders what the words leave open.
Without a sentence model the words alone count, and a class without any sign is no neighbour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from affordances.elicitation.estimate.nouns import Sign, plain_words, sign

__all__ = ["NameSimilarity", "Neighbour", "Neighbourhood"]

Vector = NDArray[np.float64]

MOST = 8
"""How many neighbours have a say."""
SHARPNESS = 0.1
"""Difference in cosine that makes one neighbour count e times as much as another."""
SIGN_BONUS: Mapping[Sign, float] = {
    Sign.NONE: 0.0,
    Sign.MODIFIER: -0.3,
    Sign.ENDING: 0.05,
    Sign.SISTER: 0.075,
    Sign.NARROWER: 0.15,
    Sign.HEAD: 0.2,
}
"""What a sign in the words is worth, as a difference in cosine."""
LEAST_SHOWN = 0.01
"""Share of the say from which on a neighbour is named."""
KIND_BONUS = 0.1
"""What it is worth when all the others are of the same kind, as a difference in cosine."""


class Neighbour(NamedTuple):
    """A known class: its share of the say, its likeness in meaning (None without a model), and what its words say."""

    class_name: str
    share: float
    likeness: float | None
    sign: Sign


@dataclass(frozen=True, slots=True)
class NameSimilarity:
    """How near every known class is to a name.

    Attributes:
        cosines: Likeness in meaning to each class, shape (classes,); None without a model.
        signs: What the words say, for each class.
    """

    cosines: Vector | None
    signs: Sequence[Sign]

    def nearness(self) -> Vector:
        """Return cosine plus the worth of the sign; minus infinity for a class that nothing points to."""
        bonus = np.array([SIGN_BONUS[each] for each in self.signs])
        if self.cosines is None:
            return np.asarray(np.where(bonus > 0.0, bonus, -np.inf))
        return np.asarray(self.cosines + bonus)


class Neighbourhood:
    """The known classes, their words and their kinds.

    Attributes:
        names: The known classes, in order.
        words: The names of each class as people write them, its own first.
    """

    def __init__(self, words: Mapping[str, Sequence[str]], kinds: Mapping[str, frozenset[str]]) -> None:
        self.names = tuple(words)
        self.words = tuple(
            tuple(dict.fromkeys(" ".join(plain_words(each)) for each in (name, *further) if plain_words(each)))
            for name, further in words.items()
        )
        groups = sorted({kind for found in kinds.values() for kind in found})
        of_kind = [[kind in kinds.get(name, ()) for kind in groups] for name in self.names]
        self._kinds: Vector = np.array(of_kind, dtype=float).reshape(len(self.names), len(groups))

    def signs(self, name: str) -> tuple[Sign, ...]:
        """Return the strongest sign that the words of a name give of each class."""
        return tuple(max((sign(name, word) for word in words), key=lambda each: each.value) for words in self.words)

    def shares(self, likeness: NameSimilarity, without: int | None = None) -> Vector:
        """Return the share of the say of each class, shape (classes,): at most `MOST` not 0, with sum 1 or 0.

        Args:
            likeness: How near each class is.
            without: Index of a class that may not have a say.
        """
        nearness = likeness.nearness()
        if without is not None:
            nearness[without] = -np.inf
        first = _weights(nearness)
        if not first.any() or not self._kinds.size:
            return first
        pointed = self._kinds.T @ first  # share of the say that is of each kind
        return _weights(nearness + KIND_BONUS * (self._kinds * pointed).max(axis=1, initial=0.0))

    def neighbours(self, likeness: NameSimilarity, shares: Vector) -> tuple[Neighbour, ...]:
        """Return the classes that have a say, the weightiest first."""
        cosines = likeness.cosines
        return tuple(
            Neighbour(
                self.names[i], float(shares[i]), None if cosines is None else float(cosines[i]), likeness.signs[i]
            )
            for i in np.argsort(-shares, kind="stable")
            if shares[i] >= LEAST_SHOWN
        )


def _weights(nearness: Vector) -> Vector:
    """Return softmax over the `MOST` nearest; all 0 when nothing is near."""
    order = np.argsort(-nearness, kind="stable")[:MOST]
    chosen = [i for i in order if np.isfinite(nearness[i])]
    weights = np.zeros(len(nearness))
    if chosen:
        weights[chosen] = np.exp((nearness[chosen] - nearness[chosen[0]]) / SHARPNESS)
    return weights / (weights.sum() or 1.0)
