"""`Observation`: one sensing of a body, as boxes and contacts, before any of it is a fact.

Bodies report what they see and feel; the package `affordances` turns that into facts with one geometric test per
predicate, and keeps what was not seen as a belief.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import compress
from operator import is_not
from typing import Any, NamedTuple, TypeVar

from semantics.geometry.geometry import Box, PlanarPose, Vector
from semantics.geometry.solids import Solid
from semantics.logic.atoms import Atom

Key = TypeVar("Key")

HAND = "gripper"  # the name by which a program asks where the robot's hand is; a thing of this name takes precedence


MOST_KNOWN = 256
"""How many things that no file lists are kept in mind; more only while they are in view, or somebody needs them."""
LONGEST_AGE = 1.0  # the age in seconds from which on an observation is no sensing of what is so now


class HeardFact(NamedTuple):
    """What a skill said of a fact: its truth, and when it was said, in seconds of the body's clock."""

    truth: bool
    time: float


@dataclass(frozen=True, slots=True)
class Sighting:
    """One thing that was seen.

    Attributes:
        name: Symbol of the thing.
        box: Its bounds.
        surfaces: Flat tops that things can stand on (their `high[2]` is the height), for furniture and trays.
        interior: The space that counts as inside it, for containers.
        opening: How far its door stands open, 0 shut to 1 fully; None without a door.
        stand: Where a robot stands to work at it, for places.
        confidence: Confidence that it is this thing, from 0 to 1.
        solid: Its shape as it stands, if that is known; else relations are judged by its bounds.
        tilt: How far it is turned from upright, in radians, 0 upright to pi upside down; None if that is not known.
    """

    name: str
    box: Box
    surfaces: tuple[Box, ...] = ()
    interior: Box | None = None
    opening: float | None = None
    stand: PlanarPose | None = None
    confidence: float = 1.0
    solid: Solid | None = None
    tilt: float | None = None

    def moved(self, by: Vector) -> Sighting:
        """Return this sighting at another place; where a robot stands to work at it stays."""

        def at(point: Vector) -> Vector:
            return (point[0] + by[0], point[1] + by[1], point[2] + by[2])

        def box(old: Box) -> Box:
            return Box(at(old.low), at(old.high))

        return replace(
            self,
            box=box(self.box),
            surfaces=tuple(map(box, self.surfaces)),
            interior=self.interior and box(self.interior),
            solid=self.solid and replace(self.solid, at=at(self.solid.at)),
        )


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing in view that the body has no name of, as a detector reports it.

    Attributes:
        label: What the detector calls it: a class or a text, such as ``frying pan``.
        sighting: Where it is and how sure that is. Its name is the one that the body itself uses for this thing in
            every sensing, or empty.
        picture: Its box in the picture: left, top, right and bottom, each from 0 to 1; None without a picture.
        attributes: Its values, such as ``("colour", "red")``.
    """

    label: str
    sighting: Sighting
    picture: tuple[float, float, float, float] | None = None
    attributes: tuple[tuple[str, str | float], ...] = ()


@dataclass(frozen=True, slots=True)
class AgentView:
    """A body's knowledge of itself, or what it sees of a person.

    Attributes:
        pose: Where it stands.
        held: What it verifiably holds (both fingers in contact, or in the person's hand).
        moving: Whether its base is moving.
        gripper: How far its gripper is open, 0 closed to 1 fully; None if it does not tell.
        hand: The point between its fingers; None if it does not tell.
    """

    pose: PlanarPose
    held: tuple[str, ...] = ()
    moving: bool = False
    gripper: float | None = None
    hand: Vector | None = None

    def standing(self, name: str) -> Sighting:
        """Return the sighting of an agent of this name that does not see itself: a point on the floor."""
        at = (self.pose.x, self.pose.y, 0.0)
        return Sighting(name, Box(at, at))


@dataclass(frozen=True, slots=True)
class Observation:
    """One sensing.

    Attributes:
        time: When, in seconds of the body's clock.
        number: Counts sensings from 1; 0 means that nothing was sensed yet.
        sightings: What is in view, by name; a thing in a shut container is not. Furniture is always listed, since its
            place is known from the map; its `opening` is the last one seen or felt.
        searched: Names of the places and containers whose surface or interior was in view as a whole: a thing
            believed there and not sighted is not there, unless `undetectable` names it.
        undetectable: By place of `searched`, the things that this sensing could have missed there, because they would
            be too small in the picture or could be hidden: not sighting one of them says nothing.
        contacts: Pairs of names that touch.
        agents: Robots and persons by name.
        told: Facts that a body knows by other means than boxes (the tomato is chopped, the plate was wiped), with
            their truth values; a fact that is not listed was not checked. Where its own boxes and contacts decide a
            fact, they do.
        numbers: Values of numeric fluents that a body measures, such as what is left in a bottle.
        by: Name of the sensor; empty when it is the body itself.
        heard: What skills said, the last of each fact. It counts until something senses the fact.
        detections: What is in view and no file lists.
        recognised: Those of them that were given a name, by this name; see `robots.recognition`.
        notes: What is wrong with detections, or strange, one sentence each.
    """

    time: float = 0.0
    number: int = 0
    sightings: Mapping[str, Sighting] = field(default_factory=dict)
    searched: frozenset[str] = frozenset()
    undetectable: Mapping[str, frozenset[str]] = field(default_factory=dict)
    contacts: frozenset[frozenset[str]] = frozenset()
    agents: Mapping[str, AgentView] = field(default_factory=dict)
    told: Mapping[Atom, bool] = field(default_factory=dict)
    numbers: Mapping[Atom, float] = field(default_factory=dict)
    by: str = ""
    heard: Mapping[Atom, HeardFact] = field(default_factory=dict)
    detections: tuple[Detection, ...] = ()
    recognised: Mapping[str, Detection] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def held(self) -> set[str]:
        """What agents hold."""
        return {name for view in self.agents.values() for name in view.held}

    def touching(self, first: str, second: str) -> bool:
        """Return whether the two things touch."""
        return frozenset((first, second)) in self.contacts

    def without(self, names: Collection[str]) -> Observation:
        """Return this sensing as it would be if some things had not been noticed."""
        return replace(
            self,
            sightings={name: seen for name, seen in self.sightings.items() if name not in names},
            searched=self.searched.difference(names),
            contacts=frozenset(pair for pair in self.contacts if pair.isdisjoint(names)),
            told={atom: truth for atom, truth in self.told.items() if not set(atom.args).intersection(names)},
            numbers={atom: value for atom, value in self.numbers.items() if not set(atom.args).intersection(names)},
            detections=tuple(found for found in self.detections if found.sighting.name not in names),
        )

    def renamed(self, names: Mapping[str, str]) -> Observation:
        """Return this sensing with other names for some things; detections keep theirs."""
        if not names:
            return self

        def new(old: Iterable[str]) -> tuple[str, ...]:
            return tuple(names.get(name, name) for name in old)

        return replace(
            self,
            searched=frozenset(new(self.searched)),
            undetectable={names.get(at, at): frozenset(new(missed)) for at, missed in self.undetectable.items()},
            contacts=frozenset(frozenset(new(pair)) for pair in self.contacts),
            agents={name: replace(view, held=new(view.held)) for name, view in self.agents.items()},
            told={atom.replaced(names): truth for atom, truth in self.told.items()},
            numbers={atom.replaced(names): value for atom, value in self.numbers.items()},
        )


def not_finite(observation: Observation, last: Observation, changed: Collection[str] | None = None) -> str:
    """Return what a sensing tells a number about that is none, or is infinite; empty if it tells no such number.

    Args:
        observation: The sensing.
        last: The sensing before; a sighting that is the same as there is not tested again.
        changed: The names of the others; None to compare the two sensings.
    """
    sighted = observation.sightings
    changed = differing(last.sightings, sighted) if changed is None else changed
    totals = {name: _total(sighted[name]) for name in changed if name in sighted}
    totals |= {name: _agent_total(agent) for name, agent in observation.agents.items()}
    totals |= {str(fluent): value for fluent, value in observation.numbers.items()}
    totals["the time"] = observation.time
    return next((name for name, total in totals.items() if not math.isfinite(total)), "")


def differing(before: Mapping[Key, Any], now: Mapping[Key, Any]) -> set[Key]:
    """Return the keys whose values differ, or that only one of two mappings has.

    The contents decide, but they are compared only where the values are not the same object.
    """
    if before is now:
        return set()
    others = compress(now, map(is_not, now.values(), map(before.get, now)))
    found = {key for key in others if key not in before or before[key] != now[key]}
    if len(now) - sum(key not in before for key in found) < len(before):
        found |= before.keys() - now.keys()
    return found


def is_finite(seen: Sighting) -> bool:
    """Return whether all numbers of a sighting are finite."""
    return math.isfinite(_total(seen))


def oldest(times: Mapping[str, float], kept: Collection[str], total: int) -> list[str]:
    """Return what to forget of things that no file lists, so that at most `MOST_KNOWN` remain where that is possible.

    Args:
        times: When each was last seen, of those that are not in view.
        kept: Those that somebody needs.
        total: How many are kept in mind now.
    """
    return sorted(times.keys() - kept, key=lambda name: (times[name], name))[: max(0, total - MOST_KNOWN)]


def _agent_total(agent: AgentView) -> float:
    return agent.pose.x + agent.pose.y + agent.pose.yaw + (agent.gripper or 0.0) + sum(agent.hand or ())


def _total(seen: Sighting) -> float:
    """Return a sum over all numbers of a sighting; it is finite only if each of them is."""
    boxes = seen.surfaces if seen.interior is None else (*seen.surfaces, seen.interior)
    total = sum(seen.box.low) + sum(seen.box.high) + seen.confidence + (seen.opening or 0.0) + (seen.tilt or 0.0)
    for box in boxes:
        total += sum(box.low) + sum(box.high)
    if seen.solid is not None:
        total += sum(seen.solid.size) + sum(seen.solid.at) + seen.solid.yaw
    return total if seen.stand is None else total + seen.stand.x + seen.stand.y + seen.stand.yaw
