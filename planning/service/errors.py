"""Errors on their way from one process to another.

An error of this project arrives with its class, its message and its attributes. It is created without its constructor,
because the constructor takes the parts of the message and not the message. Any other error is a fault of the program,
and arrives as `PlanningFailedError` with its traceback.
"""

from __future__ import annotations

import io
import traceback
from typing import Any, NamedTuple

from planning.errors import PlanningFailedError
from planning.service.wire import frame, read
from semantics.errors import GraftworkError

__all__ = ["Raised", "raised"]


class Raised(NamedTuple):
    """An error as values."""

    kind: type[GraftworkError]
    args: tuple[object, ...]
    attributes: dict[str, Any]

    def error(self) -> GraftworkError:
        """Return the error."""
        error = self.kind.__new__(self.kind, *self.args)
        error.args = self.args
        error.__dict__.update(self.attributes)
        return error


def raised(error: BaseException) -> Raised:
    """Return `error` as values."""
    if isinstance(error, GraftworkError):
        parts = Raised(type(error), error.args, dict(vars(error)))
        try:
            read(io.BytesIO(frame(parts)))
        except Exception:  # an attribute that stays where it is; what was said still arrives
            return _failed(error)
        return parts
    return _failed(error)


def _failed(error: BaseException) -> Raised:
    text = "".join(traceback.format_exception(error)).strip()
    failed = PlanningFailedError(f"{type(error).__name__}: {error}", text)
    return Raised(PlanningFailedError, failed.args, dict(vars(failed)))
