"""Places of statements in a program: find a place, change the block there, and convert lines to places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from bt.programs import read_program, write_program
from semantics.correction import StatementPlace
from semantics.program import Fall, For, Function, If, Program, RefusedProgram, Statement, While

__all__ = ["Block", "NowhereError", "at_line", "block_at", "changed", "spots"]

Block = tuple[Statement, ...]


class NowhereError(Exception):
    """No statement is at a place; `why` says what is there instead. It is caught inside `bt.correction`."""

    def __init__(self, spot: StatementPlace, why: str) -> None:
        self.spot, self.why = spot, why
        super().__init__(f"{spot}: {why}")


def spots(program: Program) -> Iterator[tuple[StatementPlace, Statement]]:
    """Yield every statement with its place, in the order of the text."""
    for function in program.functions:
        yield from _within(function.body, (), function.name)
    yield from _within(program.body, (), "")


def _within(block: Block, path: tuple[int, ...], function: str) -> Iterator[tuple[StatementPlace, Statement]]:
    for number, statement in enumerate(block):
        yield StatementPlace((*path, number), function), statement
        for which, inner in enumerate(_blocks(statement)):
            yield from _within(inner, (*path, number, which), function)


def at_line(program: Program, line: int) -> StatementPlace | None:
    """Return the place of the statement in a line of the normalised text of the program, counted from 1."""
    written = read_program(write_program(program))
    if isinstance(written, RefusedProgram):
        return None
    return next((spot for spot, statement in spots(written) if statement.place.line == line), None)


def block_at(program: Program, spot: StatementPlace) -> Block:
    """Return the block that contains a place.

    Raises:
        NowhereError: There is no such block.
    """
    blocks: list[Block] = []

    def keep(block: Block, _: int) -> Block:
        blocks.append(block)
        return block

    changed(program, spot, keep)
    return blocks[0]


def changed(program: Program, spot: StatementPlace, change: Callable[[Block, int], Block]) -> Program:
    """Return the program with the block of a place changed; `change` gets the block and the number in it.

    Raises:
        NowhereError: There is no such block.
    """
    if not spot.path or len(spot.path) % 2 == 0:
        raise NowhereError(spot, "a path holds the number of a statement, then pairs of a block and a statement")
    if not spot.function:
        return replace(program, body=_deeper(program.body, spot.path, spot, change))
    if all(candidate.name != spot.function for candidate in program.functions):
        raise NowhereError(spot, f"there is no function '{spot.function}'")

    def inside(function: Function) -> Function:
        return replace(function, body=_deeper(function.body, spot.path, spot, change))

    functions = tuple(
        inside(function) if function.name == spot.function else function for function in program.functions
    )
    return replace(program, functions=functions)


def _deeper(block: Block, path: tuple[int, ...], spot: StatementPlace, change: Callable[[Block, int], Block]) -> Block:
    number, *rest = path
    if not rest:
        return change(block, number)
    if not 0 <= number < len(block):
        raise NowhereError(spot, f"there are {len(block)} statements, counted from 1")
    blocks = _blocks(block[number])
    which, *below = rest
    if not 0 <= which < len(blocks):
        raise NowhereError(spot, f"the statement around it has {len(blocks)} blocks")
    inner = _deeper(blocks[which], tuple(below), spot, change)
    statement = _with_block(block[number], which, inner)
    return (*block[:number], statement, *block[number + 1 :])


def _blocks(statement: Statement) -> tuple[Block, ...]:
    match statement:
        case If():
            return statement.body, statement.otherwise
        case Fall():
            return statement.body, statement.instead
        case For() | While():
            return (statement.body,)
        case _:
            return ()


def _with_block(statement: Statement, which: int, block: Block) -> Statement:
    match statement:
        case If():
            return replace(statement, otherwise=block) if which else replace(statement, body=block)
        case Fall():
            return replace(statement, instead=block) if which else replace(statement, body=block)
        case For() | While():
            return replace(statement, body=block)
        case _:
            raise AssertionError(statement)
