"""English grammar: determiners, numbers, ordinals, plurals and forms of verbs. It holds no words of any world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

# fmt: off
GRAMMAR = frozenset({
    "about", "above", "across", "after", "along", "around", "at", "before", "behind", "below", "beneath",
    "beside", "between", "beyond", "by", "down", "except", "for", "from", "in", "inside", "into", "near",
    "next", "of", "off", "on", "onto", "out", "outside", "over", "through", "to", "toward", "towards", "under",
    "underneath", "until", "up", "upon", "with", "without", "the", "a", "an", "all", "every", "each", "both",
    "any", "some", "this", "that", "these", "those", "my", "your", "me", "you", "it", "them", "and", "or",
})
# fmt: on
"""Function words, which never describe a noun: a phrase before a noun that contains one of them is no adjective."""
THINGS = frozenset("thing things object objects item items stuff everything anything something whatever what".split())  # noqa: SIM905 - a list would take twelve lines
"""Words for a thing of any kind."""
_EVERYTHING = frozenset({"everything", "whatever", "what"})


class Quantifier(StrEnum):
    """How many of the matching things a noun phrase means."""

    THE = "the"  # the single match
    ANY = "any"  # any one match
    SOME = "some"  # several matches; the number is left open
    ALL = "all"
    COUNT = "count"  # this many matches, any of them
    THE_COUNT = "the-count"  # exactly this many matches, all of them


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase, split into its head and what its determiner says.

    Attributes:
        head: Adjectives and noun, in lower case.
        quantifier: What the determiner says of how many are meant.
        count: How many, with `Quantifier.COUNT` and `Quantifier.THE_COUNT`.
        ordinal: Position in order, from 1; 0 without an ordinal.
        definite: Whether `Quantifier.THE` comes from a word such as "the".
    """

    head: tuple[str, ...]
    quantifier: Quantifier = Quantifier.THE
    count: int = 1
    ordinal: int = 0
    definite: bool = False

    @property
    def of_any_kind(self) -> bool:
        """Whether the phrase names no kind of thing: "everything", "two things", "all"."""
        return (len(self.head) == 1 and self.head[0] in THINGS) or (not self.head and self.quantifier is Quantifier.ALL)


_DETERMINERS: dict[str, Quantifier] = {
    **dict.fromkeys(("the", "this", "that", "these", "those", "my", "your", "our", "his", "her"), Quantifier.THE),
    **dict.fromkeys(("a", "an", "any", "any of the", "one", "one of the", "any one of the", "either"), Quantifier.ANY),
    **dict.fromkeys(("some", "some of the", "several", "a few", "many"), Quantifier.SOME),
    **dict.fromkeys(("all", "all the", "all of the", "all my", "all your", "all of my", "all of your"), Quantifier.ALL),
    **dict.fromkeys(("every", "each", "every one of the", "each of the", "every single", "all these"), Quantifier.ALL),
}
_LONGEST_DETERMINER = max(len(words.split()) for words in _DETERMINERS)

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
    rest = tuple(word.lower() for word in words)
    if rest[:1] == ("both",):
        return NounPhrase(_without(rest[1:], ("of the", "the", "of")), Quantifier.THE_COUNT, 2)
    quantifier, rest = _determined(rest)
    if rest and (count := _number(rest[0])) and len(rest) > 1:
        definite = quantifier is Quantifier.THE and len(words) > len(rest)
        rest = _without(rest[1:], ("of the",))
        return NounPhrase(rest, Quantifier.THE_COUNT if definite else Quantifier.COUNT, count)
    if len(rest) > 1 and rest[0] in _ORDINALS:
        return NounPhrase(rest[1:], Quantifier.THE, ordinal=_ORDINALS[rest[0]])
    if rest and quantifier_of(rest[0]) is Quantifier.ANY:
        quantifier = Quantifier.ANY
    elif len(rest) == 1 and rest[0] in _EVERYTHING:
        quantifier = Quantifier.ALL
    return NounPhrase(rest, quantifier, definite=quantifier is Quantifier.THE and len(words) > len(rest))


def quantifier_of(noun: str) -> Quantifier | None:
    """Return the quantifier that a word for a thing of any kind says by itself: "everything", "something"."""
    if noun in _EVERYTHING:
        return Quantifier.ALL
    return Quantifier.ANY if noun in ("something", "anything") else None


def _determined(words: tuple[str, ...]) -> tuple[Quantifier, tuple[str, ...]]:
    for length in range(min(_LONGEST_DETERMINER, len(words)), 0, -1):
        quantifier = _DETERMINERS.get(" ".join(words[:length]))
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
_FRACTIONS = {
    **dict.fromkeys((("half", "a"), ("half", "an"), ("a", "half"), ("half",)), 0.5),
    **dict.fromkeys((("a", "quarter"), ("quarter",)), 0.25),
    ("three", "quarters"): 0.75,
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


# fmt: off
_IRREGULAR = {
    "knives": "knife", "shelves": "shelf", "loaves": "loaf", "leaves": "leaf", "halves": "half",
    "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse",
    "feet": "foot", "teeth": "tooth",
}
# fmt: on


def singulars(word: str) -> tuple[str, ...]:
    """Return the nouns that `word` may be the plural of, likeliest first; empty when it is no plural."""
    if word in _IRREGULAR:
        return (_IRREGULAR[word],)
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return ()
    forms = []
    if word.endswith("ies"):
        forms.append(f"{word[:-3]}y")
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        forms.append(word[:-2])
    return (*forms, word[:-1])


# fmt: off
_PAST = {
    "take": "taken took", "bring": "brought", "give": "given gave", "throw": "thrown threw", "lay": "laid",
    "hold": "held", "get": "got gotten", "leave": "left", "make": "made", "go": "gone went", "find": "found",
    "drive": "driven drove", "hang": "hung", "stand": "stood", "feed": "fed", "sweep": "swept", "do": "done did",
    "put": "put", "shut": "shut", "set": "set", "cut": "cut", "spread": "spread", "let": "let", "eat": "eaten ate",
    "drink": "drunk drank",
}
# fmt: on
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
    return tuple(_PAST[verb].split()) if verb in _PAST else _with_ending(verb, "ed")


_SUPERLATIVES = {"good": "best", "bad": "worst", "far": "farthest furthest", "little": "least littlest"}


def superlatives(adjective: str) -> tuple[str, ...]:
    """Return the spellings that the superlative of an adjective may have, such as "biggest" and "most expensive"."""
    return _inflect(adjective, _SUPERLATIVES, "est", "most")


_COMPARATIVES = {"good": "better", "bad": "worse", "far": "farther further", "little": "less littler"}


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
