"""The verdicts of a run as a table in Markdown and as JSON, with Wilson intervals at 95 %."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.words.entries import Entry
from benchmarks.words.judge import Judged, Verdict, is_goal_due
from benchmarks.words.rows import Kind, Row
from semantics.proportion import wilson_interval

__all__ = ["Result", "as_document", "markdown", "misses_in", "remarks_on"]

HEADS = (
    "set",
    "entries",
    *Verdict,
    "right and rightly declined",
    "right where something is due",
    "wrong, share",
    "calls",
    "tokens",
    "seconds",
)


@dataclass(frozen=True)
class Result:
    """An entry with what became of it and what that is worth."""

    kind: str
    entry: Entry
    row: Row
    judged: Judged


def markdown(results: Sequence[Result]) -> str:
    """Return a table with a line for each set, for each group in it, and for all; calls and the like are means."""
    lines = [HEADS, ("---",) * len(HEADS), *(_line(name, part) for name, part in _parts(results))]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_document(results: Sequence[Result]) -> dict[str, Any]:
    """Return the figures of the table, and the verdict of each entry."""
    entries = [
        {
            "set": each.kind,
            "id": each.entry.id,
            "verdict": str(each.judged.verdict),
            "by": each.judged.by,
            "why": each.judged.why,
            "calls": each.row.calls,
            "tokens": each.row.tokens,
            "seconds": each.row.seconds,
            "unrecorded": each.row.unrecorded,
        }
        for each in results
    ]
    return {"sets": {name: _figures(part) for name, part in _parts(results)}, "entries": entries}


def remarks_on(results: Sequence[Result]) -> Iterator[str]:
    """Yield what a reader of the table should know: how verdicts came about, and what is to be asked again."""
    right = [each for each in results if each.judged.verdict is Verdict.RIGHT]
    noted = {
        "Judged by simulation of the plan, since logic left it open": [
            r for r in results if r.judged.by == "simulation"
        ],
        "Right after a yes to an offer": [each for each in right if each.row.kind is Kind.OFFER],
        "To be asked again, since the recordings lack their prompt": [each for each in results if each.row.unrecorded],
    }
    for remark, part in noted.items():
        if part:
            yield f"{remark} ({len(part)} of {len(results)}): {', '.join(each.entry.id for each in part)}."
    yield from (f"{each.entry.id} {each.judged.why}." for each in right if each.judged.why.startswith("asks for more"))


def misses_in(results: Sequence[Result]) -> Iterator[str]:
    """Yield what is not right, with the reason."""
    for each in results:
        if each.judged.verdict not in (Verdict.RIGHT, Verdict.DECLINED):
            why = " ".join(each.judged.why.split())
            yield f'- {each.kind} {each.entry.id}, {each.judged.verdict}: "{each.entry.sentence}" {why}'


def _parts(results: Sequence[Result]) -> Iterator[tuple[str, Sequence[Result]]]:
    """Yield the results of each set, of each group of a set that has several, and of all."""
    kinds = list(dict.fromkeys(each.kind for each in results))
    for kind in kinds:
        mine = [each for each in results if each.kind == kind]
        yield kind, mine
        groups = list(dict.fromkeys(each.entry.group for each in mine))
        for group in groups if len(groups) > 1 else ():
            yield f"{kind}: {group}", [each for each in mine if each.entry.group == group]
    if len(kinds) > 1:
        yield "all", results


def _figures(results: Sequence[Result]) -> dict[str, Any]:
    verdicts = [each.judged.verdict for each in results]
    due = [each for each in results if is_goal_due(each.entry)]
    good = sum(verdict in (Verdict.RIGHT, Verdict.DECLINED) for verdict in verdicts)
    right_due = sum(each.judged.verdict is Verdict.RIGHT for each in due)
    ways = [each.judged.by for each in results if each.judged.by]
    return {
        "entries": len(results),
        "verdicts": {str(verdict): verdicts.count(verdict) for verdict in Verdict},
        "good": (good, wilson_interval(good, len(results))),
        "due": len(due),
        "right_where_due": (right_due, wilson_interval(right_due, len(due))),
        "wrong": wilson_interval(verdicts.count(Verdict.WRONG), len(results)),
        "by": {by: ways.count(by) for by in sorted(set(ways))},
        "calls": _mean(results, "calls"),
        "tokens": _mean(results, "tokens"),
        "seconds": _mean(results, "seconds"),
    }


def _mean(results: Sequence[Result], name: str) -> float:
    total: float = sum(getattr(each.row, name) for each in results)
    return total / max(len(results), 1)


def _line(name: str, results: Sequence[Result]) -> tuple[str, ...]:
    figures = _figures(results)
    (good, interval), (right, of_due) = figures["good"], figures["right_where_due"]
    wrong = figures["verdicts"][Verdict.WRONG]
    return (
        name,
        str(len(results)),
        *map(str, figures["verdicts"].values()),
        _share(good, len(results), interval),
        _share(right, figures["due"], of_due) if figures["due"] else "",
        _share(wrong, len(results), figures["wrong"]),
        f"{figures['calls']:.1f}",
        f"{figures['tokens']:.0f}",
        f"{figures['seconds']:.1f}",
    )


def _share(part: int, whole: int, interval: tuple[float, float]) -> str:
    return f"{part / max(whole, 1):.0%} ({interval[0]:.0%} to {interval[1]:.0%})"
