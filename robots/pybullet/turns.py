"""Searches that run beside the control ticks.

A search for a posture or a path takes a millisecond or many seconds, and no control tick may take as long. So a search
runs in a thread of its own, as a coroutine: in each control tick it makes a fixed number of tests and then stands still
until the next one. Only one of the two threads runs at any time, so nothing is locked. What does the work calls
`spend`, however deep in a search or in a library, so that a search is written as if there were no ticks. The number of
tests alone, and no wall time, decides in which tick the answer comes: one seed stays one run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import Event, Thread, current_thread
from typing import Final, Generic, NoReturn, TypeVar

__all__ = ["TESTS_A_TICK", "spend", "take_turns"]

TESTS_A_TICK: Final = 100
"""Number of tests in one control tick, 6,000 in a second; one test of a posture in the mirror takes 0.03 to 0.5 ms."""

Found = TypeVar("Found")


class _CalledOff(BaseException):
    """Nobody waits for the answer of a search any more; this unwinds it, past each `except Exception`."""


def spend(tests: float = 1.0) -> None:
    """Count work as so many tests; in a search that has made its tests of this tick, wait for the next tick."""
    thread = current_thread()
    if isinstance(thread, _Search):
        thread.spend(tests)


def take_turns(search: Callable[[], Found]) -> Generator[float, None, Found]:
    """Run a search beside the control ticks; yield once per tick, and return or raise what the search does.

    Closing the generator ends the search at once: it leaves its context managers, and its thread is gone.
    """
    running = _Search(search)
    try:
        while not running.advance():
            yield 0.0
    finally:
        running.call_off()
    return running.outcome()


class _Search(Thread, Generic[Found]):
    """The thread of one search. It runs only while another thread waits in `advance` or `call_off`."""

    def __init__(self, search: Callable[[], Found]) -> None:
        super().__init__(name="search", daemon=True)
        self._search = search
        self._resumed, self._waiting = Event(), Event()
        self._left = 0.0
        self._is_over = self._is_called_off = False
        self.outcome: Callable[[], Found]
        self.start()

    def advance(self) -> bool:
        """Let the search make the tests of one tick; return whether it has ended."""
        self._left += TESTS_A_TICK
        self._resume()
        return self._is_over

    def call_off(self) -> None:
        """End the search where it is, and wait for the end of its thread."""
        self._is_called_off = True
        self._resume()
        self.join()

    def spend(self, tests: float) -> None:
        """Wait for the next tick if the tests of this one are made."""
        self._left -= tests
        if self._left <= 0.0 and not self._is_called_off:
            self._waiting.set()
            self._resumed.wait()
            self._resumed.clear()
        if self._is_called_off:
            raise _CalledOff

    def run(self) -> None:
        """Search, and keep what this returns or raises."""
        try:
            self.spend(0.0)  # the first turn has not been given yet
            found = self._search()
            self.outcome = lambda: found
        except BaseException as error:
            self.outcome = _raiser(error)
        self._is_over = True
        self._waiting.set()

    def _resume(self) -> None:
        """Let the search run until it waits or ends; a signal that arrives meanwhile is raised then."""
        if self._is_over:
            return
        interrupt: BaseException | None = None
        self._waiting.clear()
        self._resumed.set()
        while not self._waiting.is_set():
            try:
                self._waiting.wait()
            except BaseException as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt


def _raiser(error: BaseException) -> Callable[[], NoReturn]:
    def fail() -> NoReturn:
        raise error

    return fail
