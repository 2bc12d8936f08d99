"""`Sharing`: a plan shared out among hands, or robots, that can do the same, where a body does several motions at once.

What a person is asked to do is never given to another person: whom to ask is no matter of time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bt.weaving import Handy, Occupied, shared_out
from domains.model import Domain
from graftwork.pricing.pricing import Pricing
from semantics.errors import UnknownNameError
from semantics.protocols import Robot
from semantics.state import Operator, Plan, State
from semantics.vocabulary import Thing

__all__ = ["TOGETHER", "Sharing", "together_named"]

TOGETHER = ("auto", "never")
"""Whether steps that do not depend on each other are done at once: where a body can do that, or never."""

ROBOT = "robot"
"""The class of bodies."""
SECONDS = 1.0
"""How long a capability takes of which nothing is known, for comparing plans."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """Who may stand in for whom.

    Attributes:
        alike: Groups of hands or robots of one class.
        occupied: What a step keeps busy of the body.
    """

    alike: tuple[tuple[str, ...], ...]
    occupied: Occupied

    @classmethod
    def on(cls, robot: Robot, domain: Domain, things: Mapping[str, Thing]) -> Sharing | None:
        """Return who may stand in for whom on a body; None where it does one motion at a time, or all are single."""
        alike = tuple(_alike(domain, things))
        return cls(alike, robot.occupies) if isinstance(robot, Handy) and alike else None

    def shared(self, plan: Plan, state: State, pricing: Pricing) -> Plan:
        """Return a plan that takes no longer than `plan` from `state`, costs no more, and comes to the same goal."""
        world, things = pricing.priced, pricing.things
        axioms = world.axioms(things)
        durations = {name: one.duration or SECONDS for name, one in world.capabilities.items()}
        durations |= pricing.model.durations if pricing.model is not None else {}

        def seconds(step: Operator) -> float:
            return durations[step.action.name]

        return shared_out(
            plan,
            state,
            self.alike,
            lambda action: world.ground(action, things, state.numbers, axioms),
            self.occupied,
            seconds=seconds,
        )


def together_named(name: str) -> bool:
    """Return whether steps may be done at once.

    Raises:
        UnknownNameError: There is no such setting.
    """
    if name not in TOGETHER:
        raise UnknownNameError("way to do steps together", name, TOGETHER)
    return name == "auto"


def _alike(domain: Domain, things: Mapping[str, Thing]) -> Iterator[tuple[str, ...]]:
    """Yield the names of each class of which there are several hands, or several robots."""
    classes = {thing.class_name for thing in things.values() if thing.class_name == ROBOT or _is_hand(domain, thing)}
    for one in sorted(classes):
        names = tuple(sorted(name for name, thing in things.items() if thing.class_name == one))
        if len(names) > 1:
            yield names


def _is_hand(domain: Domain, thing: Thing) -> bool:
    """Return whether a capability can keep a thing busy while it is carried out."""
    kept = (
        set(parameter.affordances) - {"object"}
        for capability in domain.capabilities.values()
        for parameter in capability.parameters
        if parameter.name in capability.resources
    )
    return any(asked and asked <= thing.affordances for asked in kept)
