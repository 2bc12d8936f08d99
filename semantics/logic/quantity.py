"""`Quantity`: a number with a unit, such as ``30ml``, and the closed table of units.

The table is small, so that a program starts quickly: a library of units takes longer to import than the rest of a
command. A quantity keeps the unit it was written with; what is compared or sent to a body is converted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from semantics.errors import UsageError
from semantics.hints import did_you_mean


class Dimension(StrEnum):
    """What a unit measures, each with the unit that bodies get."""

    LENGTH = "length"
    VOLUME = "volume"
    MASS = "mass"
    DURATION = "duration"
    SPEED = "speed"
    ANGLE = "angle"
    TURN = "turning speed"
    FORCE = "force"
    TEMPERATURE = "temperature"
    SHARE = "share"
    COUNT = "count"


class _Unit(NamedTuple):
    dimension: Dimension
    factor: float  # how many of the first unit of its dimension it is


_FACTORS: Mapping[Dimension, Mapping[str, float]] = {
    Dimension.LENGTH: {"m": 1.0, "cm": 0.01, "mm": 0.001},
    Dimension.VOLUME: {"ml": 1.0, "cl": 10.0, "dl": 100.0, "l": 1000.0},
    Dimension.MASS: {"kg": 1.0, "g": 0.001},
    Dimension.DURATION: {"s": 1.0, "ms": 0.001, "min": 60.0, "h": 3600.0},
    Dimension.SPEED: {"m/s": 1.0, "cm/s": 0.01, "km/h": 1.0 / 3.6},
    Dimension.ANGLE: {"deg": 1.0, "rad": 180.0 / math.pi},
    Dimension.TURN: {"deg/s": 1.0, "rad/s": 180.0 / math.pi},
    Dimension.FORCE: {"N": 1.0},
    Dimension.TEMPERATURE: {"degC": 1.0},
    Dimension.SHARE: {"%": 1.0},
    Dimension.COUNT: {"": 1.0},
}
UNITS = {unit: _Unit(dimension, factor) for dimension, of in _FACTORS.items() for unit, factor in of.items()}
"""The units, by their symbol; the first of each dimension is the one that bodies get."""
_PER = frozenset({"per", "a", "an", "each", "every"})

_NAMES: Mapping[str, str] = {
    "m": "metre meter", "cm": "centimetre centimeter", "mm": "millimetre millimeter", "km": "kilometre kilometer",
    "ml": "millilitre milliliter", "cl": "centilitre centiliter", "dl": "decilitre deciliter", "l": "litre liter",
    "kg": "kilogram", "g": "gram", "s": "second sec", "min": "minute min", "h": "hour", "deg": "degree", "N": "newton",
}  # fmt: skip
_WORDS = {word + end: unit for unit, words in _NAMES.items() for word in words.split() for end in ("", "s")}
_WORDS |= {"percent": "%", "°": "deg"}
_WRITTEN = re.compile(r"(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s?(?P<unit>[A-Za-z%/]*)")

DIGITS = 9
"""Decimal places of numbers in messages: what is in a world in litres has to stay exact to a microlitre and less."""


class QuantityError(UsageError):
    """A text is no quantity, or a quantity does not fit: a wrong unit, or a number out of its range."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit."""

    number: float  # a finite number
    unit: str = ""  # one of `UNITS`; empty for a count

    def __post_init__(self) -> None:
        if not math.isfinite(self.number):
            raise QuantityError(f"{self.number} is no finite number")
        if self.unit not in UNITS:
            raise QuantityError(f"'{self.unit}' is no unit; {did_you_mean(self.unit, [*UNITS]) or told_units()}")

    def __str__(self) -> str:
        number = self.number
        return f"{int(number) if number == int(number) and abs(number) < 1e15 else repr(number)}{self.unit}"

    @property
    def dimension(self) -> Dimension:
        """What it measures."""
        return UNITS[self.unit].dimension

    @property
    def base(self) -> float:
        """The number in the first unit of its dimension, as bodies get it."""
        return self.number * UNITS[self.unit].factor

    @property
    def rounded(self) -> Quantity:
        """The same without the noise of arithmetic, for messages: with `DIGITS` decimal places."""
        return Quantity(round(self.number, DIGITS), self.unit)

    def to(self, unit: str) -> Quantity:
        """Return the same in another unit of the same dimension.

        Raises:
            QuantityError: The unit measures something else.
        """
        return self if unit == self.unit else Quantity(self.base / _like(self, unit).factor, unit)

    @classmethod
    def read(cls, text: str) -> Quantity:
        """Read what `str` writes, and units in words: ``30ml``, ``0.5 m/s``, ``10 seconds``.

        Raises:
            QuantityError: It is no number with a unit.
        """
        match = _WRITTEN.fullmatch(text.strip())
        if match is None:
            raise QuantityError(f"'{text}' is no quantity; write a number and a unit, such as 30ml")
        unit = match["unit"]
        return cls(float(match["number"]), _WORDS.get(unit.lower(), unit))


