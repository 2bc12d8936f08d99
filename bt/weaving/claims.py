"""Who and what a step keeps busy: locks on agents, hands and objects.

A step has *alone* the agent or the hands that its motion moves, and every object that it changes: one that a changed
fact is about, which is the first name in it. It *shares* all else that it is given. Two steps clash when one has alone
what the other has in any way, as with locks for readers and writers: two hands may take two bottles from one shelf at
once, and nobody pours into a glass that is being carried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from bt.weaving.footprint import footprint
from semantics.protocols import Robot
from semantics.state import Operator

__all__ = ["Claim", "Handy", "Occupied", "claim_of", "occupancy"]

Occupied = Callable[[Operator], frozenset[str]]
"""Gives the agents and hands that a body keeps busy while it does a step."""


@runtime_checkable
class Handy(Protocol):
    """A body that can do several motions at a time."""

    def occupies(self, operator: Operator) -> frozenset[str]:
        """Return the hands that doing a step keeps busy, or the whole agent."""
        ...


class Claim(NamedTuple):
    """What a step locks.

    Attributes:
        alone: Nobody else may have these meanwhile.
        shared: Others may share these, but not have them alone.
    """

    alone: frozenset[str]
    shared: frozenset[str]

    def clashes(self, other: Claim) -> bool:
        """Return whether the two may not be had at the same time."""
        return not (
            self.alone.isdisjoint(other.alone)
            and self.alone.isdisjoint(other.shared)
            and other.alone.isdisjoint(self.shared)
        )


def claim_of(operator: Operator, occupied: Occupied) -> Claim:
    """Return what `operator` locks on a body that keeps `occupied` busy for it."""
    changed = frozenset(atom.args[0] for atom in footprint(operator).writes if atom.args)
    agent = frozenset({operator.command.agent} if operator.command else ())
    return Claim(occupied(operator) | changed, agent.union(operator.action.args))


def occupancy(robot: Robot) -> Occupied:
    """Return what steps keep busy of a body; one that says nothing of it does one motion at a time."""
    if isinstance(robot, Handy):
        return robot.occupies
    whole = frozenset({robot.name})
    return lambda _: whole
