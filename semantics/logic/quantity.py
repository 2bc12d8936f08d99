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


UNITS: Mapping[str, _Unit] = {
    "m": _Unit(Dimension.LENGTH, 1.0),
    "cm": _Unit(Dimension.LENGTH, 0.01),
    "mm": _Unit(Dimension.LENGTH, 0.001),
    "ml": _Unit(Dimension.VOLUME, 1.0),
    "cl": _Unit(Dimension.VOLUME, 10.0),
    "l": _Unit(Dimension.VOLUME, 1000.0),
    "kg": _Unit(Dimension.MASS, 1.0),
    "g": _Unit(Dimension.MASS, 0.001),
    "s": _Unit(Dimension.DURATION, 1.0),
    "ms": _Unit(Dimension.DURATION, 0.001),
    "min": _Unit(Dimension.DURATION, 60.0),
    "h": _Unit(Dimension.DURATION, 3600.0),
    "m/s": _Unit(Dimension.SPEED, 1.0),
    "cm/s": _Unit(Dimension.SPEED, 0.01),
    "km/h": _Unit(Dimension.SPEED, 1.0 / 3.6),
    "deg": _Unit(Dimension.ANGLE, 1.0),
    "rad": _Unit(Dimension.ANGLE, 180.0 / math.pi),
    "deg/s": _Unit(Dimension.TURN, 1.0),
    "rad/s": _Unit(Dimension.TURN, 180.0 / math.pi),
    "N": _Unit(Dimension.FORCE, 1.0),
    "degC": _Unit(Dimension.TEMPERATURE, 1.0),
    "%": _Unit(Dimension.SHARE, 1.0),
    "": _Unit(Dimension.COUNT, 1.0),
}
"""The units, by their symbol; the first of each dimension is the one that bodies get."""
_PER = "per"

_WORDS: Mapping[str, str] = {
    "metre": "m", "metres": "m", "meter": "m", "meters": "m", "centimetre": "cm", "centimetres": "cm",
    "centimeter": "cm", "centimeters": "cm", "millimetre": "mm", "millimetres": "mm", "millilitre": "ml",
    "millilitres": "ml", "milliliter": "ml", "milliliters": "ml", "litre": "l", "litres": "l", "liter": "l",
    "liters": "l", "kilogram": "kg", "kilograms": "kg", "gram": "g", "grams": "g", "second": "s", "seconds": "s",
    "sec": "s", "secs": "s",
    "mins": "min", "minute": "min", "minutes": "min", "hour": "h", "hours": "h", "degree": "deg", "degrees": "deg",
    "percent": "%", "newton": "N", "newtons": "N", "kilometre": "km", "kilometres": "km", "kilometer": "km",
    "kilometers": "km",
}  # fmt: skip
_WRITTEN = re.compile(r"(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s?(?P<unit>[A-Za-z%/]*)")

DIGITS = 9
"""Decimal places of numbers in messages: what is in a world in litres has to stay exact to a microlitre and less."""


class QuantityError(UsageError):
    """A text is no quantity, or a quantity does not fit: a wrong unit, or a number out of its range."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit.

    Attributes:
        number: A finite number.
        unit: One of `UNITS`; empty for a count.
    """

    number: float
    unit: str = ""

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
    parts = [_WORDS.get(word, symbols.get(word, word)) for word in words if word != _PER]
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
    """A value that a capability takes beside its things, such as the speed of a drive.

    Attributes:
        name: Its name.
        unit: The unit in which it is written.
        low: The smallest value, in this unit.
        high: The largest value, in this unit.
        default: The value that is used if nobody says one, in this unit; None to leave it to the body.
        words: What words of a sentence mean for it, in this unit, such as 20 for "slowly".
        number: The number of the world that it stands for in its action, such as a portion; empty for none.
    """

    name: str
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    default: float | None = None
    words: Mapping[str, float] = field(default_factory=dict, hash=False)
    number: str = ""

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
