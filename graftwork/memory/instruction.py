"""When two sentences are the same request: case, spaces, punctuation and politeness make no difference.

Articles, number and word order stay: "the apple" and "the apples" may mean different goals.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping

from semantics.vocabulary import Thing

__all__ = ["instruction_key", "things_named"]

_OPENINGS = tuple(
    phrase.split()
    for phrase in (
        "would you be so kind as to",
        "would you be so kind and",
        "i would like you to",
        "i'd like you to",
        "i want you to",
        "i need you to",
        "could you",
        "can you",
        "would you",
        "will you",
        "hey robot",
        "hello robot",
        "ok robot",
        "kindly",
        "robot",
        "hello",
        "hey",
        "hi",
    )
)
_CLOSINGS = tuple(phrase.split() for phrase in ("thank you very much", "thank you", "thanks a lot", "thanks"))
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def instruction_key(instruction: str) -> str:
    """Return the words that matter, in lower case; all of them when nothing else is left."""
    plain = unicodedata.normalize("NFKC", instruction).casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    words = _WORD.findall(plain)
    return " ".join(_without_politeness(words) or words)


def _without_politeness(words: list[str]) -> list[str]:
    """Drop polite phrases at both ends, and ``please`` anywhere."""
    words = [word for word in words if word != "please"]
    while phrase := next((phrase for phrase in _OPENINGS if words[: len(phrase)] == phrase), None):
        words = words[len(phrase) :]
    while phrase := next((phrase for phrase in _CLOSINGS if words[-len(phrase) :] == phrase), None):
        words = words[: -len(phrase)]
    return words


def things_named(key: str, things: Mapping[str, Thing]) -> dict[str, frozenset[str]]:
    """Return the things that each noun of a sentence may mean, by the noun.

    A thing answers to its symbol, its class, its synonyms and its kinds, in the singular and the plural. The longest
    noun is taken first, so that "orange juice" is no orange.
    """
    meanings: dict[str, set[str]] = defaultdict(set)
    for thing in things.values():
        for name in (thing.name, thing.class_name, *thing.words, *thing.kinds):
            for form in _forms(" ".join(_WORD.findall(name.casefold().replace("_", " ")))):
                meanings[form].add(thing.name)
    found: dict[str, frozenset[str]] = {}
    rest = f" {key} "
    for noun in sorted(meanings, key=lambda noun: (-len(noun), noun)):
        if f" {noun} " in rest:
            rest = rest.replace(f" {noun} ", "  ")
            found[noun] = frozenset(meanings[noun])
    return found


def _forms(noun: str) -> Iterator[str]:
    """Yield a noun and what its plural may look like."""
    yield noun
    yield f"{noun}s"
    yield f"{noun}es"
    for end, plural in (("y", "ies"), ("f", "ves"), ("fe", "ves")):
        if noun.endswith(end):
            yield noun.removesuffix(end) + plural
