"""Words about other words of the sentence: "the green one", "two of them", "inside", "all cups except the red one".

They take their noun, or their things, from what was named before; or they say what is left out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from graftwork.language.offline.frames import PLACING, SHOULD, tables, without_manners
from graftwork.language.offline.patterns import AND, Match, Pattern
from semantics.words.english import GRAMMAR, TABLES, Quantifier, listed, noun_phrase
from semantics.words.positions import distance_in

_ONE = frozenset({"one", "ones"})
COLOURS = frozenset(tables()["colours"])
_WITHOUT_NOUN = frozenset({"that", "which", "is", "are"}) | GRAMMAR - {"of"}
"""Words behind a "one" that stands for a noun, as in "the one in the drawer"; "one of the cups" has its noun."""
_THEM, _REST = ({tuple(a.split()): tuple(b.split()) for a, b in tables()[name].items()} for name in ("them", "rest"))
_OF_THEM = {("of", "them"), ("of", "those"), ("of", "these")}
REFERENCES = _ONE | frozenset(tables()["references"].split())
"""Words that a clause may have that is understood by what was said before."""
_TAILS = {tuple(words.split()): relation for relation, every in tables()["tails"].items() for words in every}
_SOURCES = (("out", "of"), ("off",), ("from",))
_TAKING = frozenset(tables()["remarks"]["taking"].split(", "))
_GOALS = frozenset({"in", "into", "inside", "on", "onto", "to"})


def put_fully(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a noun phrase with "the others" as "the other ones", and "everything else" as "all the other things"."""
    is_whole = words[2:3] not in ((), ("of",))
    return (*_REST[words[:2]], *words[2:]) if words[:2] in _REST and (is_whole or len(words) == 2) else words


def noun_missing(words: tuple[str, ...]) -> tuple[tuple[str, ...], int] | None:
    """Return a noun phrase that lacks its noun, in the form in which it takes one, and where the noun stands in it.

    For example, "the green ones in the drawer" lacks one, which stands behind "green". None if it has its noun.
    """
    for at, word in enumerate(words):
        after = words[at + 1 : at + 2]
        is_pronoun = not after or after[0] in _WITHOUT_NOUN or distance_in(words[at:]) is not None
        if word in _ONE and is_pronoun and (at or len(words) == 1):
            is_every = word == "ones" and noun_phrase(words[:at]).definite
            before = ("all", *words[:at]) if is_every else words[:at] or ("a",)
            return (*before, *words[at + 1 :]), len(before)
    phrase = noun_phrase(words)
    if len(phrase.head) == 1 and phrase.head[0] in COLOURS:
        return words, len(words)
    lacks = phrase.other and (not phrase.head or noun_phrase((*phrase.head, "things")).head == ("things",))
    return (words, len(words)) if lacks else None


