"""Errors of asking about affordances.

    GraftworkError
    ├── UsageError                      exit 2
    │   └── TruthError                  a file of right answers with lines that cannot be read; it holds all of them
    └── OutsideError                    exit 5
        └── AnswerCacheError            the folder of kept answers cannot be read or written

The roots are those of `semantics.errors`. A model that cannot be reached is no exception here: the inquiry ends, keeps
what it has, and says why (`Asked.outage`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from semantics.errors import OutsideError, UsageError

__all__ = ["AnswerCacheError", "TruthError"]


class TruthError(UsageError):
    """A file of right answers cannot be used.

    Attributes:
        path: The file.
        mistakes: Every mistake as ``file:line:column: reason``.
    """

    def __init__(self, path: Path, mistakes: Sequence[str]) -> None:
        self.path = path
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))


class AnswerCacheError(OutsideError):
    """The folder of kept answers cannot be read or written.

    Attributes:
        path: Its file.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"answers {path}: {reason}; name another folder with --cache DIR")
