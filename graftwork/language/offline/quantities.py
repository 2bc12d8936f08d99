"""Quantities in the tokens of a sentence: "ten seconds", "half a minute", "0.5 m/s", "twenty-five centimetres".

A number with a unit becomes one token, such as ``10s``, where it can be nothing else: at the end of a clause, or before
"of" or a preposition. So "a second cup" stays as it is, and "wait a second" does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from semantics.logic.quantity import UNITS, Quantity, unit_said
from semantics.words.english import spoken_number

_SLASHED = "|".join(sorted((unit.lower() for unit in UNITS if "/" in unit), key=len, reverse=True))
QUANTITY = rf"\d+\.\d+(?:(?:{_SLASHED})\b|[^\W\d_]*)|\d*(?:{_SLASHED})\b"
"""A pattern of the tokens that no other word is: decimal numbers, and units with a slash."""
_ATTACHED = re.compile(r"(\d+(?:\.\d+)?(?:e\+\d+)?)([a-z%]+(?:/[a-z]+)?)")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_BEHIND = frozenset({
    ",", ".", ";", ":", "!", "?", "and", "then", "but", "at", "to", "in", "into", "on", "onto", "for", "with", "of",
    "from", "by", "before", "after", "while", "until", "left", "right", "behind",
})  # fmt: skip
"""What may stand behind a quantity; before anything else, its unit may be part of a name."""
_MOST_NUMBER = 6
_MOST_UNIT = 3
_LARGEST = 1e300  # a longer number is as far out of every range


@dataclass(frozen=True, slots=True)
class SaidValue:
    """A value in a sentence.

    Attributes:
        words: The words that say it.
        values: What they mean: quantities by the name of a value, or by that of a capability and of its value, as in
            ``move.speed``.
    """

    words: str
    values: tuple[tuple[str, Quantity], ...]


def with_quantities(tokens: Sequence[str]) -> list[str]:
    """Return tokens in lower case, the last of which is a full stop, with each quantity as one of them."""
    return list(_joined(tokens))


def quantity_in(token: str) -> Quantity | None:
    """Return the quantity that is a token of `with_quantities`; None for any other one."""
    match = _ATTACHED.fullmatch(token)
    unit = None if match is None else unit_said((match[2],))
    return None if match is None or unit is None else Quantity(float(match[1]), unit)


def _joined(tokens: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(tokens):
        found = _quantity_at(tokens, at)
        yield tokens[at] if found is None else str(found[0]).lower()
        at += 1 if found is None else found[1]


def _quantity_at(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """Return the quantity that begins at a position, and its number of tokens."""
    for length in range(min(_MOST_NUMBER, len(tokens) - at - 1), 0, -1):
        number = _number(tokens[at : at + length])
        for unit, end in _units_at(tokens, at + length) if number is not None else ():
            if len(tokens[at + length]) == 1 and not _DIGITS.fullmatch(tokens[at]):
                continue  # "a m" and "two l" are no quantities
            more, last = _more(tokens, end, unit)
            if tokens[last] in _BEHIND:
                return Quantity(min((number or 0.0) + more, _LARGEST), unit), last - at
    return None


def _units_at(tokens: Sequence[str], at: int) -> Iterator[tuple[str, int]]:
    """Yield each unit that begins at a position, the longest first, with its end."""
    for length in range(min(_MOST_UNIT, len(tokens) - at - 1), 0, -1):
        unit = unit_said(tokens[at : at + length])
        if unit is not None:
            yield unit, at + length


def _more(tokens: Sequence[str], end: int, unit: str) -> tuple[float, int]:
    """Return what comes to a quantity that ends at a position, and where it ends then.

    This is the half of "a minute and a half", and the seconds of "a minute and thirty seconds". Nothing comes to a
    speed: "0.5 m/s 20 cm/s" are two.
    """
    if "/" in unit:
        return 0.0, end
    start = end + (tokens[end] == "and")
    if start > end and tuple(tokens[start : start + 2]) == ("a", "half"):
        return 0.5, start + 2
    second = _quantity_at(tokens, start)
    if second is None or second[0].dimension is not UNITS[unit].dimension or second[0].base >= UNITS[unit].factor:
        return 0.0, end
    return second[0].to(unit).number, start + second[1]


def _number(words: Sequence[str]) -> float | None:
    """Return a number in digits or in words; None for anything else."""
    if len(words) == 1 and _DIGITS.fullmatch(words[0]):
        return float(words[0])
    return spoken_number(tuple(words))
