"""What is in view and no file lists becomes an object of the world: its class is looked up by what it is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from domains.model import Domain, ObjectClass
from domains.world import World
from semantics.english import singulars
from semantics.lexicon import plain
from semantics.observation import Detection
from semantics.vocabulary import Thing

__all__ = ["class_called", "with_newcomers"]


def with_newcomers(world: World, recognised: Mapping[str, Detection]) -> World:
    """Return the next revision of a world, with an object for each detection whose name it does not know.

    A detection of an unknown class becomes an object that affords nothing: it can be named, and nothing relies on it.
    """
    new = [thing_of(name, found, world) for name, found in recognised.items() if name not in world.objects]
    return world.with_objects(*new) if new else world


def thing_of(name: str, found: Detection, world: World) -> Thing:
    """Return the object that a detection shows."""
    known = class_called(found.label, world.domain)
    box = found.sighting.box
    size = (box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2])
    if known is None:
        return Thing(name, "_".join(plain(found.label).split()), frozenset(), words=(plain(found.label),), size=size)
    return replace(known.instance(name), size=size)


def class_called(label: str, domain: Domain) -> ObjectClass | None:
    """Return the class with a name or a word like a label; None if there is none."""
    words = plain(label)
    for form in (words, *singulars(words)):
        known = domain.classes.get("_".join(form.split()))
        if known is not None:
            return known
        for object_class in domain.classes.values():
            if form in object_class.words:
                return object_class
    return None
