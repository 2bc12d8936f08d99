"""The nearest known classes of an unknown class, each with a weight.

Three things determine the weight: the similarity in meaning of the two names, the relation between their words, and
whether a class is of the kinds that the other neighbours are of. The similarity alone hardly separates short nouns
("glass" is nearly as similar to "sponge" as to "cup"), so it only orders the classes that the words leave undecided.
Without a sentence model only the words count, and a class whose words have no relation to the name is no neighbour.

In an English compound the last word (the head) says what the object is, and the words before it say which kind. A
shared head is therefore evidence of its own, beside the similarity in meaning: a "bottle of water" is a bottle, but a
garlic press is no garlic, although the two names are similar. A teacup ends like a cup; this is weaker evidence, since
a pineapple ends like an apple. This module contains no words of any particular world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantics.words.english import singulars

_AFTER_HEAD = frozenset({"of", "for", "with", "without", "in", "from", "to"})
SHORTEST_END = 3  # the fewest letters of a known word that ends a closed compound ("tea-cup")
SHORTEST_BEGINNING = 2


class Sign(Enum):
    """How the words of a name relate to a known class, from the weakest sign to the strongest."""

    NONE = 0
    MODIFIER = 1  # the known word only modifies the head: garlic press, garlic
    ENDING = 2  # a closed compound ends with the known word: teacup, cup
    SISTER = 3  # the same head after other words: soup bowl, salad bowl
    NARROWER = 4  # the known name has more words: mug, coffee mug
    HEAD = 5  # the known word is the head: coffee mug, mug


@lru_cache(maxsize=4096)
def plain_words(name: str, *, head: bool = False) -> tuple[str, ...]:
    """Return the words of a name in lower case, the last one in the singular.

    With `head`, leave out the words after the head, such as "of water" in "bottle of water".
    """
    words = name.lower().replace("_", " ").replace("-", " ").split()
    if head:
        words = words[: next((at for at, word in enumerate(words) if at and word in _AFTER_HEAD), len(words))]
    if words and words[-1] not in _ALSO_SINGULAR:
        words[-1] = (*singulars(words[-1]), words[-1])[0]
    return tuple(words)


_ALSO_SINGULAR = frozenset({"scissors", "tongs", "pliers", "glasses", "trousers", "jeans", "headphones"})
"""Words that end like plurals but name a single object."""


@lru_cache(maxsize=65536)
def sign(name: str, known: str) -> Sign:
    """Return how the words of `name` relate to the class or word `known`."""
    words, others = plain_words(name, head=True), plain_words(known, head=True)
    if not words or not others:
        return Sign.NONE
    if words[-len(others) :] == others:
        return Sign.HEAD
    if len(words) < len(others) and others[-len(words) :] == words:
        return Sign.NARROWER
    if len(words) > 1 and len(others) > 1 and words[-1] == others[-1]:
        return Sign.SISTER
    if _ends_like(words[-1], others) or _ends_like(others[-1], words):
        return Sign.ENDING
    return Sign.MODIFIER if set(others) < set(plain_words(name)) else Sign.NONE


def _ends_like(word: str, known: tuple[str, ...]) -> bool:
    end = known[-1]
    return (
        len(known) == 1
        and len(end) >= SHORTEST_END
        and len(word) >= len(end) + SHORTEST_BEGINNING
        and word.endswith(end)
    )


Vector = NDArray[np.float64]

MOST = 8  # the largest number of neighbours that vote
SHARPNESS = 0.1  # difference in cosine that makes one neighbour count e times as much as another
SIGN_BONUS: Mapping[Sign, float] = {
    Sign.NONE: 0.0,
    Sign.MODIFIER: -0.3,
    Sign.ENDING: 0.05,
    Sign.SISTER: 0.075,
    Sign.NARROWER: 0.15,
    Sign.HEAD: 0.2,
}
"""The bonus for a relation between the words, as a difference in cosine."""
LEAST_SHOWN = 0.01  # the smallest share of the vote with which a neighbour is listed
KIND_BONUS = 0.1  # the bonus for a class when all other neighbours are of its kind, as a difference in cosine


class Neighbour(NamedTuple):
    """A known class: its share of the vote, its similarity in meaning (None without a model), and the words' sign."""

    class_name: str
    share: float
    likeness: float | None
    sign: Sign


@dataclass(frozen=True, slots=True)
class NameSimilarity:
    """How near every known class is to a name."""

    cosines: Vector | None  # similarity in meaning to each class, shape (classes,); None without a model
    signs: Sequence[Sign]  # how the words of the name relate to those of each class

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
