"""What the runs come to: shares with Wilson's intervals, means with bootstrapped ones, tables, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from rich.table import Table

from benchmarks.copal_ladder.configurations import OURS
from benchmarks.copal_ladder.running.outcome import Outcome
from semantics.proportion import wilson_interval

__all__ = ["Judged", "judged", "mean_of", "table_of", "to_the_model", "twins"]

RUNGS = ("words", "left out", "again", "rule", "replan", "model", "none")
RESAMPLES = 2000
LOGGED = ("H0", "H1", "H2", "MH0", "MH1", "MH2")
REPRODUCED = ("H0", "MH2")
"""Of whose replans it is judged whether the stand-in meets them."""
MOST_TO_THE_MODEL = 0.05
LEAST_CORRECT = 0.99

Logged = Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]
Found = Mapping[str, Sequence[Outcome]]


class Mean(NamedTuple):
    """A mean with its 95 % interval, bootstrapped over runs."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ({self.low:.2f} to {self.high:.2f})"


class Judged(NamedTuple):
    """A target, and whether it is met."""

    told: str
    met: bool


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of values of single runs."""
    random = Random(0)
    means = sorted(fmean(random.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return Mean(fmean(values), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1])


def share(good: int, total: int) -> str:
    """Write a share with Wilson's interval."""
    low, high = wilson_interval(good, total)
    return f"{good} of {total} ({100 * max(0.0, low):.1f} to {100 * high:.1f} %)"


def to_the_model(runs: Sequence[Outcome]) -> tuple[int, int]:
    """Return how many mistakes reached the model, and how many were met."""
    return sum(one.answered["model"] for one in runs), sum(one.met for one in runs)


def table_of(found: Found) -> Table:
    """Return a line a configuration."""
    table = Table("", "mistakes met", "executable", "correct", "distance", "to the model", *RUNGS, "seconds")
    for name, runs in found.items():
        far = [one.drink.distance for one in runs if one.executable and one.drink.distance is not None]
        asked, met = to_the_model(runs)
        table.add_row(
            name,
            str(mean_of([one.met for one in runs])),
            share(sum(one.executable for one in runs), len(runs)),
            share(sum(one.correct for one in runs), len(runs)),
            str(mean_of(far)) if far else "-",
            share(asked, met) if met else "-",
            *(f"{fmean(one.answered[rung] for one in runs):.2f}" for rung in RUNGS),
            str(mean_of([one.seconds for one in runs])),
        )
    return table


def twins(found: Found, logged: Logged) -> Table | None:
    """Return how often new texts and repairs were logged, and how often the stand-in's runs had them; None for none."""
    table = Table("", "replans logged", "replans here", "repairs logged", "repairs here")
    for name in LOGGED:
        if name in found:
            texts, repairs = (mean_of([one.answered[rung] for one in found[name]]) for rung in ("model", "rule"))
            rates = logged[name]["per_run"]
            table.add_row(name, _logged(rates, "replans"), str(texts), _logged(rates, "repairs"), str(repairs))
    return table if table.row_count else None


def _logged(rates: Mapping[str, Mapping[str, float]], kind: str) -> str:
    one = rates.get(kind)
    return f"{one['mean']:.2f} ({one['low']:.2f} to {one['high']:.2f})" if one else "-"


def judged(found: Found, logged: Logged, obstructed: Sequence[Outcome]) -> list[Judged]:
    """Return the targets of what was run."""
    told = []
    for name in REPRODUCED:
        if name in found:
            mean, bounds = fmean(one.answered["model"] for one in found[name]), logged[name]["per_run"]["replans"]
            within = bounds["low"] <= mean <= bounds["high"]
            told.append(Judged(f"{name}: {mean:.2f} replans a run, logged {_logged({'': bounds}, '')}", within))
    if OURS in found:
        told += _ours(found[OURS])
    aside = sum(one.correct and not one.answered["model"] for one in obstructed)
    text = f"a bottle in the way put aside and the drink right, without the model: {aside} of {len(obstructed)}"
    return [*told, Judged(text, aside == len(obstructed))]


def _ours(runs: Sequence[Outcome]) -> list[Judged]:
    executable, correct = sum(one.executable for one in runs), sum(one.correct for one in runs)
    asked, met = to_the_model(runs)
    reach = f"ours: {asked} of {met} mistakes reached the model, at most {MOST_TO_THE_MODEL:.0%}"
    return [
        Judged(f"ours: {executable} of {len(runs)} executable, all", executable == len(runs)),
        Judged(f"ours: {correct} of {len(runs)} correct, at least 99 %", correct >= LEAST_CORRECT * len(runs)),
        Judged(reach, asked <= MOST_TO_THE_MODEL * met),
    ]
