"""Points and regions as values of actions: where to put a thing, beside what a number with a unit can say.

A point is a region of no size. In the text of an action a point is its coordinates, and a region its lowest and its
highest corner: ``0.41,-0.12m`` and ``0.2,-0.3,0.72..0.6,0.3,0.72m``. The text is exact: what is read back is the same.
Lengths are metres, in the frame of the scene.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint, around
from semantics.logic.quantity import Quantity, QuantityError

PlaceValue = MapPoint | Box
ActionValue = Quantity | MapPoint | Box
"""What an action carries beside its objects."""

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_POINT = re.compile(rf"(?P<start>{_NUMBER}(?:,{_NUMBER}){{1,2}})(?:\.\.(?P<end>{_NUMBER}(?:,{_NUMBER}){{2}}))?\s?m")
FARTHEST = 1e6  # the largest coordinate of a place, in metres


class PlaceKind(StrEnum):
    """What a value that is a place may be."""

    POINT = "point"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class PlaceModel:
    """A value of a capability that is a place, such as where a thing is put."""

    name: str  # its name
    kind: PlaceKind = PlaceKind.REGION  # whether it is a point, or a region, of which a point is one
    # the capability that does it where this value is said and an object of its own capability is left out; empty for
    # the capability itself
    by: str = ""

    @property
    def form(self) -> str:
        """Its name with what it may be: ``where (point or region)``."""
        return f"{self.name} ({'point' if self.kind is PlaceKind.POINT else 'point or region'})"

    def fitting(self, value: object) -> PlaceValue:
        """Return a place that this value may be.

        Raises:
            QuantityError: It is no place, is a region where a point is needed, or is not finite; the message names
                the nearest valid value if there is one.
        """
        if not isinstance(value, MapPoint | Box):
            raise QuantityError(f"{self.name} is {value}, which is no place; expected a {self.form}")
        _check_numbers(self.name, value)
        if isinstance(value, Box) and self.kind is PlaceKind.POINT:
            nearest = place_text(around(value))
            raise QuantityError(f"{self.name} is a point, and {place_text(value)} is a region; its middle is {nearest}")
        return value


def _check_numbers(what: str, value: PlaceValue) -> None:
    for number in value.coordinates if isinstance(value, MapPoint) else (*value.low, *value.high):
        if not math.isfinite(number):
            raise QuantityError(f"{what}: {number} is no finite number")
        if abs(number) > FARTHEST:
            nearest = f"the nearest is {math.copysign(FARTHEST, number):g}m"
            raise QuantityError(f"{what}: {number:g}m is farther away than {FARTHEST:g}m; {nearest}")
    if isinstance(value, Box) and any(low > high for low, high in zip(value.low, value.high, strict=True)):
        raise QuantityError(f"{what}: the lowest corner of a region comes first")


def _text(numbers: Sequence[float]) -> str:
    return ",".join(str(int(number)) if float(number).is_integer() else repr(float(number)) for number in numbers)


def place_text(value: PlaceValue) -> str:
    """Return a place as exact text without spaces, see `read_place`."""
    if isinstance(value, MapPoint):
        return f"{_text(value.coordinates)}m"
    return f"{_text(value.low)}..{_text(value.high)}m"


def read_place(text: str) -> PlaceValue | None:
    """Read what `place_text` writes; return None for the text of something else.

    Raises:
        QuantityError: A number is not finite or too large, or the corners of a region are in the wrong order.
    """
    match = _POINT.fullmatch(text.strip())
    if match is None:
        return None
    start = tuple(map(float, match["start"].split(",")))
    if match["end"] is None:
        place: PlaceValue = MapPoint(*start)
    else:
        x, y, z = (float(number) for number in match["end"].split(","))
        if len(start) != 3:
            raise QuantityError(f"'{text}' has a corner without a height; write x,y,z..x,y,z and m")
        place = Box((start[0], start[1], start[2]), (x, y, z))
    _check_numbers(f"'{text}'", place)
    return place


def value_text(value: ActionValue) -> str:
    """Return a value of an action as exact text."""
    return str(value) if isinstance(value, Quantity) else place_text(value)


def read_value(text: str) -> ActionValue:
    """Read what `value_text` writes.

    Raises:
        QuantityError: It is neither a number with a unit nor a place.
    """
    place = read_place(text)
    return Quantity.read(text) if place is None else place
