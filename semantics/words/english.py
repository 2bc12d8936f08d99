"""English grammar: determiners, numbers, ordinals, plurals and forms of verbs. It holds no words of any world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from semantics.process.reading import read_table

_EVERYTHING = frozenset({"everything", "whatever", "what"})


def listed(words: str) -> tuple[str, ...]:
    """Return the words of a list in the tables of English, which is one text with commas."""
    return tuple(" ".join(word.split()) for word in words.split(","))


TABLES = read_table(__file__)
"""The words in ``english.yaml`` beside this file."""
GRAMMAR = frozenset(listed(TABLES["grammar"]))
"""Function words, which never describe a noun: a phrase before a noun that contains one of them is no adjective."""
THINGS = frozenset(listed(TABLES["things"]))
"""Words for a thing of any kind."""
PORTIONS = frozenset(listed(TABLES["portions"]))
"""Words for a part of a thing."""
MASSES = frozenset(listed(TABLES["masses"]))
"""Nouns that mean all there is of it, without a plural."""
ATTITUDES = frozenset(listed(TABLES["attitudes"]))
"""Adjectives that choose nothing."""
_PLURALS, _PAST = TABLES["plurals"], TABLES["past"]
_SUPERLATIVES, _COMPARATIVES = TABLES["superlatives"], TABLES["comparatives"]


class Quantifier(StrEnum):
    """How many of the matching things a noun phrase means."""

    THE = "the"  # the single match
    ANY = "any"  # any one match
    SOME = "some"  # several matches; the number is left open
    ALL = "all"
    COUNT = "count"  # this many matches, any of them
    THE_COUNT = "the-count"  # exactly this many matches, all of them
    EACH = "each"  # one of each class of matches
    HALF = "half"
    MOST = "most"  # the fewest that are more than half


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase, split into its head and what its determiner says."""

    head: tuple[str, ...]  # adjectives and noun, in lower case
    quantifier: Quantifier = Quantifier.THE  # what the determiner says of how many are meant
    count: int = 1  # how many, with `Quantifier.COUNT` and `Quantifier.THE_COUNT`
    ordinal: int = 0  # position in order, from 1; 0 without an ordinal
    definite: bool = False  # whether `Quantifier.THE` comes from a word such as "the"
    other: bool = False  # whether they are others than what was named before
    different: bool = False  # whether they have to be of different classes

    @property
    def of_any_kind(self) -> bool:
        """Whether the phrase names no kind of thing: "everything", "two things", "all"."""
        return (len(self.head) == 1 and self.head[0] in THINGS) or (not self.head and self.quantifier is Quantifier.ALL)


_DETERMINERS = {word: Quantifier(kind) for kind, words in TABLES["determiners"].items() for word in listed(words)}
_OTHERS = frozenset(listed(TABLES["others"]))
_AMOUNTS = {tuple(word.split()): number for number, words in TABLES["amounts"].items() for word in listed(words)}
_SHARES = {word: Quantifier(share) for share, words in TABLES["shares"].items() for word in listed(words)}
_LONGEST_DETERMINER = max(len(words.split()) for words in (*_DETERMINERS, *_SHARES))

_NUMBERS = {
    word: number
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=2
    )
}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), start=1
    )
} | {
    f"{number}{'st' if number == 1 else 'nd' if number == 2 else 'rd' if number == 3 else 'th'}": number
    for number in range(1, 11)
}


def noun_phrase(words: Sequence[str]) -> NounPhrase:
    """Split a noun phrase, given as words, into quantifier, number, ordinal and head.

    For example, "the two red cups" has the quantifier `THE_COUNT`, the number 2 and the head `("red", "cups")`. Without
    a determiner the quantifier is `THE`.
    """
    return _noun_phrase(tuple(words))


