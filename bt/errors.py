"""Errors of the bt package.

    UsageError
    ├── TreeError                   a tree that cannot be built: what is missing, and where
    └── RecordError                 a record that may not be made there, or cannot be read
    OutsideError
    └── RecordWriteError            the disk does not take the record

What happens while a tree is ticked is never raised: it is the `Feedback` of a node, or of `Ended`.
"""

from __future__ import annotations

from semantics.errors import OutsideError, UsageError


class TreeError(UsageError):
    """A tree that cannot be built."""


class RecordError(UsageError):
    """A record that may not be made at this place, or cannot be read from it."""


class RecordWriteError(OutsideError):
    """The disk does not take the record."""
