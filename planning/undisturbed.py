"""Letting Python's collector of cycles wait while a problem is grounded.

Grounding makes hundreds of thousands of tuples in a row and no cycles worth speaking of; the collector looks through
all of them again and again, which takes a sixth of the time. It waits while a plan is made and no longer.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["undisturbed"]


class _Waiting:
    """How many blocks want the collector to wait, in all threads, and whether it ran before the first."""

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


_waiting = _Waiting()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let the collector wait while a block runs; blocks may be in each other and in several threads."""
    _waiting.begin()
    try:
        yield
    finally:
        _waiting.end()
