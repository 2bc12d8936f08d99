"""Code of others: a guard for each place at which this program calls it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from semantics.errors import GraftworkError

Value = TypeVar("Value")

FAULTS = (Exception, SystemExit)
"""What code of others may raise; `SystemExit` is no wish of the person to end this program."""


def describe_error(error: BaseException | None) -> str:
    """Return an error of foreign code in words."""
    try:
        return f"{type(error).__name__}: {error}"
    except FAULTS:
        return type(error).__name__


@contextmanager
def guarded(failed: Callable[[str], Exception]) -> Iterator[None]:
    """Turn what foreign code raises into the error that `failed` makes of its words; an error of ours stays."""
    try:
        yield
    except GraftworkError:
        raise
    except FAULTS as error:
        raise failed(describe_error(error)) from error


def in_time(work: Callable[[], Value], seconds: float) -> Value:
    """Do foreign work that may not end, on a thread of its own.

    Raises:
        TimeoutError: It takes longer than `seconds`; it goes on, and nobody waits for it.
    """
    done: Future[Value] = Future()

    def do() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # raised again by who waits
            done.set_exception(error)

    threading.Thread(target=do, name="foreign", daemon=True).start()
    return done.result(seconds)
