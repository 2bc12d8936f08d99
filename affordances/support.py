"""Where a movable object rests: in the smallest container around it, else on the best support under it.

What stands on nothing and lies on the contents of a container alone, over its opening, is in the container too.

An apple on a tray on a table is on the tray. Among several supports, prefer one that touches the object, then the one
whose top is nearest in height, to a centimetre, then the smallest. Bounds of a turned tray cover more than the tray.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi, prod
from typing import NamedTuple

from domains.conventions import STANDARD, Conventions
from semantics.body.observation import Observation, Sighting
from semantics.geometry.geometry import Box
from semantics.logic.vocabulary import Thing

Things = Mapping[str, Thing]

SINK_IN = 0.02
"""How far the bottom of an object may be below its support's top, in metres, since bounds overlap a little."""
LIFT = 0.03  # how far the bottom may be above the top, in metres
LIFT_TOUCHING = 0.05  # how far it may be above the top when the two touch, as for an object that leans, in metres
OVERHANG = 0.02  # how far the centre of an object may be outside its support's top, in metres
NEARLY = 0.005  # how exactly what stands on a hidden thing has the height of its top, in metres
KNEE = 0.02
"""Height above its bottom of the point of an object that must be in the container, in metres; its top may stick out."""


ASKEW = 0.2  # the tilt from which on an object neither stands nor lies, in radians


class Top(NamedTuple):
    """A flat top on which objects can stand; `base` is the bottom of its owner if the owner is movable itself."""

    name: str
    slab: Box
    base: float = -float("inf")

    @property
    def area(self) -> float:
        """Footprint in square metres."""
        return self.slab.size[0] * self.slab.size[1]


def affords(things: Things, name: str, affordance: str) -> bool:
    """Return whether an object is known and has the affordance."""
    return name in things and affordance in things[name].affordances


def loose(observation: Observation, things: Things, names: Conventions = STANDARD) -> list[Sighting]:
    """Return the sightings of movable objects that no agent holds."""
    held = observation.held
    movable = (sighting for name, sighting in observation.sightings.items() if affords(things, name, names.carry))
    return [sighting for sighting in movable if sighting.name not in held]


def standing(observation: Observation, things: Things, names: Conventions = STANDARD) -> list[Sighting]:
    """Return the sightings of objects that something can be beside: movable ones, and others with an outline."""
    agents, held = observation.agents.keys(), observation.held
    return [
        sighting
        for name, sighting in observation.sightings.items()
        if name not in held
        and (affords(things, name, names.carry) or (sighting.solid is not None and name not in agents))
    ]


def container_of(observation: Observation, things: Things, names: Conventions = STANDARD) -> dict[str, str]:
    """Return the smallest container around each loose object that is in a container, or on its contents alone."""
    containers = _around(observation, things, names)
    piled: dict[str, str] = dict(containers)
    offered: list[Top] | None = None
    while piled:  # what lies on these in turn
        contents, piled = containers, {}
        for sighting in loose(observation, things, names):
            below = {contents.get(other) for other in _touched(sighting.name, observation)}
            container = below.pop() if len(below) == 1 else None
            if sighting.name in contents or container is None or not _is_over(sighting, container, observation):
                continue
            offered = tops(observation, things, names) if offered is None else offered
            if support_of(sighting, offered, observation) is None:
                piled[sighting.name] = container
        containers = contents | piled
    return containers


def _touched(name: str, observation: Observation) -> set[str]:
    return {other for pair in observation.contacts if name in pair for other in pair if other != name}


def _is_over(sighting: Sighting, container: str, observation: Observation) -> bool:
    space = observation.sightings[container].interior
    return space is not None and space.above(sighting.box.centre) and sighting.box.low[2] > space.low[2]


def _around(observation: Observation, things: Things, names: Conventions) -> dict[str, str]:
    """Return the smallest container around the knee of each loose object that is in a container."""
    spaces = sorted(
        (prod(sighting.interior.size), name, sighting.interior.low, sighting.interior)
        for name, sighting in observation.sightings.items()
        if sighting.interior is not None
        and (affords(things, name, names.contain) or affords(things, name, names.hollow))
    )
    containers: dict[str, str] = {}
    for sighting in loose(observation, things, names):
        x, y, z = sighting.box.centre
        knee = (x, y, min(z, sighting.box.low[2] + KNEE))
        around = ((name, space) for _, name, _, space in spaces if name != sighting.name and space.contains(knee))
        name, space = next(around, ("", sighting.box))
        if name and not (_is_on_rim(sighting, space) and observation.touching(sighting.name, name)):
            containers[sighting.name] = name
    return containers


