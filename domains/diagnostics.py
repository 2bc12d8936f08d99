"""`Diagnostics`: all problems of one file, collected so that its author sees them at once."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from domains.errors import Diagnostic, DomainFileError, Severity
from domains.worlds import Ancestry
from semantics.hints import nearest
from semantics.plain_text import shortened

MOST_NAMES, SOME = 15, 6
LONGEST_NAME = 80
LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # as libyaml counts lines


class Mark(NamedTuple):
    """A 1-based position in a file; `shown` is the path of a file that the file of the diagnostics is joined with."""

    line: int = 1
    column: int = 1
    shown: str = ""


class Diagnostics:
    """The problems of one file, so far.

    Attributes:
        shown: Path of the file as it was given.
        path: Path of a file that the first one is joined with; empty for the first one.
        ancestry: The worlds that are joined.
    """

    def __init__(self, shown: str, text: str = "", path: str = "") -> None:
        self.shown = shown
        self.path = path
        self.ancestry = Ancestry()
        self._lines = LINE_BREAK.split(text)
        self._problems: list[Diagnostic] = []

    def beside(self, shown: str, text: str, path: str = "") -> Diagnostics:
        """Return the diagnostics of another file; its problems count as problems of this file."""
        other = Diagnostics(shown, text, path)
        other._problems, other.ancestry = self._problems, self.ancestry
        return other

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1; empty beyond the last."""
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    def add(self, mark: Mark, message: str, code: str = "invalid", culprit: str = "") -> None:
        """Add an error."""
        self._problems.append(Diagnostic(*self._place(mark), message, code, culprit=culprit))

    def unknown(self, mark: Mark, kind: str, name: str, valid: Collection[str], where: str = "") -> None:
        """Add an error for an unknown name; `where` describes its place, such as ``in class 'cup'``."""
        message = f"unknown {kind} '{shortened(name)}'{f' {where}' if where else ''}; {expected(name, valid)}"
        if (remover := self.ancestry.removed.get((kind, name))) is not None:
            message = f"{kind} '{shortened(name)}' is removed in {remover}; {expected(name, valid)}"
        code, names = f"unknown-{kind.replace(' ', '-')}", tuple(sorted(valid))
        close = nearest(name[:LONGEST_NAME].lower(), names)
        self._problems.append(Diagnostic(*self._place(mark), message, code, culprit=name, valid=names, nearest=close))

    def warn(self, mark: Mark, message: str, code: str, culprit: str = "") -> None:
        """Add a warning: the file is usable, but probably not what its author intended."""
        self._problems.append(Diagnostic(*self._place(mark), message, code, Severity.WARNING, culprit=culprit))

    def _place(self, mark: Mark) -> tuple[str, int, int]:
        return mark.shown or self.shown, mark.line, mark.column

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """All problems so far, including warnings, in the order of the file."""
        return tuple(sorted(self._problems))

    def fatal(self, mark: Mark, message: str, code: str = "unreadable") -> DomainFileError:
        """Return the exception to raise when nothing after this problem can be read."""
        self.add(mark, message, code)
        return DomainFileError(self._problems)

    def settle(self) -> None:
        """End the reading of a file or of a part of it, whose problems count no more.

        Raises:
            DomainFileError: There is an error.
        """
        if any(problem.severity is Severity.ERROR for problem in self._problems):
            problems = tuple(self._problems)
            self._problems.clear()
            raise DomainFileError(problems)


def expected(name: str, valid: Collection[str]) -> str:
    """Write which names are valid, and which of them are similar to `name`."""
    names = sorted(valid)
    close = nearest(name[:LONGEST_NAME].lower(), names)
    if not names:
        return "expected none here"
    if len(names) > MOST_NAMES:
        some = f"one of {', '.join(names[:SOME])}, … (graftwork check --json lists them)"
        return f"did you mean {' or '.join(close)}?" if close else f"expected {some}"
    listed = ", ".join(names)
    meant = f"; did you mean {' or '.join(close)}?" if close else ""
    return f"expected {'one of ' if len(names) > 1 else ''}{listed}{meant}"
