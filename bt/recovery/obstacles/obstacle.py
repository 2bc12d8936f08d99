"""Physical failures as facts: what cannot be done as long as something stands where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from domains.capability import Capability, Template
from domains.model import Domain
from semantics.atoms import Atom
from semantics.feedback import Code, Feedback
from semantics.state import Operator, State

__all__ = ["LIFETIMES", "Obstacle", "obstacle_of"]

LIFETIMES: Mapping[Code, float] = {
    Code.OBSTRUCTED: 300.0,
    Code.OUT_OF_REACH: 120.0,
    Code.NO_ROOM: 60.0,
    Code.STUCK: 30.0,
}
"""The failures that stay so for a while, and for how long they are believed, in seconds of the body's clock."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something that cannot be done for now.

    Attributes:
        code: Why.
        capability: What cannot be done.
        pattern: To which arguments: their number in the capability, and the name.
        place: What has to end before it can be done again, such as ``(on salt0 shelf0)``; None when only time helps.
    """

    code: Code
    capability: str
    pattern: tuple[tuple[int, str], ...]
    place: Atom | None = None

    @property
    def predicate(self) -> str:
        """The predicate that stands for such obstacles in planning."""
        kind = str(self.code).replace("-", "_")
        return "_".join((kind, self.capability, *((self.place.predicate,) if self.place else ())))

    @property
    def atom(self) -> Atom:
        """The fact that stands for this one while `place` holds."""
        return Atom(self.predicate, (*(self.place.args if self.place else ()), *(name for _, name in self.pattern)))

    def stands(self, state: State) -> bool:
        """Return whether it is still where it was."""
        return self.place is None or self.place in state.atoms

    def __str__(self) -> str:
        names = " ".join(name for _, name in self.pattern)
        return f"{self.code}: {self.capability} {names}" + (f" while {self.place}" if self.place else "")


def obstacle_of(feedback: Feedback, operator: Operator, state: State, domain: Domain) -> Obstacle | None:
    """Return what a physical failure says of the world; None for a failure that says nothing lasting.

    A thing in the way keeps anybody from the things that were acted upon, with whatever hand. What was out of reach, or
    stuck, was so for this agent and this hand. What stands in the way and cannot be moved (a door) is no obstacle that
    could be cleared away; sensing will tell of it.
    """
    capability = domain.capabilities.get(operator.action.name)
    if feedback.code not in LIFETIMES or capability is None:
        return None
    args = operator.action.args
    hands = _means(capability) if feedback.code in (Code.OBSTRUCTED, Code.NO_ROOM) else frozenset()
    pattern = tuple((number, name) for number, name in enumerate(args) if number not in hands)
    blamed = (*feedback.culprits, *(() if feedback.code is Code.OBSTRUCTED else (name for _, name in pattern)))
    moving = Code.OBSTRUCTED, Code.OUT_OF_REACH
    places = (_place_of(name, state, domain) for name in blamed) if feedback.code in moving else iter(())
    place = next((found for found in places if found is not None), None)
    if feedback.code is Code.OBSTRUCTED and place is None:
        return None
    return Obstacle(feedback.code, capability.name, pattern, place)


def _means(capability: Capability) -> frozenset[int]:
    """Return the numbers of the parameters that act rather than are acted upon: the agent, and what it keeps busy."""
    agent = frozenset() if capability.agentless else frozenset({0})
    busy = (number for number, one in enumerate(capability.parameters) if one.name in capability.resources)
    return agent.union(busy)


def _place_of(name: str, state: State, domain: Domain) -> Atom | None:
    """Return the fact about a thing that says where it is, if some capability can end it."""
    told = sorted(atom for atom in state.atoms if atom.args[:1] == (name,) and len(atom.args) > 1)
    return next((atom for atom in told if _ends(atom, domain)), None)


def _ends(atom: Atom, domain: Domain) -> bool:
    model = domain.predicates.get(atom.predicate)
    if model is None or model.bookkeeping:
        return False
    return any(
        template.predicate == atom.predicate and not template.positive and template.args[0].startswith("?")
        for capability in domain.capabilities.values()
        for template in _templates(capability)
    )


def _templates(capability: Capability) -> Iterator[Template]:
    yield from capability.effect
    for one in capability.conditional:
        yield from one.literals
