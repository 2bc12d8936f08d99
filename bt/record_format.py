"""The format of a record: its events with their fields, as the table ``record_format.yaml`` beside this file has them.

`graftwork record format` prints it, docs/record.md contains it, and tests compare it with what runs write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from semantics.process.reading import read_table


class FieldFormat(NamedTuple):
    """A field of an event."""

    type: str
    """``text``, ``number``, ``integer``, ``boolean``, ``object`` or ``any``; ``[T]`` is a list of T, ``{T}`` an object
    whose values are T, ``T or null`` also null."""
    meaning: str  # what it holds, with its unit
    always: bool = True  # whether every event of this version has it


class EventFormat(NamedTuple):
    """A kind of event: when it is written, and its fields by name."""

    meaning: str
    fields: Mapping[str, FieldFormat]


EVENTS: Mapping[str, EventFormat] = {
    name: EventFormat(
        event["meaning"],
        {
            key.removesuffix("?"): FieldFormat(kind, meaning, not key.endswith("?"))
            for key, (kind, meaning) in event["fields"].items()
        },
    )
    for name, event in read_table(__file__).items()
}
"""Every kind of event, about in the order in which they appear in a record."""


def format_as_dict() -> dict[str, object]:
    """Return the format as plain data for JSON."""
    return {
        name: {"meaning": event.meaning, "fields": {key: field._asdict() for key, field in event.fields.items()}}
        for name, event in EVENTS.items()
    }


def format_page() -> str:
    """Return the format as Markdown: a heading and a table for each kind of event."""
    return "\n\n".join("\n".join(_section(name, event)) for name, event in EVENTS.items())


def _section(name: str, event: EventFormat) -> Iterator[str]:
    yield from (f"### {name}", "", event.meaning, "", "| field | type | meaning |", "|---|---|---|")
    for key, field in event.fields.items():
        kind = f"`{field.type}`{'' if field.always else ', not always'}"
        yield f"| `{key}` | {kind} | {field.meaning} |"
