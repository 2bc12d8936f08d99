"""Searches that run beside the control ticks.

No control tick may take as long as a search for a posture or a path. So a search is a coroutine in a thread of its own:
in each tick it makes a fixed number of tests and then stands still until the next one. Only one of the two threads runs
at any time, so nothing is locked. What does the work calls `spend`, however deep in a search or in a library. The
number of tests alone, and no wall time, decides in which tick the answer comes: one seed stays one run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future
from threading import Event, Thread, current_thread
from typing import Final, Generic, TypeVar

TESTS_A_TICK: Final = 60
"""Number of tests in one control tick, 3,600 in a second; one test of a posture in the mirror takes 0.03 to 0.8 ms."""

Found = TypeVar("Found")


class _CalledOff(BaseException):
    """Nobody waits for the answer of a search any more; this unwinds it, past each `except Exception`."""


def spend(tests: float = 1.0) -> None:
    """Count work as so many tests; a search that has made its tests of this tick waits for the next one."""
    thread = current_thread()
    if isinstance(thread, _Search):
        thread.spend(tests)


def take_turns(search: Callable[[], Found]) -> Generator[float, None, Found]:
    """Run a search beside the control ticks; yield once per tick, and return or raise what the search does.

    Closing the generator ends the search at once: it leaves its context managers, and its thread is gone.
    """
    running = _Search(search)
    try:
        while not running.has_ended_after(TESTS_A_TICK):
            yield 0.0
    finally:
        running.call_off()
    return running.answer.result()


class _Search(Thread, Generic[Found]):
    """The thread of one search. It runs only while another thread waits in one of its methods."""

    def __init__(self, search: Callable[[], Found]) -> None:
        super().__init__(name="search", daemon=True)
        self.answer: Future[Found] = Future()
        self._search = search
        self._resumed, self._waits = Event(), Event()
        self._left = 0.0
        self._is_called_off = False

    def has_ended_after(self, tests: int) -> bool:
        self._left += tests
        self._resume()
        return self.answer.done()

    def call_off(self) -> None:
        self._is_called_off = True
        if self.is_alive():  # not in the child of a fork
            self._resume()
            self.join()

    def _resume(self) -> None:
        """Let the search run until it waits or ends; a signal that arrives meanwhile is raised then."""
        if self.answer.done():
            return
        self._waits.clear()
        if self.ident is None:
            self.start()
        else:
            self._resumed.set()
        interrupt: BaseException | None = None
        while not self._waits.is_set():
            try:
                self._waits.wait()
            except BaseException as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt

    def run(self) -> None:
        try:
            self.answer.set_result(self._search())
        except BaseException as error:
            self.answer.set_exception(error)
        self._waits.set()

    def spend(self, tests: float) -> None:
        self._left -= tests
        if self._left <= 0.0 and not self._is_called_off:
            self._waits.set()
            self._resumed.wait()
            self._resumed.clear()
        if self._is_called_off:
            raise _CalledOff
