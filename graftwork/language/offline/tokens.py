"""A sentence as segments of words: lower case, without politeness, cut where a clause or a list may go on.

The words below are grammar and manners; every word about a world comes from its vocabulary.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.wording import shortened

__all__ = ["AND", "Joint", "Segment", "said", "segments"]

MOST_CHARACTERS = 500
MOST_SEGMENTS = 24
AND = "&"
"""Stands between the parts of a list inside a clause; no sentence can hold it as a word."""


class Joint(IntEnum):
    """What joins a segment to the one before."""

    COMMA = 0
    AND = 1
    FULL = 2  # a full stop or "then": a new clause begins


@dataclass(frozen=True, slots=True)
class Segment:
    """Words between two joints."""

    words: tuple[str, ...]
    joint: Joint


_TOKEN = re.compile(r"[^\W_]+(?:['_-]?[^\W_]+)*|[,.;:!?]")
_LEFT_OUT = frozenset({"please", "kindly", "pls"})
_JOINTS = {
    "and": Joint.AND,
    "then": Joint.FULL,
    "also": Joint.AND,
    "afterwards": Joint.FULL,
    ",": Joint.COMMA,
} | dict.fromkeys(".;:!?", Joint.FULL)
_OPENINGS = tuple(
    tuple(words.split())
    for words in (
        "i would like you to", "i'd like you to", "i want you to", "i need you to", "would you be so kind as to",
        "would you be so kind to", "be so kind as to", "i would like for you to", "your task is to", "you should",
        "would you", "could you", "can you", "will you", "you can", "go ahead", "now", "finally", "just",
        "hey", "hi", "hello", "ok", "okay", "well", "so", "thanks", "thank you",
    )
)  # fmt: skip
_CLOSINGS = tuple(
    tuple(words.split())
    for words in (
        "right now",
        "now",
        "thanks",
        "thank you",
        "at once",
        "will you",
        "would you",
        "ok",
        "okay",
        "as well",
        "too",
    )
)


def said(words: Iterable[str]) -> str:
    """Write words as they were said."""
    return " ".join(words).replace(f" {AND} ", " and ")


def segments(instruction: str) -> tuple[Segment, ...] | Rejection:
    """Cut an instruction into segments; what cannot be an English sentence is rejected."""
    text = unicodedata.normalize("NFKC", instruction).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    problem = _unreadable(instruction, text)
    if problem:
        return Rejection((problem,))
    found: list[Segment] = []
    words: list[str] = []
    joint = Joint.FULL
    for token in [*_TOKEN.findall(text.lower()), "."]:
        if token not in _JOINTS:
            words.append(token)
            continue
        polite = _without_manners(tuple(words))
        if polite:
            found.append(Segment(polite, joint))
            joint = _JOINTS[token]
        elif not words or not found:
            joint = max(joint, _JOINTS[token]) if found else Joint.FULL
        words = []
    if not found:
        return Rejection((_nothing(instruction),))
    if len(found) > MOST_SEGMENTS:
        why = f"it lists {len(found)} things, at most {MOST_SEGMENTS} are read at once."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, "Say it in several instructions."),))
    return tuple(found)


def _unreadable(instruction: str, text: str) -> Feedback | None:
    how = "Say in one English sentence what should hold, such as a thing and where it should be."
    if not text.strip():
        return _nothing(instruction)
    if len(instruction) > MOST_CHARACTERS:
        why = f"it has {len(instruction)} characters, at most {MOST_CHARACTERS} are read."
        return Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how)
    rest = _TOKEN.sub("", re.sub(r"[\s\"“”]", "", text))
    if rest:
        shown = ", ".join(dict.fromkeys(map(_shown, rest[:20])))
        why = f"it holds what is no word: {shown}."
        return Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, tuple(dict.fromkeys(map(_shown, rest[:20]))))
    return None


def _nothing(instruction: str) -> Feedback:
    what = f"'{shortened(instruction)}'" if instruction.strip() else "the instruction"
    return Feedback(Code.NOT_UNDERSTOOD, what, "it asks for nothing.", "Say what should hold.")


def _shown(char: str) -> str:
    return char if char.isprintable() else f"U+{ord(char):04X}"


def _without_manners(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take off what is only said to be polite."""
    words = tuple(word for word in words if word not in _LEFT_OUT)
    changed = True
    while changed and words:
        changed = False
        for opening in _OPENINGS:
            if words[: len(opening)] == opening:
                words, changed = words[len(opening) :], True
        for closing in _CLOSINGS:
            if words[-len(closing) :] == closing:
                words, changed = words[: -len(closing)], True
    return words
