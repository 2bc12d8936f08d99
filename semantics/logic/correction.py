"""A correction: the changes that a person, or a language model, wants in a program, as a list of typed edits.

A plan is a program without branches, so the same edits serve for both (see `bt.correction`). A `StatementPlace` says
where an edit applies: the index of the statement in its block and, from the outside in, the index and block of each
statement around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from semantics.logic.goal import Goal


@dataclass(frozen=True, slots=True, order=True)
class StatementPlace:
    """The place of a statement.

    Attributes:
        path: Indices from 0, outermost first: the index of a statement, then of one of its blocks (0 is the body; 1 is
            the ``else`` of an ``if`` or the ``except`` of a ``try``), then of a statement in that block, and so on.
        function: Name of the function that contains the statement; empty for the top level.
    """

    path: tuple[int, ...]
    function: str = ""

    def __str__(self) -> str:
        where = f" of '{self.function}'" if self.function else ""
        return f"statement {'.'.join(str(number + 1) for number in self.path)}{where}"


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace an argument of a statement: each `old` becomes `new`. Both are given as written, such as ``cup0``."""

    spot: StatementPlace
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert statements, given as text, before the one at the spot; an index after the last appends to the block."""

    spot: StatementPlace
    text: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a statement with everything inside it."""

    spot: StatementPlace


@dataclass(frozen=True, slots=True)
class Move:
    """Move a statement: it comes before the statement that is at `to` now."""

    spot: StatementPlace
    to: StatementPlace


@dataclass(frozen=True, slots=True)
class Wrap:
    """Put statements under a line such as ``if closed(fridge0):``, ``for _ in range(2):`` or ``try:``.

    Attributes:
        spot: The first of these statements.
        head: The line. Text after its colon and a line feed, such as an ``except:`` with its block, is added with it.
        count: How many consecutive statements go under the line.
    """

    spot: StatementPlace
    head: str
    count: int = 1


Edit = Replace | Insert | Remove | Move | Wrap


@dataclass(frozen=True, slots=True)
class Correction:
    """Edits that are applied one after the other: the spot of each refers to the result of those before it."""

    edits: tuple[Edit, ...]


class EditKind(StrEnum):
    """What a person changes in what is under way."""

    REPLACE = "replace"
    ADD = "add"
    REMOVE = "remove"
    ORDER = "order"
    VALUE = "value"
    INSTEAD = "instead"
    AFTERWARDS = "afterwards"


@dataclass(frozen=True, slots=True)
class GoalEdit:
    """A change of the goal that is pursued, as a person has said it.

    Attributes:
        kind: What is changed.
        goal: What is pursued from now on; with `EditKind.AFTERWARDS` what comes after the present goal.
        told: What the robot says before it takes effect.
    """

    kind: EditKind
    goal: Goal
    told: str
