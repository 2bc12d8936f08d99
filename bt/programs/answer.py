"""`ProgramAnswer`: what a program answers, as a value with its type.

A program ends with an answer by ``return value`` outside of its functions. The type says what the value is, so that a
reader of a record or an episode need not guess whether ``"table0"`` is a thing or a text.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bt.programs.values import Odd, Value, is_number, shown

__all__ = ["ProgramAnswer", "answer_of"]


@dataclass(frozen=True, slots=True)
class ProgramAnswer:
    """The answer of a program.

    Attributes:
        type: ``number``, ``yes or no``, ``name`` (of a thing), ``text``, ``names``, or ``list``.
        value: The value as plain data: a number, a truth value, a text, or a list of these.
    """

    type: str
    value: Any

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"type": self.type, "value": self.value}

    def __str__(self) -> str:
        """Return the answer as it is said to a person."""
        return answer_words(self.value)


def answer_words(value: object) -> str:
    """Return an answer as it is said to a person: yes or no, a number, a name, or names with commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(answer_words, value)) or "nothing"
    return str(value)


def answer_of(value: Value, things: Collection[str]) -> ProgramAnswer:
    """Return a value as an answer.

    Args:
        value: The value.
        things: The names of all things.

    Raises:
        Odd: A value of this type is no answer.
    """
    if isinstance(value, bool):
        return ProgramAnswer("yes or no", value)
    if is_number(value):
        return ProgramAnswer("number", value)
    if isinstance(value, str):
        return ProgramAnswer("name" if value in things else "text", value)
    if isinstance(value, list):
        members = [answer_of(member, things) for member in value]
        names = all(member.type == "name" for member in members)
        return ProgramAnswer("names" if names else "list", [member.value for member in members])
    raise Odd(f"an answer is a number, yes or no, a name, a text or a list of them, and this is {shown(value)}")
