"""How reliably things are handled, judged by the simulator's own bodies: ``graftwork bench handling``.

Carry: a thing of a random class of the kitchen goes from a random pose on the table or counter to another surface, by
the robot that drives. Stack: three blocks at random poses become a stack, by the arm on a fixed base. Relations: twenty
relations, each brought about by `put` and sensed; the judge is written from ``docs/relations.md`` alone. Samples: ten
places of each room at which a thing is set by the simulator, for the same relations. Pour: amounts that are said, on
the body that lives in the model and on the fake. One seed gives one room. A trial fails, too, if a thing that was not
to be handled was pushed by more than 2 cm, or if something still moves in the second second after the end. Exit code 1
when a part falls short; an interruption leaves the table of the trials until then.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmarks.handling.pours import poured, poured_by_fake
from benchmarks.handling.rooms import RELATION_TASKS, carry_task, relation_task, stack_task
from benchmarks.handling.samples import sampled
from benchmarks.handling.trials import Trial, carried, conducted, related, stands
from semantics.proportion import wilson_interval

__all__ = ["PARTS", "Part", "main", "run", "tables"]

WIDTH = 120
TOLD_EVERY = 10
"""After how many seeds the progress is told where there is no terminal to draw it."""
INTERRUPTED = 4
"""Exit code after Ctrl-C, as of every command."""


class Part(NamedTuple):
    """A part of the suite.

    Attributes:
        trial: Does the trials of a seed, one after the other.
        seeds: How many seeds it has by default.
        least: The share of its trials that has to be right.
    """

    trial: Callable[[int], Iterator[Trial]]
    seeds: int
    least: float


def _carry(seed: int) -> Iterator[Trial]:
    yield conducted("carry", seed, carry_task(seed), carried)


def _stack(seed: int) -> Iterator[Trial]:
    yield conducted("stack", seed, stack_task(seed), stands)


def _relations(seed: int) -> Iterator[Trial]:
    for name in RELATION_TASKS:
        yield conducted(name, seed, relation_task(name, seed), related)


def _samples(seed: int) -> Iterator[Trial]:
    for name in RELATION_TASKS:
        yield from sampled(name, seed, relation_task(name, seed))


def _pour(seed: int) -> Iterator[Trial]:
    yield poured(seed)
    yield poured_by_fake(seed)


PARTS: Mapping[str, Part] = {
    "carry": Part(_carry, 200, 0.97),
    "stack": Part(_stack, 50, 0.95),
    "relations": Part(_relations, 10, 0.95),
    "samples": Part(_samples, 10, 0.99),
    "pour": Part(_pour, 50, 1.0),
}


def run(part: str, seeds: Sequence[int], trials: list[Trial], console: Console) -> None:
    """Do the trials of a part, and add each to `trials` when it has ended; what went wrong is told at once."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"seeds of {part}", total=len(seeds))
        for number, seed in enumerate(seeds, 1):
            for trial in PARTS[part].trial(seed):
                trials.append(trial)
                if not trial.right:
                    console.print(f"{trial.kind}, seed {trial.seed}: {trial.why}", markup=False)
            progress.advance(task)
            if not console.is_terminal and number % TOLD_EVERY == 0:
                console.print(f"{part}: {number} of {len(seeds)} seeds")


def tables(trials: Mapping[str, Sequence[Trial]]) -> Iterator[Table]:
    """Yield the table of the parts, and those of the relations if they were tried."""
    summary = Table("part", "right", "of", "share", "95 % interval", "asked", "sim s", "processor s", title="handling")
    for part, done in trials.items():
        low, high = wilson_interval(right := sum(trial.right for trial in done), len(done))
        means = [sum(values) / len(done) for values in zip(*((t.simulated, t.processor) for t in done), strict=True)]
        shares = (f"{right / len(done):.1%}", f"{low:.1%} to {high:.1%}", f"{PARTS[part].least:.0%}")
        summary.add_row(part, str(right), str(len(done)), *shares, *(f"{mean:.1f}" for mean in means))
    yield summary
    for part in ("relations", "samples"):
        each = Table("relation", "right", "of", title=part)
        for name in dict.fromkeys(trial.kind for trial in trials.get(part, ())):
            of_it = [trial.right for trial in trials[part] if trial.kind == name]
            each.add_row(name, str(sum(of_it)), str(len(of_it)))
        if each.row_count:
            yield each


def misses(trials: Mapping[str, Sequence[Trial]]) -> list[str]:
    """Return in words which parts fall short of what is asked."""
    shares = {part: sum(trial.right for trial in done) / len(done) for part, done in trials.items()}
    return [
        f"{part}: {share:.1%}, {PARTS[part].least:.0%} asked"
        for part, share in shares.items()
        if share < PARTS[part].least
    ]


def main(words: Sequence[str] | None = None) -> int:
    """Do the trials, print the tables, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench handling", description=__doc__)
    defaults = ", ".join(f"{name} {part.seeds}" for name, part in PARTS.items())
    parser.add_argument("--seeds", type=_at_least_one, help=f"how many of each part ({defaults})")
    parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--only", nargs="+", choices=tuple(PARTS), default=list(PARTS), help="these parts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write each trial there, too")
    given = parser.parse_args(words)
    trials: dict[str, list[Trial]] = {part: [] for part in given.only}
    code, errors = 0, Console(stderr=True, width=WIDTH)
    try:
        for part in given.only:
            seeds = range(given.first, given.first + (given.seeds or PARTS[part].seeds))
            run(part, seeds, trials[part], errors)
    except KeyboardInterrupt:
        errors.print("interrupted; these trials had ended:")
        code = INTERRUPTED
    done = {part: found for part, found in trials.items() if found}
    if given.json is not None:
        rows = [{"part": part, **asdict(trial)} for part, found in done.items() for trial in found]
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    short = _printed(done)
    return code or short


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def _printed(trials: Mapping[str, Sequence[Trial]]) -> int:
    console = Console(width=WIDTH)
    for table in tables(trials):
        console.print(table)
    short = misses(trials)
    load, _, _ = os.getloadavg()
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}"
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}: {'; '.join(short) or 'all as asked'}")
    return int(bool(short))
