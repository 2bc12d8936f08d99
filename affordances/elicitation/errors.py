"""Errors of `affordances.elicitation`.

    GraftworkError
    └── OutsideError                    exit 5
        └── AnswerCacheError            the folder of stored answers cannot be read or written

`semantics.errors` defines the roots. An unreachable model raises no exception here: the inquiry ends, keeps the answers
it has, and reports the reason in `ClassInquiry.outage`.
"""

from __future__ import annotations

from pathlib import Path

from semantics.errors import OutsideError


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
