"""Errors of the stand-ins for a language model.

    OutsideError                        exit 5
    └── ModelError                      (graftwork) a language model gave no usable answer
        ├── OutOfAnswersError           a scripted model was asked more often than it has answers
        └── UnrecordedRequestError      a replayed model was asked what it was never asked before
    UsageError                          exit 2
    └── RecordingError                  the file of a scripted or replayed model cannot be used

They are outages rather than mistakes, as whoever talks to a model has to be ready for it to be gone.
"""

from __future__ import annotations

from graftwork.errors import ModelError
from semantics.errors import UsageError

__all__ = ["OutOfAnswersError", "RecordingError", "UnrecordedRequestError"]


class OutOfAnswersError(ModelError):
    """A scripted model was asked more often than it has answers."""


class UnrecordedRequestError(ModelError):
    """A replayed model was asked what it was never asked before.

    Attributes:
        key: SHA-256 of the request.
        nearest: That of the recorded request that is most like it, or empty.
    """

    def __init__(self, server: str, what: str, how: str, *, key: str, nearest: str) -> None:
        super().__init__(server, what, how)
        self.key = key
        self.nearest = nearest


class RecordingError(UsageError):
    """The file of a scripted or replayed model cannot be used.

    Attributes:
        path: The file.
        line: 1-based line of the culprit; 0 when it is the whole file.
    """

    def __init__(self, path: str, line: int, reason: str) -> None:
        self.path = path
        self.line = line
        super().__init__(f"{path}:{line}: {reason}" if line else f"{path}: {reason}")
