"""Errors of the front door.

    GraftworkError
    ├── UsageError                      exit 2
    │   ├── MemoryFileError             the memory cannot be opened, read or written
    │   ├── MissingKeyError             a hosted model without its key
    │   ├── NothingToDoError            a subtree was asked for where there is nothing to do
    │   ├── ProgramFileError            the file of a program cannot be read
    │   ├── RecordingError              the file of a scripted or replayed model cannot be used
    │   └── SettingsError               a setting that does not exist or does not fit
    └── OutsideError                    exit 5
        ├── RobotUnavailableError       a simulator or a driver is not there
        └── ModelError                  a language model gave no usable answer
            ├── ModelNonsenseError      it answered, but nothing that can be read
            ├── ModelUnreachableError   it did not answer, or with an error of its own
            ├── OutOfAnswersError       a scripted model was asked more often than it has answers
            └── UnrecordedRequestError  a replayed model was asked what it was never asked before

The roots are those of `semantics.errors`. No message holds a key. The errors of the stand-ins for a language model are
outages rather than mistakes, as whoever talks to a model has to be ready for it to be gone.
"""

from __future__ import annotations

from pathlib import Path

from semantics.errors import OutsideError, UsageError
from semantics.sentences import shortened

__all__ = [
    "MemoryFileError",
    "MissingKeyError",
    "ModelError",
    "ModelNonsenseError",
    "ModelUnreachableError",
    "NothingToDoError",
    "OutOfAnswersError",
    "ProgramFileError",
    "RecordingError",
    "RobotUnavailableError",
    "SettingsError",
    "UnrecordedRequestError",
]


class SettingsError(UsageError):
    """A setting that does not exist or does not fit.

    Attributes:
        source: Where it stands: a file with its line, an environment variable, or the command line.
        reason: What is wrong with it.
    """

    def __init__(self, source: str, reason: str) -> None:
        self.source = source
        self.reason = reason
        super().__init__(f"{source}: {reason}")


class ProgramFileError(UsageError):
    """The file of a program cannot be read.

    Attributes:
        path: The file.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"the program '{path}': {reason}")


class MemoryFileError(UsageError):
    """The memory cannot be opened, read or written; the file was left as it is.

    Attributes:
        path: The file.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"memory {path}: {reason}")


class MissingKeyError(UsageError):
    """A hosted model was asked for without a key.

    Attributes:
        variable: The environment variable that would hold it.
    """

    def __init__(self, model: str, variable: str) -> None:
        self.variable = variable
        super().__init__(
            f"model {model} needs a key: set {variable} (any word will do for a server that asks for none), "
            "or use --model offline"
        )


class NothingToDoError(UsageError):
    """A subtree was asked for where there is nothing to do: refused, a question, or so already.

    Attributes:
        instruction: What was said.
        reason: Why there is nothing to do.
    """

    def __init__(self, instruction: str, reason: str) -> None:
        self.instruction = instruction
        self.reason = reason
        super().__init__(f"'{shortened(instruction)}': {reason}")


class RobotUnavailableError(OutsideError):
    """A body's simulator or driver is not there.

    Attributes:
        robot: Name of the body.
        reason: What is missing, and how to get it.
    """

    def __init__(self, robot: str, reason: str) -> None:
        self.robot = robot
        self.reason = reason
        super().__init__(f"robot {robot}: {reason}")


class ModelError(OutsideError):
    """A language model gave no usable answer.

    Attributes:
        server: Address of the server, without user or key.
        what: What happened.
        how: How to mend it.
    """

    def __init__(self, server: str, what: str, how: str) -> None:
        self.server = server
        self.what = what
        self.how = how
        super().__init__(f"language model at {server}: {what}; {how}")


class ModelNonsenseError(ModelError):
    """The model answered, but nothing that can be read."""


class ModelUnreachableError(ModelError):
    """The model did not answer, or answered with an error of its own."""


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
