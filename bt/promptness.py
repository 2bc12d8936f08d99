"""Ticks that are not held up by the threads beside them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

__all__ = ["prompt"]

HAND_OVER_SECONDS = 0.0005


@contextlib.contextmanager
def prompt() -> Iterator[None]:
    """Let threads that compute hand over to one that has woken within half a millisecond, instead of Python's five.

    A planner's answer that is read, or a model's, is computed on beside the ticks, and each time a tick is due it would
    have to wait for as long as that. The interval belongs to the process, and is put back afterwards.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, HAND_OVER_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(before)
