"""Correct answers from a CSV file: ``object,affordance``, one pair per line, with an optional header.

The pairs in the file are true; all other affordances of the ontology are false for the classes in the file. Any line
ending is accepted, fields may be quoted, and a byte-order mark is ignored. The reader reports all mistakes, each with
its line and column. An affordance that is not in the ontology is a mistake if it is clearly a misspelt name of the
ontology. Otherwise the file covers more than the ontology, and the reader leaves the pair out with a note.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from affordances.elicitation.replies import affordance_named
from affordances.elicitation.strategies import words_of
from semantics.errors import UsageError
from semantics.plain_text import shortened
from semantics.process.reading import read_bounded

__all__ = ["Truth", "TruthError", "read_truth"]

MOST_BYTES = 20_000_000
HEADERS = frozenset({"affordance", "affordances"})
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


class TruthError(UsageError):
    """A file of correct answers cannot be used.

    Attributes:
        path: The file.
        mistakes: Every mistake as ``file:line:column: reason``.
    """

    def __init__(self, path: Path, mistakes: Sequence[str]) -> None:
        self.path = path
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))


@dataclass(frozen=True, slots=True)
class Truth:
    """Correct answers.

    Attributes:
        classes: The affordances of each class, by its name in lower case with single blanks.
        notes: Pairs that are left out or occur twice, as ``file:line:column: what``.
    """

    classes: Mapping[str, frozenset[str]]
    notes: tuple[str, ...] = ()

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(map(len, self.classes.values()))


class _Field(NamedTuple):
    text: str
    column: int


class _Mistake(Exception):  # noqa: N818 - the mistake of a line, which `take` adds to the list
    def __init__(self, column: int, reason: str) -> None:
        self.column = column
        self.reason = reason
        super().__init__(reason)


def read_truth(path: Path, affordances: Collection[str]) -> Truth:
    """Read a file of correct answers.

    Args:
        path: The file.
        affordances: Names of the ontology.

    Raises:
        TruthError: The file cannot be read, has no pair, or has lines that are no pair; the error lists all of them.
    """
    try:
        content = read_bounded(path, MOST_BYTES)
    except OSError as error:
        raise TruthError(path, [f"{path}: cannot be read: {error.strerror or error}"]) from error
    if content.startswith(_WIDE):
        raise TruthError(path, [f"{path}:1:1: this is UTF-16 or UTF-32; save it as UTF-8"])
    reader = _TruthReader(path, affordances)
    for number, line in enumerate(content.removeprefix(codecs.BOM_UTF8).splitlines(), start=1):
        reader.take(number, line)
    if not reader.classes and not reader.mistakes:
        reader.mistakes.append(f"{path}:1:1: no pair of object and affordance stands here")
    if reader.mistakes:
        raise TruthError(path, reader.mistakes)
    return Truth({name: frozenset(pairs) for name, pairs in reader.classes.items()}, tuple(reader.notes))


class _TruthReader:
    """Collects pairs, mistakes and notes, line by line."""

    def __init__(self, path: Path, affordances: Collection[str]) -> None:
        self.path = path
        self.affordances = tuple(affordances)
        self.classes: dict[str, dict[str, int]] = {}
        self.mistakes: list[str] = []
        self.notes: list[str] = []
        self._begun = False

    def take(self, number: int, line: bytes) -> None:
        """Read one line."""
        try:
            fields = _fields(line)
            if not fields:
                return
            thing, affordance = _pair(fields)
            header = not self._begun and affordance.text.lower() in HEADERS
            self._begun = True
            if not header:
                self._keep(number, thing, affordance)
        except _Mistake as mistake:
            self._begun = True
            self.mistakes.append(self._placed(number, mistake.column, mistake.reason))

    def _keep(self, number: int, thing: _Field, affordance: _Field) -> None:
        name = self._known(affordance.text)
        if name is None and (meant := affordance_named(affordance.text, self.affordances)):
            raise _Mistake(affordance.column, f"unknown affordance '{affordance.text}'; did you mean {meant}?")
        pairs = self.classes.setdefault(words_of(thing.text).lower(), {})
        if name is None:
            left_out = f"the ontology has no affordance '{shortened(affordance.text)}'; this pair is left out"
            self.notes.append(self._placed(number, affordance.column, left_out))
        elif name in pairs:
            self.notes.append(self._placed(number, thing.column, f"this pair stands in line {pairs[name]} too"))
        else:
            pairs[name] = number

    def _known(self, text: str) -> str | None:
        plain = "-".join(words_of(text).lower().split())
        return next((name for name in (text, plain) if name in self.affordances), None)

    def _placed(self, line: int, column: int, what: str) -> str:
        return f"{self.path}:{line}:{column}: {what}"


def _pair(fields: list[_Field]) -> tuple[_Field, _Field]:
    """Return the object and the affordance of a line."""
    if len(fields) == 1:
        separator = next((sign for sign in ";\t|" if sign in fields[0].text), None)
        hint = f"; they are kept apart by a comma, not by {separator!r}" if separator else ""
        raise _Mistake(fields[0].column, f"an object and an affordance are needed, this is one field{hint}")
    if len(fields) > 2:
        raise _Mistake(fields[2].column, f"an object and an affordance are needed, these are {len(fields)} fields")
    for field, what in zip(fields, ("object", "affordance"), strict=True):
        if not field.text:
            raise _Mistake(field.column, f"the {what} is missing")
    return fields[0], fields[1]


def _fields(line: bytes) -> list[_Field]:
    """Return the fields of a line without the blanks around them; an empty list for an empty line."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode()) + 1
        raise _Mistake(column, f"this is not text in UTF-8 (byte {line[error.start]:#04x})") from error
    for at, char in enumerate(text):
        if char != "\t" and not char.isprintable():
            raise _Mistake(at + 1, f"a character that cannot be printed (U+{ord(char):04X})")
    return list(_split(text)) if text.strip() else []


def _split(text: str) -> Iterator[_Field]:
    """Yield the fields between commas; a quoted field may contain commas, and quotes that are written twice."""
    at = 0
    while True:
        start = at + len(text[at:]) - len(text[at:].lstrip())
        if text[start : start + 1] == '"':
            field, at = _quoted(text, start)
        else:
            end = text.find(",", at)
            at = len(text) if end < 0 else end
            field = _Field(text[start:at].strip(), min(start, at) + 1)
            if '"' in field.text:
                raise _Mistake(start + field.text.index('"') + 1, "a quote inside of a field that is not quoted")
        yield field
        if at >= len(text):
            return
        at += 1


def _quoted(text: str, start: int) -> tuple[_Field, int]:
    """Return the quoted field that begins at `start`, and the index of the comma or line end after it."""
    at = start + 1
    while (at := text.find('"', at)) >= 0 and text[at + 1 : at + 2] == '"':
        at += 2
    if at < 0:
        raise _Mistake(start + 1, "this quote is not closed in its line")
    rest = text[at + 1 :]
    after = at + 1 + len(rest) - len(rest.lstrip())
    if after < len(text) and text[after] != ",":
        raise _Mistake(after + 1, "something stands between the closing quote and the comma")
    return _Field(text[start + 1 : at].replace('""', '"').strip(), start + 1), after
