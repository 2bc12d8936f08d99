"""Where a program stands in mid-course, as values: which statement of each block comes next, or is under way.

Nodes tell it (`Flow.standing`, `Block.stand`), and fresh nodes of the same program, or of one that was edited, are put
there (`Flow.go_on`, `Block.go_on`). It holds for one moment between two ticks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from py_trees.behaviour import Behaviour

from bt.programs.evaluation import Value

__all__ = ["Called", "Chosen", "Fallen", "Frame", "Going", "Jump", "Round", "Stand", "Under"]


class Jump(StrEnum):
    """What ends a block before its last statement."""

    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"


@dataclass(slots=True)
class Frame:
    """The values of one call of a function, or of the program itself.

    Attributes:
        values: By name.
        depth: How many calls stand above.
        jump: What ends the present block; None while it goes on.
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
    """Where a block stands.

    Attributes:
        number: Of the statement that is under way, or comes next; as many as there are when it is at its end.
        within: Where that one stands; None when it has not begun.
        passed: Numbers after it of statements that are not to be done in this pass, since they were.
    """

    number: int
    within: Under | None = None
    passed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Going:
    """A statement without blocks is under way; its node goes on with it."""

    node: Behaviour


@dataclass(frozen=True, slots=True)
class Chosen:
    """The block that an ``if`` has chosen."""

    which: int
    block: Stand


@dataclass(frozen=True, slots=True)
class Fallen:
    """The block of a ``try`` that is done, 1 for the ``except``."""

    which: int
    block: Stand


@dataclass(frozen=True, slots=True)
class Round:
    """A loop.

    Attributes:
        members: What a ``for`` goes through; None to make the list now. Nothing for a ``while``.
        next_one: How many passes were begun.
        block: Where the present pass stands; None between two.
    """

    members: tuple[Value, ...] | None
    next_one: int
    block: Stand | None


@dataclass(frozen=True, slots=True)
class Called:
    """A function under way, with its values."""

    frame: Frame
    block: Stand


Under = Going | Chosen | Fallen | Round | Called
