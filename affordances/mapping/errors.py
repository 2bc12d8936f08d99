"""Errors of the object-affordance mapping.

    GraftworkError
    └── UsageError                      exit 2
        └── EvidenceFileError           the file of the evidence cannot be opened, read or written

The roots are those of `semantics.errors`; a mapping in YAML that cannot be read is a `domains.errors.DomainFileError`.
"""

from __future__ import annotations

from pathlib import Path

from semantics.errors import UsageError

__all__ = ["EvidenceFileError"]


class EvidenceFileError(UsageError):
    """The file of the evidence cannot be opened, read or written; it was left as it is.

    Attributes:
        path: The file.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"evidence {path}: {reason}")
