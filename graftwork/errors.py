"""Errors of the package `graftwork`.

    GraftworkError
    ├── UsageError                      exit 2
    │   ├── MemoryFileError             the memory cannot be opened, read or written
    │   ├── MissingKeyError             a hosted model has no API key
    │   ├── NothingToDoError            a behaviour was requested, but there is nothing to do
    │   ├── ProgramFileError            the file of a program cannot be read
    │   ├── RecordingError              the file of a scripted or replayed model cannot be used
    │   └── SettingsError               a setting does not exist, or its value is wrong
    └── OutsideError                    exit 5
        ├── RobotUnavailableError       a simulator or a driver is not available
        └── ModelError                  see `semantics.errors`
            ├── OutOfAnswersError       a scripted model has no answers left
            └── UnrecordedRequestError  a replayed model has no recorded answer for the request

The roots are those of `semantics.errors`. No message contains an API key. The errors of scripted and replayed models
are outside errors, because a caller of a model must always expect it to be unavailable.
"""

from __future__ import annotations

from pathlib import Path

from semantics.errors import ModelError, OutsideError, UsageError
from semantics.plain_text import shortened


class SettingsError(UsageError):
    """A setting does not exist, or its value is wrong.

    Args:
        source: The place of the setting: a file with its line, an environment variable, or the command line.
        reason: What is wrong with it.
    """

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")


class ProgramFileError(UsageError):
    """The file of a program cannot be read, for a reason."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"the program '{path}': {reason}")


class ReplyFileError(UsageError):
    """The file of a reply cannot be read, for a reason."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"the reply '{path}': {reason}")


class MemoryFileError(UsageError):
    """The memory cannot be opened, read or written, for a reason; the file is unchanged."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"memory {path}: {reason}")


class MissingKeyError(UsageError):
    """A hosted model has no API key; `variable` is the environment variable that should hold it."""

    def __init__(self, model: str, variable: str) -> None:
        super().__init__(
            f"model {model} needs a key: set {variable} (any word will do for a server that asks for none), "
            "or use --model offline"
        )


class NothingToDoError(UsageError):
    """A behaviour or a resumed run was requested, but there is nothing to do: a refusal, a question, or a past end."""

    def __init__(self, instruction: str, reason: str) -> None:
        super().__init__(f"'{shortened(instruction)}': {reason}")


class RobotUnavailableError(OutsideError):
    """The simulator or the driver of a body is not available; the reason says what is missing and how to install it."""

    def __init__(self, robot: str, reason: str) -> None:
        super().__init__(f"robot {robot}: {reason}")


class OutOfAnswersError(ModelError):
    """A scripted model has no answers left."""


class UnrecordedRequestError(ModelError):
    """A replayed model has no recorded answer for a request.

    Attributes:
        key: SHA-256 of the request.
        nearest: SHA-256 of the most similar recorded request, or empty.
    """

    def __init__(self, server: str, what: str, how: str, *, key: str, nearest: str) -> None:
        super().__init__(server, what, how)
        self.key = key
        self.nearest = nearest


class RecordingError(UsageError):
    """The file of a scripted or replayed model cannot be used: a 1-based line, or 0 for the whole file, and why."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}" if line else f"{path}: {reason}")
