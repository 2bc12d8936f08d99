"""Changes of state without motion of objects (pouring, chopping, heating, wiping, lids): checks and effects."""

from __future__ import annotations

from collections.abc import Callable

from robots.fake.world import FakeWorld
from semantics.atoms import Atom
from semantics.feedback import Code, Feedback
from semantics.state import Command

__all__ = ["change", "is_so", "lidless", "unfilled"]

Check = Callable[[FakeWorld, Command], Feedback | None]


def _atom(pattern: tuple[str, ...], command: Command) -> Atom:
    return Atom(pattern[0], tuple([command.roles[role] for role in pattern[1:]]))


def is_so(predicate: str, *roles: str) -> Check:
    """Make a check that a fact over roles holds."""

    def check(world: FakeWorld, command: Command) -> Feedback | None:
        atom = _atom((predicate, *roles), command)
        if atom in world.states:
            return None
        return Feedback(Code.PRECONDITION, str(command), f"{atom} does not hold", culprits=atom.args)

    return check


def lidless(role: str) -> Check:
    """Make a check that the filler of a role has no closed lid."""

    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name = command.roles[role]
        if Atom("closed", (name,)) not in world.states:
            return None
        return Feedback(Code.OBSTRUCTED, str(command), f"the lid of {name} is on", culprits=(name,))

    return check


def unfilled(role: str) -> Check:
    """Make a check that there is no liquid in the filler of a role."""

    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name = command.roles[role]
        inside = [atom.args[0] for atom in world.states if atom.predicate == "liquid_in" and atom.args[1] == name]
        if not inside:
            return None
        return Feedback(Code.NO_ROOM, str(command), f"{inside[0]} is in {name} already", culprits=(name, inside[0]))

    return check


def change(*true: tuple[str, ...], no_more: tuple[tuple[str, ...], ...] = ()) -> Callable[[FakeWorld, Command], None]:
    """Make an effect that makes facts over roles true, and others false."""

    def act(world: FakeWorld, command: Command) -> None:
        gone = [_atom(pattern, command) for pattern in no_more]
        world.become(*(_atom(pattern, command) for pattern in true), no_more=gone)

    return act
