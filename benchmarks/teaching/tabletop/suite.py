"""Fourteen tabletop instructions, corrected by a person until they are done right: ``--kind tabletop``.

The evaluation of Bärmann et al. on the instructions of Code as Policies: three splits, ten runs of each instruction, in
PyBullet, and one memory for all of it. A scripted model writes the programs and errs, a scripted person corrects it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from benchmarks.tabletop.instances import instance
from benchmarks.tabletop.templates import Templates, load_published
from benchmarks.teaching.tabletop.erring_model import ErringModel, Saved
from benchmarks.teaching.tabletop.figures import as_document, tables
from benchmarks.teaching.tabletop.rates import SEEN, SPREADS, UNSEEN
from benchmarks.teaching.tabletop.runs import RunResult, Table, Teacher, try_run
from benchmarks.teaching.tabletop.skills import Skills, load_errors
from semantics.errors import UsageError

__all__ = ["CONDITIONS", "SPLITS", "add_options", "run_series"]

CONDITIONS = ("learning", "none", "save", "no-gate")
"""What of the earlier runs is there in a run: what the product has kept; nothing; the improved programs as they were,
which the model gives again; and what the product keeps without asking."""
SPLITS = {"SA-SI": ("seen", SEEN), "UA-SI": ("unseen", SEEN), "UA-UI": ("unseen", UNSEEN)}
"""The attributes and the templates of each split, in order: SA has the seen attributes, SI the seen instructions."""
WIDTH = 140


class Wanted(NamedTuple):
    """A run to be done."""

    split: str
    template: str
    number: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this kind."""
    group = parser.add_argument_group("--kind tabletop")
    group.add_argument("--templates", type=Path, metavar="DIR", help="folder of templates.json with the instructions")
    group.add_argument("--condition", choices=CONDITIONS, default=CONDITIONS[0], help="what is there of earlier runs")
    group.add_argument("--errors", choices=tuple(SPREADS), default="few", help="which templates are misread (few)")
    group.add_argument("--runs", type=int, default=10, metavar="N", help="how many of each instruction (10)")


def run_series(given: argparse.Namespace) -> int:
    """Do all runs, print the tables and return the exit code.

    Raises:
        UsageError: The templates are not there, or one that is asked for is unknown.
    """
    if given.templates is None:
        raise UsageError("--kind tabletop needs the folder of templates.json; name it with --templates DIR")
    templates = load_published(given.templates)
    wanted = list(_wanted(given))
    results: list[RunResult] = []
    begun = time.monotonic()
    try:
        for result in _done(wanted, given, templates):
            results.append(result)
            _tell(result, len(results), len(wanted), time.monotonic() - begun)
            _write(results, given)
    except KeyboardInterrupt:
        sys.stderr.write(f"interrupted after {len(results)} of {len(wanted)}\n")
    console = Console(width=WIDTH)
    for table in tables(results, SPREADS[given.errors]):
        console.print(table)
    console.print(f"{len(results)} runs, {time.monotonic() - begun:.0f} s")
    return 0


def _wanted(given: argparse.Namespace) -> Iterator[Wanted]:
    """Yield the runs in order: in a split one run of each instruction before the next, so that the start has all."""
    names = given.only.split(",") if given.only else [*SEEN, *UNSEEN]
    if strange := [name for name in names if name not in (*SEEN, *UNSEEN)]:
        raise UsageError(f"there is no template '{strange[0]}'; there is {', '.join((*SEEN, *UNSEEN))}")
    for split, (_, templates) in SPLITS.items():
        for number in range(given.runs):
            yield from (Wanted(split, template, number) for template in templates if template in names)


def _done(wanted: Sequence[Wanted], given: argparse.Namespace, templates: Templates) -> Iterator[RunResult]:
    skills, saved = Skills(templates, load_errors()), Saved()
    with tempfile.TemporaryDirectory(prefix="teaching-") as folder:
        for count, (split, template, number) in enumerate(wanted):
            seed = f"{split} {template} {number}"
            keeps = given.condition in ("learning", "no-gate")
            name = "memory" if keeps else f"memory{count}"
            table = Table(
                Path(folder), Path(folder) / f"{name}.sqlite", learn="allow" if given.condition == "no-gate" else "ask"
            )
            rates = SPREADS[given.errors][split]
            model = ErringModel(skills, rates, seed, saved if given.condition == "save" else None)
            drawn = instance(template, number, templates, SPLITS[split][0])
            yield try_run(split, drawn, model, Teacher(skills, seed), table)


def _tell(result: RunResult, count: int, of: int, seconds: float) -> None:
    came = f"{result.corrections} corrections" if result.is_right else "never right"
    left = seconds / count * (of - count) / 60
    run = f"{result.split} {result.template} {result.number}"
    sys.stderr.write(f"{count} of {of}  {run}  {came}  {result.seconds:.0f} s  {left:.0f} min left\n")
    sys.stderr.flush()


def _write(results: Sequence[RunResult], given: argparse.Namespace) -> None:
    if given.json is not None:
        about = {"condition": given.condition, "errors": given.errors, "runs of each": given.runs}
        document = about | as_document(results, SPREADS[given.errors])
        given.json.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
