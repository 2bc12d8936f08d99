"""`KnownThing`: a thing that no file lists, as a record has it and another session knows it again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from affordances.newcomers import PACK, WORLD, Guess, unknown_thing
from domains.model import Domain
from domains.world import Origin
from semantics.body.observation import Detection, Sighting
from semantics.geometry.geometry import Box, Vector
from semantics.logic.vocabulary import Thing

__all__ = ["KnownThing"]


@dataclass(frozen=True, slots=True)
class KnownThing:
    """A thing that no file lists.

    Attributes:
        name: The name that it was given.
        class_name: What it is; what it was called while nobody knows.
        origin: How it became known.
        size: The lengths of its sides, in metres.
        at: Its middle when it was last seen, in metres.
        handle: The name that the body itself has for it; empty if it has none.
    """

    name: str
    class_name: str
    origin: Origin
    size: Vector
    at: Vector
    handle: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return it as a record has it."""
        origin = self.origin
        how = {
            "label": origin.label,
            "source": origin.source,
            "probability": origin.probability,
            "open": origin.is_open,
        }
        where = {"size": _rounded(self.size), "at": _rounded(self.at), "handle": self.handle}
        return {"name": self.name, "class": self.class_name, **how, **where}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> KnownThing:
        """Read what a record has.

        Raises:
            ValueError: It says something impossible.
            KeyError, TypeError: Something is missing, or of another type.
        """
        name, probability = str(document["name"]), float(document["probability"])
        if not re.fullmatch(r"[a-z][\w-]*", name) or not 0.0 <= probability <= 1.0:
            raise ValueError(f"'{name}' is no thing with a probability")
        origin = Origin(str(document["label"]), str(document["source"]), probability, bool(document["open"]))
        size, at = _vector(document["size"]), _vector(document["at"])
        return cls(name, str(document["class"]), origin, size, at, str(document["handle"]))

    @property
    def detection(self) -> Detection:
        """What was last seen of it."""
        low, high = (tuple(m + sign * s / 2 for m, s in zip(self.at, self.size, strict=True)) for sign in (-1, 1))
        return Detection(self.origin.label, Sighting(self.handle, Box(low, high)))  # type: ignore[arg-type]  # three

    def thing(self, domain: Domain) -> Thing:
        """Return it as an object; as one of which nobody knows what it is, if its class does not exist any more."""
        thing = unknown_thing(self.name, self.origin.label, self.size)
        if not self.origin.source or self.class_name not in domain.classes:
            return thing
        guess = Guess(domain.classes[self.class_name], self.origin.probability)
        return guess.thing(thing, "" if self.origin.source in (WORLD, PACK) else self.origin.label)


def _rounded(vector: Vector) -> list[float]:
    return [round(each, 4) for each in vector]


def _vector(numbers: object) -> Vector:
    x, y, z = map(float, numbers)  # type: ignore[call-overload]  # what else it is raises a TypeError
    if not all(map(isfinite, (x, y, z))):
        raise ValueError("a number is not finite")
    return x, y, z
