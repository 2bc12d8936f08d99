"""A disk that fails: full at a size, or at the n-th write, as SQLite's own tests let it fail.

The n-th write fails, and each after it, for every n: so no place in the code is left out.
"""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["FailingWrites", "disk_full_at"]


@contextmanager
def disk_full_at(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a number of bytes: a write up to there is short, one from there fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # Python does not notice that half a module was written
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        sys.dont_write_bytecode = before
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class FailingWrites:
    """The module `os` with a disk that fails: a stand-in for the name `os` in a module.

    Args:
        number: How many writes it takes.
        code: The error of the next ones.
        taken: How many bytes of the next one it takes before that.
    """

    def __init__(self, number: int, code: int, taken: int = 0) -> None:
        self._left, self._code, self._taken = number, code, taken

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def write(self, file: int, data: bytes) -> int:
        """Write, or fail."""
        if self._left > 0:
            self._left -= 1
            return os.write(file, data)
        taken, self._taken = self._taken, 0
        if taken:
            return os.write(file, data[:taken])
        raise OSError(self._code, os.strerror(self._code))
