"""What the words of a name say by themselves: a coffee mug is a mug, a soup bowl and a salad bowl are of one sort.

In an English compound the last word says what the thing is (its head), what stands before says which. So a shared head
is a sign of its own beside the likeness of meaning: "bottle of water" is a bottle, and a garlic press is no garlic,
however alike the two sound. A teacup ends like a cup, which is a weaker sign (a pineapple ends like an apple). No word
about any world stands here.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from semantics.english import singulars

__all__ = ["Sign", "plain_words", "sign"]

_AFTER_HEAD = frozenset({"of", "for", "with", "without", "in", "from", "to"})
SHORTEST_END = 3
"""Letters that the end of a closed compound must share with a known word ("tea-cup")."""
SHORTEST_BEGINNING = 2


class Sign(Enum):
    """How the words of a name point to a known class; the value orders them."""

    NONE = 0
    MODIFIER = 1  # the known one only says which: garlic press, garlic
    ENDING = 2  # a closed compound: teacup, cup
    SISTER = 3  # one head, other words before: soup bowl, salad bowl
    NARROWER = 4  # the known one says more: mug, coffee mug
    HEAD = 5  # the known one is the head: coffee mug, mug


@lru_cache(maxsize=4096)
def plain_words(name: str, *, head: bool = False) -> tuple[str, ...]:
    """Return the words of a name in small letters, the last in the singular; with `head` without what follows it."""
    words = name.lower().replace("_", " ").replace("-", " ").split()
    if head:
        words = words[: next((at for at, word in enumerate(words) if at and word in _AFTER_HEAD), len(words))]
    if words and words[-1] not in _ALSO_SINGULAR:
        words[-1] = (*singulars(words[-1]), words[-1])[0]
    return tuple(words)


_ALSO_SINGULAR = frozenset({"scissors", "tongs", "pliers", "glasses", "trousers", "jeans", "headphones"})
"""Words that end like plurals and name one thing."""


@lru_cache(maxsize=65536)
def sign(name: str, known: str) -> Sign:
    """Return how the words of `name` point to the class or word `known`."""
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
