"""The nearest known classes of an unknown class, each with a weight.

Three things determine the weight: the similarity in meaning of the two names, the relation between their words
(`affordances.elicitation.estimate.nouns`), and whether a class is of the kinds that the other neighbours are of.
The similarity alone hardly separates short nouns ("glass" is nearly as similar to "sponge" as to "cup"), so it only
orders the classes that the words leave undecided. Without a sentence model only the words count, and a class whose
words have no relation to the name is no neighbour.
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
"""The largest number of neighbours that vote."""
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
"""The bonus for a relation between the words, as a difference in cosine."""
LEAST_SHOWN = 0.01
"""The smallest share of the vote with which a neighbour is listed."""
KIND_BONUS = 0.1
"""The bonus for a class when all other neighbours are of its kind, as a difference in cosine."""


class Neighbour(NamedTuple):
    """A known class: its share of the vote, its similarity in meaning (None without a model), and the words' sign."""

    class_name: str
    share: float
    likeness: float | None
    sign: Sign


@dataclass(frozen=True, slots=True)
class NameSimilarity:
    """How near every known class is to a name.

    Attributes:
        cosines: Similarity in meaning to each class, shape (classes,); None without a model.
        signs: How the words of the name relate to those of each class.
    """

    cosines: Vector | None
    signs: Sequence[Sign]

    def nearness(self) -> Vector:
        """Return the cosine plus the bonus of the sign; minus infinity for a class that nothing points to."""
        bonus = np.array([SIGN_BONUS[sign_of_class] for sign_of_class in self.signs])
        if self.cosines is None:
            return np.asarray(np.where(bonus > 0.0, bonus, -np.inf))
        return np.asarray(self.cosines + bonus)


class Neighbourhood:
    """The known classes, their words and their kinds.

    Attributes:
        names: The known classes, in order.
        words: The names of each class as people write them; the class's own name comes first.
    """

    def __init__(self, words: Mapping[str, Sequence[str]], kinds: Mapping[str, frozenset[str]]) -> None:
        self.names = tuple(words)
        self.words = tuple(
            tuple(
                dict.fromkeys(" ".join(plain_words(spelling)) for spelling in (name, *further) if plain_words(spelling))
            )
            for name, further in words.items()
        )
        groups = sorted({kind for kinds_of_class in kinds.values() for kind in kinds_of_class})
        of_kind = [[kind in kinds.get(name, ()) for kind in groups] for name in self.names]
        self._kinds: Vector = np.array(of_kind, dtype=float).reshape(len(self.names), len(groups))

    def signs(self, name: str) -> tuple[Sign, ...]:
        """Return, for each class, the strongest sign between the words of a name and those of the class."""
        return tuple(
            max((sign(name, word) for word in words), key=lambda found_sign: found_sign.value) for words in self.words
        )

    def shares(self, likeness: NameSimilarity, without: int | None = None) -> Vector:
        """Return the share of the vote of each class, shape (classes,).

        At most `MOST` shares differ from 0. Their sum is 1, or 0 when no class is near.

        Args:
            likeness: How near each class is.
            without: Index of a class that must not vote.
        """
        nearness = likeness.nearness()
        if without is not None:
            nearness[without] = -np.inf
        first = _weights(nearness)
        if not first.any() or not self._kinds.size:
            return first
        pointed = self._kinds.T @ first  # the share of the vote that each kind has
        return _weights(nearness + KIND_BONUS * (self._kinds * pointed).max(axis=1, initial=0.0))

    def neighbours(self, likeness: NameSimilarity, shares: Vector) -> tuple[Neighbour, ...]:
        """Return the classes that vote, the largest share first."""
        cosines = likeness.cosines
        return tuple(
            Neighbour(
                self.names[i], float(shares[i]), None if cosines is None else float(cosines[i]), likeness.signs[i]
            )
            for i in np.argsort(-shares, kind="stable")
            if shares[i] >= LEAST_SHOWN
        )


def _weights(nearness: Vector) -> Vector:
    """Return the softmax over the `MOST` nearest classes; all 0 when no class is near."""
    order = np.argsort(-nearness, kind="stable")[:MOST]
    chosen = [i for i in order if np.isfinite(nearness[i])]
    weights = np.zeros(len(nearness))
    if chosen:
        weights[chosen] = np.exp((nearness[chosen] - nearness[chosen[0]]) / SHARPNESS)
    return weights / (weights.sum() or 1.0)
