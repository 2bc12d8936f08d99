"""Edits of programs: finds the place of a statement, changes the block there, and identifies statements after an edit.

Other modules check whether the edited program is valid. An edit keeps the statements that it does not name, and
`dataclasses.replace` keeps the position of a changed statement. So a label in the position of each statement, which no
text can have, identifies the statement of the old program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from bt.programs import read_program, write_program
from bt.programs.writer import VALUES, Statements, blocks_of, value_of, with_blocks, write_expression
from semantics.hints import nearest
from semantics.logic import program as syntax
from semantics.logic.correction import Correction, Edit, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection


class _NowhereError(Exception):
    """No statement is at a place; `why` says what is there instead. It is caught inside `bt.correction`."""

    def __init__(self, spot: StatementPlace, why: str) -> None:
        self.spot, self.why = spot, why
        super().__init__(f"{spot}: {why}")


def spots(program: syntax.Program) -> Iterator[tuple[StatementPlace, syntax.Statement]]:
    """Yield every statement with its place, in the order of the text."""
    for function in program.functions:
        yield from _within(function.body, (), function.name)
    yield from _within(program.body, (), "")


def _within(
    block: Statements, path: tuple[int, ...], function: str
) -> Iterator[tuple[StatementPlace, syntax.Statement]]:
    for number, statement in enumerate(block):
        yield StatementPlace((*path, number), function), statement
        for which, inner in enumerate(blocks_of(statement)):
            yield from _within(inner, (*path, number, which), function)


def at_line(program: syntax.Program, line: int) -> StatementPlace | None:
    """Return the place of the statement in a line of the normalised text of the program, counted from 1."""
    written = read_program(write_program(program))
    if isinstance(written, syntax.RefusedProgram):
        return None
    return next((spot for spot, statement in spots(written) if statement.place.line == line), None)


def _changed(
    program: syntax.Program, spot: StatementPlace, change: Callable[[Statements, int], Statements]
) -> syntax.Program:
    """Return the program with the block of a place changed; `change` gets the block and the number in it.

    Raises:
        _NowhereError: There is no such block.
    """
    if not spot.path or len(spot.path) % 2 == 0:
        raise _NowhereError(spot, "a path holds the number of a statement, then pairs of a block and a statement")
    if not spot.function:
        return replace(program, body=_deeper(program.body, spot.path, spot, change))
    if all(candidate.name != spot.function for candidate in program.functions):
        raise _NowhereError(spot, f"there is no function '{spot.function}'")

    functions = tuple(
        replace(function, body=_deeper(function.body, spot.path, spot, change))
        if function.name == spot.function
        else function
        for function in program.functions
    )
    return replace(program, functions=functions)


def _deeper(
    block: Statements, path: tuple[int, ...], spot: StatementPlace, change: Callable[[Statements, int], Statements]
) -> Statements:
    number, *rest = path
    if not rest:
        return change(block, number)
    statement = _present(block, number, spot)
    blocks = blocks_of(statement)
    which, *below = rest
    if not 0 <= which < len(blocks):
        raise _NowhereError(spot, f"the statement around it has {len(blocks)} blocks")
    inner = _deeper(blocks[which], tuple(below), spot, change)
    outer = with_blocks(statement, (*blocks[:which], inner, *blocks[which + 1 :]))
    return (*block[:number], outer, *block[number + 1 :])


HOLE = "hole"  # the name of a call around an expression that is read alone


class _RefusedError(Exception):
    """An edit that cannot be applied, with the reason."""

    def __init__(self, feedback: Feedback) -> None:
        self.feedback = feedback
        super().__init__(str(feedback))


def edited(program: syntax.Program, correction: Correction) -> syntax.Program | Rejection:
    """Apply the edits of a correction in order; if one cannot be applied, return the reason and apply none."""
    for number, edit in enumerate(correction.edits, start=1):
        try:
            program = _done(edit, program)
        except _NowhereError as error:
            how = "Count the statements again, after the edits before this one."
            what = f"edit {number}: {type(edit).__name__.lower()}"
            return Rejection((Feedback(Code.UNREADABLE, what, f"{error.spot} is not there: {error.why}", how),))
        except _RefusedError as error:
            feedback = replace(error.feedback, what=f"edit {number}: {error.feedback.what}")
            return Rejection((feedback,))
    return program


def _done(edit: Edit, program: syntax.Program) -> syntax.Program:
    match edit:
        case Replace():
            return _with_argument(edit, program)
        case Insert(spot, text):
            return _inserted(program, spot, _statements(text))
        case Remove(spot):
            return _removed(program, spot)[0]
        case Move():
            return _moved(edit, program)
        case Wrap():
            return _wrapped(edit, program)


def _with_argument(edit: Replace, program: syntax.Program) -> syntax.Program:
    old, new = _expression(edit.old), _expression(edit.new)

    def change(block: Statements, number: int) -> Statements:
        statement = _present(block, number, edit.spot)
        replaced = _replaced(statement, old, new)
        if replaced == statement:
            raise _unknown_argument(edit, statement)
        return (*block[:number], replaced, *block[number + 1 :])

    return _changed(program, edit.spot, change)


def _moved(edit: Move, program: syntax.Program) -> syntax.Program:
    if edit.to.function == edit.spot.function and edit.to.path[: len(edit.spot.path)] == edit.spot.path:
        if edit.to == edit.spot:
            return program
        raise _NowhereError(edit.to, "a statement cannot be moved into itself")
    _changed(program, edit.to, lambda block, _: block)  # check the target before anything is removed
    without, statement = _removed(program, edit.spot)
    return _inserted(without, _after_removal(edit.to, edit.spot), (statement,))


def _wrapped(edit: Wrap, program: syntax.Program) -> syntax.Program:
    if edit.count < 1:
        raise _NowhereError(edit.spot, "at least one statement is put under the line")
    around = _around(edit.head)

    def change(block: Statements, number: int) -> Statements:
        _present(block, number, edit.spot)
        _present(block, number + edit.count - 1, edit.spot)
        inside = block[number : number + edit.count]
        return (*block[:number], replace(around, body=inside), *block[number + edit.count :])

    return _changed(program, edit.spot, change)


def _present(block: Statements, number: int, spot: StatementPlace) -> syntax.Statement:
    if not 0 <= number < len(block):
        raise _NowhereError(spot, f"there are {len(block)} statements, counted from 1")
    return block[number]


def _removed(program: syntax.Program, spot: StatementPlace) -> tuple[syntax.Program, syntax.Statement]:
    gone: list[syntax.Statement] = []

    def change(block: Statements, number: int) -> Statements:
        gone.append(_present(block, number, spot))
        rest = (*block[:number], *block[number + 1 :])
        return rest if rest or len(spot.path) == 1 else (syntax.Pass(),)  # a block in a statement is never empty

    return _changed(program, spot, change), gone[0]


def _inserted(program: syntax.Program, spot: StatementPlace, statements: Statements) -> syntax.Program:
    def change(block: Statements, number: int) -> Statements:
        if not 0 <= number <= len(block):
            raise _NowhereError(spot, f"there are {len(block)} statements, counted from 1")
        rest = () if block == (syntax.Pass(),) else block
        return (*rest[:number], *statements, *rest[number:])

    return _changed(program, spot, change)


def _after_removal(to: StatementPlace, gone: StatementPlace) -> StatementPlace:
    """Return the place of `to` after the statement at `gone` has been removed."""
    depth = len(gone.path) - 1
    same = to.function == gone.function and to.path[:depth] == gone.path[:depth]
    if not same or len(to.path) <= depth or to.path[depth] <= gone.path[depth]:
        return to
    return replace(to, path=(*to.path[:depth], to.path[depth] - 1, *to.path[depth + 1 :]))


def _statements(text: str) -> Statements:
    read = read_program(text)
    if isinstance(read, syntax.RefusedProgram):
        raise _RefusedError(read.feedback[0])
    if read.functions or not read.body:
        raise _RefusedError(Feedback(Code.UNREADABLE, repr(text), "only statements can be put in, and at least one"))
    return read.body


def _expression(text: str) -> syntax.Expr:
    (statement, *rest) = _statements(f"{HOLE}({text})")
    match statement:
        case syntax.Do(syntax.Call(name, (value,), ())) if name == HOLE and not rest:
            return value
    raise _RefusedError(Feedback(Code.UNREADABLE, repr(text), "it is not one argument"))


def _around(head: str) -> syntax.If | syntax.For | syntax.While | syntax.Fall:
    """Read the head of a compound statement that is put around other statements."""
    first, feed, rest = head.strip().partition("\n")
    text = f"{first}\n    pass\n{rest}" if feed else f"{first}\n    pass"
    if first.startswith("try") and not feed:
        text += "\nexcept:\n    pass"
    match _statements(text):
        case (syntax.If() | syntax.For() | syntax.While() | syntax.Fall() as around,):
            return around
    why = "statements can be put under 'if', 'for', 'while' or 'try', with nothing besides"
    raise _RefusedError(Feedback(Code.UNREADABLE, repr(first), why))


def _unknown_argument(edit: Replace, statement: syntax.Statement) -> _RefusedError:
    arguments = [write_expression(argument) for argument in _arguments(statement)]
    near = nearest(edit.old, arguments)
    how = f"Did you mean '{near[0]}'?" if near else f"There are {', '.join(arguments) or 'none'}."
    return _RefusedError(Feedback(Code.UNKNOWN_NAME, edit.old, f"it is no argument of {edit.spot}", how, (edit.old,)))


def _arguments(statement: syntax.Statement) -> list[syntax.Expr]:
    value = value_of(statement)
    if value is None or (isinstance(statement, syntax.Assign | syntax.Return) and not isinstance(value, syntax.Call)):
        return []
    return [value, *_parts(value)] if isinstance(statement, syntax.For) else list(_parts(value))


def _parts(expression: syntax.Expr) -> tuple[syntax.Expr, ...]:
    match expression:
        case syntax.Call(_, args, keywords):
            return (*args, *(value for _, value in keywords))
        case syntax.Items(parts):
            return parts
        case syntax.Operation(_, parts):
            return tuple(
                part
                for operand in parts
                for part in ((operand,) if isinstance(operand, syntax.Name) else _parts(operand))
            )
        case _:
            return ()


def _replaced(statement: syntax.Statement, old: syntax.Expr, new: syntax.Expr) -> syntax.Statement:
    """Return a statement with an expression in its own line replaced."""
    value = value_of(statement)
    changed_value = None if value is None else _exchanged(value, old, new)
    if changed_value is None or (isinstance(statement, syntax.Do) and not isinstance(changed_value, syntax.Call)):
        return statement
    changes: dict[str, Any] = {VALUES[type(statement)]: changed_value}
    return replace(statement, **changes)


def _exchanged(expression: syntax.Expr, old: syntax.Expr, new: syntax.Expr) -> syntax.Expr:
    """Return an expression with each part that equals `old` replaced by `new`."""
    if expression == old:
        return new
    match expression:
        case syntax.Call(_, args, keywords):
            named = tuple((name, _exchanged(value, old, new)) for name, value in keywords)
            return replace(expression, args=tuple(_exchanged(argument, old, new) for argument in args), keywords=named)
        case syntax.Items(parts) | syntax.Operation(_, parts):
            return replace(expression, parts=tuple(_exchanged(part, old, new) for part in parts))
        case syntax.Each(element, _, over, where):
            inner = None if where is None else _exchanged(where, old, new)
            return replace(
                expression, element=_exchanged(element, old, new), over=_exchanged(over, old, new), where=inner
            )
        case _:
            return expression


NO_COLUMN = 0  # the column of every label; columns of a text begin at 1


@dataclass(frozen=True, slots=True)
class Relabelled:
    """A program before and after a correction, with labels that identify the old statements."""

    old: syntax.Program  # the program before the correction
    new: syntax.Program  # the program after the correction
    replaced: frozenset[int]  # labels of the statements whose own line was edited
    moved: frozenset[int]  # labels of the statements that were moved


def relabelled(program: syntax.Program, correction: Correction) -> Relabelled | Rejection:
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
        assert isinstance(edited_program, syntax.Program)  # all edits together were possible
        if isinstance(edit, Replace) or (isinstance(edit, Move) and _order(edited_program) != _order(current)):
            (replaced if isinstance(edit, Replace) else moved).add(label(dict(spots(current))[edit.spot]))
        current = edited_program
    return Relabelled(old, new, frozenset(filter(None, replaced)), frozenset(filter(None, moved)))


def _order(program: syntax.Program) -> list[int | None]:
    return [label(statement) for _, statement in spots(program)]


def label(statement: syntax.Statement) -> int | None:
    """Return the label of a statement of the old program; None for a new statement."""
    return statement.place.line if statement.place.column == NO_COLUMN else None


def _labelled(program: syntax.Program) -> syntax.Program:
    numbers = count(1)
    functions = tuple(replace(function, body=_block(function.body, numbers)) for function in program.functions)
    return replace(program, functions=functions, body=_block(program.body, numbers))


def _block(block: Statements, numbers: Iterator[int]) -> Statements:
    labelled: list[syntax.Statement] = []
    for statement in block:
        place = syntax.TextPosition(next(numbers), NO_COLUMN)
        inner = [_block(one, numbers) for one in blocks_of(statement)]
        labelled.append(replace(with_blocks(statement, inner), place=place))
    return tuple(labelled)
