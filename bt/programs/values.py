"""The values of a program, their types, and what can be reckoned with them.

Numbers, points and quantities are reckoned with by one table, `RULES`, which the check before the run and the run
share. A function here knows no places in a text: it raises `Odd` with a reason, and the evaluation adds the place.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.logic.feedback import Code
from semantics.logic.program import ProgramLimits
from semantics.logic.quantity import Quantity, QuantityError

SHOWN = 60  # letters of a value in a message
Value = bool | int | float | str | MapPoint | Box | Quantity | list[Any]


class ValueType(StrEnum):
    """The type of a value."""

    NAME = "a thing or a text"
    NUMBER = "a number"
    TRUTH = "true or false"
    LIST = "a list"
    POINT = "a point"
    BOX = "a box"
    QUANTITY = "a quantity"
    ANY = "anything"


TYPES: Mapping[type, ValueType] = {
    bool: ValueType.TRUTH,
    str: ValueType.NAME,
    int: ValueType.NUMBER,
    float: ValueType.NUMBER,
    MapPoint: ValueType.POINT,
    Box: ValueType.BOX,
    Quantity: ValueType.QUANTITY,
    list: ValueType.LIST,
}


def type_of(value: Value) -> ValueType:
    """Return the type of a value."""
    return TYPES[type(value)]


class Odd(Exception):  # noqa: N818 - turned into `Trouble` where the place is known
    """Values that do not fit an operation, with the reason, and what to do about it if that is known."""

    code = Code.EXCEPTION

    def __init__(self, why: str, how: str = "") -> None:
        self.how = how
        super().__init__(why)


class TooMuch(Odd):
    """A value beyond a limit, with the limit."""

    code = Code.BUDGET_SPENT


class OperatorRule(NamedTuple):
    """What an operator makes of two values of certain types."""

    gives: ValueType
    compute: Callable[[Any, Any], Any]


def _measured(compute: Callable[[float, float], float]) -> Callable[[Quantity, Quantity], Quantity]:
    """Return an operation on two quantities of one dimension; the result has the unit of the first."""
    return lambda left, right: Quantity(compute(left.number, right.to(left.unit).number), left.unit)


def _compared(compare: Callable[[float, float], bool]) -> Callable[[Quantity | float, Quantity | float], bool]:
    """Return a comparison of two quantities of one dimension; a number is a length in metres, as of `distance`."""

    def compared(*sides: Quantity | float) -> bool:
        left, right = (side if isinstance(side, Quantity) else Quantity(side, "m") for side in sides)
        return compare(left.number, right.to(left.unit).number)

    return compared


def _scaled(quantity: Quantity, factor: float) -> Quantity:
    return Quantity(quantity.number * factor, quantity.unit)


NUMBERS = ValueType.NUMBER, ValueType.NUMBER
POINTS = ValueType.POINT, ValueType.POINT
QUANTITIES = ValueType.QUANTITY, ValueType.QUANTITY
MEASURES = QUANTITIES, (ValueType.NUMBER, ValueType.QUANTITY), (ValueType.QUANTITY, ValueType.NUMBER)
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
RULES: Mapping[tuple[str, ValueType, ValueType], OperatorRule] = {
    **{(word, *NUMBERS): OperatorRule(ValueType.NUMBER, compute) for word, compute in ARITHMETIC.items()},
    **{(word, *POINTS): OperatorRule(ValueType.POINT, ARITHMETIC[word]) for word in "+-"},
    **{(word, *QUANTITIES): OperatorRule(ValueType.QUANTITY, _measured(ARITHMETIC[word])) for word in "+-"},
    ("*", ValueType.POINT, ValueType.NUMBER): OperatorRule(ValueType.POINT, operator.mul),
    ("*", ValueType.NUMBER, ValueType.POINT): OperatorRule(ValueType.POINT, lambda factor, point: point * factor),
    ("/", ValueType.POINT, ValueType.NUMBER): OperatorRule(ValueType.POINT, lambda point, part: point * (1 / part)),
    ("*", ValueType.QUANTITY, ValueType.NUMBER): OperatorRule(ValueType.QUANTITY, _scaled),
    ("*", ValueType.NUMBER, ValueType.QUANTITY): OperatorRule(
        ValueType.QUANTITY, lambda factor, much: _scaled(much, factor)
    ),
    ("/", ValueType.QUANTITY, ValueType.NUMBER): OperatorRule(
        ValueType.QUANTITY, lambda much, part: _scaled(much, 1 / part)
    ),
    ("/", *QUANTITIES): OperatorRule(ValueType.NUMBER, lambda left, right: left.number / right.to(left.unit).number),
    **{(word, *NUMBERS): OperatorRule(ValueType.TRUTH, compare) for word, compare in ORDER.items()},
    **{(word, *both): OperatorRule(ValueType.TRUTH, _compared(it)) for word, it in ORDER.items() for both in MEASURES},
}
"""What each operator makes of which types; ``+`` also joins lists and texts, see `added`."""


def outcomes_of(operator: str, sorts: Sequence[ValueType]) -> set[ValueType]:
    """Return the types that an operator may give for values of two types, of which either may not be known."""
    left, right = sorts
    return {
        rule.gives
        for (word, one, other), rule in RULES.items()
        if word == operator and left in (one, ValueType.ANY) and right in (other, ValueType.ANY)
    }


def takes(word: str) -> str:
    """Return what an operator takes, in words."""
    return ", ".join(f"{left} with {right}" for operator_word, left, right in RULES if operator_word == word)


def is_number(value: object) -> bool:
    """Return whether a value is a number; a truth value is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown(value: object) -> str:
    """Return a value as a short text for messages."""
    return shortened_value(_written(value))


