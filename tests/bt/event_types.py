"""Compares events with the table of their format."""

from bt.record_format import EVENTS

SIMPLE = {"text": str, "number": int | float, "integer": int, "boolean": bool, "object": dict}


def matches(value, kind):
    """Return whether a value is of a type of the table."""
    if kind.endswith(" or null"):
        return value is None or matches(value, kind.removesuffix(" or null"))
    if kind.startswith("["):
        return isinstance(value, list) and all(matches(each, kind[1:-1]) for each in value)
    if kind.startswith("{"):
        return isinstance(value, dict) and all(matches(each, kind[1:-1]) for each in value.values())
    if kind == "any":
        return value is not None
    return isinstance(value, SIMPLE[kind]) and (kind == "boolean" or not isinstance(value, bool))


def differences(event, *, whole=True):
    """Return in what an event differs from the table; one that is not `whole` may lack fields."""
    if event["e"] not in EVENTS:
        return [f"{event['e']} is no kind of event"]
    fields = EVENTS[event["e"]].fields
    told = [f"{event['e']}.{name} is not listed" for name in event if name not in fields and name not in ("v", "e")]
    told += [
        f"{event['e']}.{name} is no {field.type}: {event[name]!r}"
        for name, field in fields.items()
        if name in event and not matches(event[name], field.type)
    ]
    if whole:
        told += [f"{event['e']} lacks {name}" for name, field in fields.items() if field.always and name not in event]
    return told
