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

    lock = threading.Lock()
    blocks = 0
    ran = False


@contextmanager
def undisturbed() -> Iterator[None]:
    """Pause the collector while a block runs. Blocks may be nested and run in several threads."""
    with _Waiting.lock:
        if not _Waiting.blocks:
            _Waiting.ran = gc.isenabled()
            gc.disable()
        _Waiting.blocks += 1
    try:
        yield
    finally:
        with _Waiting.lock:
            _Waiting.blocks -= 1
            if not _Waiting.blocks and _Waiting.ran:
                gc.enable()


def _forget() -> None:
    """Forget the blocks of threads that a fork did not copy."""
    _Waiting.lock = threading.Lock()
    if _Waiting.blocks and _Waiting.ran:
        gc.enable()
    _Waiting.blocks = 0


os.register_at_fork(after_in_child=_forget)
