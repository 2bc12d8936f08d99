"""What processes there are below one, and waiting for them to be gone."""

import contextlib
import time
from pathlib import Path

from semantics.process.child import children

__all__ = ["asleep", "children", "running", "told", "wait_for"]


def state(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return "Z"


def running(pid):
    return state(pid) != "Z"


def told(pid):
    """Return the state of a process, its parent and its command line, for a message."""
    with contextlib.suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return stat[:2], Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    return "gone"


def asleep(pid):
    """Return whether a process waits for something, rather than for a core."""
    return state(pid) == "S"


def wait_for(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found
