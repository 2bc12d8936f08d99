"""Whether anybody still waits for what a finder looks for: one whose run was stopped has to end by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["AbandonedError", "must_be_wanted", "wanted_while"]

_is_wanted: ContextVar[Callable[[], bool]] = ContextVar("is_wanted")


class AbandonedError(Exception):
    """Nobody waits for the answer any more; it ends the thread that looks for it, and nobody sees it."""


@contextmanager
def wanted_while(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """Let what is looked for inside be given up as soon as `is_wanted` denies it."""
    token = _is_wanted.set(is_wanted)
    try:
        yield
    finally:
        _is_wanted.reset(token)


def must_be_wanted() -> None:
    """Give up what nobody waits for; a finder calls it before whatever takes time, costs money or is counted.

    Raises:
        AbandonedError: The run that asked has ended.
    """
    if not _is_wanted.get(_always)():
        raise AbandonedError


def _always() -> bool:
    return True
