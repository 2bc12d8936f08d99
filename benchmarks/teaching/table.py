"""The figures of the suite as tables, as lines for what is wrong, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table

from benchmarks.teaching.data import Entry
from benchmarks.teaching.trials import MEASURES, Mark
from semantics.proportion import wilson_interval

__all__ = ["Result", "as_document", "misses", "tables"]


@dataclass(frozen=True, slots=True)
class Result:
    """What is counted of an entry.

    Attributes:
        kind: Of the entry.
        entry: The entry.
        marks: What is counted.
        fault: Why it could not be tried; empty if it was.
        seconds: How long it took.
    """

    kind: str
    entry: Entry
    marks: tuple[Mark, ...] = ()
    fault: str = ""
    seconds: float = 0.0


def tables(results: Sequence[Result]) -> Iterator[Table]:
    """Yield a table of each kind with its rates, each with Wilson's interval."""
    for kind in dict.fromkeys(result.kind for result in results):
        table = Table("measure", "yes", "of", "rate", "95 %", title=kind)
        for name, counts in _counted(kind, results).items():
            low, high = wilson_interval(yes := sum(counts), len(counts))
            share = f"{yes / len(counts):.0%}", f"{low:.0%} to {high:.0%}"
            table.add_row(name, str(yes), str(len(counts)), *share)
        yield table


def _counted(kind: str, results: Sequence[Result]) -> dict[str, list[bool]]:
    """Return what is counted of a kind, by measure: first those of all entries, then those of a sort."""
    marks = [mark for result in results if result.kind == kind for mark in result.marks]
    order = [*MEASURES[kind], *sorted({mark.measure for mark in marks} - {*MEASURES[kind]})]
    found = {name: [mark.counts for mark in marks if mark.measure == name] for name in order}
    for sort in dict.fromkeys(mark.sort for mark in marks if mark.sort):
        found[f"both, {sort}"] = [mark.counts for mark in marks if mark.sort == sort]
    return {name: counts for name, counts in found.items() if counts}


def misses(results: Sequence[Result]) -> Iterator[str]:
    """Yield a line for each case that is wrong: what was expected, and what was done; and for what was not tried."""
    for result in results:
        if result.fault:
            yield f"{result.entry.id}: cannot be set up: {result.fault}"
        for mark in result.marks:
            if mark.done:
                yield f"{result.entry.id} {mark.case} [{mark.measure}]: expected {mark.expected} | done: {mark.done}"


def as_document(results: Sequence[Result]) -> dict[str, Any]:
    """Return the figures, and what is counted of each entry, for JSON."""
    figures: dict[str, Any] = {}
    for kind in dict.fromkeys(result.kind for result in results):
        for name, counts in _counted(kind, results).items():
            low, high = wilson_interval(yes := sum(counts), len(counts))
            rate = round(yes / len(counts), 4)
            own = {"yes": yes, "of": len(counts), "rate": rate, "low": round(low, 4), "high": round(high, 4)}
            figures.setdefault(kind, {})[name] = own
    entries = [
        {"kind": each.kind, "id": each.entry.id, "fault": each.fault, "seconds": round(each.seconds, 1)}
        | {"marks": [asdict(mark) for mark in each.marks]}
        for each in results
    ]
    return {"figures": figures, "entries": entries}