@lru_cache(maxsize=4096)
def _noun_phrase(words: tuple[str, ...]) -> NounPhrase:
    said = tuple(word.lower() for word in words)
    if (
        said[1:2] == ("of",)
        and len(said) > 4
        and said[2] in ("the", "my", "your", "these", "those")
        and _number(said[3])
    ):
        return _noun_phrase((*words[:3], *words[4:]))  # "one of the two mugs"
    if said[:1] == ("both",):
        return NounPhrase(_without(said[1:], ("of the", "of my", "the", "of", "my")), Quantifier.THE_COUNT, 2)
    quantifier, rest = (Quantifier.THE, said) if _counted(said)[0] else _determined(said)
    determiner = said[: len(said) - len(rest)]
    definite = quantifier is Quantifier.THE and bool(determiner)
    other = " ".join(determiner) in _OTHERS
    if determiner and rest[:1] == ("other",):
        other, rest = True, rest[1:]
    count, numbered = _counted(rest)
    if count and numbered:
        kept = definite or (other and quantifier is Quantifier.ALL)  # "the remaining two cups"
        quantifier = Quantifier.THE_COUNT if kept else Quantifier.COUNT
        head = numbered[1:] if numbered[0] in ("other", "different") else numbered
        other = other or numbered[0] == "other"
        return NounPhrase(head, quantifier, count, other=other, different=numbered[0] == "different")
    if len(rest) > 1 and rest[0] in _ORDINALS:
        return NounPhrase(rest[1:], Quantifier.THE, ordinal=_ORDINALS[rest[0]], other=other)
    if rest and quantifier_of(rest[0]) is Quantifier.ANY:
        quantifier = Quantifier.ANY
    elif len(rest) == 1 and rest[0] in _EVERYTHING:
        quantifier = Quantifier.ALL
    is_each = quantifier is Quantifier.EACH
    return NounPhrase(rest, quantifier, definite=definite, other=other, different=is_each)


