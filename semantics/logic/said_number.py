"""`SaidNumber`: a number of the world that a value of an action can say, and how far it is from one that would do.

A world counts in portions; "pour 30 ml" says another number in place of the portion. Where a condition of the action
does not hold with it (too little is left, there is no room), `shortfall` names the nearest number with which it does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Compare, Formula, conjoined, numbers_in
from semantics.logic.conditions import is_true, value
from semantics.logic.quantity import Quantity, ValueModel
from semantics.logic.sentences import number_in_words

CURVED = 1e-9  # the largest deviation of a condition from a straight line in the number


@dataclass(frozen=True, slots=True)
class SaidNumber:
    """A number of the world that a value of an action can say."""

    model: ValueModel  # the value, such as ``amount``, with its unit and its range
    number: Atom  # the number of the world that it stands for, such as ``(portion)``
    unit: str  # the unit of this number
    condition: Formula  # the ground condition of the action, which reads this number
    # of each number in the condition, by name: its sentence with ``{0}`` and ``{value}``, and its unit
    sentences: Mapping[str, tuple[str, str]]
    said: Quantity | None = None  # how much was said; None for as much as the number is in the world

    def told(self, fluent: Atom, amount: float) -> str:
        """Return the sentence of a number, with its value in the unit of what was said if it measures the same."""
        sentence, unit = self.sentences.get(fluent.predicate, ("", ""))
        quantity = Quantity(amount, unit)
        is_alike = quantity.dimension is self.model.dimension
        return number_in_words(fluent, quantity.to(self._shown) if is_alike else quantity, sentence)

    def text(self, amount: float) -> str:
        """Return an amount of the number in the unit of what was said, or else of the value."""
        return str(Quantity(amount, self.unit).to(self._shown).rounded)

    @property
    def _shown(self) -> str:
        return self.said.unit if self.said else self.model.unit

    def asked(self, numbers: Mapping[Atom, float]) -> float:
        """Return how much is asked, in the unit of the number.

        Raises:
            UsageError: Nothing was said, and the number has no value.
        """
        return value(self.number, numbers) if self.said is None else self.said.to(self.unit).number


class Shortfall(NamedTuple):
    """Why an amount cannot be had."""

    why: str  # what is there and what is asked, such as "bottle0 holds 20ml, and 30ml are asked"
    how: str  # the nearest amount that can be had, a sentence
    culprits: tuple[str, ...]  # the things whose numbers are in the way
    # the number of the world that stands for the amount, and its nearest value; None if there is none
    nearest: tuple[Atom, float] | None = None


def shortfall(sayable: Sequence[SaidNumber], numbers: Mapping[Atom, float]) -> Shortfall | None:
    """Return why the first number that does not fit does not, and the nearest one that would; None if all fit.

    Args:
        sayable: The numbers that the values of an action can say.
        numbers: The numbers of the world.
    """
    try:
        asked = {**numbers, **{one.number: one.asked(numbers) for one in sayable}}
        return next(filter(None, (_shortfall(one, asked) for one in sayable)), None)
    except UsageError:  # a number has no value: whoever checks the condition tells it
        return None


def _shortfall(one: SaidNumber, numbers: Mapping[Atom, float]) -> Shortfall | None:
    """Return the shortfall of one number, which has in `numbers` the value that is asked."""
    parts = [part for part in conjoined(one.condition) if isinstance(part, Compare) and one.number in numbers_in(part)]
    unmet = next((part for part in parts if not is_true(part, (), numbers)), None)
    if unmet is None:
        return None
    fluents = [fluent for fluent in dict.fromkeys(numbers_in(unmet)) if fluent != one.number]
    facts = ", ".join(one.told(fluent, numbers[fluent]) for fluent in fluents)
    culprits = tuple(dict.fromkeys(arg for fluent in fluents for arg in fluent.args))
    asked = f"{one.text(numbers[one.number])} are asked"
    why = f"{facts}, and {asked}" if facts else asked
    low, high = _limits(one, parts, numbers)
    if math.isnan(low):
        return Shortfall(why, "", culprits)
    if low > high:
        return Shortfall(why, f"No {one.model.name} will do now.", culprits)
    is_much = numbers[one.number] > high
    nearest = high if is_much else low
    how = f"{'At most' if is_much else 'At least'} {one.text(nearest)}."
    return Shortfall(why, how, culprits, (one.number, nearest))


def _limits(one: SaidNumber, parts: Iterable[Compare], numbers: Mapping[Atom, float]) -> tuple[float, float]:
    """Return the least and the largest number with which all parts hold; NaN if they are not linear in it."""
    low, high = (_in_the_world(one, end) for end in (one.model.low, one.model.high))
    for part in parts:
        least, most = _bounds(part, one.number, numbers)
        if math.isnan(least):
            return least, most
        low, high = max(low, least), min(high, most)
    return low, high


def _in_the_world(one: SaidNumber, end: float) -> float:
    """Return an end of the range of a value in the unit of the number that it stands for."""
    return Quantity(end, one.model.unit).to(one.unit).number if math.isfinite(end) else end


def _bounds(part: Compare, number: Atom, numbers: Mapping[Atom, float]) -> tuple[float, float]:
    """Return between which values of a number a comparison holds; NaN if it is not linear in it, or an equation."""
    if part.operator == "=":
        return math.nan, math.nan
    tried = [{**numbers, number: x} for x in (0.0, 1.0, 2.0)]
    at = [value(part.left, each) - value(part.right, each) for each in tried]
    slope = at[1] - at[0]
    if abs(at[2] - at[1] - slope) > CURVED or abs(slope) <= CURVED:
        return math.nan, math.nan
    zero, is_below = -at[0] / slope, part.operator.startswith("<") == (slope > 0)
    return (-math.inf, zero) if is_below else (zero, math.inf)
