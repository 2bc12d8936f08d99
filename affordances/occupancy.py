"""Tests of what is free, what is held, and in which area of a surface a thing lies.

Worlds of blocks and of table tops speak of these. An area is a place with a surface of its own that is no support: a
part of a table. A thing lies in the area whose middle is nearest, if it stands on furniture and its centre is above the
area; what stands on another thing, or is in one, lies nowhere.

    lies (thing, area)        clear (thing)       nothing is on it
    aside (thing, area)       it lies there off the middle, though there is room for it nearer to the middle
    on_furniture (thing)      takeable (thing)    nothing is on it, and nobody holds it
    held (thing)              hand_free (agent)   hands_free ()
    gripper_open (agent)      its fingers are open and hold nothing; a body that does not tell how far its gripper is
                              open counts as having opened it when it holds nothing
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import hypot

from affordances.support import Top, View, affords, support_of
from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.logic.atoms import Atom

OPEN = 0.9  # the share of its largest opening from which on an empty gripper counts as open
OFF_MIDDLE, NEARER, ROOM = 0.058, 0.055, 0.008
"""How far from the middle of its area a thing may lie that has room nearer to it, with what gap, in metres."""
LIFT = 0.015
"""How far the bottom of a thing may be above an area, in metres; what falls into a bowl does not lie below the bowl."""


def _standing(view: View) -> Iterator[str]:
    """Yield the things that stand on something that cannot be carried."""
    for name in view.observation.sightings:
        support = view.supports.get(name)
        if support is not None and not affords(view.things, support, view.names.carry):
            yield name


def _lies(view: View) -> set[Atom]:
    observation = view.observation
    areas = list(_areas(view))
    atoms = set()
    for name in _standing(view):
        sighting = observation.sightings[name]
        near = (top for top in areas if sighting.box.low[2] - top.slab.high[2] <= LIFT)
        around = (top for top in near if support_of(sighting, (top,), observation) is not None)
        nearest = min(around, key=lambda top: (_offset(sighting.box, top.slab), top.name), default=None)
        if nearest is not None:
            atoms.add(Atom("lies", (name, nearest.name)))
    return atoms


def _aside(view: View) -> set[Atom]:
    sightings, atoms = view.observation.sightings, set()
    middles = {top.name: MapPoint(*top.slab.centre[:2]) for top in _areas(view)}
    for _, (name, area) in _lies(view):
        (x, y, _), size, middle = sightings[name].box.centre, sightings[name].box.size[:2], middles[area]
        if hypot(x - middle.x, y - middle.y) > OFF_MIDDLE:
            others = [
                each.box for each in sightings.values() if each.solid is not None and each.name not in (name, area)
            ]
            from semantics.geometry.free_points import free_points  # few things lie aside

            atoms |= {Atom("aside", (name, area))} if free_points(middle, NEARER, 1, size, others, ROOM) else set()
    return atoms


def _areas(view: View) -> Iterator[Top]:
    """Yield the surfaces of places on which nothing is said to stand."""
    things, names = view.things, view.names
    for name, sighting in view.observation.sightings.items():
        if name in things and not any(affords(things, name, other) for other in (names.support, names.carry)):
            yield from (Top(name, slab) for slab in sighting.surfaces)


def _offset(box: Box, area: Box) -> float:
    """Return the distance of a thing from the middle of an area, as a multiple of the area's half extents."""
    pairs = list(zip(box.centre, area.centre, area.size, strict=True))[:2]
    return max(abs(own - middle) / (size / 2) for own, middle, size in pairs)


def _clear(view: View) -> set[Atom]:
    seen = (view.observation.sightings.keys() | view.held) & view.things.keys()
    return {Atom("clear", (name,)) for name in seen if not view.loads.get(name)}


def _hand_free(view: View) -> set[Atom]:
    return {Atom("hand_free", (agent,)) for agent, each in view.observation.agents.items() if not each.held}


def _gripper_open(view: View) -> set[Atom]:
    empty = {name: each.gripper for name, each in view.observation.agents.items() if not each.held}
    return {Atom("gripper_open", (agent,)) for agent, share in empty.items() if share is None or share >= OPEN}


OCCUPANCY: Mapping[str, Callable[[View], set[Atom]]] = {
    "aside": _aside,
    "clear": _clear,
    "gripper_open": _gripper_open,
    "hand_free": _hand_free,
    "hands_free": lambda view: set() if view.held or not view.observation.agents else {Atom("hands_free", ())},
    "held": lambda view: {Atom("held", (name,)) for name in view.held},
    "lies": _lies,
    "on_furniture": lambda view: {Atom("on_furniture", (name,)) for name in _standing(view)},
    "takeable": lambda view: {Atom("takeable", args) for _, args in _clear(view) if args[0] not in view.held},
}
"""The tests by name; each returns facts under its own name."""