def _written(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return spoken(value) if isinstance(value, MapPoint | Box | Quantity) else repr(value)


def shortened_value(text: str) -> str:
    """Return a text that is cut off where it is too long for a message."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def spoken(value: Value) -> str:
    """Return a value as it is said to a person."""
    if isinstance(value, list):
        return ", ".join(map(spoken, value))
    if isinstance(value, Box):
        return f"the box from {MapPoint(*value.low)} to {MapPoint(*value.high)}"
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


def numbers_in(value: Value) -> Iterator[float]:
    """Yield every number that a value consists of."""
    match value:
        case list():
            for member in value:
                yield from numbers_in(member)
        case MapPoint():
            yield from value.coordinates
        case Box():
            yield from (*value.low, *value.high)
        case Quantity():
            yield value.number
        case bool() | str():
            return
        case _:
            yield value


def within(value: Value, limits: ProgramLimits) -> Value:
    """Return a value, checked against the limits of numbers and lists.

    Raises:
        TooMuch: A limit is exceeded.
    """
    if not all(math.isfinite(number) and abs(number) < 2**limits.bits for number in numbers_in(value)):
        raise TooMuch(f"the number takes more than {limits.bits} bits")
    return bounded(value, limits) if isinstance(value, list) else value


def reckoned(word: str, left: Value, right: Value, limits: ProgramLimits) -> Value:
    """Return the result of an arithmetic operation, or whether two values are in an order; see `RULES`.

    Raises:
        Odd: The operator does not take these values, or the divisor is zero.
        TooMuch: The result is beyond the limits.
    """
    rule = RULES.get((word, type_of(left), type_of(right)))
    if rule is None:
        plain = all(ValueType.NUMBER in key[1:] for key in RULES if key[0] == word)
        needed = "numbers are needed" if plain else f"numbers are needed, or what else '{word}' takes: {takes(word)}"
        raise Odd(f"{needed}; these are {shown(left)} and {shown(right)}")
    if word in ("/", "//", "%") and not any(numbers_in(right)):
        raise Odd("it divides by zero")
    try:
        return within(rule.compute(left, right), limits)
    except QuantityError as error:
        raise Odd(str(error)) from None
    except OverflowError:
        raise TooMuch(f"the number takes more than {limits.bits} bits") from None


def opposite(value: Value, limits: ProgramLimits) -> Value:
    """Return a number, a point or a quantity with the other sign.

    Raises:
        Odd: It has no sign.
    """
    return reckoned("-", 0, value, limits) if is_number(value) else reckoned("*", value, -1, limits)


def same(left: Value, right: Value) -> bool:
    """Return whether two values are equal; quantities are compared in one unit."""
    if isinstance(left, Quantity) and isinstance(right, Quantity) and left.dimension is right.dimension:
        return math.isclose(left.base, right.base, rel_tol=1e-9)
    return left == right


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


ANSWERS = "a number, yes or no, a name, a text, a quantity, a point or a list of these"


@dataclass(frozen=True, slots=True)
class ProgramAnswer:
    """The answer of a program, which ends with it by ``return value`` outside of its functions.

    The type says what the value is, so that a reader of a record or an episode need not guess whether ``"table0"`` is a
    thing or a text.
    """

    type: str
    """``number``, ``yes or no``, ``name`` (of a thing), ``text``, ``quantity``, ``point``, ``names``, or ``list``."""
    value: Any
    """The value as plain data: a number, a truth value, a text, or a list of these; a quantity is a text such as
    ``30ml``, a point the list of its coordinates in metres."""
    text: str  # the answer as it is said to a person

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"type": self.type, "value": self.value}


def answer_of(value: Value, things: Collection[str]) -> ProgramAnswer:
    """Return a value as an answer.

    Args:
        value: The value.
        things: The names of all things.

    Raises:
        Odd: A value of this type is no answer.
    """
    match value:
        case bool():
            return ProgramAnswer("yes or no", value, "yes" if value else "no")
        case int() | float():
            return ProgramAnswer("number", value, f"{value:.6g}" if isinstance(value, float) else str(value))
        case str():
            return ProgramAnswer("name" if value in things else "text", value, value)
        case Quantity():
            return ProgramAnswer("quantity", str(value), str(value))
        case MapPoint():
            return ProgramAnswer("point", list(value.coordinates), str(value))
        case list():
            return _list([answer_of(member, things) for member in value])
    raise Odd(f"an answer is {ANSWERS}, and this is {shown(value)}", "Return a part of it, such as its middle.")


def _list(members: Sequence[ProgramAnswer]) -> ProgramAnswer:
    names = all(member.type == "name" for member in members)
    words = ", ".join(member.text for member in members) or "nothing"
    return ProgramAnswer("names" if names else "list", [member.value for member in members], words)
