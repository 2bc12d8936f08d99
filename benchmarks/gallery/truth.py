"""What is true in the end, read from the body itself and not from what the run believes, and whether a condition holds.

The geometric body is judged by what carries each piece, by the angle of each door and by the robot's distance to the
places; the symbolic body by its state.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from math import hypot

from robots.fake import FakeRobot
from robots.fake.world import FakeWorld
from robots.informed import body_of
from robots.symbolic import SymbolicRobot
from semantics.body.protocols import Robot
from semantics.logic.atoms import And, Atom, Formula, Not, Or

__all__ = ["holds", "true_facts"]

AT = 0.05
"""Largest distance of a robot from the place where it works, in metres."""
OPEN, SHUT = 0.95, 0.01
"""From and up to which opening a door counts as open and as closed, as a fraction."""
RELATIONS = {"on": "on", "in": "in", "held": "inhand"}


def true_facts(robot: Robot) -> frozenset[Atom]:
    """Return the true facts of a body's world.

    Raises:
        TypeError: The truth of this body is not known.
    """
    robot = body_of(robot)
    if isinstance(robot, SymbolicRobot):
        return frozenset(robot.state.atoms)
    if not isinstance(robot, FakeRobot):
        raise TypeError(f"{robot!r}: only the bodies fake and symbolic tell the truth about their world")
    return frozenset(_facts(robot.world))


def _facts(world: FakeWorld) -> Iterator[Atom]:
    yield from world.states
    for piece, (relation, where) in world.carriers.items():
        yield Atom(RELATIONS[relation], (piece, where))
    for name, opening in world.doors.items():
        if opening >= OPEN or opening <= SHUT:
            yield Atom("opened" if opening >= OPEN else "closed", (name,))
    for name in (*world.fittings, *world.persons):
        stand = world.stand(name)
        if stand is not None and hypot(stand.x - world.pose.x, stand.y - world.pose.y) <= AT:
            yield Atom("at", (world.robot, name))


def holds(formula: Formula, facts: Set[Atom]) -> bool:
    """Return whether a condition without variables and numbers is true; what is not among the facts is false.

    Raises:
        TypeError: The condition compares or quantifies.
    """
    match formula:
        case Atom():
            return formula in facts
        case Not(part):
            return not holds(part, facts)
        case And(parts):
            return all(holds(part, facts) for part in parts)
        case Or(parts):
            return any(holds(part, facts) for part in parts)
    raise TypeError(f"{formula}: only facts, and, or and not are judged")
