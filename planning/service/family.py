"""Processes with all that they have started."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path

__all__ = ["end", "family"]


def family(process: int, seen: Callable[[int], None] = lambda _: None) -> list[int]:
    """Return a process and what runs below it, parents first; each is told to `seen` before it is asked for more."""
    processes = [process]
    for pid in processes:  # grows while it is read
        with contextlib.suppress(OSError):
            seen(pid)
            for task in Path(f"/proc/{pid}/task").iterdir():
                processes += map(int, (task / "children").read_text().split())
    return processes


def end(process: int) -> None:
    """Kill a process and what runs below it, whatever groups and sessions that has made for itself.

    Each is stopped before it is asked for its children, so that it starts no more. The calling process comes last.
    """
    own = os.getpid()

    def stop(pid: int) -> None:
        if pid != own:
            os.kill(pid, signal.SIGSTOP)

    for pid in sorted(family(process, stop), key=lambda pid: pid == own):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
