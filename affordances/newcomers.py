"""What is in view and no file lists becomes an object of the world: its class is looked up, or guessed.

A guess compares what a thing is called and how it is formed with all classes that are known. It is never taken for
knowledge: it has a probability, is told as a guess, and a person has to agree before anything is done on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from math import isfinite, log
from typing import Any

from domains.declarations import PackedClasses
from domains.model import Domain, ObjectClass
from domains.world import Origin, World
from semantics.body.observation import Detection, Sighting
from semantics.errors import OutsideError, UsageError
from semantics.geometry.geometry import Box, Vector
from semantics.logic.vocabulary import Thing
from semantics.words.embedding import Embedder
from semantics.words.english import singulars
from semantics.words.lexicon import plain

WORLD, PACK, LEARNED, GUESSED, MODEL, PERSON = "world", "pack", "learned", "guessed", "model", "a person"
"""Who knows the class of a thing."""
NAME = re.compile(r"[a-z][a-z0-9_-]{0,60}")  # what a name looks like that a thing was given
HEAD = 0.6  # how alike two names are whose last word is the same, as of "tuning fork" and "fork"
GUESSES = {GUESSED: "guessed", MODEL: "guessed by the model", LEARNED: "learned"}
"""In words, who knows the class of a thing with a probability only."""
BY_NAME, BY_FORM = 0.6, 0.4  # how much name and form count in a guess


def with_newcomers(world: World, recognised: Mapping[str, Detection]) -> World:
    """Return the next revision of a world, with an object for each detection whose name it does not know.

    A detection of an unknown class becomes an object that affords nothing: it can be named, and nothing relies on it.
    """
    new = {name: found for name, found in recognised.items() if name not in world.objects}
    if not new:
        return world
    known = [recognise(name, found, world) for name, found in new.items()]
    return world.with_objects(*(thing for thing, _ in known), origins={thing.name: origin for thing, origin in known})


def recognise(name: str, found: Detection, world: World) -> tuple[Thing, Origin]:
    """Return the object that a detection shows, and how it became known."""
    label, size = plain(found.label), found.sighting.box.size
    thing = unknown_thing(name, label, size)
    origin = Origin(found.label, "", found.sighting.confidence, found.sighting.interior is not None)
    if called := classes_called(label, world.domain):
        best = max(called, key=lambda each: _alike_in_form(thing, origin, each))
        source = WORLD if best.name in tuple(world.domain.classes) else PACK
        return ClassGuess(best, 1.0).thing(thing), replace(origin, source=source)
    learned, probability = world.labels.get(label, ("", 0.0))
    if learned in world.domain.classes:
        known = ClassGuess(world.domain.classes[learned], probability).thing(thing, label)
        return known, replace(origin, source=LEARNED, probability=probability)
    return thing, origin


def unknown_thing(name: str, label: str, size: Vector) -> Thing:
    """Return a thing of which nobody knows what it is, so that nothing relies on it; `size` is in metres."""
    return Thing(name, "_".join(plain(label).split()), frozenset(), words=(plain(label),), size=size)


def classes_called(label: str, domain: Domain) -> list[ObjectClass]:
    """Return the classes with a name or a word like a label: of the world, or else of its packs."""
    words, classes = plain(label), domain.classes
    for form in (words, *singulars(words)):
        with suppress(UsageError):  # what a pack says of a class need not be usable
            if (name := "_".join(form.split())) in classes:
                return [classes[name]]
            if own := [known for known in classes.values() if form in known.words]:
                return own
            if isinstance(classes, PackedClasses) and (names := classes.meant(form)):
                return [classes[name] for name in names]
    return []


@dataclass(frozen=True, slots=True)
class ClassGuess:
    """A class that a thing may be of, with the probability of that, from 0 to 1."""

    object_class: ObjectClass
    probability: float

    def thing(self, thing: Thing, label: str = "") -> Thing:
        """Return a thing as one of this class; it keeps its name, and what it was called if that is said."""
        known = self.object_class.instance(thing.name)
        return replace(known, words=(plain(label),) if label else known.words, size=thing.size)


def guesses(thing: Thing, origin: Origin, domain: Domain, embed: Embedder | None = None) -> Iterator[ClassGuess]:
    """Yield the classes that a thing may be of, likeliest first; of those that afford the same, the likeliest alone."""
    every = domain.classes.every if isinstance(domain.classes, PackedClasses) else domain.classes.values()
    classes = [known for known in every if known.shape is not None and known.affordances]
    label = plain(origin.label)
    names = [plain(known.name) for known in classes]
    likeness = [HEAD if label.split()[-1] == name.split()[-1] else 0.0 for name in names]
    if embed is not None:
        try:
            compared = embed.similarities(label, names)
            likeness = [max(pair) for pair in zip(likeness, map(float, compared), strict=True)]
        except OutsideError:
            pass  # without a model of language, the last word of a name decides
    ranked = sorted(
        (
            (BY_NAME * alike + BY_FORM * _alike_in_form(thing, origin, known), known)
            for alike, known in zip(likeness, classes, strict=True)
        ),
        key=lambda pair: -pair[0],
    )
    seen = set[tuple[frozenset[str], frozenset[str]]]()
    for score, known in ranked:
        if (known.affordances, known.kinds) not in seen:
            seen.add((known.affordances, known.kinds))
            yield ClassGuess(known, round(max(0.0, min(score, 0.99)), 2))


def _alike_in_form(thing: Thing, origin: Origin, known: ObjectClass) -> float:
    """Return how alike a thing is to the form of a class, from 0 to 1: open or not, and the lengths of its sides."""
    if known.shape is None or thing.size is None:
        return 0.0
    sides = zip(sorted(thing.size), sorted(known.shape.size), strict=True)
    differs = sum(abs(log(max(mine, 1e-3) / max(other, 1e-3))) for mine, other in sides) / 3
    return max(0.0, 1.0 - differs) * (1.0 if known.shape.is_open == origin.is_open else 0.3)


@dataclass(frozen=True, slots=True)
class KnownThing:
    """A thing that no file lists."""

    name: str  # the name that it was given
    class_name: str  # what it is; what it was called while nobody knows
    origin: Origin  # how it became known
    box: Box  # its bounds when it was last seen, in metres
    handle: str = ""  # the name that the body itself has for it; empty if it has none

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
        if not NAME.fullmatch(name) or not 0.0 <= probability <= 1.0:
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
        guess = ClassGuess(domain.classes[self.class_name], self.origin.probability)
        return guess.thing(thing, "" if self.origin.source in (WORLD, PACK) else self.origin.label)


def box_of(numbers: Any) -> Box:  # noqa: ANN401  # of a record
    """Read a box as a record has it: its six bounds.

    Raises:
        ValueError, TypeError: It is no such box.
    """
    x0, y0, z0, x1, y1, z1 = map(float, numbers)
    if not all(map(isfinite, (x0, y0, z0, x1, y1, z1))) or x0 > x1 or y0 > y1 or z0 > z1:
        raise ValueError("it has no bounds that are finite and in order")
    return Box((x0, y0, z0), (x1, y1, z1))
