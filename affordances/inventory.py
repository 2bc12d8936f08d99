"""`inventory`: a scene as rows of data, one for each thing, to be printed or handed on."""

from __future__ import annotations

from typing import Any, NamedTuple

from affordances.scene import Belief, Scene, Seen
from semantics.vocabulary import Thing

__all__ = ["InventoryRow", "inventory"]


class InventoryRow(NamedTuple):
    """What is known of one thing.

    Attributes:
        thing: Name, class, affordances, kinds and words.
        beliefs: Every fact held true whose first argument it is, sorted, each with its source and age.
        seen: How it was last seen; None when it never was.
    """

    thing: Thing
    beliefs: tuple[Belief, ...]
    seen: Seen | None

    def as_dict(self, now: float) -> dict[str, Any]:
        """Return plain data for JSON; lengths are metres, times seconds of the body's clock, ages seconds at `now`."""
        return {
            "name": self.thing.name,
            "class": self.thing.class_name,
            "affordances": sorted(self.thing.affordances),
            "kinds": sorted(self.thing.kinds),
            "relations": [_belief(belief, now) for belief in self.beliefs],
            "box": [*self.seen.box.low, *self.seen.box.high] if self.seen else None,
            "confidence": self.seen.confidence if self.seen else None,
            "last_seen": self.seen.time if self.seen else None,
            "seen_by": self.seen.by if self.seen else None,
        }


def inventory(scene: Scene) -> tuple[InventoryRow, ...]:
    """Return a row for each thing of a scene, in its order."""
    of: dict[str, list[Belief]] = {name: [] for name in scene.things}
    for atom in sorted(scene.beliefs):
        if atom.args and atom.args[0] in of:
            of[atom.args[0]].append(scene.beliefs[atom])
    return tuple(InventoryRow(thing, tuple(of[name]), scene.seen.get(name)) for name, thing in scene.things.items())


def _belief(belief: Belief, now: float) -> dict[str, Any]:
    return {
        "fact": str(belief.atom),
        "source": belief.source,
        "since": belief.since,
        "last_seen": belief.seen,
        "age": None if belief.seen is None else round(now - belief.seen, 3),
        "confidence": belief.confidence,
        "by": belief.by or None,
    }
