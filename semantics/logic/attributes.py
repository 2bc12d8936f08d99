"""`Attribute`: a property of things that has a value, such as a colour, a material or a size.

A world declares its attributes, each with a closed list of values or with a unit. A `Thing` holds its own values. A
thing may have several values of one attribute: a red and white cup. A value that nobody stated is unknown, so that a
thing without a colour is neither red nor of another colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from semantics.geometry.geometry import Vector
from semantics.logic.quantity import Quantity

AttributeValue = str | float
Attributes = tuple[tuple[str, AttributeValue], ...]
"""The values of a thing: pairs of an attribute and a value, sorted; a number is in the unit of its attribute."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A property of things.

    Attributes:
        name: Symbol, such as ``colour``.
        values: The values that it may have; empty for a number.
        words: The value that each further word stands for: ``wooden`` for ``wood``.
        unit: The unit of a number, such as ``cm``; empty if it has a list of values.
        measure: What of a solid gives the number of things that state none, such as ``height``; empty for nothing.
        more: Adjectives for a large number: ``big``.
        less: Adjectives for a small number: ``small``.
        sensed: Whether a body tells the values, so that they are unknown until it does.
        shown: The colour (red, green, blue) in which a body shows things with a value.
    """

    name: str
    values: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""
    measure: str = ""
    more: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    sensed: bool = False
    shown: Mapping[str, Vector] = field(default_factory=dict)

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return bool(self.unit)

    def said(self, values: Iterable[AttributeValue]) -> str:
        """Return values as a person says them: ``red and white``, ``7.5cm``."""
        return " and ".join(
            str(Quantity(round(value, 6), self.unit)) if isinstance(value, float) else value.replace("_", " ")
            for value in values
        )


def values_of(attributes: Attributes, name: str) -> tuple[AttributeValue, ...]:
    """Return the values of one attribute; none if they are unknown."""
    return tuple(value for attribute, value in attributes if attribute == name)


def told_values(values: Attributes, attributes: Mapping[str, Attribute]) -> Iterator[str]:
    """Yield the values of a thing in words, such as ``colour red and white``."""
    for name in dict.fromkeys(name for name, _ in values):
        yield f"{name} {attributes[name].said(values_of(values, name))}"
