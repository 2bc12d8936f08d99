"""Labels that identify the statements of a program after an edit.

An edit keeps the statements that it does not name, and `dataclasses.replace` keeps the position of a changed statement.
So a label in the position of each statement, which no text can have, identifies the statement of the old program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from bt.correction.edits import edited
from bt.correction.places import Block, block_at, spots
from semantics.correction import Correction, Move, Replace
from semantics.goal import Rejection
from semantics.program import Fall, For, If, Program, Statement, TextPosition, While

__all__ = ["Relabelled", "blocks_of", "label", "relabelled"]

NO_COLUMN = 0
"""The column of every label; columns of a text begin at 1."""


@dataclass(frozen=True, slots=True)
class Relabelled:
    """A program before and after a correction, with labels that identify the old statements.

    Attributes:
        old: The program before the correction.
        new: The program after the correction.
        replaced: Labels of the statements whose own line was edited.
        moved: Labels of the statements that were moved.
    """

    old: Program
    new: Program
    replaced: frozenset[int]
    moved: frozenset[int]


def relabelled(program: Program, correction: Correction) -> Relabelled | Rejection:
    """Correct a program with labelled statements; or return why an edit cannot be applied."""
    old = _labelled(program)
    new = edited(old, correction)
    if isinstance(new, Rejection):
        return new
    replaced: set[int | None] = set()
    moved: set[int | None] = set()
    current = old
    for edit in correction.edits:
        edited_program = edited(current, Correction((edit,)))
        assert isinstance(edited_program, Program)  # all edits together were possible
        if isinstance(edit, Replace) or (isinstance(edit, Move) and _order(edited_program) != _order(current)):
            number = label(block_at(current, edit.spot)[edit.spot.path[-1]])
            (replaced if isinstance(edit, Replace) else moved).add(number)
        current = edited_program
    return Relabelled(old, new, frozenset(filter(None, replaced)), frozenset(filter(None, moved)))


def _order(program: Program) -> list[int | None]:
    return [label(statement) for _, statement in spots(program)]


def label(statement: Statement) -> int | None:
    """Return the label of a statement of the old program; None for a new statement."""
    return statement.place.line if statement.place.column == NO_COLUMN else None


def blocks_of(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks of a statement, in the order of its nodes."""
    match statement:
        case If(_, body, otherwise) | Fall(body, otherwise):
            return body, otherwise
        case For() | While():
            return (statement.body,)
        case _:
            return ()


def _labelled(program: Program) -> Program:
    numbers = count(1)
    functions = tuple(replace(function, body=_block(function.body, numbers)) for function in program.functions)
    return replace(program, functions=functions, body=_block(program.body, numbers))


def _block(block: Block, numbers: Iterator[int]) -> Block:
    return tuple(_statement(statement, numbers) for statement in block)


def _statement(statement: Statement, numbers: Iterator[int]) -> Statement:
    place = TextPosition(next(numbers), NO_COLUMN)
    match statement:
        case If(_, body, otherwise):
            labelled = _block(body, numbers)
            return replace(statement, place=place, body=labelled, otherwise=_block(otherwise, numbers))
        case Fall(body, instead):
            labelled = _block(body, numbers)
            return replace(statement, place=place, body=labelled, instead=_block(instead, numbers))
        case For() | While():
            return replace(statement, place=place, body=_block(statement.body, numbers))
        case _:
            return replace(statement, place=place)
