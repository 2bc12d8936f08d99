"""Plain text: text from outside, made fit for a terminal, a log, a record and a model, and lists of words.

Text from outside may hold control characters, which move a cursor, forge a line or hide one, and lone surrogates, which
no file in UTF-8 can hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from semantics.errors import UsageError

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
CONTROL_IN_LINES = re.compile(f"(?![\\n\\t]){CONTROL.pattern}")
SURROGATE = re.compile(r"[\ud800-\udfff]")
MOST_QUOTED = 60  # how many characters of foreign text a message repeats


def plain(text: object) -> str:
    """Return `text` on one line without control characters."""
    return CONTROL.sub(" ", str(text))


def plain_lines(text: object) -> str:
    """Return `text` without control characters but line ends and tabs."""
    return CONTROL_IN_LINES.sub(" ", str(text))


def shortened(text: str, most: int = MOST_QUOTED) -> str:
    """Return `text` on one line, cut to `most` characters with an ellipsis; only its beginning is read."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[: most - 1].rstrip()}…"


def counted(number: int, word: str) -> str:
    """Return a number with its noun, in the plural if needed: "1 file", "2 files"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def together(parts: Iterable[str], word: str = "and") -> str:
    """Join parts of a sentence."""
    phrases = list(parts)
    return f" {word} ".join((", ".join(phrases[:-1]), phrases[-1])) if len(phrases) > 1 else "".join(phrases)


def whole_characters(text: str) -> str:
    """Return `text` with a replacement character for each lone surrogate, so that it can be written in UTF-8."""
    return SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def text_of_person(words: object, what: str) -> str:
    """Return the words of a person.

    Args:
        words: What is given as the words.
        what: What it is, such as "an instruction".

    Raises:
        UsageError: It is no text, or no text in UTF-8.
    """
    if not isinstance(words, str):
        raise UsageError(f"{what} is text, and this is {type(words).__name__}")
    if SURROGATE.search(words):
        raise UsageError(f"{what} is text in UTF-8, and this holds half a character")
    return words
