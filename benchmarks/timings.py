"""How long the commands take as whole processes, and how much faster than real time the robot is: ``make bench``.

Each figure is the median of several runs after one that does not count, with the least and the most. Exit code 1 when a
figure misses its bound. Run from a checkout: ``python -m benchmarks.timings [--runs 5]``.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

__all__ = ["main"]

COMMAND = [sys.executable, "-m", "graftwork"]
FIRST_TICK = '"e":"tick"'


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure: how it is taken, and its bound (at most, or at least when `more` is better)."""

    name: str
    take: Callable[[Path], float]
    bound: float
    unit: str = "s"
    more: bool = False

    def holds(self, value: float) -> bool:
        """Return whether a value keeps the bound."""
        return value >= self.bound if self.more else value <= self.bound


def process(*words: str) -> Callable[[Path], float]:
    """Take the wall-clock seconds of a whole command."""

    def take(folder: Path) -> float:
        began = time.perf_counter()
        subprocess.run([*COMMAND, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return time.perf_counter() - began

    return take


def first_tick(folder: Path) -> float:
    """Take the wall-clock seconds from process start until the record has its first tick."""
    record = Path(tempfile.mkdtemp(dir=folder)) / "record"
    words = ["run", "bring me the milk", "--no-memory", "--record", str(record)]
    began = time.perf_counter()
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None:
            if (record / "record.jsonl").exists() and FIRST_TICK in (record / "record.jsonl").read_text("utf-8"):
                passed = time.perf_counter() - began
                running.wait()
                return passed
            time.sleep(0.005)
    raise RuntimeError("the run ended without a tick")


def times_real_time(_: Path) -> float:
    """Take simulated over wall-clock seconds of the milk, from the first tick to the end, sensing included."""
    from graftwork import Session

    with Session(memory=None) as session:
        run = session.start("bring me the milk")
        begun, wall = session.environment.robot.clock.now(), time.perf_counter()
        episode = run.finish()
        if episode.outcome != "achieved":
            raise RuntimeError(f"the run ended {episode.outcome}: {episode.message}")
        return (session.environment.robot.clock.now() - begun) / (time.perf_counter() - wall)


MEASURES = (
    Measure("graftwork --help", process("--help"), 0.3),
    Measure('graftwork plan "bring me the milk"', process("plan", "bring me the milk"), 3.0),
    Measure("graftwork run: process start to first tick", first_tick, 6.0),
    Measure("bring me the milk: simulated over wall time", times_real_time, 5.0, "times", more=True),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure everything, print the table, return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.timings", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args(arguments)
    table = Table("figure", "median", "least", "most", "bound", "kept")
    console, kept = Console(), True
    with tempfile.TemporaryDirectory() as folder:
        for measure in MEASURES:
            values = [measure.take(Path(folder)) for _ in range(given.runs + 1)][1:]
            holds = measure.holds(median(values))
            kept = kept and holds
            figures = (f"{value:.2f}" for value in (median(values), min(values), max(values)))
            bound = f"{'at least' if measure.more else 'at most'} {measure.bound:g} {measure.unit}"
            table.add_row(measure.name, *figures, bound, "yes" if holds else "NO")
    console.print(table)
    console.print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores, {given.runs} runs"
    )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
