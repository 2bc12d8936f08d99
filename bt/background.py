"""Work on a thread of its own, waited for in slices so that the waiting can be called off at once.

`Pending` is such an answer while the tree is ticked: it says at which time of the body's clock it is taken.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

__all__ = ["SLICE_SECONDS", "Awaited", "Cancellation", "Pending", "in_background", "waited"]

T = TypeVar("T")
Some = TypeVar("Some", covariant=True)

SLICE_SECONDS = 0.05
"""How long is waited on the clock of the wall before it is looked whether the waiting was called off."""


@dataclass(eq=False)
class Cancellation:
    """Whether a run was called off; asked from any thread, also from one that works out an answer for the run.

    Attributes:
        reason: Why it was called off; empty when it was not.
    """

    reason: str = ""

    def cancel(self, reason: str = "it was cancelled") -> None:
        """Call the run off; may be called from any thread and from a signal handler."""
        self.reason = reason or "it was cancelled"

    @property
    def is_cancelled(self) -> bool:
        """Whether the run was called off."""
        return bool(self.reason)


def in_background(work: Callable[[], T], name: str) -> Future[T]:
    """Begin work on a thread of its own, and return what will have its result, or raise what it raised.

    The thread is a daemon: work that never ends does not keep the process alive.

    Args:
        work: Gives the result.
        name: Names the thread.
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
    """Wait until work is done; return whether it is.

    Args:
        future: What will have its result.
        seconds: How long at most, on the clock of the wall; None for as long as it takes.
        called_off: Returns whether nobody waits any more.
    """
    until = math.inf if seconds is None else time.monotonic() + seconds
    while not future.done() and not called_off():
        left = min(SLICE_SECONDS, until - time.monotonic())
        if left <= 0:
            break
        wait([future], left)
    return future.done()


class Awaited(Protocol[Some]):
    """An answer that will be there at some time."""

    def arrived(self, now: float) -> bool:
        """Return whether the answer is to be taken at `now`, in seconds of the body's clock."""
        ...

    def result(self) -> Some:
        """Return the answer that has arrived, or raise what finding it raised."""
        ...


class Pending(Generic[T]):
    """A question that was asked, and when its answer is taken.

    Args:
        work: Gives the answer, on a thread of its own.
        name: Names the thread.
        now: The time of asking, in seconds of the body's clock.
        delay: How long answering takes on that clock; None to take the answer as soon as it is there.
        cancellation: Ends the waiting for an answer that is due.
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
        """Return whether the answer is to be taken at `now`.

        With a declared delay the clock is simulated and stands still meanwhile, so this waits for an answer that is
        due, unless the run is cancelled.
        """
        if self._due is not None:
            if now < self._due - 1e-9:
                return False
            waited(self._answer, called_off=lambda: self._cancellation.reason)
        # What comes of a run that was called off is no answer.
        return self._answer.done() and not self._cancellation.reason

    def result(self) -> T:
        """Return the answer that has arrived, or raise what the work raised."""
        return self._answer.result()
