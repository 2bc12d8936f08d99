"""Hints: what can be written instead of a name that does not exist.

A hint is the nearest names. Where none is near, it is all the names if they are few, else some of them and the command
that lists them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

FEW = 8  # the largest number of names that a message lists completely
SOME = 3  # how many names a message lists as examples
LISTED_BY: Mapping[str, str] = {
    "affordance": "graftwork affordances show",
    "capability": "graftwork domain page {world}",
    "class": "graftwork affordances show",
    "domain": "graftwork domains",
    "episode": "graftwork memory list",
    "object": "graftwork scene",
    "phrase": "graftwork domain page {world}",
    "predicate": "graftwork domain page {world}",
    "scene": "graftwork domains",
    "setting": "graftwork run --help",
}
"""The command that lists all names of a kind; ``{world}`` stands for the world."""


def nearest(name: str, valid: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """Return up to ``count`` valid names that look like ``name``, the most alike first."""
    return tuple(get_close_matches(name, list(valid), n=count, cutoff=0.6))


def did_you_mean(name: str, valid: Iterable[str], count: int = 3) -> str:
    """Return the question whether one of the nearest names was meant; empty if none is near."""
    close = nearest(name, valid, count)
    return f"Did you mean {' or '.join(close)}?" if close else ""


def choices(names: Iterable[str], kind: str, world: str = "NAME") -> str:
    """List names of a kind; of many, the first ones and the command that lists all, where there is one.

    Args:
        names: The names, those that fit best first.
        kind: What they name, such as ``object``.
        world: The world that they belong to, as commands call it.
    """
    every = list(dict.fromkeys(names))
    command = LISTED_BY.get(kind)
    if len(every) <= FEW or command is None:
        return ", ".join(every)
    return f"{', '.join(every[:SOME])} and others ({command.format(world=world)} lists them)"


def hint(name: str, valid: Iterable[str], kind: str, intro: str = "There are", world: str = "NAME") -> str:
    """Return what can be written instead of `name`, as a sentence: the nearest names, or else the `choices`."""
    every = list(valid)
    return did_you_mean(name, every) or (
        f"{intro}: {choices(every, kind, world)}." if every else f"There is no {kind}."
    )


@lru_cache(maxsize=1 << 14)
def distance(first: str, second: str, limit: int = 3) -> int:
    """Return the number of single mistakes between two words, or `limit` when there are at least that many."""
    if abs(len(first) - len(second)) >= limit:
        return limit
    # One row of the edit matrix per letter; a swap looks back two rows, so `before` keeps the row before the last.
    before: list[int] = []
    last = list(range(len(second) + 1))
    for i, char in enumerate(first, start=1):
        row = [i]
        for j, wanted in enumerate(second, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (char != wanted))
            if i > 1 and j > 1 and char == second[j - 2] and first[i - 2] == wanted:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) >= limit:
            return limit
        before, last = last, row
    return min(last[-1], limit)


def surely(written: str, meant: str) -> bool:
    """Return whether `written` is a typing error of `meant`, rather than another word."""
    if written[:1] != meant[:1] and sorted(written) != sorted(meant):
        return False  # as below, and most words of a language end here
    mistakes = distance(written, meant)
    if mistakes == 1 and sorted(written) == sorted(meant):
        return len(meant) >= 3
    if mistakes not in (1, 2) or written[:1] != meant[:1]:
        return False
    if mistakes == 2:
        return len(meant) >= 9
    return len(meant) >= (7 if len(written) == len(meant) else 5)
