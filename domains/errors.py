"""Errors of this package.

UsageError                          (semantics) a caller's mistake
└── DomainFileError                 a domain or scene file that cannot be used; lists every problem in it
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from semantics.errors import UsageError

MOST_SHOWN = 50


class Severity(StrEnum):
    """How serious a diagnostic is.

    With an error, the file cannot be used. With a warning, it can, but probably means something else than its author
    intended. A note is no mistake: it states a consequence.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One problem in a file.

    Attributes:
        file: Path as it was given.
        line: 1-based line.
        column: 1-based column.
        message: The problem, the expected form, and the nearest valid name.
        code: Stable name of this kind of problem, as docs/checks.md lists them.
        severity: Whether the file can be used.
        culprit: The name or text that is wrong, where there is one.
        valid: The valid names, where names are expected.
        nearest: Those of `valid` that are similar to the culprit.
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
        problems: All problems of the file, in its order.
    """

    def __init__(self, problems: Iterable[Diagnostic]) -> None:
        self.problems = tuple(sorted(problems))
        shown = [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            shown.append(f"and {len(self.problems) - MOST_SHOWN} more; mend these first")
        super().__init__("\n".join(shown))
