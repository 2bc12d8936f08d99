"""How fast the simulated body finds paths, and how many times faster than real time it picks and places.

Paths: the planner searches a path between postures of the hand at 20 boxes on a table and a shelf, in several scenes.
Pick and place: a thing goes from the table to the shelf and back, among 8 things that are awake or may fall asleep. The
time of the camera's pictures is subtracted and shown. Relations: a place for a thing in a relation to others, and the
judgement of 50 statements about what was sensed, with 30 things on a table. Run from a checkout: ``graftwork bench
motion [--scenes 10] [--paths 20] [--runs 5] [--relations 20]``. Exit code 1 when a figure misses its bound.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.motion.pace import THINGS, MotionPace, pace_of
from benchmarks.motion.paths import BOXES, PathTrial, path_trials
from benchmarks.motion.relations import STATEMENTS, THINGS_ON_TABLE, RelationTime, sampler_times, sensing_times

__all__ = ["main"]

MEDIAN, MOST, SHARE = 0.1, 0.5, 95
"""Bounds of the median and of the 95th percentile of the searches, in seconds, and that percentile."""
TIMES = 10.0
"""Bound of how many times faster than real time picking and placing is."""
PLACE, SENSED = 0.005, 0.003
"""Bounds of the median times for a place and for the judgement of all statements, in seconds."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure everything, print the tables, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench motion", description=__doc__)
    parser.add_argument("--scenes", type=int, default=10)
    parser.add_argument("--paths", type=int, default=20, help="searches in each scene")
    parser.add_argument("--runs", type=int, default=5, help="scenes in which is picked and placed")
    parser.add_argument("--relations", type=int, default=20, help="places and judgements in each scene")
    given = parser.parse_args(arguments)
    console = Console()
    trials = [trial for seed in range(1, given.scenes + 1) for trial in path_trials(seed, given.paths)]
    kept = _print_paths(console, trials)
    for asleep in (False, True):
        paces = [pace_of(seed, asleep=asleep) for seed in range(1, given.runs + 1)]
        kept = _print_paces(console, paces, asleep=asleep) and kept
    kept = _print_relations(console, range(1, given.scenes + 1), given.relations) and kept
    load, _, _ = os.getloadavg()
    console.print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"load of the machine at the end {load:.1f}"
    )
    return 0 if kept else 1


def _print_paths(console: Console, trials: Sequence[PathTrial]) -> bool:
    """Print the searches; return whether they keep their bounds."""
    table = Table("paths", "median", f"{SHARE} % within", "slowest", title=f"a path among {BOXES} boxes")
    for name, values in (
        ("on the clock", [trial.seconds for trial in trials]),
        ("processor", [trial.processor for trial in trials]),
    ):
        figures = (median(values), float(np.percentile(values, SHARE)), max(values))
        table.add_row(name, *(f"{1000 * value:.0f} ms" for value in figures))
    console.print(table)
    planned, standard = sum(trial.planned for trial in trials), sum(trial.standard for trial in trials)
    touched = [trial for trial in trials if trial.touched]
    console.print(
        f"found by the planner {planned} of {len(trials)}, standard paths free {standard}, "
        f"found paths that touch something {len(touched)}"
    )
    clock = [trial.seconds for trial in trials]
    return not touched and median(clock) < MEDIAN and float(np.percentile(clock, SHARE)) < MOST


def _print_relations(console: Console, seeds: Sequence[int], count: int) -> bool:
    """Measure and print places and judgements; return whether they keep their bounds."""
    table = Table("relations", "median", f"{SHARE} % within", "processor, median", "bound", "found or true")
    kept = True
    for name, measure, bound in (
        ("a place", sampler_times, PLACE),
        (f"{STATEMENTS} statements judged", sensing_times, SENSED),
    ):
        times: list[RelationTime] = [each for seed in seeds for each in measure(seed, count)]
        clock = [each.seconds for each in times]
        figures = (median(clock), float(np.percentile(clock, SHARE)), median(each.processor for each in times), bound)
        table.add_row(name, *(f"{1000 * value:.2f} ms" for value in figures), str(sum(each.count for each in times)))
        kept = kept and median(clock) < bound
    table.title = f"{THINGS_ON_TABLE} things on a table, {len(seeds) * count} times"
    console.print(table)
    return kept


def _print_paces(console: Console, paces: Sequence[MotionPace], *, asleep: bool) -> bool:
    """Print the pace of picking and placing; return whether it keeps its bound."""
    state = "may fall asleep" if asleep else "stay awake"
    columns = ("seed", "simulated", "wall", "pictures", "search", "times real time", "by processor time")
    table = Table(*columns, title=f"{THINGS} things that {state}")
    for pace in paces:
        seconds = (pace.simulated, pace.wall, pace.pictures, pace.planning)
        figures = (f"{pace.times:.1f}", f"{pace.times_of_processor:.1f}")
        table.add_row(str(pace.seed), *(f"{value:.1f} s" for value in seconds), *figures)
    console.print(table)
    times, by_processor = [pace.times for pace in paces], [pace.times_of_processor for pace in paces]
    console.print(
        f"without pictures: median {median(times):.1f}, least {min(times):.1f} times real time; "
        f"by processor time {median(by_processor):.1f} and {min(by_processor):.1f}"
    )
    return median(times) >= TIMES
