"""The first import of pybullet, without the line that its library writes to standard error when it is loaded."""

from __future__ import annotations

import importlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["import_pybullet"]

GREETING = b"pybullet build time:"
STANDARD_ERROR = 2


def import_pybullet() -> None:
    """Load pybullet; whatever is written meanwhile, its greeting apart, comes out afterwards.

    Raises:
        ImportError: It is not installed, or cannot be loaded.
    """
    with _without_line(GREETING):
        importlib.import_module("pybullet")


@contextmanager
def _without_line(start: bytes) -> Iterator[None]:
    """Leave out lines of standard error with some start; it is foreign code that writes, so the descriptor is turned.

    A process without standard error has nothing to leave out.
    """
    try:
        original = os.dup(STANDARD_ERROR)
    except OSError:
        yield
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(original, STANDARD_ERROR)
            os.close(original)
            file.seek(0)
            for line in file:
                if not line.startswith(start):
                    os.write(STANDARD_ERROR, line)
