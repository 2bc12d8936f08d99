"""Five hundred ``kill -9``: every record readable, every run gone on with ends achieved, nothing done twice.

A fake kitchen is served from this process, so that it outlives whoever drives it. Sentences are run by the real command
line in processes of their own (copies of one that has its modules loaded, which saves seconds), killed at moments that
are uniform over the length of a run: before anything moves, at a tick, while the record is being written. Some records
are then cut in the middle of a line. Each goes on with ``--resume``, is often killed again, and is at last left alone.
It is judged by the fake world's own state, never by what was sensed: the goal holds; no motion after a resume was for
what was so already; all lives together did no more motions than an undisturbed run.

Run from a checkout: ``python -m benchmarks.killed [--kills 500] [--seed 0] [--lanes 2]``, or ``graftwork bench
killed``.
Exit code 0 when all holds, 1 when something does not.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.progress import Progress

from benchmarks.killed.trials import SENTENCES, Told, Undisturbed, trial, undisturbed
from semantics.proportion import wilson_interval

__all__ = ["main"]


def _lane(
    numbers: itertools.count[int], enough: Callable[[], bool], seed: int, usual: dict[str, Undisturbed], told: Told
) -> None:
    """Go through trials until it is enough."""
    while not enough():
        number = next(numbers)
        try:
            trial(number, seed, usual, told)
        except Exception as error:  # told with the rest, and the others go on
            told.faults.append(f"trial {number} (seed {seed}): {type(error).__name__}: {error}")


def killed(kills: int, seed: int, lanes: int, minutes: float, console: Console) -> Told:
    """Kill so often, or as often as there is time, and return what came of it."""
    end = time.monotonic() + 60 * minutes
    usual = {sentence: undisturbed(scene, sentence) for scene, sentence in SENTENCES}
    told, numbers = Told(), itertools.count()

    def enough() -> bool:
        return told.kills.total() >= kills or time.monotonic() > end

    threads = [
        threading.Thread(target=_lane, args=(numbers, enough, seed, usual, told), daemon=True) for _ in range(lanes)
    ]
    for thread in threads:
        thread.start()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("killing", total=kills)
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.1)
            progress.update(task, completed=told.kills.total())
    return told


def _share(counted: Counter[bool]) -> str:
    good, all_ = counted[True], counted.total()
    low, high = wilson_interval(good, all_)
    return f"{good} of {all_} ({100 * low:.1f} to {100 * high:.1f} %)"


def _report(told: Told, seconds: float, console: Console) -> None:
    rows = {
        "kills": f"{told.kills.total()}: " + ", ".join(f"{count} {kind}" for kind, count in told.kills.most_common()),
        "records readable": _share(told.readable),
        "ended achieved": _share(told.achieved),
        "nothing done twice": _share(Counter({True: told.twice[False], False: told.twice[True]})),
        **{name: str(count) for name, count in sorted(told.counts.items())},
    }
    for name, value in rows.items():
        console.print(f"{name}: {value}", highlight=False, soft_wrap=True)
    for fault in told.faults:
        console.print(fault, highlight=False, soft_wrap=True, style="red")
    about = f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores"
    console.print(f"{seconds:.0f} s; 95 % Wilson intervals; {about}", highlight=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill, print what was seen, return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killed", description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lanes", type=int, default=2, help="trials at a time")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no trial after this time, and count a fault")
    given = parser.parse_args(arguments)
    console, began = Console(), time.monotonic()
    told = killed(given.kills, given.seed, given.lanes, given.minutes, console)
    if told.kills.total() < given.kills:
        told.faults.append(f"only {told.kills.total()} of {given.kills} kills in the time")
    _report(told, time.monotonic() - began, console)
    return int(bool(told.faults))


if __name__ == "__main__":
    sys.exit(main())
