"""Errors of the domains room.

UsageError                          (semantics) a caller's mistake
└── DomainFileError                 a domain or scene file that cannot be used; lists every problem in it
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from semantics.errors import UsageError

__all__ = ["Diagnostic", "DomainFileError", "Severity"]

MOST_SHOWN = 50


class Severity(StrEnum):
    """Whether a file cannot be used, or can but does not mean what its writer thinks, or means what it says.

    A note is no mistake: it says what follows from what is written.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One thing that is wrong in a file.

    Attributes:
        file: Path as it was given.
        line: 1-based line.
        column: 1-based column.
        message: What is wrong, what was expected, and the nearest valid name.
        code: Stable name of this sort of problem, one of `domains.codes.CODES`.
        severity: Whether the file cannot be used.
        culprit: The name or text that is wrong, where there is one.
        valid: What would have been right, where that is a list of names.
        nearest: Those of `valid` that look like the culprit.
    """

    file: str
    line: int
    column: int
    message: str
    code: str = "invalid"
    severity: Severity = Severity.ERROR
    culprit: str = ""
    valid: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class DomainFileError(UsageError):
    """A domain or scene file that cannot be used.

    Attributes:
        problems: Everything found in the file, in its order.
    """

    def __init__(self, problems: Iterable[Diagnostic]) -> None:
        self.problems = tuple(sorted(problems))
        shown = [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            shown.append(f"and {len(self.problems) - MOST_SHOWN} more")
        super().__init__("\n".join(shown))