def of_them(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return "two of them" as "two of the things", and "the red one of those" as "the red thing"; else None."""
    said = _THEM.get(words, words)
    if said[-2:] not in _OF_THEM or len(said) < 3:
        return None
    if "the" in said[:2] and said[-3] in _ONE and said[-4] not in ("the", "other"):
        return (*said[:-3], "thing" if said[-3] == "one" else "things")
    return (*said[:-2], "of", "the", "things")


def _in_one_clause(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield "get it out of the box into the bowl" for "… and into the bowl", without the words of a mere heap."""
    source = next((at for at in range(2, len(words)) for each in _SOURCES if words[at : at + len(each)] == each), 0)
    joint = next((at for at in range(source + 2, len(words) - 1) if words[at] == AND), len(words))
    end = joint if source and words[joint + 1 : joint + 2] and words[joint + 1] in _GOALS else len(words)
    if source and end < len(words):
        yield (*words[:end], *words[end + 1 :])
    if source and words[end - 1] in tables()["heaps"] and (end < len(words) or words[0] in _TAKING):
        yield (*words[:source], *words[end + 1 :])


def _in_either(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield "in the cup or the mug" for "in the cup or in the mug" and "either in the cup or in the mug"."""
    for at in range(3, len(words) - 1):
        if words[at - 1] == "or" and words[at] in PLACING and words[at] in words[: at - 1]:
            yield tuple(word for word in (*words[:at], *words[at + 1 :]) if word != "either")


def in_other_words(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield a clause in words that phrases have.

    "Put it inside", "pour in the milk" and "add the milk" name no place, which is then "it"; "get it out of the box and
    into the bowl" is one clause; "the shelf is where it goes" is "it goes on the shelf".
    """
    for behind, relation in _TAILS.items():
        if words[-len(behind) :] == behind and len(words) > len(behind) + 1:
            yield (*words[: -len(behind)], *relation.split(), "it")
    if words[1:2] in _TAILS and len(words) > 2:
        yield (words[0], *words[2:], *_TAILS[words[1:2]].split(), "it")
    if words[0] in tables()["completing"]:
        yield (*words, "to", "it")
    if words[0] == "use" and "to" in words[2:-1]:
        to = words.index("to")
        yield (*words[to + 1 :], "with", *words[1:to])
    yield from _in_either(words)
    yield from _in_one_clause(words)
    at = next((at for at in range(1, len(words) - 3) if words[at : at + 2] == ("is", "where")), 0)
    if at and words[-1] == SHOULD:
        yield from ((*words[at + 2 :], relation, *words[:at]) for relation in ("on", "in"))


_MARKERS = tuple(tuple(words.split()) for words in listed(TABLES["exceptions"]))
_MARKING = frozenset(words[0] for words in _MARKERS)
_AFTER_COMMA = frozenset(_MARKERS) - {("but",), ("without",)}
_DETERMINERS = frozenset({"the", "that", "this", "those", "these", "my", "your", "a", "an", "any"})
_BEHIND = frozenset({"in", "on", "into", "onto", "to", "at", "under", "from", "over", "back", "off", "out"})


def exception_in(words: tuple[str, ...]) -> tuple[int, int] | None:
    """Return where words such as "except for" and "but not" begin and end; None without them."""
    for at in range(1, len(words)) if not _MARKING.isdisjoint(words) else ():
        if (end := _marker_at(words, at)) < len(words) and end > at:
            return at, end
    return None


def _marker_at(words: Sequence[str], at: int) -> int:
    """Return where the words for an exception end that begin at a position, or the position."""
    for marker in _MARKERS:
        end = at + len(marker)
        if tuple(words[at:end]) == marker and (marker != ("not",) or {*words[end : end + 1]} & _DETERMINERS):
            return end
    return at


def number_in(words: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return the number that an exception leaves out, and of what, as in "one of the cups"; 0 for a thing."""
    of = words[2:] if words[1:2] == ("of",) else words[1:]
    counted = noun_phrase((*words[:1], "things"))
    number = 1 if words[0] == "one" else counted.count if counted.quantifier is Quantifier.COUNT else 0
    return (number, of) if not of or words[1] == "of" else (0, words)


def _with_exceptions_behind(tokens: Sequence[str]) -> Iterator[str]:
    """Yield tokens with each exception behind what it is an exception of.

    "Except for the lemon, all the fruit …", "the fruit …, all of it but the lemon"; and "in the fridge, not on the
    table" for "in the fridge rather than on the table".
    """
    held: list[str] = []
    at = 0
    while at < len(tokens):
        is_begin = at == 0 or tokens[at - 1] in ".;:!?"
        end = _marker_at(tokens, at) if is_begin else at
        comma = next((i for i in range(end + 1, len(tokens)) if tokens[i] in ",.;:!?"), at) if end > at else at
        if comma > at and tokens[comma] == "," and tuple(tokens[at:end]) in _AFTER_COMMA:
            held, at = [*tokens[at:comma]], comma + 1
            continue
        if tokens[at] in ".;:!?":
            yield from held
            held = []
        if tokens[at] == "," and tokens[at + 1] in ("it", "them", "all", "everything"):
            at += 2 if _marker_at(tokens, at + 2) > at + 2 else 0
        if tuple(tokens[at : at + 2]) in (("rather", "than"), ("instead", "of")) and tokens[at + 2] in _BEHIND:
            yield from (",", "not")
            at += 2
        yield tokens[at]
        at += 1


def without_commas(tokens: Sequence[str]) -> list[str]:
    """Return tokens without the commas around an exception: "put the cups, but not the red one, in the sink"."""
    left: list[str] = []
    is_open = False
    tokens = list(_with_exceptions_behind(tokens))
    for at, token in enumerate(tokens):
        end = _marker_at(tokens, at + 1) if token == "," else 0
        begins = tuple(tokens[at + 1 : end]) in _AFTER_COMMA
        ends = is_open and token == "," and tokens[at + 1] in _BEHIND
        is_open = begins or (is_open and token not in ".,;:!?")
        if begins:
            left = list(without_manners(tuple(left)))  # "every fruit we have, but not …"
        if not (begins or ends):
            left.append(token)
    return left


_STOPS = frozenset(",.;:!?")
_JOINTS = _STOPS | {"and", "also"}
_PARTICLES = frozenset({"up", "out", "off", "down"})
_NAMING = _DETERMINERS | {"all", "both", "every", "some", "two", "three", "it", "them"}


def each_with_its_thing(tokens: list[str], verbs: Collection[str]) -> list[str]:
    """Return tokens with a thing behind each verb: "wash and chop the tomato" is "wash the tomato and chop it"."""
    for at in range(len(tokens) - 4):
        behind = at + 1 + (tokens[at + 1] in _PARTICLES)
        begins = at == 0 or tokens[at - 1] in _JOINTS or tokens[at - 1] in ("then", "please", "you")
        if not begins or tokens[at] not in verbs or tokens[behind] != "and" or tokens[behind + 1] not in verbs:
            continue
        start = behind + 2 + (tokens[behind + 2] in _PARTICLES | {"me"})
        ends = _JOINTS | PLACING | {"up"}
        end = next(end for end in range(start, len(tokens)) if tokens[end] in ends)
        if end > start and tokens[start] in _NAMING:
            again = ["it"] if tokens[start] in ("a", "an", "some") else tokens[start:end]
            return [*tokens[:behind], *tokens[start:end], "and", *tokens[behind + 1 : start], *again, *tokens[end:]]
    return tokens


def rewritten(
    words: tuple[str, ...], cover: Callable[[tuple[str, ...]], Sequence[tuple[Pattern, Match]]]
) -> Iterator[tuple[tuple[str, ...], Pattern, Match]]:
    """Yield a clause, and the same in other words, each with what matches it.

    "Put it inside" is also read as "put it in it", and an exception at the end behind each slot that may have it.

    Args:
        words: The words.
        cover: Returns the patterns that match words.
    """
    for anew in (words, *in_other_words(words)):
        yield from ((anew, pattern, match) for pattern, match in cover(anew))
    if (cut := exception_in(words)) is not None:
        for pattern, match in cover(words[: cut[0] - (words[cut[0] - 1] == AND)]):
            yield from ((behind, pattern, its) for behind, its in _moved(words, cut[0], match))


def _moved(words: tuple[str, ...], at: int, match: Match) -> Iterator[tuple[tuple[str, ...], Match]]:
    """Yield a clause with its exception, which begins `at` a position, behind each slot but the last.

    Args:
        words: The words, such as "put all the cups in the sink except the red one".
        at: Where the exception begins.
        match: How a pattern matches the words before it.
    """
    tail = words[at - 1 : at] if words[at - 1] == AND else ()
    behind, longer = (*tail, *words[at:]), len(words) - at + len(tail)
    whole = at - len(tail)
    for end in sorted(end for _, end in match.slots.values() if end < whole):

        def shifted(at_word: int, last: int = end) -> int:
            return at_word + longer if at_word >= last else at_word

        slots = {
            slot: (start if start < end else start + longer, shifted(stop))
            for slot, (start, stop) in match.slots.items()
        }
        yield (*words[:end], *behind, *words[end:whole]), Match(slots, tuple(map(shifted, match.ends)))
