"""What a command and a decision cost: ``graftwork bench cost``.

Each figure is a ratio of two times that were taken in turn within one run, so that it says the same on a fast and on a
slow machine, or it is a count. Exit code 1 when a figure misses its bound. Run from a checkout: ``graftwork bench cost
[--parts process] [--runs 5]``.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from benchmarks.cost import decisions, process, sensing, ticks
from benchmarks.cost.figure import Figure

__all__ = ["PARTS", "main"]

PARTS: dict[str, Callable[[int], Iterable[Figure]]] = {
    "process": process.measure,
    "decisions": decisions.measure,
    "sensing": sensing.measure,
    "ticks": ticks.measure,
}
"""The parts by name: each takes how often everything is measured, and yields its figures."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the figures, and return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench cost", description=__doc__)
    parser.add_argument("--parts", nargs="+", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--runs", type=int, default=5, help="how often everything is measured")
    given = parser.parse_args(arguments)
    console = Console()
    figures = [figure for part in given.parts for figure in PARTS[part](given.runs)]
    table = Table("figure", "value", "at most", "", title="median of the ratios")
    for figure in figures:
        table.add_row(
            figure.name, f"{figure.value:.4g} {figure.unit}", f"{figure.bound:g}", "" if figure.holds else "no"
        )
    console.print(table)
    load, _, _ = os.getloadavg()
    console.print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"load of the machine at the end {load:.1f}",
        highlight=False,
    )
    return 0 if all(figure.holds for figure in figures) else 1
