"""The figures of the runs: corrections needed, right at once and in the end, each with an interval at 95 %."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from random import Random
from statistics import fmean
from typing import Any

from rich.table import Table

from benchmarks.teaching.tabletop.rates import PUBLISHED, Rates, expected_mean
from benchmarks.teaching.tabletop.runs import RunResult
from semantics.proportion import wilson_interval

__all__ = ["as_document", "corrections_of", "tables"]

DRAWS, INTERVAL = 2000, 0.95
ALL = "all"
GROUPS: Mapping[str, Callable[[RunResult], bool]] = {
    ALL: lambda run: True,
    "seen kinds of error": lambda run: not run.is_unseen,
    "unseen kinds of error": lambda run: run.is_unseen,
}
"""Runs by the error that the model makes in them if it errs."""
COLUMNS = ("split", "runs of", "runs", "n", "95 %", "right at once", "95 %", "right in the end", "95 %", "calls")


def corrections_of(runs: Sequence[RunResult]) -> float | None:
    """Return the mean number of corrections: of the runs that succeed for each template, then of the templates."""
    by_template = [[run.corrections for run in each if run.is_right] for each in _templates(runs)]
    means = [fmean(each) for each in by_template if each]
    return fmean(means) if means else None


def tables(runs: Sequence[RunResult], rates: Mapping[str, Rates]) -> Iterator[Table]:
    """Yield the table of all runs, and that of the templates.

    Args:
        runs: The runs.
        rates: How often the model errs in each split, for what is expected if nothing is learned.
    """
    table = Table(*COLUMNS, title="corrections until it is right")
    for row in _rows(runs, rates):
        n, (low, high) = row["n"], row["n interval"]
        mean = ("-", "-") if n is None else (f"{n:.2f}", f"{low:.2f} to {high:.2f}")
        shares = (text for name in ("at once", "in the end") for text in _share(row[name]))
        table.add_row(row["split"], row["group"], str(row["runs"]), *mean, *shares, f"{row['calls']:.2f}")
    yield table
    yield _by_template(runs)


def _by_template(runs: Sequence[RunResult]) -> Table:
    table = Table("split", "template", "corrections in each run", title="by template; x is never right")
    for split in dict.fromkeys(run.split for run in runs):
        for each in _templates([run for run in runs if run.split == split]):
            told = " ".join(str(run.corrections) if run.is_right else "x" for run in each)
            table.add_row(split, each[0].template, told)
    return table


def _share(share: Mapping[str, float]) -> tuple[str, str]:
    return f"{share['rate']:.2f}", f"{share['low']:.2f} to {share['high']:.2f}"


def _rows(runs: Sequence[RunResult], rates: Mapping[str, Rates]) -> Iterator[dict[str, Any]]:
    """Yield the figures of each split, and of the seen and unseen kinds of error in it and in all splits."""
    for split in (*dict.fromkeys(run.split for run in runs), ALL):
        of_split = [run for run in runs if split in (run.split, ALL)]
        for group, belongs in GROUPS.items():
            if chosen := [run for run in of_split if belongs(run)]:
                yield _row(split, group, chosen, rates)


def _row(split: str, group: str, runs: Sequence[RunResult], rates: Mapping[str, Rates]) -> dict[str, Any]:
    low, high = _interval_of_mean(runs)
    is_whole = group == ALL and split in rates
    return {
        "split": split,
        "group": group,
        "runs": len(runs),
        "n": corrections_of(runs),
        "n interval": [low, high],
        "n over templates and runs": fmean(run.corrections for run in runs),
        "at once": _counted([run.is_right and not run.corrections for run in runs]),
        "in the end": _counted([run.is_right for run in runs]),
        "calls": fmean(run.attempts[0].calls for run in runs),
        "published without learning": PUBLISHED[split] if is_whole else None,
        "expected without learning": round(expected_mean(split, rates[split]), 3) if is_whole else None,
    }


def _counted(counts: Sequence[bool]) -> dict[str, float]:
    low, high = wilson_interval(yes := sum(counts), len(counts))
    return {"yes": yes, "of": len(counts), "rate": yes / len(counts), "low": low, "high": high}


def _interval_of_mean(runs: Sequence[RunResult]) -> tuple[float, float]:
    """Return the percentile interval of a bootstrap that draws runs of each template again."""
    random, templates = Random(0), _templates(runs)
    drawn = [
        mean
        for _ in range(DRAWS)
        if (mean := corrections_of([random.choice(each) for each in templates for _ in each])) is not None
    ]
    drawn.sort()
    if not drawn:
        return 0.0, 0.0
    rest = (1 - INTERVAL) / 2
    return drawn[int(rest * (len(drawn) - 1))], drawn[round((1 - rest) * (len(drawn) - 1))]


def _templates(runs: Sequence[RunResult]) -> list[list[RunResult]]:
    """Return the runs of each template of each split."""
    keys = dict.fromkeys((run.split, run.template) for run in runs)
    return [[run for run in runs if (run.split, run.template) == key] for key in keys]


def as_document(runs: Sequence[RunResult], rates: Mapping[str, Rates]) -> dict[str, Any]:
    """Return the figures and the runs as plain data for JSON; of unseen kinds of error nothing is told but the name."""
    rows = [
        asdict(run) | {"seconds": round(run.seconds, 1), "corrections": run.corrections, "is_right": run.is_right}
        for run in runs
    ]
    return {"figures": list(_rows(runs, rates)), "runs": rows}
