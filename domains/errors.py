"""Errors of the domains room.

UsageError                          (semantics) a caller's mistake
└── DomainFileError                 a domain or scene file that cannot be used; lists every problem in it
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from semantics.errors import UsageError

__all__ = ["DomainFileError", "Problem"]

MOST_SHOWN = 50


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong in a file.

    Attributes:
        file: Path as it was given.
        line: 1-based line.
        column: 1-based column.
        message: What is wrong, what was expected, and the nearest valid name.
    """

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class DomainFileError(UsageError):
    """A domain or scene file that cannot be used.

    Attributes:
        problems: Everything found in the file, in its order.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        shown = [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            shown.append(f"and {len(self.problems) - MOST_SHOWN} more")
        super().__init__("\n".join(shown))
