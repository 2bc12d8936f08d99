"""How fast trees are ticked: ``graftwork bench trees``.

Trees of 1,000 and 10,000 nodes, ticked in turn by py_trees and by `bt.ticking.Ticker`; random trees compared in
everything that can be seen of them; the trees of a plan of 50 steps and of a session with such a plan; a tree of 1,200
levels; ticks at 50 Hz while a planner and a model call run. The targets stand last; exit code 1 when one falls short.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from statistics import median, quantiles
from time import perf_counter

from py_trees.common import Status
from py_trees.composites import Sequence as Row
from rich.console import Console
from rich.table import Table

from benchmarks.trees.answering import answers
from benchmarks.trees.forests import FORESTS, Works
from benchmarks.trees.pace import late_ticks
from benchmarks.trees.plans import TREES, planned
from benchmarks.trees.ticks import HOW, Pair, compare
from benchmarks.trees.twins import run_trace
from bt.ticking import Ticker

__all__ = ["main"]

SIZES = (1000, 10_000)
LEAST_RATIO, MOST_IDLE = 10.0, 0.25e-3
MOST_PLAN = {"nothing changed": 100e-6, "a fact changed": 2e-3, "a fact that the plan needs changed": 2e-3}
MOST_LATE, MOST_ALONE, MOST_ANSWER = 0.005, 0.002, 0.15
LEVELS = 1200
TICKS, ERRANDS = 40, 21
Target = tuple[str, str, bool]


def forests(console: Console, ticks: int, visited: bool) -> list[Pair]:
    """Measure and print the trees of all kinds and sizes."""
    title = "with a snapshot visitor" if visited else "no visitor"
    table = Table("tree", "nodes", "change", "py_trees, median ms", "ours, median ms", "py_trees / ours", title=title)
    pairs = [pair for size in SIZES for name in FORESTS for pair in compare(name, size, ticks, visited)]
    for pair in pairs:
        times = (f"{1000 * median(taken):.3f}" for taken in (pair.plain, pair.spare))
        table.add_row(pair.forest, f"{pair.size:,}", pair.how, *times, f"{pair.ratio:.1f}")
    console.print(table)
    return pairs


def judged(pairs: Sequence[Pair]) -> list[Target]:
    """Return the targets of trees of conditions."""
    large = [pair for pair in pairs if pair.size == SIZES[-1] and pair.forest == "guarded"]
    one = next(pair for pair in large if pair.how == HOW[1])
    idle = median(next(pair for pair in large if pair.how == HOW[0]).spare)
    return [
        ("10,000 nodes, one fact flipped: times faster", f"{one.ratio:.1f} (at least 10)", one.ratio >= LEAST_RATIO),
        ("10,000 nodes, nothing changed", f"{1000 * idle:.3f} ms (under 0.25)", idle < MOST_IDLE),
        least(pairs, "no visitor"),
    ]


def least(pairs: Sequence[Pair], visited: str) -> Target:
    """Return that none is slower."""
    slowest = min(pairs, key=lambda pair: pair.ratio)
    where = f"{slowest.forest}, {slowest.size:,} nodes, {slowest.how}"
    return f"never slower, {visited}; the least ratio", f"{slowest.ratio:.2f} ({where})", slowest.ratio >= 1.0


def trace(seed: int) -> list[str]:
    """Compare one random tree ticked both ways."""
    return run_trace(seed, TICKS)[:1]


def equal(traces: int) -> Target:
    """Compare random trees ticked both ways, on as many processes as there are cores."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        found = [line for lines in pool.map(trace, range(traces), chunksize=20) for line in lines]
    return f"{traces:,} random traces of {TICKS} ticks equal", found[0] if found else "all", not found


def plans(tree: str, ticks: int) -> list[Target]:
    """Measure the tree of a plan, or that of a session with such a plan."""
    taken = planned(tree, ticks)
    told = {how: f"{1e6 * median(taken[how]):.0f} µs (under {1e6 * most:.0f})" for how, most in MOST_PLAN.items()}
    return [(f"50-step {tree}, {how}", told[how], median(taken[how]) < most) for how, most in MOST_PLAN.items()]


def deep() -> Target:
    """Tick a tree that is deeper than recursion goes."""
    root: Works | Row = Works("work")
    for _ in range(LEVELS):
        root = Row("row", memory=False, children=[root])
    ticker = Ticker(root)
    began = perf_counter()
    status = ticker.tick()
    passed = 1000 * (perf_counter() - began)
    return f"{LEVELS:,} levels tick", f"{status.value} in {passed:.1f} ms", status is Status.RUNNING


def paced(seconds: float) -> list[Target]:
    """Measure ticks at 50 Hz with a planner and a model call beside."""
    pace = late_ticks(seconds)
    worst, alone, bare = (quantiles(late, n=100)[98] for late in (pace.beside, pace.alone, pace.bare))
    own = max(worst - bare, 0.0)
    beside = f"{len(pace.beside)} ticks, {pace.plans} plans and {pace.calls} calls beside"
    told = f"{1000 * worst:.1f} ms ({beside}; with nothing beside {1000 * alone:.1f} ms)"
    is_quiet = alone < MOST_ALONE
    return [
        ("50 Hz: 99th percentile late, beyond an empty loop's", f"{1000 * own:.1f} ms (under 5)", own < MOST_LATE),
        (
            "50 Hz: 99th percentile late" if is_quiet else "the same in all; not judged, the machine is not quiet",
            told,
            not is_quiet or worst < MOST_LATE,
        ),
    ]


def answered(tree: str, times: int) -> Target:
    """Measure how soon a lost plan is answered, by the tree of a plan or of a session."""
    taken = answers(tree, times)
    told = f"{1000 * median(taken):.0f} ms (under 150; {times} times, at most {1000 * max(taken):.0f} ms)"
    return f"from a lost plan to the next motion, replanned, {tree}", told, median(taken) < MOST_ANSWER


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure everything, print the targets last, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench trees", description=__doc__)
    parser.add_argument("--ticks", type=int, default=20)
    parser.add_argument("--traces", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args(arguments)
    console = Console()
    pairs = forests(console, given.ticks, visited=False)
    visited = forests(console, max(given.ticks // 4, 5), visited=True)
    targets = [
        *judged(pairs),
        least(visited, "with a snapshot visitor"),
        equal(given.traces),
        *(target for tree in TREES for target in plans(tree, 10 * given.ticks)),
        deep(),
        *paced(given.seconds),
        *(answered(tree, ERRANDS) for tree in TREES),
    ]
    table = Table("target", "measured", "kept")
    for name, told, kept in targets:
        table.add_row(name, told, "yes" if kept else "NO")
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores")
    console.print(table)
    return 0 if all(kept for _, _, kept in targets) else 1


if __name__ == "__main__":
    sys.exit(main())
