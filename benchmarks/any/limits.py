"""What planning any PDDL takes, and how soon it ends: ``graftwork bench limits``.

For each family of ``graftwork bench any``, the largest problem whose ground actions, counted by Fast Downward's
translator, are at most as many as asked for. Planning with a proof runs until its time limit, while the memory of all
its processes is summed up ten times a second (what several share counts once). Then it runs again and is called off
at several moments; what counts is the time from the call until the answer.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.any.families import FAMILIES, SEED, SIZES, problem_of
from benchmarks.any.rows import fast_downward, parsed, written_files
from domains.problem import Problem
from planning.service import OwnProcess
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code
from semantics.process.child import children, family

__all__ = ["main"]

MOST_MEMORY = 1536.0
"""The bound of memory of all planning processes together, MiB."""
MOST_MILLISECONDS = 50.0
"""The bound of the time in which planning is called off."""
MOMENTS = (0.02, 0.1, 0.5, 2.0, 5.0)
"""When planning is called off, seconds after its start."""
TRANSLATING = 60.0
PERIOD = 0.1


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table and the targets, and return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench limits", description=__doc__)
    parser.add_argument("--families", nargs="+", default=list(FAMILIES), choices=list(FAMILIES))
    parser.add_argument("--actions", type=int, default=100_000, help="the largest number of ground actions")
    parser.add_argument("--seconds", type=float, default=40.0, help="the time limit of planning")
    given = parser.parse_args(arguments)
    console = Console()
    table = Table("problem", "ground actions", "memory, MiB", "called off, ms", "after, s")
    memory, milliseconds = [], []
    for name in given.families:
        size, actions = _largest(name, given.actions)
        with written_files(problem_of(name, size, SEED)) as folder:
            problem = parsed(folder)
        memory.append(_memory(problem, given.seconds))
        called_off = {moment: _called_off(problem, moment) for moment in MOMENTS}
        known = {moment: taken for moment, taken in called_off.items() if taken is not None}
        milliseconds += known.values()
        longest = max(known, key=lambda moment: known[moment], default=None)
        row = (f"{name} {size}", f"{actions:,}", f"{memory[-1]:.0f}")
        table.add_row(*row, *(("-", "-") if longest is None else (f"{known[longest]:.0f}", f"{longest:g}")))
        told = ", ".join(f"{taken:.0f} ms after {moment:g} s" for moment, taken in known.items())
        console.print(f"{row[0]}: {row[1]} ground actions, {row[2]} MiB; called off: {told}", highlight=False)
    console.print(table)
    targets = {
        f"memory under {MOST_MEMORY:.0f} MiB": max(memory) < MOST_MEMORY,
        f"called off within {MOST_MILLISECONDS:.0f} ms": max(milliseconds, default=0.0) <= MOST_MILLISECONDS,
    }
    for target, holds in targets.items():
        console.print(f"{'met' if holds else 'SHORT'}: {target}", highlight=False)
    return int(not all(targets.values()))


def _largest(name: str, most: int) -> tuple[int, int]:
    """Return the largest size with at most so many ground actions, and how many it has."""
    for size in reversed(range(SIZES)):
        with written_files(problem_of(name, size, SEED)) as folder:
            actions = _ground_actions(folder)
        if actions is not None and actions <= most:
            return size, actions
    raise SystemExit(f"no size of {name} has at most {most:,} ground actions")


def _ground_actions(folder: Path) -> int | None:
    """Return how many ground actions Fast Downward's translator makes; None if it is not done in time."""
    command = fast_downward(["--translate-time-limit", f"{TRANSLATING:.0f}s", "--translate"])
    done = subprocess.run(
        [*command, "domain.pddl", "problem.pddl"], cwd=folder, capture_output=True, text=True, check=False
    )
    found = re.search(r"Translator operators: (\d+)", done.stdout)
    return int(found[1]) if found else None


@contextlib.contextmanager
def _service() -> Iterator[OwnProcess]:
    service = OwnProcess()
    try:
        service.warm_up()
        end = time.monotonic() + 60
        while not service.is_warm and time.monotonic() < end:
            time.sleep(0.05)
        yield service
    finally:
        service.close()


def _memory(problem: Problem, seconds: float) -> float:
    """Return the largest memory of all planning processes during a search for a proof, MiB."""
    largest, done = [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(PERIOD):
            pids = [pid for child in children(os.getpid()) for pid in family(child)]
            largest[0] = max(largest[0], sum(map(_share, pids)))

    watcher = threading.Thread(target=watch, name="benchmarks.memory", daemon=True)
    with _service() as service:
        watcher.start()
        service.solve(problem, seconds=seconds)
        done.set()
        watcher.join()
    return largest[0]


def _share(process: int) -> float:
    """Return the memory of a process, MiB; each of several that share a page counts its part of it."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _called_off(problem: Problem, moment: float) -> float | None:
    """Return how many milliseconds pass from calling planning off to its answer; None if it had an answer before."""
    with _service() as service:
        ended: list[tuple[float, object]] = []

        def ask() -> None:
            answer = service.solve(problem, seconds=60.0)
            ended.append((time.monotonic(), answer))

        asking = threading.Thread(target=ask, name="benchmarks.asking", daemon=True)
        asking.start()
        time.sleep(moment)
        called = time.monotonic()
        service.cancel()
        asking.join()
    moment_of_end, answer = ended[0]
    off = isinstance(answer, NoPlan) and answer.feedback.code is Code.CANCELLED
    return (moment_of_end - called) * 1000 if off else None


if __name__ == "__main__":
    sys.exit(main())
