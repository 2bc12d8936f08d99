"""Recasts: sentences that are put as other ones before they are cut into segments.

A phrase of a world speaks of one clause. What people say of two things in one clause ("first the cup and then the mug
in the sink"), with the thing ahead of what is to be done with it ("the cooler, can you switch that off"), or with a
word away from what it belongs to ("the blocks all belong in the bowl"), is put in clauses here. What is said and what
is meant by it stand in ``english.yaml``, under ``recasts``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from graftwork.language.offline.frames import PLACING, SHOULD, WANT, tables

_WORD = r"[^\s.,;:!?]+ "
_PART = re.compile(r"\{(\w+)\}|(\[)|(\])|([^\s\[\]{}…]+)")
_LEADING = "the|a|an|my|our|your|his|her|these|those|this|that|all|both|every|each|some|any|two|three|everything"
_TOWARD = "into|onto|to"
_VIEWS = "side|point|perspective|view|viewpoint|angle|position"  # "from my side" says who looks


def recast(tokens: Sequence[str], verbs: Collection[str]) -> list[str]:
    """Return tokens with each sentence put as what it means, if it is said in one of the ways of ``recasts``."""
    text, words = f" . {' '.join(tokens)} ", frozenset(tokens)
    for said, meant, needed in _recasts() if verbs else ():
        if not any(each.isdisjoint(words) for each in needed):  # few sentences are said in any of these ways
            text = _pattern(said, frozenset(verbs)).sub(meant, text)
    return [*text.split()[1:], "."]


@lru_cache(maxsize=1)
def _recasts() -> tuple[tuple[str, str, tuple[frozenset[str], ...]], ...]:
    """Return what is said and what is put in its place, with the words of which a sentence needs one of each group."""
    known = tables()
    every = [(said, meant) for meant, ways in known["recasts"] for said in ways]
    return tuple(
        (said, re.sub(r" *\{(\w+)\} *|(\S+) *", _in_place, meant), tuple(_needed(said, known["kinds"])))
        for said, meant in every
    )


def _needed(said: str, kinds: Mapping[str, str]) -> Iterator[frozenset[str]]:
    depth = 0
    for name, opens, closes, words in (part.groups() for part in _PART.finditer(said)):
        depth += bool(opens) - bool(closes)
        choices = words or kinds.get((name or "").rstrip("23"))
        if choices and not depth:
            yield frozenset(run.replace("_", " ").split()[0] for run in choices.split("|"))


@lru_cache(maxsize=8)
def _kinds(verbs: frozenset[str]) -> dict[str, str]:
    """Return the expressions for what the slots take, where the verbs of the world are these."""
    known, wishing = tables(), frozenset({WANT})
    like, unlike = ({verb, *known["verbs"][verb]} for verb in known["moving"])
    said_of = [word for name in ("occasions", "arriving") for word in known["remarks"][name].replace(",", "").split()]
    stops = {*PLACING, *known["parting"].split(), *said_of, WANT, SHOULD} - {"right", "left", "bed", "leaves"}
    more = rf"(?:(?!(?:left of|right of|{_any(stops)}) ){_WORD}){{0,5}}?"
    state = frozenset(known["remarks"]["verbs"].split()) - {"can", "drink", "drinks", "work", "works"}
    within = rf"(?!(?:{_any(stops | state)}|{_LEADING}) ){_WORD}"
    named = rf"(?:everything |all |(?:(?:all|both) )?(?:{_LEADING}) (?:{within}){{1,5}}?)"
    several = rf"{named}(?:(?:, )?(?:and )?{named})*?"
    inside = rf"(?:(?!(?:{WANT}|{SHOULD}|then|and|but|first|second|before|after) ){_WORD}){{1,8}}?"
    spot = rf"(?:{_any(PLACING)}) {inside}"
    kinds = {
        "": rf"(?!(?:{_any(stops | verbs)}) ){_WORD}{more}",
        "np": rf"(?:{_LEADING}) {_WORD}{more}",
        "named": several,
        "bare": rf"(?!(?:{_any({*verbs, *known['not_bare'].split()})}) )(?:{within}){{1,3}}?",
        # "The cup on the table, wash it" may be two wishes.
        "topic": rf"(?:(?=every|all ){named}{spot}|{named}that (?:is|are) {spot}|{several})",
        "verb": rf"(?:{_any(verbs | wishing)}) ",
        "moving": rf"(?:{_any(wishing | (verbs & like) - unlike)}) ",
        "spot": spot,
        "toward": rf"(?:{_TOWARD}) {inside}",
        "some": rf"(?:(?!(?:and|then) ){_WORD})+?",
        "rest": rf"(?:{_WORD}|, )*?",
        "word": rf"(?!(?:not|because|since|as|so|and|if|when|but|then|{WANT}) ){_WORD}",
        "particle": rf"(?:(?=[.,;:!?])|(?:{_any({*PLACING, 'up', 'down', 'over', 'away', 'for'})}) )",
        "end": r"(?=(?:[.,;:!?]|and) )",
    }
    kinds |= {name: _choice(text) for name, text in known["kinds"].items()}
    kinds["from"] = rf"(?!from (?:{_WORD}){{1,3}}?(?:{_VIEWS}) ){kinds['from']}"
    return kinds


def _in_place(part: re.Match[str]) -> str:
    """Return a part of what is meant as what is put in place of what is said."""
    return rf"\g<{part[1]}>" if part[1] else f"{part[2]} "


@lru_cache(maxsize=1024)
def _pattern(said: str, verbs: frozenset[str]) -> re.Pattern[str]:
    """Return the expression for words that begin and end with a sentence, or go on where "…" stands."""
    kinds, found, seen = _kinds(verbs), "", set[str]()
    for name, opens, closes, words in (part.groups() for part in _PART.finditer(said)):
        if name:
            found += rf"(?P={name})" if name in seen else rf"(?P<{name}>{kinds.get(name.rstrip('23'), kinds[''])})"
            seen.add(name)
        else:
            found += _choice(words) if words else "(?:" * bool(opens) + ")?" * bool(closes)
    begin, end = "" if said[0] == "…" else r"(?<=[.;:!?] )", "" if said[-1] == "…" else r"(?=[.;:!?] )"
    return re.compile(f"{begin}(?<= ){found}{end}")


def _choice(words: str) -> str:
    """Return the expression for one of some runs of words: "in_there|there"."""
    return rf"(?:{'|'.join(' '.join(map(re.escape, run.replace('_', ' ').split())) for run in words.split('|'))}) "


def _any(words: Collection[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
