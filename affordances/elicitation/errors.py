"""Errors of `affordances.elicitation`.

    GraftworkError
    ├── UsageError                      exit 2
    │   └── TruthError                  a file of correct answers with lines that cannot be read; it lists all of them
    └── OutsideError                    exit 5
        └── AnswerCacheError            the folder of stored answers cannot be read or written

`semantics.errors` defines the roots. An unreachable model raises no exception here: the inquiry ends, keeps the answers
it has, and reports the reason in `ClassInquiry.outage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from semantics.errors import OutsideError, UsageError


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


class AnswerCacheError(OutsideError):
    """The folder of stored answers cannot be read or written.

    Attributes:
        path: The file in the folder.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"answers {path}: {reason}; name another folder with --cache DIR")
