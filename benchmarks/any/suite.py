"""Any PDDL, against the planner that it drives: ``graftwork bench any``.

Random problems of twelve families and twenty sizes, and the boolean classical problems of unified-planning's examples.
Each row counts the seconds from the call of a warm planning service to its first validated plan, beside those of
``fast-downward.py --alias lama-first`` as a process. Then five sizes of each family are solved with a proof, beside A*
with LM-cut. Unified-planning's validator judges each plan on the files as they were written, where it can read them.

One row is measured at a time, on a machine with nothing else to do. Each row is written to a file as soon as it is
measured; with the same file, a run that was interrupted goes on. The targets are printed last; exit code 1 if one falls
short.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.any.examples import examples
from benchmarks.any.families import FAMILIES, SEED, SIZES, problem_of
from benchmarks.any.judge import ACCEPTED, UNREAD
from benchmarks.any.rows import Row, first_row, optimal_row
from benchmarks.any.writing import Written
from planning.service import OwnProcess

__all__ = ["main"]

PROOF_SIZES = (0, 2, 4, 6, 9)
"""The sizes of each family that are solved with a proof."""
FACTOR, SLACK, SHARE = 1.3, 0.2, 0.95
"""A first plan comes within `FACTOR` times the other's time and `SLACK` seconds, in this share of the rows."""
MEASURES = {"first": first_row, "optimal": optimal_row}

Task = tuple[str, str, Callable[[], Written]]
"""The name of a row, what is searched for, and what writes its problem."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table and the targets, and return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench any", description=__doc__)
    parser.add_argument("--families", nargs="+", default=list(FAMILIES), choices=list(FAMILIES))
    parser.add_argument("--sizes", nargs="+", type=int, default=list(range(SIZES)), choices=range(SIZES), metavar="N")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", choices=("first", "optimal", "examples"), help="measure only this part")
    parser.add_argument("--rows", type=Path, help="file of the rows, to go on with (default: runs/any-SEED.jsonl)")
    parser.add_argument("--markdown", action="store_true", help="print the tables for docs/benchmarks.md")
    given = parser.parse_args(arguments)
    console = Console()
    file = given.rows or Path("runs", f"any-{given.seed}.jsonl")
    tasks = list(_tasks(given, console))
    rows = _measured(tasks, file, console)
    _print(rows, console, markdown=given.markdown)
    about = (
        f"{datetime.now(UTC):%Y-%m-%d}, seed {given.seed}, Python {platform.python_version()}, {os.cpu_count()} cores"
    )
    console.print(about, highlight=False)
    return _verdict(rows, console)


def _tasks(given: argparse.Namespace, console: Console) -> Iterator[Task]:
    for search, sizes in (("first", given.sizes), ("optimal", [size for size in PROOF_SIZES if size in given.sizes])):
        if given.only in (None, search):
            for family in given.families:
                for size in sizes:
                    yield f"{family} {size}", search, partial(problem_of, family, size, given.seed)
    if given.only in (None, "examples"):
        taken, left = examples()
        others = ", ".join(f"{count} {feature}" for feature, count in left.most_common())
        console.print(f"{len(taken)} problems of unified-planning; left out: {others}", highlight=False)
        for name, written in taken.items():
            yield name, "first", partial(_same, written)


def _same(written: Written) -> Written:
    return written


def _measured(tasks: Sequence[Task], file: Path, console: Console) -> list[Row]:
    """Return the rows of the tasks in order; measure those that the file does not have."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    known = [Row.of(json.loads(line)) for line in text.splitlines()]
    rows = {(row.name, row.search): row for row in known}
    missing = [task for task in tasks if task[:2] not in rows]
    if missing:
        service = OwnProcess()
        try:
            for name, search, write in track(missing, "measuring", console=console, transient=True):
                row = MEASURES[search](name, write(), service)
                rows[name, search] = row
                with file.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(row.as_dict) + "\n")
                console.print(_told(row), highlight=False, soft_wrap=True)
        finally:
            service.close()
    return [rows[name, search] for name, search, _ in tasks]


