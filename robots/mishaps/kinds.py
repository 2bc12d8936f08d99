"""The kinds of mishaps, and who makes those happen that change the world."""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import NamedTuple, Protocol

from semantics.state import Command

__all__ = ["Hands", "Happened", "MishapKind"]


class MishapKind(StrEnum):
    """What can go wrong."""

    DROPPED = "dropped"  # what a hand holds falls
    MOVED = "moved"  # a thing that the work is about is put elsewhere
    SHUT = "shut"  # an open door closes
    OCCUPIED = "occupied"  # something is put into a free hand
    REFUSED = "refused"  # the body refuses a command, once
    BLIND = "blind"  # nothing is sensed for a second


class Happened(NamedTuple):
    """A mishap that came about: which, when in seconds of the body's clock, and what was done."""

    kind: MishapKind
    time: float
    what: str


class Hands(Protocol):
    """Hands that change a body's world behind its back."""

    def do(self, kind: MishapKind, about: frozenset[str], random: Random) -> str | None:
        """Make a mishap happen, if it can happen now.

        Args:
            kind: One of those that change the world: not `REFUSED`, not `BLIND`.
            about: Names that the task is about; what is moved is one of them.
            random: Where choices are drawn from.

        Returns:
            What was done, in words; None when there is nothing to do it to.
        """
        ...


def about(command: Command) -> frozenset[str]:
    """Return the names that a command speaks of."""
    return frozenset(command.roles.values())
