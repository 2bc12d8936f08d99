"""The verdicts of a run as a table in Markdown and as JSON, with Wilson intervals at 95 %."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Any

from benchmarks.words.entries import Entry, Moving, Turn, Wording
from benchmarks.words.interjection import ANSWERED, PERIOD
from benchmarks.words.judge import Judged, Verdict, is_goal_due
from benchmarks.words.rows import Kind, Row
from semantics.proportion import wilson_interval

__all__ = ["WHOLE", "Result", "as_document", "markdown", "misses_in", "remarks_on"]

WHOLE = ", whole exchanges"
"""What follows the name of a set where its exchanges count, and not their turns."""

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
            "missed": each.judged.missed,
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
    yield from _goals_told(results)
    yield from _taken_back(results)
    yield from _times_told(results)
    yield from (f"{each.entry.id} {each.judged.why}." for each in right if each.judged.why.startswith("asks for more"))


def _goals_told(results: Sequence[Result]) -> Iterator[str]:
    """Yield of how many goals all wordings are right."""
    wordings = [each for each in results if isinstance(each.entry, Wording)]
    goals = [[*of_goal] for _, of_goal in groupby(wordings, key=lambda each: each.entry.id.partition(".")[0])]
    if goals:
        whole = sum(all(each.judged.is_good for each in of_goal) for of_goal in goals)
        yield f"All wordings are right of {whole} of {len(goals)} goals."


def _taken_back(results: Sequence[Result]) -> Iterator[str]:
    """Yield how often words took something back and nothing came of it, and how often a robot rested for nothing."""
    backs = [each for each in results if isinstance(each.entry, Turn | Moving) and _takes_back(each.entry)]
    if backs:
        missed = [each.entry.id for each in backs if each.judged.missed]
        told = f"Words that take something back, without effect: {len(missed)} of {len(backs)}."
        yield f"{told} {', '.join(missed)}".strip()
    idle = [each for each in results if isinstance(each.entry, Moving) and each.entry.effect == "none"]
    if idle:
        rested = [each.entry.id for each in idle if each.judged.verdict is Verdict.WRONG]
        yield f"Rested for nothing: {len(rested)} of {len(idle)}. {', '.join(rested)}".strip()


def _takes_back(entry: Turn | Moving) -> bool:
    return entry.takes_back if isinstance(entry, Turn) else entry.effect != "none"


def _times_told(results: Sequence[Result]) -> Iterator[str]:
    """Yield how long it took to take in what was said in mid-run, and the longest ticks meanwhile."""
    times = _times(results)
    if times:
        in_ms = {name: f"{seconds * 1000:.1f} ms" for name, seconds in times["seconds"].items()}
        yield (
            f"Said in mid-run: {times['count']}. Half was taken in within {in_ms['latency 50 %']}, 99 % within "
            f"{in_ms['latency 99 %']}, and {times['slow']} in more than {ANSWERED * 1000:.0f} ms."
        )
        yield (
            f"The longest tick meanwhile took {in_ms['tick 50 %']} (half) and {in_ms['tick 99 %']} (99 %); "
            f"{times['late']} took more than {PERIOD * 1000:.0f} ms."
        )


def _times(results: Sequence[Result]) -> dict[str, Any]:
    heard = [each.row for each in results if each.row.latency and each.row.kind is Kind.UNDER_WAY]
    if not heard:
        return {}
    latencies, ticks = sorted(row.latency for row in heard), sorted(row.longest_tick for row in heard)
    return {
        "count": len(heard),
        "slow": sum(seconds > ANSWERED for seconds in latencies),
        "late": sum(seconds > PERIOD for seconds in ticks),
        "seconds": {
            f"{name} {share:.0%}".replace("%", " %"): _quantile(values, share)
            for name, values in (("latency", latencies), ("tick", ticks))
            for share in (0.5, 0.99)
        },
    }


def _quantile(values: Sequence[float], share: float) -> float:
    """Return the least of sorted values that is not less than a share of them."""
    return values[max(0, ceil(share * len(values)) - 1)]


def misses_in(results: Sequence[Result]) -> Iterator[str]:
    """Yield what is not right, with the reason."""
    for each in results:
        if not each.judged.is_good and not each.kind.endswith(WHOLE):
            why = " ".join(each.judged.why.split())
            yield f'- {each.kind} {each.entry.id}, {each.judged.verdict}: "{each.entry.sentence}" {why}'


def _parts(results: Sequence[Result]) -> Iterator[tuple[str, Sequence[Result]]]:
    """Yield the results of each set, of each group of a set that has several, and of all."""
    kinds = list(dict.fromkeys(each.kind for each in results))
    for kind in kinds:
        mine = [each for each in results if each.kind == kind]
        yield kind, mine
        groups = list(dict.fromkeys(group for each in mine for group in each.entry.groups))
        for group in groups if len(groups) > 1 else ():
            yield f"{kind}: {group}", [each for each in mine if group in each.entry.groups]
    if len([kind for kind in kinds if not kind.endswith(WHOLE)]) > 1:
        yield "all", [each for each in results if not each.kind.endswith(WHOLE)]


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
        "missed": sum(each.judged.missed for each in results),
        "times": _times(results),
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
