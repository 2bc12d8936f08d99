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
    found = [process]
    for one in found:  # grows while it is read
        with contextlib.suppress(OSError):
            seen(one)
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def end(process: int) -> None:
    """Kill a process and what runs below it, whatever groups and sessions that has made for itself.

    Each is stopped before it is asked for its children, so that it starts no more. The calling process comes last.
    """
    own = os.getpid()

    def stop(one: int) -> None:
        if one != own:
            os.kill(one, signal.SIGSTOP)

    for one in sorted(family(process, stop), key=lambda pid: pid == own):
        with contextlib.suppress(OSError):
            os.kill(one, signal.SIGKILL)
