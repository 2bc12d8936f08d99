"""``graftwork record``: show what a record holds, follow one that is being written, print its format.

``graftwork report`` makes the page of a record again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from graftwork.cli.options import command, echo, group, print_json
from semantics.errors import known_name
from semantics.logic.sentences import pddl_in_words, sentences_in
from semantics.plain_text import counted

Event = Mapping[str, Any]
FREQUENT = ("tick", "view", "tree", "stated", "picture", "vocabulary")  # what a table leaves out unless it is asked for

record_app = group("What a run recorded: show, follow, and the format.")


@command(record_app, "record show")
def show(record: Path, kinds: list[str] | None, every: bool, as_json: bool) -> None:
    """Show the events of a record, one a line, with their times on the body's clock."""
    from graftwork.record.reading import read_record

    is_shown = _filter(kinds, every=every or as_json)
    events = read_record(record)
    if as_json:
        print_json({"record": str(record), "events": list(filter(is_shown, events))})
        return
    for line in _rows(events, is_shown):
        echo(line)
    left = sum(not is_shown(event) for event in events)
    if left and not kinds:
        echo(f"{counted(left, 'other event')} not shown (--all)")
    if not events or events[-1]["e"] != "end":
        echo("the record has no end: its run was cut off, or goes on (graftwork record tail)", err=True)


@command(record_app, "record tail")
def tail(record: Path, kinds: list[str] | None, every: bool, as_json: bool) -> None:
    """Show the events of a run that is going on, as they are written, until it ends or you press Ctrl-C."""
    from graftwork.record.reading import follow_record

    is_shown = _filter(kinds, every=every or as_json)
    events = follow_record(record)
    lines = map(json.dumps, filter(is_shown, events)) if as_json else _rows(events, is_shown)
    for line in lines:
        echo(line)


@command(record_app, "record format")
def format_command(as_json: bool) -> None:
    """Print the kinds of events with their fields, as docs/record.md has them."""
    from bt.record_format import format_as_dict, format_page

    if as_json:
        print_json({"events": format_as_dict()})
    else:
        echo(format_page())


def report_command(record: Path, page: Path | None) -> None:
    """Write the report of a record, and print its path.

    Raises:
        RecordError: There is no record, or the page cannot be written.
    """
    from bt.report import write_report

    echo(write_report(record, page))


def _filter(kinds: list[str] | None, *, every: bool) -> Callable[[Event], bool]:
    """Return which events are shown.

    Raises:
        UnknownNameError: There is no such kind of event.
    """
    from bt.record_format import EVENTS

    for kind in kinds or ():
        known_name("event", kind, EVENTS)
    if kinds:
        return lambda event: event["e"] in kinds
    return lambda event: every or event["e"] not in FREQUENT


def _rows(events: Iterable[Event], is_shown: Callable[[Event], bool]) -> Iterator[str]:
    """Yield a line for each event that is shown; one without a time has that of the event before."""
    time: float = 0.0
    steps: int | None = None
    sentences: dict[str, str] = {}
    for event in events:
        sentences = sentences_in(event) if event["e"] == "vocabulary" else sentences
        time = event["t"] if isinstance(event.get("t"), int | float) else time
        if event["e"] == "plan" and isinstance(event.get("steps"), list):
            steps = len(event["steps"])
        if is_shown(event):
            yield f"{time:8.2f} s  {event['e']:10}  {pddl_in_words(_words(event, steps), sentences)}"


def _words(event: Event, steps: int | None) -> str:
    """Return an event in words; one of an unknown kind, or with other fields than runs write, as JSON."""
    from bt.report.words import TELL, moment_words

    with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        if event["e"] in WORDS:
            return WORDS[event["e"]](event)
        if event["e"] in TELL:
            _, headline, sentence = moment_words(event, steps)
            return f"{headline}: {sentence}" if sentence else headline
    return json.dumps({name: value for name, value in event.items() if name not in ("v", "e", "t")})


def _started(event: Event) -> str:
    where = " ".join(f"{name}={event[name]}" for name in ("domain", "scene", "robot", "model", "seed") if name in event)
    return f"“{event.get('instruction', '')}”  {where}"


def _facts(event: Event) -> str:
    facts = event.get("facts") or {}
    return " ".join([*(f"+{fact}" for fact in facts.get("+", ())), *(f"-{fact}" for fact in facts.get("-", ()))])


def _tick(event: Event) -> str:
    states = " ".join(f"{node}={state}" for node, state in (event.get("status") or {}).items())
    return "  ".join(filter(None, (f"{event.get('n')}", states, _facts(event))))


WORDS: Mapping[str, Callable[[Event], str]] = {
    "start": _started,
    "goal": lambda event: f"{event.get('words') or event.get('text')}",
    "note": lambda event: str(event.get("text")),
    "program": lambda event: counted(len(str(event.get("text")).splitlines()), "line"),
    "line": lambda event: f"{event.get('line')}: {event.get('text')}",
    "reply": lambda event: str(event.get("text")),
    "heard": lambda event: f"“{event.get('words')}”: {event.get('reply')}",
    "failure": lambda event: f"at {event.get('step') or event.get('node')}",
    "tick": _tick,
    "stated": lambda event: " ".join(map(str, event.get("facts") or ())),
    "picture": lambda event: str(event.get("file")),
    "view": lambda event: counted(len(event.get("things") or ()), "thing"),
    "vocabulary": lambda event: counted(len(event.get("facts") or ()) + len(event.get("actions") or ()), "sentence"),
    "tree": lambda event: f"root {(event.get('root') or {}).get('name')}",
}
"""Kinds of events of which a line says something else than a report, or which no report tells by themselves."""
