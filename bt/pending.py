"""An answer that is worked out on a thread of its own while the tree is ticked, and calling it off."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

__all__ = ["Awaited", "Cancellation", "Pending"]

T = TypeVar("T")
Some = TypeVar("Some", covariant=True)

SLICE_SECONDS = 0.05
"""Wall-clock seconds after which a tick that waits looks whether its run was cancelled."""


class Cancellation:
    """Whether a run was called off; asked from any thread, also from one that works out an answer for the run."""

    def __init__(self) -> None:
        self.reason = ""

    def cancel(self, reason: str = "it was cancelled") -> None:
        """Call the run off; may be called from any thread and from a signal handler."""
        self.reason = reason or "it was cancelled"

    @property
    def is_cancelled(self) -> bool:
        """Whether the run was called off."""
        return bool(self.reason)


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

    The thread is a daemon: one that never answers does not keep the process alive.

    Args:
        work: Gives the answer.
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
        self._answer: list[T] = []
        self._error: BaseException | None = None
        self._cancellation = cancellation or Cancellation()
        self._thread = threading.Thread(target=self._run, args=(work,), name=f"bt-{name}", daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._answer.append(work())
        except BaseException as exc:  # handed to the asker by `result`
            self._error = exc

    def arrived(self, now: float) -> bool:
        """Return whether the answer is to be taken at `now`.

        With a declared delay the clock is simulated and stands still meanwhile, so this waits for an answer that is
        due, unless the run is cancelled.
        """
        if self._due is not None:
            if now < self._due - 1e-9:
                return False
            while self._thread.is_alive() and not self._cancellation.is_cancelled:
                self._thread.join(SLICE_SECONDS)
        is_there = not self._thread.is_alive()
        return is_there and not self._cancellation.is_cancelled  # what comes of a run that was called off is no answer

    def result(self) -> T:
        """Return the answer that has arrived, or raise what the work raised."""
        if self._error is not None:
            raise self._error
        return self._answer[0]