def _told(row: Row) -> str:
    ours = f"{row.ours.seconds:.2f} s by {row.ours.by}" if row.ours.cost is not None else f"none: {row.ours.why}"
    stock = f"{row.stock.seconds:.2f} s" if row.stock.cost is not None else f"none ({row.stock.why})"
    return f"{row.name}, {row.search}: ours {ours}, stock {stock}"


def _print(rows: Sequence[Row], console: Console, *, markdown: bool) -> None:
    titles = ("family", "search", "rows", "stock solved", "ours solved", "in time", "median ratio", "won by")
    lines = [_line(group) for group in _groups(rows)]
    if markdown:
        console.print("\n".join(["| " + " | ".join(cells) + " |" for cells in (titles, ["---"] * len(titles), *lines)]))
        return
    table = Table(*titles)
    for line in lines:
        table.add_row(*line)
    console.print(table)


def _groups(rows: Sequence[Row]) -> list[list[Row]]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.name.split()[0], row.search), []).append(row)
    return list(groups.values())


def _line(rows: Sequence[Row]) -> tuple[str, ...]:
    both = [row for row in rows if row.stock.cost is not None and row.ours.cost is not None]
    ratio = f"{median(row.ours.seconds / row.stock.seconds for row in both):.2f}" if both else "-"
    winners = sorted({row.ours.by for row in rows if row.ours.cost is not None})
    won = ", ".join(f"{by} {sum(row.ours.by == by for row in rows)}" for by in winners)
    counts = (_solved(rows, "stock"), _solved(rows, "ours"), sum(map(_in_time, rows)))
    return rows[0].name.split()[0], rows[0].search, str(len(rows)), *map(str, counts), ratio, won


def _solved(rows: Sequence[Row], side: str) -> int:
    if rows[0].search == "optimal":
        return sum(getattr(row, side).proved for row in rows)
    return sum(getattr(row, side).cost is not None for row in rows)


def _in_time(row: Row) -> bool:
    """Return whether ours came within the bound, or whether only ours came."""
    if row.stock.cost is None:
        return True
    return row.ours.cost is not None and row.ours.seconds <= FACTOR * row.stock.seconds + SLACK


def _verdict(rows: Sequence[Row], console: Console) -> int:
    """Print the targets, and return 1 if one falls short."""
    first = [row for row in rows if row.search == "first"]
    proofs = [row for row in rows if row.search == "optimal" and row.stock.proved]
    rejected = [row.name for row in rows if row.judged not in (None, ACCEPTED, UNREAD)]
    late = [row.name for row in first if not _in_time(row)]
    unproved = [row.name for row in proofs if not row.ours.proved or row.ours.cost != row.stock.cost]
    none = [row.name for row in rows if row.ours.cost is None and row.ours.proved]
    targets = {
        "as many solved as stock": bool(first) <= (_count(first, "ours") >= _count(first, "stock")),
        f"in time in {SHARE:.0%} of the rows": len(late) <= (1 - SHARE) * len(first),
        "optimal wherever A* with LM-cut is": not unproved,
        "no problem wrongly called impossible": not none,
        "no plan that the validator rejects": not rejected,
    }
    judged = sum(row.judged == ACCEPTED for row in rows)
    console.print(f"{judged} plans accepted by unified-planning, {_unread(rows)} on files that it does not read")
    for names, what in ((late, "late"), (unproved, "not proved"), (none, "wrongly none"), (rejected, "rejected")):
        if names:
            console.print(f"{what}: {', '.join(names)}", highlight=False, soft_wrap=True)
    for target, holds in targets.items():
        console.print(f"{'met' if holds else 'SHORT'}: {target}", highlight=False)
    return int(not all(targets.values()))


def _count(rows: Sequence[Row], side: str) -> int:
    return sum(getattr(row, side).cost is not None for row in rows)


def _unread(rows: Sequence[Row]) -> int:
    return sum(row.judged == UNREAD for row in rows)


if __name__ == "__main__":
    sys.exit(main())
