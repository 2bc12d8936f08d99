"""A correction: what a person, or a model for a person, wants otherwise in a program, as a list of typed edits.

A plan is a program without choices, so the same edits serve for both (see `bt.correction`). Where an edit holds is a
`StatementPlace`: the statement's number among its neighbours, and from outside in the block and the number of each
statement around it.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Correction", "Edit", "Insert", "Move", "Remove", "Replace", "StatementPlace", "Wrap"]


@dataclass(frozen=True, slots=True, order=True)
class StatementPlace:
    """The place of a statement.

    Attributes:
        path: Numbers from 0, outermost first: the number of a statement, then the number of one of its blocks (of a
            choice 0 is the body and 1 the ``else``; of a ``try`` 1 is the ``except``), the number of a statement in it,
            and so on.
        function: Name of the function it is in; empty for what is done at the outermost.
    """

    path: tuple[int, ...]
    function: str = ""

    def __str__(self) -> str:
        where = f" of '{self.function}'" if self.function else ""
        return f"statement {'.'.join(str(number + 1) for number in self.path)}{where}"


@dataclass(frozen=True, slots=True)
class Replace:
    """Another argument in a statement: each argument `old` becomes `new`; both as written, such as ``cup0``."""

    spot: StatementPlace
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Insert:
    """Statements, as written, before the one at the spot; at the number after the last one, at the end of a block."""

    spot: StatementPlace
    text: str


@dataclass(frozen=True, slots=True)
class Remove:
    """A statement, with all that is in it, left out."""

    spot: StatementPlace


@dataclass(frozen=True, slots=True)
class Move:
    """A statement done elsewhere: before the one that stands at `to` now."""

    spot: StatementPlace
    to: StatementPlace


@dataclass(frozen=True, slots=True)
class Wrap:
    """Statements put under a line such as ``if closed(fridge0):``, ``for _ in range(2):`` or ``try:``.

    Attributes:
        spot: The first of them.
        head: The line. What follows its colon after a line feed, such as an ``except:`` with its block, goes along.
        count: How many neighbours are put under it.
    """

    spot: StatementPlace
    head: str
    count: int = 1


Edit = Replace | Insert | Remove | Move | Wrap


@dataclass(frozen=True, slots=True)
class Correction:
    """Edits, done one after the other: the spot of each is counted after those before it."""

    edits: tuple[Edit, ...]
