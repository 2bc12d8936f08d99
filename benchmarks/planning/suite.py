"""Planning on kitchens of 10 to 1,000 objects, side by side: ``graftwork bench planning``.

Ours solves every kitchen several times; the others solve some of the same ones, each in a process of its own, and have
a minute. They are given the problem as ``graftwork domain export`` writes it, without what the goal does not ask for.
Each figure is a median; ratios are those of one run, by the clock and by the time of all processors together, on which
other work on the machine has little influence. The targets are printed last; exit code 1 when one falls short.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks.planning.kitchens import KINDS, SIZES, Kitchen, make
from benchmarks.planning.measuring import Answer, Peak, moved, ours, theirs
from planning import FastDownward

__all__ = ["main"]

MOST_SECONDS = {10: 0.040, 20: 0.040, 70: 0.060, 1000: 0.100}
LEAST_RATIO = {20: 4.0, 1000: 30.0}
REPLAN_SIZE, REPLAN_SECONDS = 70, 0.060
LENGTHS = range(4, 13)
FIRST_SIZE = 1000
"""Where ours has to have a valid plan, with its proof, at least as early as Kairos has its first."""
MEGABYTES = 450.0
LIMIT = 60.0
ENGINES = ("lama-first", "lmcut", "kairos")
LARGE = {"lama-first": 300, "lmcut": 70, "kairos": 300}
"""From this size on the others solve one kitchen a size only: they need up to a minute for it."""


@dataclass
class Results:
    """What was measured: answers by size, kitchens in order; others by engine and size, the same kitchens first."""

    ours: dict[int, list[Answer]] = field(default_factory=dict)
    others: dict[tuple[str, int], list[Answer]] = field(default_factory=dict)
    replans: list[Answer] = field(default_factory=list)
    megabytes: float = 0.0

    def seconds(self, size: int) -> float:
        """Return our median."""
        return median(answer.seconds for answer in self.ours[size])

    def most(self, size: int) -> float:
        """Return the time that 95 % of ours stay within."""
        times = sorted(answer.seconds for answer in self.ours[size])
        return times[min(len(times) - 1, int(0.95 * len(times)))]

    def ratio(self, engine: str, size: int, by: str = "seconds") -> float:
        """Return how many times faster ours is, in the median over the kitchens that both solved.

        Args:
            engine: The other planner.
            size: The number of objects.
            by: ``seconds`` by the clock, or ``processor``.
        """
        pairs = zip(self.ours[size], self.others.get((engine, size), ()), strict=False)
        return median([getattr(other, by) / getattr(mine, by) for mine, other in pairs] or [float("nan")])


def measure(sizes: Sequence[int], seeds: int, runs: int, others: int, console: Console) -> Results:
    """Measure everything."""
    results = Results()
    planner = FastDownward()
    planner.warm_up()
    try:
        ours(make(10, 0), planner, 1)
        for size in sizes:
            kitchens = [make(size, seed) for seed in range(seeds)]
            ours(kitchens[0], planner, 1)  # what is learned of a world once
            results.ours[size] = [ours(kitchen, planner, runs) for kitchen in kitchens]
            console.print(f"{size} objects: {results.seconds(size) * 1e3:.0f} ms", highlight=False)
        results.replans = [ours(kitchen, planner, 1) for kitchen in _moved(seeds)]
        results.megabytes = _memory(sizes, seeds, planner)
    finally:
        planner.close()
    for size in sizes:
        for engine in ENGINES if others else ():
            count = others if size < LARGE[engine] else 1
            results.others[engine, size] = [theirs(engine, size, seed, LIMIT) for seed in range(count)]
            console.print(f"{size} objects: {engine} done", highlight=False)
    return results


def _moved(seeds: int) -> list[Kitchen]:
    return [moved(make(REPLAN_SIZE, seed), seed) for seed in range(seeds)]


def _memory(sizes: Sequence[int], seeds: int, planner: FastDownward) -> float:
    peak = Peak()
    with peak.watched():
        for size in sizes:
            for seed in range(seeds):
                ours(make(size, seed), planner, 1)
    return peak.megabytes


def rows_of(results: Results) -> list[list[str]]:
    """Return what the columns are, and a line a size."""
    others = [f"{engine}, s (times ours; by the processor)" for engine in ENGINES]
    rows = [["objects", "ours, ms", "processor, ms", "95 %", "slowest", "optimal", *others]]
    for size, answers in results.ours.items():
        optimal = f"{sum(answer.optimal for answer in answers)} of {len(answers)}"
        processor = median(answer.processor for answer in answers)
        slowest = max(answer.seconds for answer in answers)
        times = [f"{one * 1e3:.0f}" for one in (results.seconds(size), processor, results.most(size), slowest)]
        rows.append([str(size), *times, optimal, *(_cell(results, engine, size) for engine in ENGINES)])
    return rows


def table_of(results: Results) -> Table:
    """Return the table for a terminal."""
    head, *rows = rows_of(results)
    table = Table(*head)
    for row in rows:
        table.add_row(*row)
    return table


def markdown_of(results: Results) -> str:
    """Return the table and the targets for a page."""
    head, *rows = rows_of(results)
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join([*lines, "", *(f"- {'yes' if holds else 'NO'}: {text}" for text, holds in targets(results))])


def _cell(results: Results, engine: str, size: int) -> str:
    answers = results.others.get((engine, size), [])
    if not answers:
        return "-"
    ended = all(answer.cost is not None for answer in answers)
    built = median(one.built for one in answers)
    ratios = "; ".join(f"{results.ratio(engine, size, by):.1f}" for by in ("seconds", "processor"))
    seconds = f"{median(one.seconds for one in answers):.2f} ({ratios}), built in {built:.2f}"
    return seconds if ended else f"{seconds}, {sum(one.cost is None for one in answers)} without a plan"


def targets(results: Results) -> list[tuple[str, bool]]:
    """Return each target in words, and whether it is met."""
    found = [target for size in results.ours for target in _of_size(results, size)]
    if ("kairos", FIRST_SIZE) in results.others:
        ratio, processor = (results.ratio("kairos", FIRST_SIZE, by) for by in ("seconds", "processor"))
        without = sum(answer.cost is None for answer in results.others["kairos", FIRST_SIZE])
        text = (
            f"{FIRST_SIZE} objects: a plan {ratio:.1f} times as early as Kairos (processor {processor:.1f}), at least 1"
        )
        text += (
            f" (Kairos ends without a plan, or has none in {LIMIT:.0f} s, for {without}; the time until then counts)"
            if without
            else ""
        )
        found.append((text, min(ratio, processor) >= 1))
    replan = median(answer.seconds for answer in results.replans)
    same, compared = _same_costs(results)
    found.append((f"replan at {REPLAN_SIZE}: {replan * 1e3:.0f} ms, at most 60", replan <= REPLAN_SECONDS))
    found.append((f"{same} of {compared} costs equal to the whole problem's optimum", same == compared))
    found.append(
        (f"{results.megabytes:.0f} MB over all processes, under {MEGABYTES:.0f}", results.megabytes < MEGABYTES)
    )
    return found


def _of_size(results: Results, size: int) -> Iterator[tuple[str, bool]]:
    answers = results.ours[size]
    misses = sum(not (answer.optimal and answer.valid) for answer in answers)
    yield f"{size} objects: {misses} plans without proof or not valid", misses == 0
    other = sum(answer.length not in LENGTHS for answer in answers)
    yield f"{size} objects: {other} plans of other than {LENGTHS[0]} to {LENGTHS[-1]} actions", other == 0
    if size in MOST_SECONDS:
        seconds, processor = results.seconds(size), median(answer.processor for answer in answers)
        text = f"{size} objects: {seconds * 1e3:.0f} ms (processor {processor * 1e3:.0f})"
        yield f"{text}, at most {MOST_SECONDS[size] * 1e3:.0f}", max(seconds, processor) <= MOST_SECONDS[size]
    if size in LEAST_RATIO and ("lama-first", size) in results.others:
        ratio, processor = (results.ratio("lama-first", size, by) for by in ("seconds", "processor"))
        text = f"{size} objects: {ratio:.0f} times faster than stock (processor {processor:.0f})"
        yield f"{text}, at least {LEAST_RATIO[size]:.0f}", min(ratio, processor) >= LEAST_RATIO[size]


def _same_costs(results: Results) -> tuple[int, int]:
    pairs = [
        (mine.cost, other.cost)
        for (engine, size), answers in results.others.items()
        for mine, other in zip(results.ours[size], answers, strict=False)
        if engine == "lmcut" and other.cost is not None
    ]
    return sum(mine == other for mine, other in pairs), len(pairs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench planning", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), choices=SIZES)
    parser.add_argument("--seeds", type=int, default=3 * len(KINDS), help="kitchens a size")
    parser.add_argument("--runs", type=int, default=3, help="times that ours solves each")
    parser.add_argument("--others", type=int, default=len(KINDS), help="kitchens a size for the others; 0 for none")
    parser.add_argument("--markdown", action="store_true", help="print the table and the targets for a page")
    given = parser.parse_args(arguments)
    console = Console()
    results = measure(given.sizes, given.seeds, given.runs, given.others, console)
    if given.markdown:
        sys.stdout.write(markdown_of(results) + "\n")
    else:
        console.print(table_of(results))
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores")
    met = targets(results)
    for text, holds in met:
        console.print(f"{'yes' if holds else 'NO '}  {text}", highlight=False)
    return 0 if all(holds for _, holds in met) else 1


if __name__ == "__main__":
    sys.exit(main())
