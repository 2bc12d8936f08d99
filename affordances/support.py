"""Where a movable thing rests: in the smallest container around it, else on the best support under it.

An apple on a tray on a table is on the tray: of several supports the one that is touched goes first, then the one whose
top is nearest in height, to a centimetre, then the smallest. The bounds of a turned tray cover more than the tray.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from domains.conventions import STANDARD, Conventions
from semantics.geometry import Box
from semantics.observation import Observation, Sighting
from semantics.vocabulary import Thing

__all__ = ["LIFT_TOUCHING", "Top", "affords", "container_of", "loose", "support_of", "tops"]

Things = Mapping[str, Thing]

SINK_IN = 0.02
"""How far a bottom may lie below the top it stands on, in metres: boxes are bounds, and bodies overlap a little."""
LIFT = 0.03
"""How far it may lie above it."""
LIFT_TOUCHING = 0.05
"""How far when the two are known to touch, as a thing that leans does."""
OVERHANG = 0.02
"""How far the middle of a thing may lie outside the top it stands on."""
KNEE = 0.02
"""Height above its bottom of the point of a thing that must lie in a container: tall things stick out."""


class Top(NamedTuple):
    """A flat top that things can stand on; `base` is the bottom of its owner when that can be moved itself."""

    name: str
    slab: Box
    base: float = -float("inf")

    @property
    def area(self) -> float:
        """Footprint in square metres."""
        return self.slab.size[0] * self.slab.size[1]


def affords(things: Things, name: str, affordance: str) -> bool:
    """Return whether a thing is known and has the affordance."""
    return name in things and affordance in things[name].affordances


def loose(observation: Observation, things: Things, names: Conventions = STANDARD) -> list[Sighting]:
    """Return the sightings of movable things that nobody holds."""
    held = {name for view in observation.agents.values() for name in view.held}
    movable = (seen for name, seen in observation.sightings.items() if affords(things, name, names.carry))
    return [seen for seen in movable if seen.name not in held]


def _volume(box: Box) -> float:
    x, y, z = box.size
    return x * y * z


def container_of(observation: Observation, things: Things, names: Conventions = STANDARD) -> dict[str, str]:
    """Return the smallest container around each loose thing that is in one."""
    spaces = sorted(
        (_volume(seen.interior), name, seen.interior.low, seen.interior)
        for name, seen in observation.sightings.items()
        if seen.interior is not None and affords(things, name, names.contain)
    )
    found: dict[str, str] = {}
    for seen in loose(observation, things, names):
        x, y, z = seen.box.centre
        knee = (x, y, min(z, seen.box.low[2] + KNEE))
        around = (name for _, name, _, space in spaces if name != seen.name and space.contains(knee))
        name = next(around, None)
        if name is not None:
            found[seen.name] = name
    return found


def tops(observation: Observation, things: Things, names: Conventions = STANDARD) -> list[Top]:
    """Return every flat top; a movable support without surfaces (a plate) offers the top of its box."""
    found: list[Top] = []
    for name, seen in observation.sightings.items():
        if not affords(things, name, names.support):
            continue
        if affords(things, name, names.carry):
            found.extend(Top(name, slab, seen.box.low[2]) for slab in seen.surfaces or (seen.box,))
        else:
            found.extend(Top(name, slab) for slab in seen.surfaces)
    return found


def support_of(seen: Sighting, offered: Iterable[Top], observation: Observation) -> str | None:
    """Return what a thing stands on, or None when it stands on nothing that is offered."""
    bottom, middle = seen.box.low[2], seen.box.centre
    found: list[tuple[bool, float, float, str]] = []
    for top in offered:
        gap = bottom - top.slab.high[2]
        if not -SINK_IN <= gap <= LIFT_TOUCHING or top.base >= bottom or top.name == seen.name:
            continue
        touching = observation.touching(top.name, seen.name)
        if (touching or gap <= LIFT) and top.slab.above(middle, OVERHANG):
            found.append((not touching, round(abs(gap), 2), top.area, top.name))
    return min(found)[-1] if found else None
