"""Values, arithmetic on them, and its errors."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from semantics.feedback import Code, Feedback
from semantics.program import ProgramLimits, TextPosition

__all__ = [
    "ARITHMETIC",
    "Odd",
    "Spent",
    "TooMuch",
    "Trouble",
    "Value",
    "added",
    "bounded",
    "compared",
    "is_number",
    "reckoned",
    "shown",
    "spoken",
    "trouble",
]

Value = bool | int | float | str | list[Any]
SHOWN = 60


@dataclass(slots=True)
class Spent:
    """The resources that a run has used: statements in total and in this tick, and evaluation work in this tick."""

    steps: int = 0
    in_tick: int = 0
    work: int = 0


class Trouble(Exception):  # noqa: N818 - never leaves a tick
    """A statement cannot go on; holds the reason for the node that fails."""

    def __init__(self, feedback: Feedback) -> None:
        self.feedback = feedback
        super().__init__(str(feedback))


def trouble(place: TextPosition, what: str, why: str, code: Code = Code.EXCEPTION, how: str = "") -> Trouble:
    """Return the error with the reason why a statement fails, and its place."""
    return Trouble(
        Feedback(code, f"{place}: {what.removesuffix(':')}", why, how, recoverable=code is not Code.BUDGET_SPENT)
    )


class Odd(Exception):  # noqa: N818 - turned into `Trouble` where the place is known
    """Values that do not fit an operation, with the reason."""


class TooMuch(Exception):  # noqa: N818 - turned into `Trouble` where the place is known
    """A value beyond a limit, with the limit."""


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
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def spoken(value: Value) -> str:
    """Return a value as it is said to a person."""
    if isinstance(value, list):
        return ", ".join(map(spoken, value))
    return value if isinstance(value, str) else str(value)


def checked(number: float, limits: ProgramLimits) -> int | float:
    """Return a number, checked against the limits.

    Raises:
        TooMuch: A limit is exceeded.
    """
    if not math.isfinite(number) or abs(number) >= 2**limits.bits:
        raise TooMuch(f"the number takes more than {limits.bits} bits")
    return number


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
    """Return the result of an arithmetic operation on two numbers.

    Raises:
        Odd: The values are no numbers, or the divisor is zero.
        TooMuch: The result is beyond the limits.
    """
    if not (is_number(left) and is_number(right)):
        raise Odd(f"numbers are needed, and these are {shown(left)} and {shown(right)}")
    if word in ("/", "//", "%") and right == 0:
        raise Odd("it divides by zero")
    try:
        return checked(ARITHMETIC[word](left, right), limits)
    except OverflowError:
        raise TooMuch(f"the number takes more than {limits.bits} bits") from None


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


def compared(word: str, left: Value, right: Value) -> bool:
    """Return whether two numbers are in an order.

    Raises:
        Odd: They are no numbers.
    """
    if not (is_number(left) and is_number(right)):
        raise Odd(f"numbers are needed, and these are {shown(left)} and {shown(right)}")
    return ORDER[word](left, right)
