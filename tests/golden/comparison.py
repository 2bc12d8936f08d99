"""What of a journal is golden: how one is normalised, and how two are compared.

A golden journal says what a run decided and in which order. It leaves out what a change of the program may change
although the run stays the same:

- Fields of the wall clock (`bt.record.WALL_CLOCK`, with the `seconds` of planning), the digest of a world's files
  (`world` of the start), and the folder of the test, which is written as ``FOLDER``.
- Settings that the program got since the journals were recorded (`LATER`).
- ``tree``, ``view`` and ``picture`` events, the numbers of ticks, and statuses: the shape of a tree may change.
- Paths of nodes: of `node` only the last part is kept, and of `what` where it is that path. The node that carries out a
  plan is the same by any of its names (`PLAN_NODES`), and a path at the head of the summary of a fault is left out.

A ``tick`` that changed something becomes up to two events, so that they do not hang on how many ticks passed:
``facts``, what is believed from that tick on, stands before the events that the tick wrote (those were decided on these
facts), except for the first tick of a run; and ``point``, the resume point, stands after them. All other events are
kept whole, and those of one tick keep their order.

Two journals are equal when they have the same events in the same order with the same fields. Times (`t`, `failed`, and
the `seconds` of a rung) are compared apart: each must be no later than the recorded one plus `SLACK`. What came sooner
is no difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.wall_clock import without_wall_clock

__all__ = ["SLACK", "Event", "difference", "normalised", "read", "write"]

LATER = ("search", "planning_memory", "new_things", "unsaid", "learn")
Event = dict[str, Any]
SLACK = 0.25
"""Seconds of the body's clock by which an event may come later: five ticks."""
TIMES = ("t", "failed", "seconds")
LEFT_OUT = ("tree", "view", "picture", "vocabulary", "disturbed", "reply")
PLAN_NODES = ("resume", "weave", "execute", "goal")
"""Names of the node that carries out a plan, of which there were two, one after another and at once, and of the goal
that stood around each plan: it was named as what had failed."""
PATH = re.compile(r"^(?:[^/:]+/)+")
STREAMS = {"facts": ("facts",), "resume points": ("point", "resume")}
BEFORE = 3
"""How many events before a difference are shown."""


def normalised(events: Iterable[Mapping[str, Any]], folder: Path | None = None) -> list[Event]:
    """Return the golden events of a journal.

    Args:
        events: What was written, each with its kind as ``e``.
        folder: The folder of the test, which must not stand in a golden journal.
    """
    plain = json.loads(_without(json.dumps(without_wall_clock(events), ensure_ascii=False), folder))
    kept: list[Event] = []
    tick: list[Event] = []  # what was written since the last tick
    first = True
    for event in plain:
        if event["e"] == "tick":
            facts, point = _parts(event)
            kept += [*tick, *facts, *point] if first else [*facts, *tick, *point]
            tick, first = [], False
        elif event["e"] not in LEFT_OUT:
            first = first or event["e"] == "start"
            tick.append(_cleaned(event))
    return kept + tick


def _without(text: str, folder: Path | None) -> str:
    return text if folder is None else text.replace(str(folder), "FOLDER")


def _parts(tick: Event) -> tuple[list[Event], list[Event]]:
    """Return the events of a tick's change of facts and of its resume point, each empty without one."""
    facts = [{"e": "facts", "t": tick["t"], **tick["facts"]}] if "facts" in tick else []
    return facts, [{"e": "point", "t": tick["t"], "resume": tick["resume"]}] if "resume" in tick else []


def _cleaned(event: Event) -> Event:
    event.pop("v", None)
    if event["e"] == "start":
        event.pop("world", None)
        for name in LATER:
            event.get("settings", {}).pop(name, None)
    if event["e"] == "end":
        event.pop("model", None)
    node = event.get("node")
    if isinstance(node, str):
        event["node"] = _last(node)
        if event.get("feedback", {}).get("what") == node:
            event["feedback"]["what"] = _last(node)
    return event


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def write(path: Path, events: Iterable[Event]) -> None:
    """Write golden events, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in events)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read(path: Path) -> list[Event]:
    """Read golden events."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def difference(expected: Sequence[Event], got: Sequence[Event]) -> str | None:
    """Return the first event that differs, in sentences for a person; None where none does."""
    wanted, have = [_content(event) for event in expected], [_content(event) for event in got]
    if wanted == have:
        return _too_late(expected, got)
    number = next((n for n, pair in enumerate(zip(wanted, have, strict=False)) if pair[0] != pair[1]), None)
    number = min(len(wanted), len(have)) if number is None else number
    lines = [f"event {number + 1} of {len(wanted)} expected and {len(have)} got differs; {_streams(wanted, have)}"]
    lines += [f"  before    {_line(event)}" for event in expected[max(number - BEFORE, 0) : number]]
    lines += [f"  expected  {_line(expected[number]) if number < len(expected) else 'no more'}"]
    lines += [f"  got       {_line(got[number]) if number < len(got) else 'no more'}"]
    if number < min(len(wanted), len(have)):
        lines += _fields(wanted[number], have[number])
    return "\n".join(lines)


def _content(event: Event) -> Event:
    content = {key: value for key, value in event.items() if not _is_time(key, value)}
    if content.get("node") in PLAN_NODES:
        content["node"] = "plan"
    if content["e"] == "end":
        content["summary"] = PATH.sub("", content["summary"])
    return content


def _is_time(key: str, value: object) -> bool:
    return key in TIMES and isinstance(value, int | float)


def _too_late(expected: Sequence[Event], got: Sequence[Event]) -> str | None:
    """Return the first event that comes later than it may."""
    for number, (one, other) in enumerate(zip(expected, got, strict=True)):
        for key, value in one.items():
            if _is_time(key, value) and other[key] > value + SLACK:
                late = f"event {number + 1} of {len(expected)}: its {key} is {other[key]}, at most {value} + {SLACK}"
                return f"{late} expected\n  got       {_line(other)}"
    return None


def _streams(wanted: Sequence[Event], have: Sequence[Event]) -> str:
    """Say of each kind of event whether it is the same by itself, which tells where to look."""
    said = []
    others = {kind for kinds in STREAMS.values() for kind in kinds}
    for name, kinds in STREAMS.items():
        one, other = ([event for event in events if event["e"] in kinds] for events in (wanted, have))
        said.append(f"{name} {'equal' if one == other else 'DIFFER'}")
    one, other = ([event for event in events if event["e"] not in others] for events in (wanted, have))
    return ", ".join([*said, f"all others {'equal' if one == other else 'DIFFER'}"]) + ", each by themselves"


def _fields(wanted: Event, have: Event) -> list[str]:
    keys = [key for key in {**wanted, **have} if wanted.get(key) != have.get(key)]
    return [f"  {key}: {json.dumps(wanted.get(key))}\n    is {json.dumps(have.get(key))}" for key in keys]


def _line(event: Event) -> str:
    return json.dumps(event, ensure_ascii=False)
