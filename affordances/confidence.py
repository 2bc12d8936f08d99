"""How sure a belief is by now: as sure as its sensing was, and less the longer ago that is.

A sensing tells where a thing was. Somebody may have moved it since, a cup sooner than a tool and a cupboard never. If
half of the things of a sort have been moved after a time, and this may happen at any moment, the probability that one
still is where it was halves with each such time. What is known of a thing itself (it is chopped, it is shut) does not
fade. What has faded below the `least_confidence` of its world is kept in mind, but nothing relies on it: whoever needs
the thing looks for it first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol, TypeVar

from domains.model import Domain
from domains.world import World
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Thing
from semantics.plain_text import counted

__all__ = ["SAID_SECONDS", "doubts", "faded", "half_life", "present_confidence", "time_ago"]

MOVABLE_SECONDS = 3600.0
"""After how long half of the movable things have been moved, where the world says nothing of their class and kinds: in
a home where people are, what is not in use mostly stays for an hour and seldom for a day."""
AGENT_SECONDS = 300.0  # the same of persons and other agents, which move by themselves
STEP = 0.05  # doubts are rounded to this, so that a plan costs the same from one minute to the next
SAID_SECONDS = 60.0
"""From when on people are told how long ago a thing was seen: what was seen a moment ago explains nothing."""
SMALL_NUMBERS = ("", "a", *["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])


class Dated(Protocol):
    """What is needed of a belief: its fact, since when it was told, when it was last sensed, and how surely."""

    @property
    def atom(self) -> Atom: ...

    @property
    def since(self) -> float: ...

    @property
    def seen(self) -> float | None: ...

    @property
    def confidence(self) -> float: ...


AnyBelief = TypeVar("AnyBelief", bound=Dated)


def half_life(thing: Thing, domain: Domain) -> float:
    """Return after how many seconds half of the things like this one have been moved; infinite for what stays.

    The time that the world states for its class counts, else the shortest of those for its kinds, else the default.
    """
    names = domain.conventions
    if names.actor in thing.affordances:
        default = AGENT_SECONDS
    elif names.carry in thing.affordances:
        default = MOVABLE_SECONDS
    else:
        return math.inf
    stated = domain.moves_every
    if thing.class_name in stated:
        return stated[thing.class_name]
    return min((stated[kind] for kind in thing.kinds if kind in stated), default=default)


def present_confidence(belief: Dated, thing: Thing | None, domain: Domain, now: float) -> float:
    """Return how sure a belief is at a time, from 0 to 1.

    Args:
        belief: The belief; one that was never sensed counts from when it was told.
        thing: The first thing of its fact, which may have been moved; None if it is unknown.
        domain: The world, which states how often things are moved.
        now: The time, in seconds of the robot's clock.
    """
    if thing is None or belief.atom.predicate not in domain.conventions.placing:
        return belief.confidence
    age = now - (belief.since if belief.seen is None else belief.seen)
    return float(belief.confidence * 0.5 ** (max(0.0, age) / half_life(thing, domain)))


def faded(beliefs: Mapping[Atom, AnyBelief], world: World, now: float) -> Mapping[Atom, AnyBelief]:
    """Return the beliefs about where a thing is that are less sure by now than the world asks of a sensing.

    A thing counts if it can be looked for: it can be carried, and a sensing shows where it is.
    """
    least = world.domain.least_confidence
    return {atom: beliefs[atom] for atom, sure in _fading(beliefs, world, now).items() if sure < least}


def doubts(beliefs: Mapping[Atom, Dated], world: World, now: float) -> Mapping[Atom, float]:
    """Return how sure the beliefs are about where a thing is that are not quite sure by now, in steps of `STEP`."""
    rounded = {atom: round(round(sure / STEP) * STEP, 2) for atom, sure in _fading(beliefs, world, now).items()}
    return {atom: sure for atom, sure in rounded.items() if sure < 1.0}


def _fading(beliefs: Mapping[Atom, Dated], world: World, now: float) -> dict[Atom, float]:
    """Return the present confidence of each fact that says where a thing is that can be looked for."""
    domain, things = world.domain, world.objects
    fading = {name for name in domain.conventions.placing if name in domain.predicates}
    fading = {name for name in fading if domain.predicates[name].sensed is not None}
    carry = domain.conventions.carry
    return {
        atom: present_confidence(belief, things[atom.args[0]], domain, now)
        for atom, belief in beliefs.items()
        if atom.predicate in fading and atom.args[0] in things and carry in things[atom.args[0]].affordances
    }


def time_ago(seconds: float) -> str:
    """Return how long ago something was, in words: "four minutes ago", "2 hours ago"."""
    for size, unit in ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute")):
        if seconds >= 0.9 * size:
            number = max(1, round(seconds / size))
            if number < len(SMALL_NUMBERS):
                first = "an" if unit == "hour" and number == 1 else SMALL_NUMBERS[number]
                return f"{first} {unit}{'s' if number > 1 else ''} ago"
            return f"{counted(number, unit)} ago"
    return f"{counted(max(1, round(seconds)), 'second')} ago"
