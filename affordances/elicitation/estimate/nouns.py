"""Relations between the words of two names: a coffee mug is a mug, and a soup bowl and a salad bowl are both bowls.

In an English compound the last word (the head) says what the object is, and the words before it say which kind. A
shared head is therefore evidence of its own, beside the similarity in meaning: a "bottle of water" is a bottle, but a
garlic press is no garlic, although the two names are similar. A teacup ends like a cup; this is weaker evidence, since
a pineapple ends like an apple. This module contains no words of any particular world.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from semantics.words.english import singulars

__all__ = ["Sign", "plain_words", "sign"]

_AFTER_HEAD = frozenset({"of", "for", "with", "without", "in", "from", "to"})
SHORTEST_END = 3
"""The fewest letters of a known word that ends a closed compound ("tea-cup")."""
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
