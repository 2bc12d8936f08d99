"""The classes of an ordinary household: those of the household pack, and those of ``classes.yaml``.

A name that neither has is that of its last words, as far as they are known: a camping mug is a mug.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from domains.worlds import WORLDS
from semantics.words.english import singulars
from semantics.words.lexicon import plain

HERE = Path(__file__).parent
PACK = WORLDS / "packs" / "household.yaml"
EDGES = (0.03, 0.075, 0.155, 0.36)
"""Where the steps of size end, in metres: what closes in a fist, what a hand closes around, what a hand carries, and
what an arm carries. A thing is as large as the edge of the cube that has the volume of its box."""
FIXED = len(EDGES) + 1  # the step of size of what stays where it is

COPIES = frozenset(
    {"toy", "doll", "miniature", "fake", "dummy", "decorative", "ornamental", "painted", "broken", "inflatable"}
    | {"chocolate", "candy", "marzipan", "gingerbread"}
)
"""Words that make a thing look like what its last word says, and serve for nothing that this is for."""
LEAST_HEAD = 4  # the fewest letters of the end of a compound


class EverydayClass(NamedTuple):
    """What is known about a class: its affordances, all its kinds, other words for it, and its step of size."""

    affordances: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    size: int | None = None


def data_of(name: str) -> dict[str, Any]:
    """Return the content of a YAML file in this folder, by its name without the ending."""
    return _loaded(HERE / f"{name}.yaml")


@cache
def everyday_classes() -> Mapping[str, EverydayClass]:
    """Return all classes, by name."""
    kinds = everyday_kinds()
    known = {name: _everyday_class(entry, kinds) for name, entry in _loaded(PACK)["classes"].items()}
    for name, entry in data_of("classes").items():
        model = known[entry["like"]]
        known[name] = EverydayClass(
            model.affordances - {*entry.get("lacks", ())} | {*entry.get("gains", ())},
            kinds[entry["is"]] if "is" in entry else model.kinds,
            (),
            model.size,
        )
    return known


@cache
def everyday_kinds() -> Mapping[str, frozenset[str]]:
    """Return each kind with itself and all kinds above it."""
    above = {name: entry.get("is", ()) for name, entry in _loaded(PACK)["kinds"].items()}

    def chain(kind: str) -> Iterator[str]:
        yield kind
        for parent in above[kind]:
            yield from chain(parent)

    return {kind: frozenset(chain(kind)) for kind in above}


def known_class(name: str) -> str | None:
    """Return the class that a name or a word for it stands for, also in the plural; None when there is none."""
    words = plain(name)
    return next((_names()[form] for form in (words, *singulars(words)) if form in _names()), None)


def head_class(name: str) -> str | None:
    """Return the class that the end of an unknown name stands for; None when there is none.

    That is its last words, or the end of a compound: "headscarf" is a scarf, "pillow case" may be written as one word.
    """
    words = plain(name).split()
    if not COPIES.isdisjoint(words):
        return None
    tails = (" ".join(words[index:]) for index in range(1, len(words)))
    compounds = (words[-1][index:] for index in range(1, len(words[-1]) - LEAST_HEAD + 1)) if words else ()
    return next(filter(None, map(known_class, ("".join(words), *tails, *compounds))), None)


@cache
def _names() -> Mapping[str, str]:
    """Return the class of each name and each word; a name counts before a word, and an earlier class before a later."""
    classes = everyday_classes()
    of_words = {plain(word): name for name in reversed(list(classes)) for word in classes[name].words}
    return of_words | {plain(name): name for name in classes}


def _everyday_class(entry: Mapping[str, Any], kinds: Mapping[str, frozenset[str]]) -> EverydayClass:
    size = FIXED if entry.get("stays") else bisect(EDGES, prod(entry["shape"]["size"]) ** (1 / 3))
    everything = frozenset[str]().union(*(kinds[kind] for kind in entry["kinds"]))
    return EverydayClass(frozenset(entry["affordances"]), everything, tuple(entry.get("words", ())), size)


@cache
def _loaded(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return loaded
