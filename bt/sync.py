"""`Sync`: brings a file to the disk from a thread of its own, so that what writes it never waits for the disk."""

from __future__ import annotations

import os
import threading
from pathlib import Path

SYNC_SECONDS = 1.0
"""How long what was written may be lost by a power failure, seconds; the time that the disk takes comes on top."""
LAST_SECONDS = 5.0
"""How long `Sync.close` waits for the disk, seconds."""


class Sync:
    """Brings a file to the disk once a second while it is written to, and at its end.

    A thread that is not the writer's does it, from the first call of `soon`; a process forked from this one has no such
    thread, and must not write the file.

    Args:
        file: Descriptor of the file.
        folder: Its folder, which is brought to the disk first, so that the file has its name there.

    Attributes:
        error: What the disk said when it failed; what was written may be lost then.
    """

    def __init__(self, file: int, folder: Path) -> None:
        self.error: OSError | None = None
        self._file = os.dup(file)
        self._folder = folder
        self._written, self._over = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def soon(self) -> None:
        """Bring what has been written to the disk, within a second; return at once."""
        if self._written.is_set():
            return
        self._written.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="record-sync", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait until everything is on the disk, or the disk does not answer; call this once."""
        self._over.set()
        self._written.set()
        if self._thread is None:
            os.close(self._file)
        else:
            self._thread.join(LAST_SECONDS)

    def _run(self) -> None:
        try:
            self._sync_folder()
            while self._written.wait():
                self._written.clear()  # first, so that no call is missed
                is_last = self._over.is_set()
                os.fdatasync(self._file)
                if is_last:
                    return
                self._over.wait(SYNC_SECONDS)
        except OSError as error:
            self.error = error
        finally:
            os.close(self._file)

    def _sync_folder(self) -> None:
        folder = os.open(self._folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
