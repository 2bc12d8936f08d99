"""`Report`: what was found, and in how many files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domains.errors import Problem, Severity

__all__ = ["Report", "counted"]


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    Attributes:
        problems: By file, line and column; those of a file in its order.
        files: Paths of what was looked at, as they are shown.
    """

    problems: tuple[Problem, ...]
    files: tuple[str, ...]

    @property
    def errors(self) -> int:
        """Number of problems for which a file cannot be used."""
        return sum(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def warnings(self) -> int:
        """Number of problems of files that can be used."""
        return len(self.problems) - self.errors

    def exit_code(self, *, strict: bool) -> int:
        """Return 2 for an error, and under `strict` for a warning; else 0."""
        return 2 if self.errors or (strict and self.warnings) else 0

    def words(self) -> str:
        """Sum up in a line, such as ``3 errors, 1 warning in 5 files``."""
        files = counted(len(self.files), "file")
        found = [counted(count, word) for count, word in ((self.errors, "error"), (self.warnings, "warning")) if count]
        return f"{', '.join(found) or 'no mistakes'} in {files}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON."""
        return {
            "version": 1,
            "errors": self.errors,
            "warnings": self.warnings,
            "files": list(self.files),
            "problems": [_row(problem) for problem in self.problems],
        }


def _row(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "severity": problem.severity.value,
        "code": problem.code,
        "message": problem.message,
        "culprit": problem.culprit,
        "valid": list(problem.valid),
        "nearest": list(problem.nearest),
    }


def counted(number: int, word: str) -> str:
    """Say how many, in the plural where that is due."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
