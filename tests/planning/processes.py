"""What processes there are below one, and waiting for them to be gone."""

import contextlib
import time
from pathlib import Path

from planning.service.child import children

__all__ = ["children", "running", "wait_for"]


def running(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_for(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found
