"""`Background`: work on a thread of its own, waited for in slices, so that waiting can be called off at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["SLICE_SECONDS", "Background"]

T = TypeVar("T")

SLICE_SECONDS = 0.05
"""How long is waited on the clock of the wall before it is looked whether the waiting was called off."""


class Background(Generic[T]):
    """Work that goes on while its caller does something else.

    The thread is a daemon: work that never ends does not keep the process alive.

    Args:
        work: Gives the result.
        name: Names the thread.
    """

    def __init__(self, work: Callable[[], T], name: str) -> None:
        self._result: list[T] = []
        self._error: BaseException | None = None
        self._done = threading.Event()
        threading.Thread(target=self._run, args=(work,), name=f"run-{name}", daemon=True).start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._result.append(work())
        except BaseException as exc:  # raised where the result is taken
            self._error = exc
        finally:
            self._done.set()

    def wait(self, seconds: float | None = None, called_off: Callable[[], bool] = lambda: False) -> bool:
        """Wait until the work is done; return whether it is.

        Args:
            seconds: How long at most, on the clock of the wall; None for as long as it takes.
            called_off: Returns whether nobody waits any more.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while not self._done.is_set() and not called_off():
            left = SLICE_SECONDS if until is None else min(SLICE_SECONDS, until - time.monotonic())
            if left <= 0:
                break
            self._done.wait(left)
        return self._done.is_set()

    def result(self) -> T:
        """Return what came of work that is done, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._result[0]
