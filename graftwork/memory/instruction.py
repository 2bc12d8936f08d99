"""The key of an instruction, which is equal for equal requests: it ignores case, spaces, punctuation and politeness.

Articles, number and word order count: "the apple" and "the apples" may mean different goals.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator

from graftwork.language.offline.referents import speaks_of_pairs
from semantics.logic.vocabulary import Vocabulary
from semantics.words.description import TraitReader
from semantics.words.english import GRAMMAR, TABLES, THINGS, listed, singulars

_OPENINGS, _CLOSINGS = ([words.split() for words in listed(TABLES[name])] for name in ("openings", "closings"))
_DESCRIBING = THINGS | {"that", "which", "is", "are", "isn't", "aren't", "made"}
"""Words before a word that describes a thing which was named already."""
_WORD = re.compile(r"\d*\.\d+|[^\W_]+(?:['-][^\W_]+)*")


def instruction_key(instruction: str) -> str:
    """Return the words of an instruction in lower case, without polite phrases unless nothing else is left."""
    plain = unicodedata.normalize("NFKC", instruction).casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    words = _WORD.findall(plain)
    return " ".join(_without_politeness(words) or words)


def _without_politeness(words: list[str]) -> list[str]:
    """Remove polite phrases at both ends, and ``please`` anywhere."""
    words = [word for word in words if word != "please"]
    while phrase := next((phrase for phrase in _OPENINGS if words[: len(phrase)] == phrase), None):
        words = words[len(phrase) :]
    while phrase := next((phrase for phrase in _CLOSINGS if words[-len(phrase) :] == phrase), None):
        words = words[: -len(phrase)]
    return words


def things_named(key: str, vocabulary: Vocabulary) -> dict[str, frozenset[str]]:
    """Return the objects that each noun of a sentence may mean, by the noun in the singular.

    A noun may be the name of an object, its class, one of its kinds, or a synonym of these. The longest noun wins, so
    that "orange juice" is no orange.
    """
    meanings = _meanings(vocabulary)
    return {noun: frozenset(meanings[noun]) for noun, _ in _spans(key.split(), meanings) if noun}


def form_of(key: str, vocabulary: Vocabulary) -> str:
    """Return a sentence with a mark in the place of each noun, and without what says what its thing is like.

    Two sentences of one form differ in their arguments only. The plural has a mark of its own: it counts.
    """
    traits, words, start = TraitReader(vocabulary), key.split(), 0
    form: list[str] = []
    for noun, length in _spans(words, _meanings(vocabulary)):
        if noun:
            while form and traits.knows(form[-1]) and len(form) > 1:
                form.pop()
            form.append("*" if words[start + length - 1] == noun.split()[-1] else "**")
        else:
            form.append(words[start])
        start += length
    return " ".join(form)


def is_described(key: str, vocabulary: Vocabulary) -> bool:
    """Return whether a sentence says what a thing is like: "the red cup", "the can that is not open".

    A word that is also a verb, as in "open the fridge", describes nothing at the beginning or before an article.
    """
    traits, words, start = TraitReader(vocabulary), key.split(), 0
    if speaks_of_pairs(words, vocabulary):
        return True
    for noun, length in _spans(words, _meanings(vocabulary)):
        if start and not noun and traits.knows(words[start]):
            before_noun = words[start + 1 : start + 2] != [] and words[start + 1] not in GRAMMAR
            if before_noun or _DESCRIBING.intersection(words[max(start - 3, 0) : start]):
                return True
        start += length
    return False


def _spans(words: list[str], meanings: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the nouns of a sentence in the singular, empty for another word, each with the number of its words."""
    longest = max((len(noun.split()) for noun in meanings), default=0)
    while words:
        spans = (words[:length] for length in range(min(longest, len(words)), 0, -1))
        found = next(((noun, len(span)) for span in spans for noun in _nouns(span) if noun in meanings), ("", 1))
        yield found
        words = words[found[1] :]


def _meanings(vocabulary: Vocabulary) -> dict[str, set[str]]:
    meanings: dict[str, set[str]] = defaultdict(set)
    synonyms = defaultdict(list)
    for word, name in vocabulary.synonyms.items():
        synonyms[name].append(word)
    for thing in vocabulary.things.values():
        names = (thing.name, thing.class_name, *thing.kinds, *thing.words)
        for noun in (*names, *(word for name in names for word in synonyms[name])):
            meanings[" ".join(_WORD.findall(noun.casefold().replace("_", " ")))].add(thing.name)
    return meanings


def _nouns(words: list[str]) -> Iterator[str]:
    """Yield a phrase and its possible singulars."""
    for last in (words[-1], *singulars(words[-1])):
        yield " ".join((*words[:-1], last))
