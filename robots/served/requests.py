"""What a server accepts: each request is bounded and checked before the robot hears of it.

A request has the keys ``do`` and ``with``. A frame of more than `LONGEST_REQUEST` bytes, an unknown request, an
argument of a wrong type and a number out of range are refused with a sentence, and change nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from robots.served.wire import read_command, value
from semantics.logic.state import Command

LONGEST_REQUEST = 1 << 16
"""The longest accepted request, in bytes."""
LONGEST_SLEEP = 60.0
"""The longest time by which one request moves the clock, in seconds."""
LONGEST_NAME = 256
MOST_ROLES = 32
LARGEST_NUMBER = 2**53
"""The largest number of an observation or a motion; JSON carries integers up to here without loss."""


class BodyRequest(NamedTuple):
    """A valid request: what to do, and its argument in the type that the answer takes."""

    do: str
    argument: Any


def read_request(frame: bytes) -> BodyRequest:
    """Read and check a request.

    Raises:
        ValueError: The frame is no valid request; the message names the fault.
        TypeError: The frame is no JSON object.
    """
    asked = value(frame)
    unknown = sorted(asked.keys() - {"do", "with"})
    if unknown:
        raise ValueError(f"a request has the keys do and with, not {unknown[0][:40]!r}")
    do = asked.get("do")
    if not isinstance(do, str) or do not in _ARGUMENTS:
        raise ValueError(f"there is no such request; there are {', '.join(_ARGUMENTS)}")
    return BodyRequest(do, _ARGUMENTS[do](do, asked.get("with")))


def _nothing(do: str, given: object) -> None:
    if given is not None:
        raise ValueError(f"'{do}' takes no argument")


def _version(do: str, given: object) -> int:
    """Return the version of a client; the first version sent none."""
    if given is None:
        return 1
    if not isinstance(given, dict) or given.keys() != {"version"}:
        raise ValueError(f"'{do}' takes nothing, or the version of the client")
    return _number(do, given["version"])


def _seconds(do: str, given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not -LONGEST_SLEEP <= given <= LONGEST_SLEEP:
        raise ValueError(f"'{do}' takes at most {LONGEST_SLEEP:g} seconds, as a finite number")
    return max(0.0, float(given))


def _number(do: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= LARGEST_NUMBER:
        raise ValueError(f"'{do}' takes an integer from 0 to 2^53")
    return given


def _is_finite(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)


def _is_place(place: object) -> bool:
    """Return whether a value is a point of two or three finite numbers, or two corners of three, the lowest first."""
    if not isinstance(place, list) or not 2 <= len(place) <= 3:
        return False
    if all(map(_is_finite, place)):
        return True
    return (
        len(place) == 2
        and all(isinstance(corner, list) and len(corner) == 3 and all(map(_is_finite, corner)) for corner in place)
        and all(low <= high for low, high in zip(*place, strict=True))
    )


def _command(do: str, given: object) -> Command:
    if not isinstance(given, dict) or given.keys() - {"values", "places"} != {"primitive", "agent", "roles"}:
        raise ValueError(f"'{do}' takes an object with the keys primitive, agent and roles, perhaps values and places")
    values = given.get("values", {})
    if not isinstance(values, dict) or len(values) > MOST_ROLES or not all(map(_is_finite, values.values())):
        raise ValueError(f"'{do}': values is an object with at most {MOST_ROLES} finite numbers")
    places = given.get("places", {})
    if not isinstance(places, dict) or len(places) > MOST_ROLES or not all(map(_is_place, places.values())):
        raise ValueError(f"'{do}': places is an object with at most {MOST_ROLES} points [x, y] or pairs of corners")
    roles = given["roles"]
    if not isinstance(roles, dict) or len(roles) > MOST_ROLES:
        raise ValueError(f"'{do}': roles is an object with at most {MOST_ROLES} keys")
    for name in (given["primitive"], given["agent"], *roles, *roles.values(), *values, *places):
        if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable():
            raise ValueError(f"'{do}': a name is a printable text of at most {LONGEST_NAME} characters")
    return read_command(given)


_ARGUMENTS: Mapping[str, Callable[[str, object], object]] = {
    "hello": _version,
    "now": _nothing,
    "sleep": _seconds,
    "observation": lambda do, given: None if given is None else _number(do, given),
    "start": _command,
    "poll": _number,
    "cancel": _number,
    "stop": _nothing,
}
