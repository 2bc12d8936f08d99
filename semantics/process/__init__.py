"""Worker processes, and the files and the database that several processes share.

What takes long, needs much memory or may crash works beside the robot's process, not in it. A `pool.Pool` keeps
processes that do one kind of `seat.WorkerSpec`. Planning (`planning.service`) and the check of goals against the rules
of a world (`semantics.logic.rules`) are two such kinds.

A fork copies the thread that forks and no other, and a lock that another thread held stays locked in the child. Each
module with locks, threads or processes mends its own; here is mended what the standard library locks for all modules.
"""

from __future__ import annotations

import gc
import os
import threading
from functools import cached_property


def _unlock_cached_properties() -> None:
    """Give each cached property a new lock: one lock serves all objects of a class while their value is computed."""
    for each in gc.get_objects():
        if type(each) is cached_property:
            each.lock = threading.RLock()  # type: ignore[attr-defined]


if hasattr(cached_property(len), "lock"):  # until Python 3.11
    os.register_at_fork(after_in_child=_unlock_cached_properties)