def _like(quantity: Quantity, unit: str) -> _Unit:
    other = UNITS.get(unit)
    if other is None:
        raise QuantityError(f"'{unit}' is no unit; {told_units()}")
    if other.dimension is not quantity.dimension:
        valid = " or ".join(units_of(other.dimension)) or "a plain number"
        raise QuantityError(f"{quantity} is a {quantity.dimension} and no {other.dimension}; expected {valid}")
    return other


def unit_said(words: Sequence[str]) -> str | None:
    """Return the unit that words in lower case name, such as "seconds", "cm/s" or "metres per second"; or None."""
    symbols = {unit.lower(): unit for unit in UNITS if unit}
    parts = [_WORDS.get(word, symbols.get(word, word)) for word in words if word not in _PER]
    if len(words) == 2 * len(parts) - 1 and (unit := "/".join(parts)) in UNITS and unit:
        return unit
    return None


def units_of(dimension: Dimension) -> tuple[str, ...]:
    """Return the units of a dimension."""
    return tuple(name for name, unit in UNITS.items() if unit.dimension is dimension and name)


def base_unit(unit: str) -> str:
    """Return the unit in which bodies get what is written in `unit`."""
    dimension = UNITS[unit].dimension
    return next(name for name, other in UNITS.items() if other.dimension is dimension)


def told_units() -> str:
    """Return the units in a sentence."""
    return f"the units are {', '.join(filter(None, UNITS))}"


@dataclass(frozen=True, slots=True)
class ValueModel:
    """A value that a capability takes beside its things, such as the speed of a drive."""

    name: str  # its name
    unit: str = ""  # the unit in which it is written
    low: float = -math.inf  # the smallest value, in this unit
    high: float = math.inf  # the largest value, in this unit
    # the value that is used if nobody says one, in this unit; None to leave it to the body
    default: float | None = None
    # what words of a sentence mean for it, in this unit, such as 20 for "slowly"
    words: Mapping[str, float] = field(default_factory=dict, hash=False)
    number: str = ""  # the number of the world that it stands for in its action, such as a portion; empty for none

    @property
    def dimension(self) -> Dimension:
        """What it measures."""
        return UNITS[self.unit].dimension

    @property
    def form(self) -> str:
        """Its name with its unit and its range: ``speed (cm/s, 5 to 75)``."""
        bounds = [f"{bound:g}" for bound in (self.low, self.high) if math.isfinite(bound)]
        told = ", ".join(filter(None, (self.unit, " to ".join(bounds) if len(bounds) == 2 else "")))
        return f"{self.name} ({told})" if told else self.name

    def fitting(self, quantity: Quantity) -> Quantity:
        """Return a quantity in the unit of this value.

        Raises:
            QuantityError: It has another dimension, or is out of range; the message names the nearest valid value.
        """
        told = quantity.to(self.unit)
        if not self.low <= told.number <= self.high:
            raise QuantityError(
                f"the {self.name} {quantity} is out of range: {self.low:g}{self.unit} to {self.high:g}{self.unit}; "
                f"the nearest is {self.nearest(quantity)}"
            )
        return told

    def nearest(self, quantity: Quantity) -> Quantity:
        """Return the nearest quantity in the range of this value; the quantity itself if it is within.

        Raises:
            QuantityError: It has another dimension.
        """
        told = quantity.to(self.unit)
        within = min(max(told.number, self.low), self.high)
        return quantity if within == told.number else Quantity(within, self.unit)
