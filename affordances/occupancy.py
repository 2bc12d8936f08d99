"""Tests of what is free, what is held, and in which area of a surface a thing lies.

Worlds of blocks and of table tops speak of these. An area is a place with a surface of its own that is no support: a
part of a table. A thing lies in the area whose middle is nearest, if it stands on furniture and its centre is above the
area; what stands on another thing, or is in one, lies nowhere.

    lies (thing, area)        clear (thing)       nothing is on it
    on_furniture (thing)      takeable (thing)    nothing is on it, and nobody holds it
    held (thing)              hand_free (agent)   hands_free ()
    gripper_open (agent)      its fingers are open and hold nothing; a body that does not tell how far its gripper is
                              open counts as having opened it when it holds nothing
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from affordances.support import Top, affords, support_of, supports_of
from domains.conventions import Conventions
from semantics.body.observation import Observation
from semantics.geometry.geometry import Box
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Thing

__all__ = ["OCCUPANCY"]

Things = Mapping[str, Thing]

OPEN = 0.9
"""The share of its largest opening from which on an empty gripper counts as open."""
LIFT = 0.015
"""How far the bottom of a thing may be above an area, in metres; what falls into a bowl does not lie below the bowl."""


def _held_things(observation: Observation) -> set[str]:
    return {name for view in observation.agents.values() for name in view.held}


def _standing(observation: Observation, things: Things, names: Conventions) -> Iterator[str]:
    """Yield the things that stand on something that cannot be carried."""
    for name, support in supports_of(observation, things, names).items():
        if support is not None and not affords(things, support, names.carry):
            yield name


def _lies(observation: Observation, things: Things, names: Conventions) -> set[Atom]:
    areas = list(_areas(observation, things, names))
    atoms = set()
    for name in _standing(observation, things, names):
        sighting = observation.sightings[name]
        near = (top for top in areas if sighting.box.low[2] - top.slab.high[2] <= LIFT)
        around = (top for top in near if support_of(sighting, (top,), observation) is not None)
        nearest = min(around, key=lambda top: (_offset(sighting.box, top.slab), top.name), default=None)
        if nearest is not None:
            atoms.add(Atom("lies", (name, nearest.name)))
    return atoms


def _areas(observation: Observation, things: Things, names: Conventions) -> Iterator[Top]:
    """Yield the surfaces of places on which nothing is said to stand."""
    for name, sighting in observation.sightings.items():
        if name in things and not any(affords(things, name, other) for other in (names.support, names.carry)):
            yield from (Top(name, slab) for slab in sighting.surfaces)


def _offset(box: Box, area: Box) -> float:
    """Return the distance of a thing from the middle of an area, as a multiple of the area's half extents."""
    pairs = list(zip(box.centre, area.centre, area.size, strict=True))[:2]
    return max(abs(own - middle) / (size / 2) for own, middle, size in pairs)


def _clear(observation: Observation, things: Things, names: Conventions) -> set[Atom]:
    loaded = set(supports_of(observation, things, names).values())
    seen = (observation.sightings.keys() | _held_things(observation)) & things.keys()
    return {Atom("clear", (name,)) for name in seen - loaded}


def _takeable(observation: Observation, things: Things, names: Conventions) -> set[Atom]:
    held = _held_things(observation)
    return {Atom("takeable", args) for _, args in _clear(observation, things, names) if args[0] not in held}


def _on_furniture(observation: Observation, things: Things, names: Conventions) -> set[Atom]:
    return {Atom("on_furniture", (name,)) for name in _standing(observation, things, names)}


def _held(observation: Observation, _: Things, __: Conventions) -> set[Atom]:
    return {Atom("held", (name,)) for name in _held_things(observation)}


def _hand_free(observation: Observation, _: Things, __: Conventions) -> set[Atom]:
    return {Atom("hand_free", (agent,)) for agent, view in observation.agents.items() if not view.held}


def _hands_free(observation: Observation, _: Things, __: Conventions) -> set[Atom]:
    return set() if _held_things(observation) or not observation.agents else {Atom("hands_free", ())}


def _gripper_open(observation: Observation, _: Things, __: Conventions) -> set[Atom]:
    empty = {name: view.gripper for name, view in observation.agents.items() if not view.held}
    return {Atom("gripper_open", (agent,)) for agent, share in empty.items() if share is None or share >= OPEN}


OCCUPANCY: Mapping[str, Callable[[Observation, Things, Conventions], set[Atom]]] = {
    "clear": _clear,
    "gripper_open": _gripper_open,
    "hand_free": _hand_free,
    "hands_free": _hands_free,
    "held": _held,
    "lies": _lies,
    "on_furniture": _on_furniture,
    "takeable": _takeable,
}
"""The tests by name; each returns facts under its own name."""
