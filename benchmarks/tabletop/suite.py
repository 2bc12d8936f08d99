"""The tabletop evaluation: instructions of Code as Policies and 41 further ones, carried out in PyBullet and judged.

Each instance is a scene of the world `tabletop`, drawn by a seed, with the fixed arm. It is carried out by the program
of its template, or with ``--said`` by the words alone, which the offline reader reads. A judge who knows the
simulator's own bodies alone gives two verdicts, as published and completed (see `benchmarks.tabletop.judge`). Run from
a checkout, with the folder of the templates: ``graftwork bench tabletop --data DIR [--templates S1 U3] [--seeds 10]
[--said] [--json FILE]``. An interrupt ends it; what was done until then is printed and written. Exit code 1 when a
figure misses its bound, 4 after an interrupt.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.tabletop.answers import ANSWERS
from benchmarks.tabletop.instances import instance
from benchmarks.tabletop.templates import Templates, load_templates
from benchmarks.tabletop.trial import Trial, trial
from graftwork.record.episode import Outcome
from semantics.errors import UsageError
from semantics.proportion import wilson_interval

__all__ = ["GROUPS", "main", "said_counts"]

GROUPS: Mapping[str, Callable[[str], bool]] = {
    "Code as Policies, seen": lambda name: name.startswith("S"),
    "Code as Policies, unseen": lambda name: name.startswith("U"),
    "further, moving": lambda name: name.startswith("L") and name not in ANSWERS,
    "further, asking": lambda name: name in ANSWERS,
}
"""The groups of templates."""
CODE_AS_POLICIES = tuple(name for name in GROUPS if name.startswith("Code"))
BOUNDS = ((CODE_AS_POLICIES, 0.95), (("further, moving",), 0.90), (("further, asking",), 1.0))
"""The least share of each group, or of several together, that has to fulfil the completed check."""
NAMED = {"cap": CODE_AS_POLICIES, "further": ("further, moving", "further, asking")}
"""What ``--templates`` may name beside templates."""
INTERRUPTED = 4
"""The exit code after an interrupt, that of every command."""
WIDTH = 120


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out all instances, print the tables, return the exit code."""
    given = _options(arguments)
    data = load_templates(given.data)
    # All templates with one seed before the next seed, so that an interrupted measurement holds some of each.
    wanted = [(name, seed) for seed in given.seeds for name in _chosen(given.templates, data)]
    console, trials = Console(width=WIDTH), []
    ended = False
    try:
        for made in _carried_out(wanted, data, console, said=given.said):
            trials.append(made)
            if given.json:
                given.json.write_text(json.dumps([_row(each) for each in trials], indent=1) + "\n", encoding="utf-8")
        ended = True
    except KeyboardInterrupt:
        console.print(f"interrupted after {len(trials)} of {len(wanted)}")
    kept = _print(console, trials, said=given.said)
    return INTERRUPTED if not ended else int(not kept)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="graftwork bench tabletop", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the templates")
    parser.add_argument("--templates", nargs="+", default=["cap", "further"], help="names, or cap, or further (all)")
    parser.add_argument("--seeds", type=_seeds, default=range(10), help="how many from 0, or FIRST-LAST (10)")
    parser.add_argument("--said", action="store_true", help="by the words alone, without programs")
    parser.add_argument("--json", type=Path, help="file for a row of each instance")
    return parser.parse_args(arguments)


def _seeds(text: str) -> range:
    first, dash, last = text.partition("-")
    return range(int(first), int(last) + 1) if dash else range(int(first))


def _chosen(names: Sequence[str], data: Templates) -> list[str]:
    """Return the names of templates, in their order.

    Raises:
        UsageError: One is unknown.
    """
    groups = {group for name in names for group in NAMED.get(name, ())}
    unknown = [name for name in names if name not in NAMED and name not in data.templates]
    if unknown:
        valid = ", ".join((*NAMED, *data.templates))
        raise UsageError(f"there is no template {', '.join(unknown)}; there is {valid}")
    return [name for name in data.templates if name in names or any(GROUPS[group](name) for group in groups)]


