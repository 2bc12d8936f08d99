"""Pauses Python's garbage collector for cycles while a problem is grounded.

Grounding creates hundreds of thousands of tuples and almost no cycles. The collector scans all of them again and again,
which takes a sixth of the time. It is paused only while a plan is made.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Waiting:
    """Counts the blocks that pause the collector, in all threads, and stores whether it ran before the first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.blocks = 0
        self.ran = False

    def begin(self) -> None:
        with self.lock:
            if not self.blocks:
                self.ran = gc.isenabled()
                gc.disable()
            self.blocks += 1

    def end(self) -> None:
        with self.lock:
            self.blocks -= 1
            if not self.blocks and self.ran:
                gc.enable()

    def forget(self) -> None:
        """Forget the blocks of threads that a fork did not copy."""
        self.lock = threading.Lock()
        if self.blocks and self.ran:
            gc.enable()
        self.blocks = 0


_waiting = _Waiting()
os.register_at_fork(after_in_child=_waiting.forget)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Pause the collector while a block runs. Blocks may be nested and run in several threads."""
    _waiting.begin()
    try:
        yield
    finally:
        _waiting.end()
