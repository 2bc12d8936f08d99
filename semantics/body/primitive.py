"""`Primitive`: a motion that a body can do, as the body tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from semantics.logic.place_value import PlaceModel
from semantics.logic.quantity import ValueModel


@dataclass(frozen=True, slots=True)
class Primitive:
    """A motion primitive.

    Attributes:
        doc: One sentence about it.
        roles: What each role means, by name; a command must fill each of them.
        limits: Limits in words, such as "things up to 0.5 kg"; `graftwork check WORLD --robot NAME` prints them.
        values: What it takes beside objects, with the range that the body can do; a command need not give them.
        optional: What each further role means, by name; a command may leave it out.
        places: The points and regions that it takes; a command need not give them.
    """

    doc: str
    roles: Mapping[str, str] = field(default_factory=dict)
    limits: tuple[str, ...] = ()
    values: tuple[ValueModel, ...] = ()
    optional: Mapping[str, str] = field(default_factory=dict)
    places: tuple[PlaceModel, ...] = ()
