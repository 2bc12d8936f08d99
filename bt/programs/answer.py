"""`ProgramAnswer`: what a program answers, as a value with its type.

A program ends with an answer by ``return value`` outside of its functions. The type says what the value is, so that a
reader of a record or an episode need not guess whether ``"table0"`` is a thing or a text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from bt.programs.values import Odd, Value, shown
from semantics.geometry.points import MapPoint
from semantics.logic.quantity import Quantity

ANSWERS = "a number, yes or no, a name, a text, a quantity, a point or a list of these"


@dataclass(frozen=True, slots=True)
class ProgramAnswer:
    """The answer of a program.

    Attributes:
        type: ``number``, ``yes or no``, ``name`` (of a thing), ``text``, ``quantity``, ``point``, ``names``, or
            ``list``.
        value: The value as plain data: a number, a truth value, a text, or a list of these; a quantity is a text such
            as ``30ml``, a point the list of its coordinates in metres.
        text: The answer as it is said to a person.
    """

    type: str
    value: Any
    text: str

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
