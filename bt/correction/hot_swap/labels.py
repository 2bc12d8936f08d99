"""Statements that are known again after an edit.

Edits keep the statements that they do not speak of, and `dataclasses.replace` keeps the place of one that they change.
So a number in each statement's place, which no text has, says which statement of the old program it was.
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
"""The column of every label; those of a text begin at 1."""


@dataclass(frozen=True, slots=True)
class Relabelled:
    """A program before and after a correction, with the old statements known again by their labels.

    Attributes:
        old: Before.
        new: After.
        replaced: Labels of those whose own line was edited.
        moved: Labels of those that were moved.
    """

    old: Program
    new: Program
    replaced: frozenset[int]
    moved: frozenset[int]


def relabelled(program: Program, correction: Correction) -> Relabelled | Rejection:
    """Correct a program, and keep what became of each statement; or say why an edit cannot be done."""
    old = _labelled(program)
    new = edited(old, correction)
    if isinstance(new, Rejection):
        return new
    replaced: set[int | None] = set()
    moved: set[int | None] = set()
    now = old
    for edit in correction.edits:
        one = edited(now, Correction((edit,)))
        assert isinstance(one, Program)  # all of them together could be done
        if isinstance(edit, Replace) or (isinstance(edit, Move) and _order(one) != _order(now)):
            found = label(block_at(now, edit.spot)[edit.spot.path[-1]])
            (replaced if isinstance(edit, Replace) else moved).add(found)
        now = one
    return Relabelled(old, new, frozenset(filter(None, replaced)), frozenset(filter(None, moved)))


def _order(program: Program) -> list[int | None]:
    return [label(statement) for _, statement in spots(program)]


def label(statement: Statement) -> int | None:
    """Return the number of a statement that was there before; None for a new one."""
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
    functions = tuple(replace(one, body=_block(one.body, numbers)) for one in program.functions)
    return replace(program, functions=functions, body=_block(program.body, numbers))


def _block(block: Block, numbers: Iterator[int]) -> Block:
    return tuple(_statement(one, numbers) for one in block)


def _statement(statement: Statement, numbers: Iterator[int]) -> Statement:
    place = TextPosition(next(numbers), NO_COLUMN)
    match statement:
        case If(_, body, otherwise):
            found = _block(body, numbers)
            return replace(statement, place=place, body=found, otherwise=_block(otherwise, numbers))
        case Fall(body, instead):
            found = _block(body, numbers)
            return replace(statement, place=place, body=found, instead=_block(instead, numbers))
        case For() | While():
            return replace(statement, place=place, body=_block(statement.body, numbers))
        case _:
            return replace(statement, place=place)
