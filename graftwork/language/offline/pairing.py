"""Pairs by a value: "put the blocks in the bowls with matching colours", "put each block in a bowl of another colour".

Each object of one slot goes with those of the other slot that have the same value of an attribute, or another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from semantics.logic.vocabulary import Vocabulary
from semantics.words.description import TraitReader
from semantics.words.english import singulars
from semantics.words.spelling import distance

_KINDS: Mapping[str, bool] = {
    **dict.fromkeys(("matching", "same", "equal", "own", "corresponding"), True),
    **dict.fromkeys(("mismatched", "mismatching", "different", "another", "other"), False),
}
_MATCHING = ("matching", "mismatched", "corresponding")
_BEHIND = re.compile(
    r"(?P<core>.+) (?:with|of) (?P<whose>(?:the|a|an|its|their) )?(?:(?P<kind>[a-z]+) )?(?P<name>[a-z]+)"
)
_BEFORE = re.compile(r"(?:the|its|their|a|an) (?P<kind>[a-z]+) (?P<core>.+)")


@dataclass(frozen=True, slots=True)
class Pairing:
    """How objects are paired: the attribute, and whether they have the same value of it; `core` are the other words."""

    core: str
    attribute: str
    same: bool


def pairing_in(text: str, traits: TraitReader) -> Pairing | None:
    """Return the pairing that a noun phrase says; None if it says none."""
    listed = [attribute.name for attribute in traits.vocabulary.attributes.values() if not attribute.is_number]
    match = _BEHIND.fullmatch(text)
    if match is not None:
        whose, kind = (match["whose"] or "").strip(), match["kind"] or ""
        same = True if whose in ("its", "their") and not kind else _KINDS.get(kind)
        name = next((name for name in listed if _names(match["name"], name)), None)
        if same is not None and name is not None:
            return Pairing(match["core"], name, same)
    match = _BEFORE.fullmatch(text)
    if match is not None and listed and match["kind"] in _MATCHING:
        return Pairing(match["core"], listed[0], _KINDS[match["kind"]])
    return None


def speaks_of_pairs(words: Iterable[str], vocabulary: Vocabulary) -> bool:
    """Return whether one of `words` may say a pairing: "matching", or the name of an attribute."""
    listed = [attribute.name for attribute in vocabulary.attributes.values() if not attribute.is_number]
    return bool(listed) and any(word in _MATCHING or any(_names(word, name) for name in listed) for word in words)


def _names(word: str, attribute: str) -> bool:
    """Return whether a word is the name of an attribute, in the plural or in another spelling: "colors"."""
    return any(distance(form, attribute) <= 1 for form in (word, *singulars(word)))


def partners(
    pairing: Pairing, objects: Iterable[str], others: Iterable[str], traits: TraitReader
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each object with those of `others` that go with it; what has no known value goes with nothing."""
    known = {name: set(traits.values(pairing.attribute, name)) for name in sorted(others)}
    for name in sorted(objects):
        own = set(traits.values(pairing.attribute, name))
        fitting = [
            other
            for other, values in known.items()
            if other != name and own and values and bool(own & values) == pairing.same
        ]
        yield name, tuple(fitting)
