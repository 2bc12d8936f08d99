"""Processes with all their descendants."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path

__all__ = ["end", "family"]


def family(process: int, seen: Callable[[int], None] = lambda _: None) -> list[int]:
    """Return a process and its descendants, parents first; call `seen` with each before reading its children."""
    processes = [process]
    for pid in processes:  # grows while it is read
        with contextlib.suppress(OSError):
            seen(pid)
            for task in Path(f"/proc/{pid}/task").iterdir():
                processes += map(int, (task / "children").read_text().split())
    return processes


def end(process: int) -> None:
    """Kill a process and its descendants, even if they have made their own groups and sessions.

    Each process is stopped before its children are read, so that it starts no more. The calling process comes last.
    """
    own = os.getpid()

    def stop(pid: int) -> None:
        if pid != own:
            os.kill(pid, signal.SIGSTOP)

    for pid in sorted(family(process, stop), key=lambda pid: pid == own):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
