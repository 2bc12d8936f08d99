"""The position of a running program as values: the statement of each block that runs or comes next.

Nodes report it (`Flow.standing`, `Block.stand`), and new nodes of the same or of an edited program are set to it
(`Flow.go_on`, `Block.go_on`). It is valid between two ticks only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from py_trees.behaviour import Behaviour

from bt.programs.evaluation import Value

__all__ = ["Called", "Chosen", "Frame", "Going", "Jump", "Round", "Stand", "Under"]


class Jump(StrEnum):
    """What ends a block before its last statement."""

    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"


@dataclass(slots=True)
class Frame:
    """The values of a call of a function, or of the program itself.

    Attributes:
        values: The values by name.
        depth: The number of calls above this one.
        jump: The statement that ends the current block; None while it goes on.
        returned: The result, once there is one.
    """

    values: dict[str, Value] = field(default_factory=dict)
    depth: int = 0
    jump: Jump | None = None
    returned: Value | None = None

    def clear(self) -> None:
        """Forget everything."""
        self.values.clear()
        self.jump = self.returned = None


@dataclass(frozen=True, slots=True)
class Stand:
    """The position in a block.

    Attributes:
        number: The number of the statement that runs or comes next; the number of statements at the end.
        within: The position in that statement; None before it begins.
        passed: The numbers of later statements that are already done in this pass.
    """

    number: int
    within: Under | None = None
    passed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Going:
    """A running statement without blocks; its node goes on."""

    node: Behaviour


@dataclass(frozen=True, slots=True)
class Chosen:
    """The block of an ``if`` or ``try`` that runs, 1 for the ``else`` or ``except``."""

    which: int
    block: Stand


@dataclass(frozen=True, slots=True)
class Round:
    """A loop.

    Attributes:
        members: The list of a ``for``; None to make it now. Empty for a ``while``.
        next_one: The number of passes that were begun.
        block: The position in the current pass; None between two passes.
    """

    members: tuple[Value, ...] | None
    next_one: int
    block: Stand | None


@dataclass(frozen=True, slots=True)
class Called:
    """A running function, with its values."""

    frame: Frame
    block: Stand


Under = Going | Chosen | Round | Called
