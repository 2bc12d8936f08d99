"""Whole runs in physics by an author who knew no code, judged from outside: ``graftwork bench whole``.

README.md of this folder says what the rows are. A run is right when it was told as achieved and the judge, who sees
the physics client alone, finds that all is so that a person would want; the parts `impossible`, `watched`, `pours`,
`wipes` and `pace` ask for more or other things. Each run is made in a process of its own. Exit code 1 when a part
falls short of what is asked of it; an interruption leaves the table of the runs until then.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.whole_runs.rows import FILES, Row, load_rows
from benchmarks.whole_runs.trial import Result, conduct
from semantics.proportion import wilson_interval

__all__ = ["PARTS", "main"]

WIDTH = 160
INTERRUPTED = 4
PARTS: Mapping[str, float] = {
    "kitchen": 0.95,
    "tabletop": 0.95,
    "fetch": 0.98,
    "disturbances": 0.92,
    "impossible": 1.0,
    "galley": 0.9,
    "crowded": 0.9,
    "pours": 58 / 60,
    "wipes": 1.0,
    "watched": 1.0,
    "pace": 1.0,
}
"""The share of the runs of each part that has to be right."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts that are asked for, print the tables, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench whole", description=__doc__)
    parser.add_argument("--part", nargs="+", choices=list(PARTS), default=[part for part in PARTS if part != "pace"])
    parser.add_argument("--seeds", type=int, help="only the first seeds of each row")
    parser.add_argument("--half", choices=("a", "b"), default="", help="only this half of rows that belong to one")
    parser.add_argument("--rows", nargs="+", default=[], metavar="ID", help="only these rows")
    parser.add_argument("--parallel", type=int, default=2, help="processes at a time; `pace` takes one")
    parser.add_argument("--limit", type=int, default=600, help="seconds of processor time for a run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, a line each")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the records of all runs there")
    given = parser.parse_args(arguments)
    console = Console(width=WIDTH, highlight=False)
    results: list[Result] = []
    interrupted = False
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    try:
        for part in given.part:
            for result in _run(part, given):
                results.append(result)
                console.print(_line(result), markup=False)
                if given.json is not None:
                    with given.json.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(result)) + "\n")
    except KeyboardInterrupt:
        interrupted = True
    for table in _tables(results):
        console.print(table)
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores")
    if interrupted:
        return INTERRUPTED
    return int(any(_share(results, part) < PARTS[part] for part in given.part))


def _run(part: str, given: argparse.Namespace) -> Iterator[Result]:
    if part == "pace":
        rows = [row for of in ("kitchen", "tabletop") for row in load_rows(of, given.seeds or 2, names=given.rows)]
    else:
        rows = list(load_rows(part, given.seeds, given.half, given.rows))
    with ThreadPoolExecutor(1 if part == "pace" else given.parallel) as pool:
        doing = [pool.submit(partial(_alone, row, given.limit, given.keep, real_time=part == "pace")) for row in rows]
        try:
            for done in as_completed(doing):
                yield done.result()
        except BaseException:
            for each in doing:
                each.cancel()
            raise


def _alone(row: Row, limit: int, keep: Path | None, *, real_time: bool) -> Result:
    """Do a row in a process of its own, so that one that crashes or hangs is lost alone."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(theirs, row, limit, keep, real_time), daemon=False)
    process.start()
    theirs.close()
    try:
        result: Result = ours.recv()
    except EOFError:
        process.join()
        result = Result(row.part, row.name, row.seed, why=f"the process ended with {process.exitcode}")
    process.join()
    if real_time:
        result.part = "pace"
    return result


def _send(answers: Connection, row: Row, limit: int, keep: Path | None, real_time: bool) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    try:
        result = conduct(row, keep, real_time)
    except Exception as error:  # a fault of one run is a result
        result = Result(row.part, row.name, row.seed, why=f"{type(error).__name__}: {error}")
    answers.send(result)
    answers.close()


def _line(result: Result) -> str:
    sign = "right" if result.right else "FALSE" if result.false else "wrong"
    times = f"{result.simulated:.0f} s, {result.wall:.0f} s wall"
    head = f"{sign} {result.part} {result.name} {result.seed}: {result.outcome}, {times}"
    return f"{head}{': ' + result.why if result.why else ''}"


def _share(results: Sequence[Result], part: str) -> float:
    mine = [result for result in results if result.part == part]
    return sum(result.right for result in mine) / len(mine) if mine else 0.0


def _tables(results: Sequence[Result]) -> Iterator[Table]:
    yield _table(results, "part", lambda result: result.part)
    for part in dict.fromkeys(result.part for result in results):
        mine = [result for result in results if result.part == part]
        if len({result.name for result in mine}) < len(mine):
            yield _table(mine, part, lambda result: result.name)


def _table(results: Sequence[Result], head: str, key: object) -> Table:
    assert callable(key)
    table = Table(head, "right", "95 % interval", "asked", "told done and not so", "simulated s", "wall s")
    for name in dict.fromkeys(map(key, results)):
        mine = [result for result in results if key(result) == name]
        right = sum(result.right for result in mine)
        low, high = wilson_interval(right, len(mine))
        asked = f"{100 * PARTS[name]:.0f} %" if name in PARTS else ""
        times = (sum(result.simulated for result in mine) / len(mine), sum(result.wall for result in mine) / len(mine))
        interval = f"{100 * low:.1f} to {100 * high:.1f} %"
        false = str(sum(result.false for result in mine))
        table.add_row(name, f"{right} of {len(mine)}", interval, asked, false, *(f"{seconds:.0f}" for seconds in times))
    return table


assert set(FILES) | {"pace"} == set(PARTS)

if __name__ == "__main__":
    raise SystemExit(main())
