"""How often each kind of mistake comes in a run: the model of errors that a scripted model can err by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from benchmarks.copal_ladder.records import Record

__all__ = ["Rate", "rates"]

Z95 = 1.96


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean per run with its 95 % interval (normal, from the spread between runs), and the number it rests on."""

    mean: float
    low: float
    high: float
    count: int


def rates(records: Iterable[Record], runs: int) -> Mapping[str, Rate]:
    """Return the mistakes per run by cause and by the deed that failed, and those answered by a repair or a replan.

    Args:
        records: Of one configuration.
        runs: How many runs it had, those without a mistake included.
    """
    by_run: dict[str, Counter[tuple[str, int]]] = {}
    for one in records:
        deed = (one.command.split() or ["nothing"])[0]
        answer = "repairs" if one.repaired else "replans"
        for kind in ("mistakes", answer, f"{one.cause}", f"{one.cause} {deed}"):
            by_run.setdefault(kind, Counter())[one.run] += 1
    return {kind: _rate([*counts.values()], runs) for kind, counts in sorted(by_run.items())}


def _rate(counts: list[int], runs: int) -> Rate:
    whole = [*counts, *[0] * (runs - len(counts))]
    mean = fmean(whole)
    half = Z95 * stdev(whole) / sqrt(len(whole))
    return Rate(round(mean, 4), round(max(0.0, mean - half), 4), round(mean + half, 4), sum(counts))
