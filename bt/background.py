"""Background work on a separate thread. The wait for it is split into slices, so that it can be cancelled at once.

`Pending` is the answer of such work for a tree: it defines at which time of the body's clock the answer arrives.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

SLICE_SECONDS = 0.05  # the longest wait before the waiting thread checks for a cancellation, seconds of the wall clock


@dataclass(eq=False)
class Cancellation:
    """A flag that says whether a run was cancelled. Any thread may read it."""

    reason: str = ""  # why the run was cancelled; empty when it was not

    def cancel(self, reason: str = "it was cancelled") -> None:
        """Cancel the run; may be called from any thread and from a signal handler."""
        self.reason = reason or "it was cancelled"

    @property
    def is_cancelled(self) -> bool:
        """Whether the run was cancelled."""
        return bool(self.reason)


def in_background(work: Callable[[], T], name: str) -> Future[T]:
    """Begin work on a separate thread, and return a future with its result or its error.

    The thread is a daemon: work that never ends does not keep the process alive.

    Args:
        work: Returns the result.
        name: The name of the thread.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as exc:  # raised where the result is taken
            future.set_exception(exc)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future


def waited(future: Future[T], seconds: float | None = None, called_off: Callable[[], object] = lambda: False) -> bool:
    """Wait until work is done; return whether it is done.

    Args:
        future: The future of the work.
        seconds: The time limit on the wall clock; None for no limit.
        called_off: Returns whether to stop waiting.
    """
    until = math.inf if seconds is None else time.monotonic() + seconds
    while not future.done() and not called_off():
        left = min(SLICE_SECONDS, until - time.monotonic())
        if left <= 0:
            break
        wait([future], left)
    return future.done()


class Pending(Generic[T]):
    """The answer of background work, and the time at which it arrives.

    Args:
        work: Returns the answer; called on a separate thread.
        name: The name of the thread.
        now: The time of the start, in seconds of the body's clock.
        delay: The duration of the work on that clock; None to take the answer as soon as it is ready.
        cancellation: Ends the wait for an answer that is due.
    """

    def __init__(
        self,
        work: Callable[[], T],
        *,
        name: str,
        now: float,
        delay: float | None,
        cancellation: Cancellation | None = None,
    ) -> None:
        self._due = None if delay is None else now + delay
        self._cancellation = cancellation or Cancellation()
        self._answer = in_background(work, f"bt-{name}")

    def arrived(self, now: float) -> bool:
        """Return whether the answer has arrived at `now`.

        With a declared delay the clock is simulated and does not run during the call. So the call waits for an answer
        that is due, unless the run is cancelled.
        """
        if self._due is not None:
            if now < self._due - 1e-9:
                return False
            waited(self._answer, called_off=lambda: self._cancellation.reason)
        # What comes of a run that was called off is no answer.
        return self._answer.done() and not self._cancellation.reason

    def result(self) -> T:
        """Return the answer that has arrived; raise the error of the work."""
        return self._answer.result()
