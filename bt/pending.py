"""An answer that is being worked out on a thread of its own while the tree is ticked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, Protocol, TypeVar

__all__ = ["Awaited", "Pending", "interruptible"]

T = TypeVar("T")
Some = TypeVar("Some", covariant=True)

SLICE_SECONDS = 0.05
"""Wall-clock seconds after which a tick that waits looks whether its run was cancelled."""

_is_cancelled: ContextVar[Callable[[], bool]] = ContextVar("is_cancelled")


@contextmanager
def interruptible(is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Let what waits inside end its waiting as soon as `is_cancelled` says so."""
    token = _is_cancelled.set(is_cancelled)
    try:
        yield
    finally:
        _is_cancelled.reset(token)


def _never() -> bool:
    return False


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

    def arrived(self, now: float) -> bool:
        """Return whether the answer is to be taken at `now`.

        With a declared delay this waits for an answer that is due, unless the run is cancelled meanwhile.
        """
        if self._due is not None:
            return now >= self._due - 1e-9 and self._awaited()
        return not self._thread.is_alive()

    def _awaited(self) -> bool:
        is_cancelled = _is_cancelled.get(_never)
        while self._thread.is_alive() and not is_cancelled():
            self._thread.join(SLICE_SECONDS)
        return not self._thread.is_alive()

    def result(self) -> T:
        """Return the answer that has arrived, or raise what the work raised."""
        if self._error is not None:
            raise self._error
        return self._answer[0]
