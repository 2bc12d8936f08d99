"""`Flaw`: one thing that is wrong with a tree as it is built."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Flaw", "FlawKind"]


class FlawKind(StrEnum):
    """Every sort of flaw."""

    UNREACHABLE = "unreachable"  # a child that is never ticked
    UNBOUNDED = "unbounded"  # a loop that nothing ends
    UNKNOWN_KEY = "unknown-key"  # a key that is read and that nothing writes
    NOTHING_TO_SENSE = "nothing-to-sense"  # a step of which no sensing can show that it worked
    ONE_BODY = "one-body"  # two motions of one agent at a time
    SHARED = "shared"  # a node that stands in two places
    EMPTY = "empty"  # a composite without children


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong, where, and how to mend it.

    Attributes:
        sort: What kind of flaw it is.
        path: Names from the root down to the node, joined by slashes.
        why: The reason, one sentence.
        how: What would mend it, one sentence.
        culprits: The names that caused it.
    """

    sort: FlawKind
    path: str
    why: str
    how: str
    culprits: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.path}: {self.why}. {self.how}"
