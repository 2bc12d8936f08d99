"""Whole runs with mishaps, judged by the world itself: ``graftwork bench faults [--physics]``.

Three hundred runs over the shipped worlds: the kitchen on the fake body, the others on the one that lives in the model;
each a shipped case with a seed of its own. In every motion each kind of mishap comes with a chance of 20 %: what is
held falls, a thing of the task is put elsewhere, a door closes, something is put into the free hand, the body refuses,
nothing is sensed for a second. The judge looks at the world's own state. At least 95 % have to be achieved, none may be
stuck, and none reported as achieved that is not so. With ``--physics`` it is forty runs in the simulated kitchen,
whose things fall and are moved, at least 36 achieved. Exit code 1 when that falls short.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import partial
from multiprocessing import active_children, get_context

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmarks.faults.physics import conduct_in_simulation, simulated_jobs
from benchmarks.faults.runs import WORLDS, Job, Row, conduct, jobs
from benchmarks.mishaps import CHANCE, MishapKind
from semantics.proportion import wilson_interval

__all__ = ["main", "misses", "run_all", "table_of"]

RUNS, LEAST = 300, 0.95
SIMULATED_RUNS, LEAST_SIMULATED = 40, 0.9
WORKERS = 2
WIDTH = 120
VERDICTS = ("achieved", "failed", "stuck", "wrong")
MOST_TOLD = 3
"""How many of the mishaps of a run that was not achieved are told."""


def run_all(
    given: Sequence[Job], conducted: Callable[[Job], Row], workers: int, console: Console | None = None
) -> list[Row]:
    """Do every job, some at once, with a progress line; what was not achieved is told at once."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = console or Console(stderr=True)
    rows: list[Row] = []
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("runs", total=len(given))
        for row in _rows(given, conducted, workers):
            rows.append(row)
            progress.advance(task)
            if row.verdict != "achieved":
                console.print(told(row))
            elif not console.is_terminal:
                console.print(f"{len(rows)} of {len(given)}")
    return sorted(rows, key=lambda row: row.job.seed)


def _rows(given: Sequence[Job], conducted: Callable[[Job], Row], workers: int) -> Iterator[Row]:
    if workers < 2:
        yield from map(conducted, given)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_leave_interrupts)
    ended = False
    try:
        for future in as_completed([pool.submit(conducted, job) for job in given]):
            yield future.result()
        ended = True
    finally:
        pool.shutdown(wait=ended, cancel_futures=True)
        for process in active_children() if not ended else ():
            process.terminate()  # nobody waits for the minutes that a run under way may still take


def _leave_interrupts() -> None:
    """Leave an interruption to the process that shares the runs out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def told(row: Row) -> str:
    """Say what came of a run, and why."""
    last = "; ".join(f"{one.time:g} s {one.kind}: {one.what}" for one in row.happened[-MOST_TOLD:])
    mishaps = f" Of {len(row.happened)} mishaps the last: {last}." if last else ""
    return f"{row.job.world} '{row.job.case}' (seed {row.job.seed}): {row.verdict}. {row.message}{mishaps}"


def table_of(rows: Sequence[Row]) -> Table:
    """Return the runs as a table, a line a world and one for all."""
    table = Table("world", "runs", *VERDICTS, "motions", "mishaps", "repairs", "sim s", "wall s")
    for world in dict.fromkeys(row.job.world for row in rows):
        _add(table, world, [row for row in rows if row.job.world == world])
    _add(table, "all", rows)
    return table


def _add(table: Table, name: str, rows: Sequence[Row]) -> None:
    verdicts = Counter(row.verdict for row in rows)
    means = (
        sum(row.motions for row in rows) / len(rows),
        sum(len(row.happened) for row in rows) / len(rows),
        sum(sum(row.rungs.values()) for row in rows) / len(rows),
        sum(row.simulated for row in rows) / len(rows),
        sum(row.wall for row in rows) / len(rows),
    )
    table.add_row(name, str(len(rows)), *(str(verdicts[one]) for one in VERDICTS), *(f"{mean:.1f}" for mean in means))


def mishaps_told(rows: Sequence[Row]) -> str:
    """Say how often each mishap came, and each rung answered."""
    kinds = sum((Counter(row.mishaps) for row in rows), Counter[str]())
    rungs = sum((Counter(row.rungs) for row in rows), Counter[str]())
    return "; ".join(", ".join(f"{name} {count}" for name, count in one.most_common()) for one in (kinds, rungs))


def misses(rows: Sequence[Row], least: float) -> list[str]:
    """Say what falls short of what is asked."""
    verdicts = Counter(row.verdict for row in rows)
    found = []
    if verdicts["achieved"] < least * len(rows):
        found.append(f"{verdicts['achieved']} of {len(rows)} achieved, at least {least:.0%} asked")
    found += [f"{verdicts[one]} {one}, none asked" for one in ("stuck", "wrong") if verdicts[one]]
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run everything, print the table, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench faults", description=__doc__)
    parser.add_argument("--physics", action="store_true", help="in the simulated kitchen")
    parser.add_argument("--runs", type=int, help=f"how many ({RUNS}; in the simulated kitchen {SIMULATED_RUNS})")
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS))
    parser.add_argument("--chance", type=float, default=CHANCE, help=f"of each mishap in a motion ({CHANCE:g})")
    parser.add_argument("--workers", type=int, default=WORKERS, help=f"how many at once ({WORKERS})")
    options = parser.parse_args(words)
    chances = dict.fromkeys(MishapKind, options.chance)
    if options.physics:
        given, least = simulated_jobs(options.runs or SIMULATED_RUNS), LEAST_SIMULATED
        conducted = partial(conduct_in_simulation, chances=chances)
    else:
        given, least = jobs(options.runs or RUNS, tuple(options.worlds)), LEAST
        conducted = partial(conduct, chances=chances)
    began = time.perf_counter()
    rows = run_all(given, conducted, options.workers)
    return _printed(rows, least, time.perf_counter() - began)


def _printed(rows: Sequence[Row], least: float, seconds: float) -> int:
    console = Console(width=WIDTH)
    console.print(table_of(rows))
    for row in rows:
        if row.verdict != "achieved":
            console.print(told(row))
    console.print(mishaps_told(rows))
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}, {seconds:.0f} s")
    achieved = sum(row.verdict == "achieved" for row in rows)
    low, high = wilson_interval(achieved, len(rows))
    short = misses(rows, least)
    console.print(f"{achieved} of {len(rows)} achieved ({low:.1%} to {high:.1%}): {'; '.join(short) or 'all as asked'}")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