def _carried_out(
    wanted: Sequence[tuple[str, int]], data: Templates, console: Console, *, said: bool
) -> Iterator[Trial]:
    """Yield each trial; what fell short is printed at once."""
    with Progress(console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("instances", total=len(wanted))
        for number, (name, seed) in enumerate(wanted, 1):
            made = trial(instance(name, seed, data), said=said)
            progress.advance(bar)
            if not made.verdict.completed:
                console.print(_shortfall(made), markup=False)
            elif not console.is_terminal and number % 10 == 0:
                console.print(f"{number} of {len(wanted)}")
            yield made


def _shortfall(made: Trial) -> str:
    reasons = "; ".join(made.verdict.reasons)
    return f"{made.template}, seed {made.seed}, '{made.words}', {made.outcome}: {reasons}. {made.message}"


def _row(made: Trial) -> Mapping[str, object]:
    return {
        "template": made.template,
        "seed": made.seed,
        "words": made.words,
        "outcome": str(made.outcome),
        "message": made.message,
        "published": made.verdict.published,
        "completed": made.verdict.completed,
        "reasons": list(made.verdict.reasons),
        "simulated": round(made.simulated, 2),
        "processor": round(made.processor, 2),
    }


def _print(console: Console, trials: Sequence[Trial], *, said: bool) -> bool:
    """Print the tables; return whether the bounds are kept. Words have none."""
    table = Table("templates", "instances", "as published", "completed", "95 % interval", "simulated", "processor")
    for name in sorted({made.template for made in trials}, key=_order):
        _add(table, name, [made for made in trials if made.template == name])
    table.add_section()
    for group, holds in GROUPS.items():
        _add(table, group, [made for made in trials if holds(made.template)])
    console.print(table)
    if said:
        counts = said_counts(trials)
        console.print(", ".join(f"{name} {count}" for name, count in counts.items()) + f" of {len(trials)}")
    load, _, _ = os.getloadavg()
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores, load at the end {load:.1f}"
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}")
    return said or all(_keeps(trials, groups, least) for groups, least in BOUNDS)


def _order(name: str) -> tuple[int, str]:
    return "SUL".index(name[0]), name


def _add(table: Table, name: str, trials: Sequence[Trial]) -> None:
    if not trials:
        return
    count = len(trials)
    published = sum(made.verdict.published for made in trials)
    completed = sum(made.verdict.completed for made in trials)
    low, high = wilson_interval(completed, count)
    seconds = (sum(made.simulated for made in trials) / count, sum(made.processor for made in trials) / count)
    figures = (str(count), str(published), str(completed), f"{low:.0%} to {high:.0%}")
    table.add_row(name, *figures, *(f"{value:.1f} s" for value in seconds))


def _keeps(trials: Sequence[Trial], groups: Sequence[str], least: float) -> bool:
    own = [made for made in trials if any(GROUPS[group](made.template) for group in groups)]
    return sum(made.verdict.completed for made in own) >= least * len(own)


def said_counts(trials: Sequence[Trial]) -> Mapping[str, int]:
    """Return what became of instructions that were said.

    Understood are those that led to a goal or a question that was answered; of them, achieved are those that the judge
    confirms, and wrong those that the session calls done and the judge does not. Refused are those that nothing was
    done for.
    """
    refused = {Outcome.REFUSED, Outcome.QUESTION}
    done = {Outcome.ACHIEVED, Outcome.ALREADY}
    counts = Counter[str]()
    for made in trials:
        counts["refused" if made.outcome in refused else "understood"] += 1
        counts["achieved"] += made.outcome in done and made.verdict.completed
        counts["wrong"] += made.outcome in done and not made.verdict.completed
    return {name: counts[name] for name in ("understood", "achieved", "wrong", "refused")}
