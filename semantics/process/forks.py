"""What a fork of the program needs before it can use any part of it.

A fork copies the thread that forks and no other. A lock that another thread held stays locked in the child. Each module
with locks, threads or processes mends its own; this one mends what the standard library locks for all modules.
"""

from __future__ import annotations

import gc
import os
import threading
from functools import cached_property

__all__: list[str] = []


def _unlock_cached_properties() -> None:
    """Give each cached property a new lock: one lock serves all objects of a class while their value is computed."""
    for each in gc.get_objects():
        if type(each) is cached_property:
            each.lock = threading.RLock()  # type: ignore[attr-defined]


if hasattr(cached_property(len), "lock"):  # until Python 3.11
    os.register_at_fork(after_in_child=_unlock_cached_properties)
