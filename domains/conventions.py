"""`Conventions`: which names of a world play a part in code that knows no world.

Planning leaves out what can only be carried away, looking for something goes from place to place, a hand that is full
sets down what it holds: none of that knows a kitchen. It asks which affordance says that a thing can be carried, which
predicate says where an agent is, which class is the acting body. A world that uses other words than the default says
so under ``conventions`` of its ``domain.yaml``; what it has no word for, it does without.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum

__all__ = ["ARITIES", "CONVENTIONS", "NONE", "STANDARD", "ConventionKind", "Conventions", "Known"]

NONE = "none"
"""What a file writes for a convention that its world does without."""


class ConventionKind(StrEnum):
    """What sort of name a convention is."""

    AFFORDANCE = "affordance"
    CLASS = "class"
    PREDICATE = "predicate"


Known = Mapping[ConventionKind, Collection[str]]
"""The names that a world has, by sort."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """The names that code without a world of its own asks for; empty where the world has none.

    Attributes:
        actor: Affordance of who acts: robots and persons.
        carry: Affordance of what an agent can lift and take elsewhere.
        contain: Affordance of what things can be put into.
        hand: Affordance of hands that are things of their own; without it, hands are what capabilities keep busy.
        location: Affordance of places where an agent can be.
        open: Affordance of what has a door.
        support: Affordance of what things stand on.
        ajar: Predicate of a door that is neither opened nor closed.
        at: Predicate of an agent and the place where it is.
        closed: Predicate of a shut door.
        in_: Predicate of a thing and what contains it; written ``in``.
        inhand: Predicate of a thing and the agent who holds it.
        liquid_in: Predicate of a liquid and its vessel.
        on: Predicate of a thing and what it stands on.
        opened: Predicate of an open door.
        filled: Bookkeeping predicate of a vessel with a liquid in it.
        free: Bookkeeping predicate of what nothing stands on.
        hand_occupied: Bookkeeping predicate of a robot that holds something.
        indirect_on: Bookkeeping predicate of a thing and what is below that which it stands on.
        reachable: Bookkeeping predicate of a thing and the place from where an agent gets hold of it.
        floor: Class of the ground, which is in view from everywhere.
        robot: Class of the acting body.
    """

    actor: str = "actor"
    carry: str = "carry"
    contain: str = "contain"
    hand: str = "hand"
    location: str = "location"
    open: str = "open"
    support: str = "support"
    ajar: str = "ajar"
    at: str = "at"
    closed: str = "closed"
    in_: str = "in"
    inhand: str = "inhand"
    liquid_in: str = "liquid_in"
    on: str = "on"
    opened: str = "opened"
    filled: str = "filled"
    free: str = "free"
    hand_occupied: str = "hand_occupied"
    indirect_on: str = "indirect_on"
    reachable: str = "reachable"
    floor: str = "floor"
    robot: str = "robot"

    def __getitem__(self, key: str) -> str:
        """Return the name that a convention has here, by its key in a file."""
        return str(getattr(self, _FIELDS[key]))

    def with_names(self, names: Mapping[str, str]) -> Conventions:
        """Return conventions with other names, by their keys in a file."""
        return replace(self, **{_FIELDS[key]: name for key, name in names.items()})

    def among(self, known: Known) -> Conventions:
        """Return these conventions without the names that are not `known` of their sort."""
        return self.with_names({key: "" for key, sort in CONVENTIONS.items() if self[key] not in known[sort]})

    def declared(self, known: Known) -> Mapping[str, str]:
        """Return what a file has to say of them in a world of `known` names: what is not so by default."""
        standing = STANDARD.among(known)
        return {key: self[key] or NONE for key in CONVENTIONS if self[key] != standing[key]}

    @property
    def resting(self) -> tuple[str, ...]:
        """The predicates that say what a thing rests in or on."""
        return tuple(name for name in (self.in_, self.on) if name)

    @property
    def placing(self) -> frozenset[str]:
        """The predicates whose first argument is somebody or something and whose second says where it is."""
        return frozenset({self.at, self.in_, self.inhand, self.on}) - {""}

    @property
    def doors(self) -> frozenset[str]:
        """The predicates that say how a door stands; at most one holds of each."""
        return frozenset({self.ajar, self.closed, self.opened}) - {""}

    @property
    def structural(self) -> frozenset[str]:
        """The affordances that say what part a thing plays, and not what it is good for."""
        return frozenset({self.actor, self.location, "object"}) - {""}


_FIELDS: Mapping[str, str] = {field.name.rstrip("_"): field.name for field in fields(Conventions)}
"""The field of each key of a file."""

STANDARD = Conventions()
"""The conventions of a world that declares none and has them all."""

_AFFORDANCES = ("actor", "carry", "contain", "hand", "location", "open", "support")
_CLASSES = ("floor", "robot")

CONVENTIONS: Mapping[str, ConventionKind] = {
    key: ConventionKind.AFFORDANCE
    if key in _AFFORDANCES
    else ConventionKind.CLASS
    if key in _CLASSES
    else ConventionKind.PREDICATE
    for key in _FIELDS
}
"""The sort of name of each convention, by its key in a file."""

ARITIES: Mapping[str, int] = {
    "ajar": 1,
    "at": 2,
    "closed": 1,
    "filled": 1,
    "free": 1,
    "hand_occupied": 1,
    "in": 2,
    "indirect_on": 2,
    "inhand": 2,
    "liquid_in": 2,
    "on": 2,
    "opened": 1,
    "reachable": 2,
}
"""How many arguments the predicate of a convention has."""
