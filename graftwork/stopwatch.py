"""Wall-clock seconds per named stage of a run; a stage inside another is taken out of the outer one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Stopwatch"]


class Stopwatch:
    """Adds up the wall-clock seconds spent in each named stage; `total` counts from the last start."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin again from nothing."""
        self._started = time.perf_counter()
        self._spent: dict[str, float] = {}
        self._inner = [0.0]

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what happens inside as `name`."""
        begun = time.perf_counter()
        self._inner.append(0.0)
        try:
            yield
        finally:
            passed = time.perf_counter() - begun
            self._spent[name] = self._spent.get(name, 0.0) + passed - self._inner.pop()
            self._inner[-1] += passed

    def seconds(self) -> dict[str, float]:
        """Return the seconds of every stage, and in all."""
        return {name: round(spent, 4) for name, spent in self._spent.items()} | {
            "total": round(time.perf_counter() - self._started, 4)
        }
