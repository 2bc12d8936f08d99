"""`KnownThing`: a thing that no file lists, as a record has it and another session knows it again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from affordances.newcomers import PACK, WORLD, Guess, unknown_thing
from domains.model import Domain
from domains.world import Origin
from semantics.body.observation import Detection, Sighting
from semantics.geometry.geometry import Box
from semantics.logic.vocabulary import Thing

__all__ = ["KnownThing", "box_of"]


@dataclass(frozen=True, slots=True)
class KnownThing:
    """A thing that no file lists.

    Attributes:
        name: The name that it was given.
        class_name: What it is; what it was called while nobody knows.
        origin: How it became known.
        box: Its bounds when it was last seen, in metres.
        handle: The name that the body itself has for it; empty if it has none.
    """

    name: str
    class_name: str
    origin: Origin
    box: Box
    handle: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return it as a record has it."""
        box = [round(each, 4) for each in (*self.box.low, *self.box.high)]
        return {"name": self.name, "class": self.class_name, **asdict(self.origin), "box": box, "handle": self.handle}

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
        origin = Origin(str(document["label"]), str(document["source"]), probability, bool(document["is_open"]))
        return cls(name, str(document["class"]), origin, box_of(document["box"]), str(document["handle"]))

    @property
    def detection(self) -> Detection:
        """What was last seen of it."""
        return Detection(self.origin.label, Sighting(self.handle, self.box))

    def thing(self, domain: Domain) -> Thing:
        """Return it as an object; as one of which nobody knows what it is, if its class does not exist any more."""
        thing = unknown_thing(self.name, self.origin.label, self.box.size)
        if not self.origin.source or self.class_name not in domain.classes:
            return thing
        guess = Guess(domain.classes[self.class_name], self.origin.probability)
        return guess.thing(thing, "" if self.origin.source in (WORLD, PACK) else self.origin.label)


def box_of(numbers: Any) -> Box:  # noqa: ANN401  # of a record
    """Read a box as a record has it: its six bounds.

    Raises:
        ValueError, TypeError: It is no such box.
    """
    x0, y0, z0, x1, y1, z1 = map(float, numbers)
    if not all(map(isfinite, (x0, y0, z0, x1, y1, z1))):
        raise ValueError("a number is not finite")
    return Box((x0, y0, z0), (x1, y1, z1))
