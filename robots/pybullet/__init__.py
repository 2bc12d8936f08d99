"""A simulated robot in PyBullet; only this package imports PyBullet."""

import importlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["PyBulletRobot"]

GREETING = b"pybullet build time:"
STANDARD_ERROR = 2


@contextmanager
def _without_line(start: bytes) -> Iterator[None]:
    """Suppress the lines of standard error that begin with `start`.

    C++ code writes these lines, so this redirects the file descriptor. A process without standard error needs nothing.
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


def import_pybullet() -> None:
    """Load pybullet; write other output to standard error afterwards, without the greeting of its library.

    Raises:
        ImportError: It is not installed, or cannot be loaded.
    """
    with _without_line(GREETING):
        importlib.import_module("pybullet")


import_pybullet()

from robots.pybullet.robot import PyBulletRobot  # noqa: E402 - pybullet is loaded quietly before anything needs it