def _is_on_rim(sighting: Sighting, space: Box) -> bool:
    """Return whether an object with its middle above the rim of a space is not on its floor, or askew there."""
    if sighting.box.centre[2] <= space.high[2]:
        return False
    fits = max(sighting.box.size) < min(space.size[:2])
    askew = sighting.tilt is not None and ASKEW < sighting.tilt < pi / 2 - ASKEW
    return fits and (askew or sighting.box.low[2] > space.low[2] + KNEE)


def tops(observation: Observation, things: Things, names: Conventions = STANDARD) -> list[Top]:
    """Return all flat tops; for a movable support without surfaces (a plate), the top of its box."""
    flat_tops: list[Top] = []
    for name, sighting in observation.sightings.items():
        if not affords(things, name, names.support):
            continue
        if affords(things, name, names.carry):
            flat_tops.extend(Top(name, slab, sighting.box.low[2]) for slab in sighting.surfaces or (sighting.box,))
        else:
            flat_tops.extend(Top(name, slab) for slab in sighting.surfaces)
    return flat_tops


def support_of(seen: Sighting, offered: Iterable[Top], observation: Observation) -> str | None:
    """Return the support that an object stands on, or None when it stands on none of the offered tops."""
    bottom, middle = seen.box.low[2], seen.box.centre
    candidates: list[tuple[bool, float, float, str]] = []
    for top in offered:
        gap = bottom - top.slab.high[2]
        if not -SINK_IN <= gap <= LIFT_TOUCHING or top.base >= bottom or top.name == seen.name:
            continue
        touching = observation.touching(top.name, seen.name)
        if (touching or gap <= LIFT) and top.slab.above(middle, OVERHANG):
            candidates.append((not touching, round(abs(gap), 2), top.area, top.name))
    return min(candidates)[-1] if candidates else None


def floor_of(things: Things, names: Conventions = STANDARD) -> str | None:
    """Return the name of the ground, if it is a thing."""
    return next((name for name, thing in things.items() if thing.class_name == names.floor), None)


@dataclass
class View:
    """What the tests look at: a sensing or a part of it, and where things rest."""

    observation: Observation  # the sensing, or that part of it on which the facts of some things depend
    things: Things  # the known objects, by name
    names: Conventions = STANDARD  # the conventions of the world

    @cached_property
    def floor(self) -> str | None:
        """The name of the ground, if it is a thing."""
        return floor_of(self.things, self.names)

    @cached_property
    def held(self) -> set[str]:
        """What agents hold."""
        return self.observation.held

    @cached_property
    def containers(self) -> Mapping[str, str]:
        """The container of each loose object that is in one."""
        return container_of(self.observation, self.things, self.names)

    @cached_property
    def supports(self) -> Mapping[str, str | None]:
        """The support of each loose object that is in no container; None for one that is on nothing."""
        offered = tops(self.observation, self.things, self.names)
        supports: dict[str, str | None] = {}
        for sighting in loose(self.observation, self.things, self.names):
            if sighting.name not in self.containers:
                support = support_of(sighting, offered, self.observation)
                lies_low = sighting.box.low[2] <= LIFT_TOUCHING
                supports[sighting.name] = self.floor if support is None and lies_low else support
        return supports

    @cached_property
    def loads(self) -> Mapping[str | None, Iterable[str]]:
        """What stands on each support; under None, what stands on nothing."""
        loads: dict[str | None, set[str]] = {}
        for name, support in self.supports.items():
            loads.setdefault(support, set()).add(name)
        return loads


def with_hidden_supports(
    observation: Observation, things: Things, before: Mapping[str, Sighting], names: Conventions = STANDARD
) -> Observation:
    """Return a sensing with what is out of view and holds up something in view: it is where it was seen last.

    A block of a wall may be hidden by those behind it and the one on it; were it gone, that one would fall.

    Args:
        observation: The sensing.
        things: The known objects, by name.
        before: The last sightings, by name.
        names: The conventions of the world.
    """
    hidden = {
        name: seen
        for name, seen in before.items()
        if name not in observation.sightings and affords(things, name, names.support)
    }
    if not hidden:
        return observation
    supports = View(observation, things, names).supports
    floating = [observation.sightings[name] for name, support in supports.items() if support is None]
    offered = tops(replace(observation, sightings=hidden), things, names)
    under = {
        top.name
        for seen in floating
        for top in offered
        if abs(seen.box.low[2] - top.slab.high[2]) < NEARLY and top.slab.above(seen.box.centre)
    }
    found = {name: hidden[name] for name in sorted(under - observation.held)}
    return replace(observation, sightings={**observation.sightings, **found}) if found else observation
