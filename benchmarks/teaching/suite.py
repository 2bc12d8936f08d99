"""Whether what a person teaches is learned, and applied where it holds: ``graftwork bench teaching``.

The entries of one half (README.md beside this file) are tried offline, or with a --model. Each has a memory of its own.

- corrections: a sentence is said and corrected; the same sentence is said again, and another case of the lesson; and a
  sentence that has nothing to do with it, which has to be done as before.
- near: a preference is taught, and said are two cases inside of its condition and ten that are near. A leak is a near
  case that is wrong with the lesson and right without it; beside it, the leaks of the lesson without its condition.
- poisoned: a lesson that breaks a rule or another lesson has to be asked about, with the reason.
- variations: a sentence like one from before, with other things, or a trap.
- tabletop: fourteen instructions in PyBullet, corrected until they are done right (not one of ``--kind all``).
- story: sixteen steps in PyBullet that build on each other (`benchmarks.teaching.story`), with scripted people;
  ``--shuffled`` in another order.

Exit code 0, also after Ctrl-C, which leaves the tables of what was tried until then.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.teaching.data import HALVES, KINDS, Entry, load
from benchmarks.teaching.table import Result, as_document, misses, tables
from benchmarks.teaching.tabletop.suite import add_options, run_series
from benchmarks.teaching.talk import Setting
from benchmarks.teaching.trials import try_entry
from semantics.errors import OutsideError, UsageError

__all__ = ["main"]

ALL, STORY, TABLETOP = "all", "story", "tabletop"
WIDTH = 120


def main(words: Sequence[str] | None = None) -> int:
    """Try the entries, print the tables, and return the exit code."""
    given = _parser().parse_args(words)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if given.kind == TABLETOP:
        return run_series(given)
    if given.kind == STORY:
        from benchmarks.teaching.story.suite import run  # physics

        run(given.only.split(",") if given.only else (), shuffled=given.shuffled, out=given.json)
        return 0
    asked = [
        (kind, entry, entries) for kind in _kinds(given) for entries in [load(kind, given.data)] for entry in entries
    ]
    if given.only:
        names = given.only.split(",")
        asked = [each for each in asked if each[1].id in names]
        if strange := [name for name in names if name not in [entry.id for _, entry, _ in asked]]:
            raise UsageError(f"there is no entry '{strange[0]}' in half {given.data} of {given.kind}")
    results: list[Result] = []
    try:
        for number, (kind, entry, entries) in enumerate(asked, 1):
            results.append(_tried(kind, entry, entries, given))
            _tell(f"{number} of {len(asked)}  {entry.id}  {results[-1].seconds:.0f} s")
    except KeyboardInterrupt:
        _tell("interrupted; these had ended:")
    _report(results, given)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="graftwork bench teaching", description=__doc__)
    parser.add_argument("--data", choices=HALVES, default="a", help="which half; b is held out and scored once (a)")
    parser.add_argument("--kind", choices=(*KINDS, ALL, STORY, TABLETOP), default=ALL, help="which entries (all)")
    parser.add_argument("--model", default="offline", help="who reads the words; replay:DIR has a file for each entry")
    parser.add_argument("--shuffled", action="store_true", help="the steps of the story in another order")
    parser.add_argument("--only", metavar="ID[,ID]", help="only these entries, steps or templates")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures and all that is counted there")
    parser.add_argument("--record", type=Path, metavar="DIR", help="add each exchange with the model to DIR/ID.jsonl")
    add_options(parser)
    return parser


def _kinds(given: argparse.Namespace) -> list[str]:
    return list(KINDS) if given.kind == ALL else [given.kind]


def _tried(kind: str, entry: Entry, entries: Sequence[Entry], given: argparse.Namespace) -> Result:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="teaching-") as folder:
        setting = Setting(Path(folder), _model_for(entry, given.model), _record_for(entry, given.record))
        try:
            marks, fault = tuple(try_entry(entry, entries, setting)), ""
        except (UsageError, OutsideError) as error:
            marks, fault = (), f"{type(error).__name__}: {error}"
    return Result(kind, entry, marks, fault, time.monotonic() - begun)


def _model_for(entry: Entry, model: str) -> str:
    """Return the model of an entry: a folder of recordings has a file for each."""
    kind, _, place = model.partition(":")
    return f"{kind}:{Path(place) / entry.id}.jsonl" if kind == "replay" and Path(place).is_dir() else model


def _record_for(entry: Entry, folder: Path | None) -> Path | None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{entry.id}.jsonl"
    return None


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _report(results: Sequence[Result], given: argparse.Namespace) -> None:
    console = Console(width=WIDTH)
    for table in tables(results):
        console.print(table)
    for line in misses(results):
        sys.stdout.write(f"{line}\n")
    if given.json is not None:
        document = {"data": given.data, "kind": given.kind, "model": given.model, **as_document(results)}
        given.json.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
