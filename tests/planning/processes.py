"""What processes there are below one, and waiting for them to be gone."""

import contextlib
import time
from pathlib import Path


def children(pid):
    tasks = Path(f"/proc/{pid}/task")
    with contextlib.suppress(OSError):
        return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]
    return []


def running(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_for(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found
