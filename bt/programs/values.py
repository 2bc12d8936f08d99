"""The values of a program, and what can be reckoned with them.

A function here knows no places in a text: it raises `Odd` with a reason, and the evaluation adds the place.
"""

from __future__ import annotations

import contextlib
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from semantics.feedback import Code
from semantics.program import ProgramLimits

__all__ = ["Odd", "TooMuch", "Value", "added", "bounded", "is_number", "reckoned", "shortened_value", "shown", "spoken"]

SHOWN = 60
"""Letters of a value in a message."""
Value = bool | int | float | str | list[Any]


class Odd(Exception):  # noqa: N818 - turned into `Trouble` where the place is known
    """Values that do not fit an operation, with the reason."""

    code = Code.EXCEPTION


class TooMuch(Odd):
    """A value beyond a limit, with the limit."""

    code = Code.BUDGET_SPENT


ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def is_number(value: object) -> bool:
    """Return whether a value is a number; a truth value is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown(value: object) -> str:
    """Return a value as a short text for messages."""
    return shortened_value(repr(value))


def shortened_value(text: str) -> str:
    """Return a text that is cut off where it is too long for a message."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def spoken(value: Value) -> str:
    """Return a value as it is said to a person."""
    if isinstance(value, list):
        return ", ".join(map(spoken, value))
    return value if isinstance(value, str) else str(value)


def size(items: list[Any]) -> int:
    """Return the number of members of a list, including those of inner lists."""
    return len(items) + sum(size(item) for item in items if isinstance(item, list))


def bounded(items: list[Any], limits: ProgramLimits) -> list[Any]:
    """Return a list, checked against the limits including the members of inner lists.

    Raises:
        TooMuch: A limit is exceeded.
    """
    if size(items) > limits.items:
        raise TooMuch(f"the list has more than {limits.items} members")
    return items


def reckoned(word: str, left: Value, right: Value, limits: ProgramLimits) -> Value:
    """Return the result of an arithmetic operation on two numbers, or whether they are in an order.

    Raises:
        Odd: The values are no numbers, or the divisor is zero.
        TooMuch: The result is beyond the limits.
    """
    if not (is_number(left) and is_number(right)):
        raise Odd(f"numbers are needed, and these are {shown(left)} and {shown(right)}")
    if word in ORDER:
        return ORDER[word](left, right)
    if word in ("/", "//", "%") and right == 0:
        raise Odd("it divides by zero")
    with contextlib.suppress(OverflowError):
        number: int | float = ARITHMETIC[word](left, right)
        if math.isfinite(number) and abs(number) < 2**limits.bits:
            return number
    raise TooMuch(f"the number takes more than {limits.bits} bits")


def added(left: Value, right: Value, limits: ProgramLimits) -> Value:
    """Return the sum of numbers, two lists as one, or a text joined with anything.

    Raises:
        Odd: They cannot be added.
        TooMuch: The result is beyond the limits.
    """
    if isinstance(left, list) and isinstance(right, list):
        return bounded(left + right, limits)
    if isinstance(left, str) or isinstance(right, str):
        text = spoken(left) + spoken(right)
        if len(text) > limits.text:
            raise TooMuch(f"the text has more than {limits.text} characters")
        return text
    return reckoned("+", left, right, limits)
