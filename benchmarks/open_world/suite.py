"""Forty sentences for a kitchen in which things stand that no file lists: ``graftwork bench open-world``.

Every sentence is judged by the body's own world, with guesses and, beside it, with all guessing switched off. With
``--noise`` the camera errs as `noise.yaml` says, with each of its seeds. Exit code 1 when fewer than nine in ten are
right of any part, or when one was told as done and was not right, or something was done that never should be.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

from benchmarks.open_world.trial import Row, run
from robots.noise import Noise
from semantics.proportion import wilson_interval

__all__ = ["main"]

HERE = Path(__file__).parent
WORLD = HERE / "world" / "domain.yaml"
LEAST = 0.9
"""The least share of right runs."""
WIDTH = 180


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a half, print the tables, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench open-world", description=__doc__)
    parser.add_argument("--half", choices=("a", "b"), default="a", help="b is held out, see README.md there (a)")
    parser.add_argument("--body", choices=("fake", "pybullet"), default="fake")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only sentences whose id begins so")
    parser.add_argument("--noise", action="store_true", help="with a camera that errs, for each seed of noise.yaml")
    parser.add_argument("--guesses", choices=("on", "off", "both"), default="both")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the runs there, a line each")
    given = parser.parse_args(arguments)
    console, rows = Console(width=WIDTH, highlight=False), list[Row]()
    for row in _rows(given):
        rows.append(row)
        sign = "right" if row.right else "FALSE" if row.false else "wrong"
        how = f"guesses {'on' if row.guesses else 'off'}, seed {row.seed}, {row.simulated:.0f} s, {row.wall:.0f} s wall"
        said = "" if row.right else f": {row.message} {'; '.join((*row.wrong, *row.harm))}"
        console.print(f"{sign} {row.id}, {how}: {row.outcome}{said}", markup=False)
        if given.json is not None:
            with given.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"right": row.right, "false": row.false, **asdict(row)}) + "\n")
    console.print(sentences_table(rows))
    console.print(totals_table(rows))
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores")
    return 0 if met(rows) else 1


def _rows(given: argparse.Namespace) -> Iterator[Row]:
    """Yield the runs that are asked for."""
    things = {each["name"]: each for each in _read("classes")["unlisted"]}
    errors = _read("noise")
    seeds = errors.pop("seeds")
    noises = [Noise(seed, **errors) for seed in seeds] if given.noise else [None]
    for row in _read(f"sentences_{given.half}"):
        if row["body"] == given.body and (not given.only or row["id"].startswith(tuple(given.only))):
            for noise in noises:
                for guesses in {"on": (True,), "off": (False,), "both": (True, False)}[given.guesses]:
                    yield _tried(row, things, guesses, noise)


def _tried(row: Mapping[str, Any], things: Mapping[str, Any], guesses: bool, noise: Noise | None) -> Row:
    """Return a run; that it broke off is a result, too."""
    try:
        return run(row, things, str(WORLD), guesses=guesses, noise=noise)
    except Exception as error:
        seed = noise.seed if noise else 0
        why = f"{type(error).__name__}: {error}"
        expect = row["expect" if guesses else "without_guesses"]
        return Row(row["id"], row["body"], seed, guesses, row["tags"], expect, "broken off", wrong=[why])


def _read(name: str) -> Any:  # noqa: ANN401 - data
    return yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))


def sentences_table(rows: Sequence[Row]) -> Table:
    """Return a line for each sentence: what was seen, asked, guessed, planned and moved, and how often it was right."""
    heads = ("sentence", "seen", "asked", "treated as", "steps", "moved", "guesses on", "guesses off")
    table = Table(*heads, title="each sentence, of the runs with guesses")
    for name in dict.fromkeys(row.id for row in rows):
        on, off = ([row for row in rows if row.id == name and row.guesses is guesses] for guesses in (True, False))
        one = (on or off)[0]
        cells = (one.seen, one.asked, one.treated, [str(one.planned)], one.moved)
        table.add_row(name, *("\n".join(cell) for cell in cells), _share(on), _share(off))
    return table


def totals_table(rows: Sequence[Row]) -> Table:
    """Return a line for all runs and for those of each tag, with guesses and without."""
    table = Table(
        "runs", "right", "told as done and not so", "wrong deeds", "questions", "needless", "unknown and asked"
    )
    for guesses in (True, False):
        mine = [row for row in rows if row.guesses is guesses]
        tags = sorted({tag for row in mine for tag in row.tags})
        for name, part in [("all", mine), *((tag, [row for row in mine if tag in row.tags]) for tag in tags)]:
            table.add_row(
                f"guesses {'on' if guesses else 'off'}: {name}",
                _share(part),
                str(sum(row.false for row in part)),
                str(sum(bool(row.harm) for row in part)),
                str(sum(len(row.asked) for row in part)),
                str(sum(row.needless for row in part)),
                str(sum(row.right and bool(row.asked) for row in part if row.expect == "unknown")),
            )
    return table


def _share(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    right = sum(row.right for row in rows)
    low, high = wilson_interval(right, len(rows))
    return f"{right} of {len(rows)} ({low:.0%} to {high:.0%})"


def met(rows: Sequence[Row]) -> bool:
    """Return whether enough is right, with guesses and without, and nothing was told or done wrongly."""
    parts = ([row for row in rows if row.guesses is guesses] for guesses in (True, False))
    enough = all(sum(row.right for row in part) >= LEAST * len(part) for part in parts)
    return enough and not any(row.false or row.harm for row in rows)


if __name__ == "__main__":
    sys.exit(main())
