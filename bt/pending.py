"""An answer that is being worked out on a thread of its own while the tree is ticked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Pending"]

T = TypeVar("T")


class Pending(Generic[T]):
    """A question that was asked, and when its answer is taken.

    The thread is a daemon: one that never answers does not keep the process alive.

    Args:
        work: Gives the answer.
        name: Names the thread.
        now: The time of asking, in seconds of the body's clock.
        delay: How long answering takes on that clock; None to take the answer as soon as it is there.
    """

    def __init__(self, work: Callable[[], T], *, name: str, now: float, delay: float | None) -> None:
        self._due = None if delay is None else now + delay
        self._answer: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), name=f"bt-{name}", daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._answer.append(work())
        except BaseException as exc:  # handed to the asker by `result`
            self._error = exc

    def is_due(self, now: float) -> bool:
        """Return whether the answer should be taken at `now`; then `result` blocks until it is there."""
        return not self._thread.is_alive() if self._due is None else now >= self._due - 1e-9

    def result(self) -> T:
        """Wait for the answer and return it, or raise what the work raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._answer[0]
