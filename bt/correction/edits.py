"""Applies edits to a program; other modules check whether the result is valid."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any

from bt.correction.places import Block, NowhereError, block_at, changed
from bt.programs import read_program
from bt.programs.writer import write_expression
from semantics.correction import Correction, Edit, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.errors import nearest
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.program import (
    Assign,
    Call,
    Do,
    Each,
    Expr,
    Fall,
    For,
    If,
    Items,
    Name,
    Operation,
    Pass,
    Program,
    RefusedProgram,
    Return,
    Statement,
    While,
)

__all__ = ["edited"]

HOLE = "hole"
"""The name of a call around an expression that is read alone."""


class _RefusedError(Exception):
    """An edit that cannot be applied, with the reason."""

    def __init__(self, feedback: Feedback) -> None:
        self.feedback = feedback
        super().__init__(str(feedback))


def edited(program: Program, correction: Correction) -> Program | Rejection:
    """Apply the edits of a correction in order; if one cannot be applied, return the reason and apply none."""
    for number, edit in enumerate(correction.edits, start=1):
        try:
            program = _done(edit, program)
        except NowhereError as error:
            how = "Count the statements again, after the edits before this one."
            return Rejection((_feedback(number, edit, f"{error.spot} is not there: {error.why}", how),))
        except _RefusedError as error:
            feedback = replace(error.feedback, what=f"edit {number}: {error.feedback.what}")
            return Rejection((feedback,))
    return program


def _feedback(number: int, edit: Edit, why: str, how: str) -> Feedback:
    return Feedback(Code.UNREADABLE, f"edit {number}: {type(edit).__name__.lower()}", why, how)


@singledispatch
def _done(edit: Any, program: Program) -> Program:  # noqa: ANN401  # dispatched by the type
    raise TypeError(f"{edit!r} is no edit")


@_done.register
def _(edit: Replace, program: Program) -> Program:
    old, new = _expression(edit.old), _expression(edit.new)

    def change(block: Block, number: int) -> Block:
        statement = _present(block, number, edit.spot)
        replaced = _replaced(statement, old, new)
        if replaced == statement:
            raise _unknown_argument(edit, statement)
        return (*block[:number], replaced, *block[number + 1 :])

    return changed(program, edit.spot, change)


@_done.register
def _(edit: Insert, program: Program) -> Program:
    return _inserted(program, edit.spot, _statements(edit.text))


@_done.register
def _(edit: Remove, program: Program) -> Program:
    return _removed(program, edit.spot)[0]


@_done.register
def _(edit: Move, program: Program) -> Program:
    if edit.to.function == edit.spot.function and edit.to.path[: len(edit.spot.path)] == edit.spot.path:
        if edit.to == edit.spot:
            return program
        raise NowhereError(edit.to, "a statement cannot be moved into itself")
    block_at(program, edit.to)  # check the target before anything is removed
    without, statement = _removed(program, edit.spot)
    return _inserted(without, _after_removal(edit.to, edit.spot), (statement,))


@_done.register
def _(edit: Wrap, program: Program) -> Program:
    if edit.count < 1:
        raise NowhereError(edit.spot, "at least one statement is put under the line")
    around = _around(edit.head)

    def change(block: Block, number: int) -> Block:
        _present(block, number, edit.spot)
        _present(block, number + edit.count - 1, edit.spot)
        inside = block[number : number + edit.count]
        return (*block[:number], replace(around, body=inside), *block[number + edit.count :])

    return changed(program, edit.spot, change)


def _present(block: Block, number: int, spot: StatementPlace) -> Statement:
    if not 0 <= number < len(block):
        raise NowhereError(spot, f"there are {len(block)} statements, counted from 1")
    return block[number]


def _removed(program: Program, spot: StatementPlace) -> tuple[Program, Statement]:
    gone: list[Statement] = []

    def change(block: Block, number: int) -> Block:
        gone.append(_present(block, number, spot))
        rest = (*block[:number], *block[number + 1 :])
        return rest if rest or len(spot.path) == 1 else (Pass(),)  # a block in a statement is never empty

    return changed(program, spot, change), gone[0]


def _inserted(program: Program, spot: StatementPlace, statements: Block) -> Program:
    def change(block: Block, number: int) -> Block:
        if not 0 <= number <= len(block):
            raise NowhereError(spot, f"there are {len(block)} statements, counted from 1")
        rest = () if block == (Pass(),) else block
        return (*rest[:number], *statements, *rest[number:])

    return changed(program, spot, change)


def _after_removal(to: StatementPlace, gone: StatementPlace) -> StatementPlace:
    """Return the place of `to` after the statement at `gone` has been removed."""
    depth = len(gone.path) - 1
    same = to.function == gone.function and to.path[:depth] == gone.path[:depth]
    if not same or len(to.path) <= depth or to.path[depth] <= gone.path[depth]:
        return to
    return replace(to, path=(*to.path[:depth], to.path[depth] - 1, *to.path[depth + 1 :]))


def _statements(text: str) -> Block:
    """Read statements."""
    read = read_program(text)
    if isinstance(read, RefusedProgram):
        raise _RefusedError(read.feedback[0])
    if read.functions or not read.body:
        raise _RefusedError(Feedback(Code.UNREADABLE, repr(text), "only statements can be put in, and at least one"))
    return read.body


def _expression(text: str) -> Expr:
    """Read one expression."""
    (statement, *rest) = _statements(f"{HOLE}({text})")
    match statement:
        case Do(Call(name, (value,), ())) if name == HOLE and not rest:
            return value
    raise _RefusedError(Feedback(Code.UNREADABLE, repr(text), "it is not one argument"))


def _around(head: str) -> If | For | While | Fall:
    """Read the head of a compound statement that is put around other statements."""
    first, feed, rest = head.strip().partition("\n")
    text = f"{first}\n    pass\n{rest}" if feed else f"{first}\n    pass"
    if first.startswith("try") and not feed:
        text += "\nexcept:\n    pass"
    match _statements(text):
        case (If() | For() | While() | Fall() as around,):
            return around
    why = "statements can be put under 'if', 'for', 'while' or 'try', with nothing besides"
    raise _RefusedError(Feedback(Code.UNREADABLE, repr(first), why))


def _unknown_argument(edit: Replace, statement: Statement) -> _RefusedError:
    arguments = [write_expression(argument) for argument in _arguments(statement)]
    near = nearest(edit.old, arguments)
    how = f"Did you mean '{near[0]}'?" if near else f"There are {', '.join(arguments) or 'none'}."
    return _RefusedError(Feedback(Code.UNKNOWN_NAME, edit.old, f"it is no argument of {edit.spot}", how, (edit.old,)))


def _arguments(statement: Statement) -> list[Expr]:
    match statement:
        case Do(Call() as call) | Assign(_, Call() as call) | Return(Call() as call):
            return [*call.args, *(value for _, value in call.keywords)]
        case If(test) | While(test):
            return list(_parts(test))
        case For(_, over):
            return [over, *_parts(over)]
        case _:
            return []


def _parts(expression: Expr) -> tuple[Expr, ...]:
    match expression:
        case Call(_, args, keywords):
            return (*args, *(value for _, value in keywords))
        case Items(parts):
            return parts
        case Operation(_, parts):
            return tuple(
                part for operand in parts for part in ((operand,) if isinstance(operand, Name) else _parts(operand))
            )
        case _:
            return ()


def _replaced(statement: Statement, old: Expr, new: Expr) -> Statement:
    """Return a statement with an expression in its own line replaced."""
    match statement:
        case Do(call):
            call_after = _exchanged(call, old, new)
            return replace(statement, call=call_after) if isinstance(call_after, Call) else statement
        case Assign(_, value):
            return replace(statement, value=_exchanged(value, old, new))
        case Return(value) if value is not None:
            return replace(statement, value=_exchanged(value, old, new))
        case If(test) | While(test):
            return replace(statement, test=_exchanged(test, old, new))
        case For(_, over):
            return replace(statement, over=_exchanged(over, old, new))
        case _:
            return statement


def _exchanged(expression: Expr, old: Expr, new: Expr) -> Expr:
    """Return an expression with each part that equals `old` replaced by `new`."""
    if expression == old:
        return new
    match expression:
        case Call(_, args, keywords):
            named = tuple((name, _exchanged(value, old, new)) for name, value in keywords)
            return replace(expression, args=tuple(_exchanged(argument, old, new) for argument in args), keywords=named)
        case Items(parts) | Operation(_, parts):
            return replace(expression, parts=tuple(_exchanged(part, old, new) for part in parts))
        case Each(element, _, over, where):
            inner = None if where is None else _exchanged(where, old, new)
            return replace(
                expression, element=_exchanged(element, old, new), over=_exchanged(over, old, new), where=inner
            )
        case _:
            return expression