def _counted(words: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return the number that words begin with, 0 without one, and the words after it."""
    start = 2 if words[:2] == ("at", "least") else 0
    for length in (3, 2):
        if count := _AMOUNTS.get(words[start : start + length]):
            return count, _without(words[start + length :], ("of the", "the"))
    count = _number(words[start]) if words[start:] else 0
    return count, _without(words[start + 1 :], ("of the", "of my", "of your", "of these", "of those"))


def quantifier_of(noun: str) -> Quantifier | None:
    """Return the quantifier that a word for a thing of any kind says by itself: "everything", "something"."""
    if noun in _EVERYTHING:
        return Quantifier.ALL
    return Quantifier.ANY if noun in ("something", "anything") else None


def _determined(words: tuple[str, ...]) -> tuple[Quantifier, tuple[str, ...]]:
    for length in range(min(_LONGEST_DETERMINER, len(words)), 0, -1):
        text = " ".join(words[:length])
        quantifier = _DETERMINERS.get(text) or _SHARES.get(text)
        if quantifier is not None:
            return quantifier, words[length:]
    return Quantifier.THE, words


def _without(words: tuple[str, ...], starts: Sequence[str]) -> tuple[str, ...]:
    for start in starts:
        length = len(start.split())
        if " ".join(words[:length]) == start:
            return words[length:]
    return words


def _number(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) < 3:
        return int(word)
    return _NUMBERS.get(word, 0)


_SMALL = {"zero": 0, "one": 1, **_NUMBERS} | {
    word: number
    for number, word in enumerate(
        ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"), start=13
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
}
_FRACTIONS: dict[tuple[str, ...], float] = {
    **dict.fromkeys((("half", "a"), ("half", "an"), ("a", "half"), ("one", "half"), ("half",)), 0.5),
    ("quarter",): 0.25,
    **{
        (count, part + "s" * (number > 1)): number / parts
        for count, number in (("a", 1), ("one", 1), ("two", 2), ("three", 3), ("four", 4))
        for part, parts in (("third", 3), ("quarter", 4), ("fourth", 4), ("fifth", 5), ("tenth", 10))
    },
}
_HALF = ("and", "a", "half")
NUMBER_BEGINNINGS = frozenset({
    "a", "an", "hundred", *(word.split()[0] for word in (*_SMALL, *_TENS)), *(words[0] for words in _FRACTIONS),
})  # fmt: skip
"""What a number in words begins with, up to a hyphen."""


def spoken_number(words: tuple[str, ...]) -> float | None:
    """Return the number that words in lower case say, such as "twenty-five", "half a" and "one and a half"."""
    parts = tuple(part for word in words for part in word.split("-"))
    if parts in _FRACTIONS or parts[-2:] in (("of", "a"), ("of", "an")):
        return _FRACTIONS.get(parts if parts in _FRACTIONS else parts[:-2])
    if parts in (("a",), ("an",)):
        return 1.0
    if parts[-3:] == _HALF and len(parts) > 3:
        whole = float(parts[0]) if len(parts) == 4 and parts[0].isdigit() else spoken_number(parts[:-3])
        return None if whole is None else whole + 0.5
    return _whole_number(parts)


def _whole_number(parts: tuple[str, ...]) -> float | None:
    """Return a whole number below a thousand in words."""
    if "hundred" in parts:
        at = parts.index("hundred")
        hundreds = 1 if parts[:at] in ((), ("a",)) else _SMALL.get(" ".join(parts[:at]), 0)
        rest = parts[at + 2 :] if parts[at + 1 : at + 2] == ("and",) else parts[at + 1 :]
        more = _whole_number(rest) if rest and "hundred" not in rest else 0.0
        return 100.0 * hundreds + more if 0 < hundreds < 10 and more is not None and "hundred" not in rest else None
    if len(parts) == 1:
        return {**_SMALL, **_TENS}.get(parts[0])
    if len(parts) == 2 and parts[0] in _TENS and 0 < _SMALL.get(parts[1], 0) < 10:
        return float(_TENS[parts[0]] + _SMALL[parts[1]])
    return None


def singulars(word: str) -> tuple[str, ...]:
    """Return the nouns that `word` may be the plural of, likeliest first; empty when it is no plural."""
    if word in _PLURALS:
        return (_PLURALS[word],)
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return ()
    forms = []
    if word.endswith("ies"):
        forms.append(f"{word[:-3]}y")
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        forms.append(word[:-2])
    return (*forms, word[:-1])


_VOWELS = frozenset("aeiou")


def a_noun(noun: str) -> str:
    """Return a noun with its indefinite article: "an apple"."""
    return f"{'an' if noun[0] in _VOWELS else 'a'} {noun}"


@lru_cache(maxsize=4096)
def gerunds(verb: str) -> tuple[str, ...]:
    """Return the spellings that the gerund of a verb may have, such as "putting"."""
    return _with_ending(verb, "ing")


def past_forms(verb: str) -> tuple[str, ...]:
    """Return the participles and past forms that a verb may have, such as "opened", "taken" and "took"."""
    stem = f"{verb[:-1]}i" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb
    return tuple(_PAST[verb].split()) if verb in _PAST else _with_ending(stem, "ed")


def superlatives(adjective: str) -> tuple[str, ...]:
    """Return the spellings that the superlative of an adjective may have, such as "biggest" and "most expensive"."""
    return _inflect(adjective, _SUPERLATIVES, "est", "most")


def comparatives(adjective: str) -> tuple[str, ...]:
    """Return the spellings that the comparative of an adjective may have, such as "bigger" and "more expensive"."""
    return _inflect(adjective, _COMPARATIVES, "er", "more")


def _inflect(adjective: str, irregular: Mapping[str, str], ending: str, word: str) -> tuple[str, ...]:
    if adjective in irregular:
        return tuple(irregular[adjective].split())
    stem = f"{adjective[:-1]}i" if adjective.endswith("y") else adjective
    return (*_with_ending(stem, ending), f"{word} {adjective}")


def _with_ending(verb: str, ending: str) -> tuple[str, ...]:
    if verb.endswith("e"):
        return (verb[:-1] + ending,)
    doubled = len(verb) > 2 and verb[-1] not in _VOWELS | {"w", "x", "y"} and verb[-2] in _VOWELS
    return (verb + ending, *((verb + verb[-1] + ending,) if doubled else ()))
