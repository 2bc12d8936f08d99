"""`Conventions`: the names of a world that world-independent code uses.

Planning ignores things that can only be carried away, a search goes from place to place, and a full hand sets down what
it holds. This code knows no kitchen: it needs the affordance of things that can be carried, the predicate of an agent's
place, and the class of the robot. A world with other names than the defaults declares them under ``conventions`` of its
``domain.yaml``; an ability whose convention has no name is switched off.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum

NONE = "none"  # what a file writes for a convention that its world does not have
VIEWPOINT = "viewpoint"
"""The affordance of what directions can be said from, in a world with relations: agents, furniture with a front."""


class ConventionKind(StrEnum):
    """The sort of name of a convention."""

    AFFORDANCE = "affordance"
    CLASS = "class"
    PREDICATE = "predicate"


Known = Mapping[ConventionKind, Collection[str]]
"""The names of a world, by sort."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """The names that world-independent code uses; empty where the world has none."""

    actor: str = "actor"  # affordance of agents: robots and persons
    carry: str = "carry"  # affordance of things that an agent can lift and carry
    contain: str = "contain"  # affordance of containers
    convey: str = "convey"  # affordance of movable supports that are carried with what stands on them, such as trays
    # affordance of hands that are things themselves; without it, hands are the resources of capabilities
    hand: str = "hand"
    # affordance of things that are no containers and that something narrow can be in, such as cups
    hollow: str = "hollow"
    location: str = "location"  # affordance of places where an agent can be
    open: str = "open"  # affordance of things with a door
    support: str = "support"  # affordance of things that others can stand on
    ajar: str = "ajar"  # predicate of a door that is neither opened nor closed
    # Predicate of a thing and the area in which it lies off the middle. Whoever wants a thing in an area wants it near
    # the middle, where there is room.
    aside: str = ""
    at: str = "at"  # predicate of an agent and the place where it is
    closed: str = "closed"  # predicate of a shut door
    in_: str = "in"  # predicate of a thing and its container; written ``in``
    inhand: str = "inhand"  # predicate of a thing and the agent that holds it
    liquid_in: str = "liquid_in"  # predicate of a liquid and its vessel
    # Predicate of a thing that is in view but on and in nothing, and what it is nearest to. It has no name until a
    # world declares one, since many worlds use the word otherwise.
    near: str = ""
    on: str = "on"  # predicate of a thing and its support
    opened: str = "opened"  # predicate of an open door
    overturned: str = "overturned"  # predicate of a vessel that lies on its side or upside down
    part_of: str = "part_of"  # predicate of a drawer and its cabinet
    aboard: str = "aboard"  # bookkeeping predicate of the load of a tray and the place where it can be taken off
    filled: str = "filled"  # bookkeeping predicate of a vessel with a liquid in it
    free: str = "free"  # bookkeeping predicate of a thing with nothing on it
    hand_occupied: str = "hand_occupied"  # bookkeeping predicate of a robot that holds something
    indirect_on: str = "indirect_on"  # bookkeeping predicate of a thing and a support below its own support
    reachable: str = "reachable"  # bookkeeping predicate of a thing and the place from which an agent can grasp it
    floor: str = "floor"  # class of the ground, which is in view from everywhere
    robot: str = "robot"  # class of the robot

    def __getitem__(self, key: str) -> str:
        """Return the name of a convention, by its key in a file."""
        return str(getattr(self, _FIELDS[key]))

    def with_names(self, names: Mapping[str, str]) -> Conventions:
        """Return conventions with other names, by their keys in a file."""
        return replace(self, **{_FIELDS[key]: name for key, name in names.items()})

    def among(self, known: Known) -> Conventions:
        """Return these conventions without names that `known` does not contain."""
        own = ((_FIELDS[key], sort) for key, sort in CONVENTIONS.items())
        return replace(self, **{name: "" for name, sort in own if getattr(self, name) not in known[sort]})

    def declared(self, known: Known) -> Mapping[str, str]:
        """Return what a file of a world with these `known` names must declare: all that differs from the default."""
        standing = STANDARD.among(known)
        return {key: self[key] or NONE for key in CONVENTIONS if self[key] != standing[key]}

    @property
    def resting(self) -> tuple[str, ...]:
        """The predicates of a thing and its container or support."""
        return tuple(name for name in (self.in_, self.on) if name)

    @property
    def placing(self) -> frozenset[str]:
        """The predicates that give the place (second argument) of an agent or thing (first argument)."""
        return frozenset({self.at, self.in_, self.inhand, self.near, self.on}) - {""}

    @property
    def doors(self) -> frozenset[str]:
        """The predicates of door states; at most one holds for each door."""
        return frozenset({self.ajar, self.closed, self.opened}) - {""}

    @property
    def structural(self) -> frozenset[str]:
        """The affordances that describe the role of a thing rather than a use."""
        return frozenset({self.actor, self.location, VIEWPOINT, "object"}) - {""}


_FIELDS: Mapping[str, str] = {field.name.rstrip("_"): field.name for field in fields(Conventions)}
"""The field of each key of a file."""

STANDARD = Conventions()  # the conventions of a world that declares none and has all of them

ARITIES: Mapping[str, int] = {
    "aboard": 2, "ajar": 1, "aside": 2, "at": 2, "closed": 1, "filled": 1, "free": 1, "hand_occupied": 1, "in": 2,
    "indirect_on": 2, "inhand": 2, "liquid_in": 2, "near": 2, "on": 2, "opened": 1, "overturned": 1, "part_of": 2,
    "reachable": 2,
}  # fmt: skip
"""How many arguments the predicate of a convention has."""

CONVENTIONS: Mapping[str, ConventionKind] = (
    dict.fromkeys(_FIELDS, ConventionKind.AFFORDANCE)
    | dict.fromkeys(ARITIES, ConventionKind.PREDICATE)
    | dict.fromkeys(("floor", "robot"), ConventionKind.CLASS)
)
"""The sort of name of each convention, by its key in a file."""
