"""Writes a program as text in a normal form; reading that text gives the same program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from semantics.program import (
    Assign,
    Break,
    Call,
    Comments,
    Constant,
    Continue,
    Do,
    Each,
    Expr,
    Fall,
    For,
    Function,
    If,
    Items,
    Name,
    Operation,
    Pass,
    Program,
    Return,
    Statement,
    While,
)

__all__ = [
    "VALUES",
    "Statements",
    "blocks_of",
    "head_of",
    "value_of",
    "with_blocks",
    "with_comments",
    "without_comments",
    "write_expression",
    "write_function",
    "write_program",
]

Statements = tuple[Statement, ...]
INDENT = "    "
BINDING: dict[str, int] = {
    "or": 1,
    "and": 2,
    "not": 3,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in", "not in"), 4),
    **dict.fromkeys(("+", "-"), 5),
    **dict.fromkeys(("*", "/", "//", "%"), 6),
}
"""How strongly an operator binds; one with a single part, such as ``-x``, as 7, a member as 8."""
NEGATIVE, MEMBER = 7, 8
PLAIN = {Break: "break", Continue: "continue", Pass: "pass"}
BLOCKS: Mapping[type[Statement], tuple[str, ...]] = {
    If: ("body", "otherwise"),
    For: ("body",),
    While: ("body",),
    Fall: ("body", "instead"),
}
"""The fields that hold the blocks of a statement, in the order of the text."""
VALUES: Mapping[type[Statement], str] = {
    Do: "call",
    Assign: "value",
    Return: "value",
    If: "test",
    While: "test",
    For: "over",
}
"""The field that holds the expression in the first line of a statement."""


def blocks_of(statement: Statement) -> tuple[Statements, ...]:
    """Return the blocks of a statement, in the order of the text; that of a missing ``else`` is empty."""
    return tuple(getattr(statement, name) for name in BLOCKS.get(type(statement), ()))


def with_blocks(statement: Statement, blocks: Iterable[Statements]) -> Statement:
    """Return a statement with other blocks, one for each that it has."""
    changes: dict[str, Any] = dict(zip(BLOCKS.get(type(statement), ()), blocks, strict=True))
    return replace(statement, **changes)


def value_of(statement: Statement) -> Expr | None:
    """Return the expression in the first line of a statement; None when it has none."""
    value: Expr | None = getattr(statement, VALUES.get(type(statement), ""), None)
    return value


def without_comments(program: Program) -> Program:
    """Return the program without its comments."""
    functions = tuple(
        replace(function, body=_uncommented(function.body), comments=Comments()) for function in program.functions
    )
    return Program(functions, _uncommented(program.body))


def _uncommented(block: Statements) -> Statements:
    return tuple(
        replace(with_blocks(statement, map(_uncommented, blocks_of(statement))), comments=Comments())
        for statement in block
    )


def write_program(program: Program) -> str:
    """Return the text of a program, with a line feed at its end unless it is empty."""
    functions = [f"{write_function(function)}\n\n\n" for function in program.functions]
    return "".join((*functions, *(f"{line}\n" for line in _block(program.body))))


def write_function(function: Function) -> str:
    """Return the text of a definition, without a line feed at its end."""
    head = f"def {function.name}({', '.join(function.parameters)}):"
    doc = [f"{INDENT}{function.doc!r}"] if function.doc else []
    body = [INDENT + line for line in _block(function.body)]
    return "\n".join(with_comments([head, *doc, *body], function.comments))


def with_comments(lines: Sequence[str], comments: Comments, indent: str = "") -> list[str]:
    """Return the lines of a statement with its comments."""
    before, after = ([f"{indent}# {text}" for text in part] for part in (comments.before, comments.after))
    head = f"{lines[0]}  # {comments.beside}" if comments.beside else lines[0]
    return [*before, head, *lines[1:], *after]


def _block(statements: Iterable[Statement], indent: str = "") -> list[str]:
    lines: list[str] = []
    for statement in statements:  # few calls in each other, because blocks may stand deep
        lines += [indent + line for line in with_comments(_bare_lines(statement), statement.comments)]
    return lines


def _inner(statements: Statements) -> list[str]:
    return _block(statements or (Pass(),), INDENT)


def _bare_lines(statement: Statement) -> list[str]:
    head = head_of(statement)
    match statement:
        case If(_, body, otherwise):
            lines = [head, *_inner(body)]
            if len(otherwise) == 1 and isinstance(otherwise[0], If):
                first, *rest = _bare_lines(otherwise[0])
                return [*lines, *with_comments([f"el{first}", *rest], otherwise[0].comments)]
            return [*lines, "else:", *_inner(otherwise)] if otherwise else lines
        case For(_, _, body) | While(_, body):
            return [head, *_inner(body)]
        case Fall(body, instead):
            return [head, *_inner(body), "except:", *_inner(instead)]
        case _:
            return [head]


def head_of(statement: Statement) -> str:
    """Return the first line of a statement."""
    match statement:
        case Do(call):
            return write_expression(call)
        case Assign(targets, value):
            return f"{', '.join(targets)} = {write_expression(value)}"
        case If(test, _, _):
            return f"if {write_expression(test)}:"
        case For(targets, over, _):
            return f"for {', '.join(targets)} in {write_expression(over)}:"
        case While(test, _):
            return f"while {write_expression(test)}:"
        case Fall():
            return "try:"
        case Return(value):
            return "return" if value is None else f"return {write_expression(value)}"
        case _:
            return PLAIN[type(statement)]


def write_expression(expression: Expr, within: int = 0) -> str:
    """Return the text of an expression, in brackets if it binds less than `within` asks."""
    match expression:
        case Constant(value):
            negative = isinstance(value, int | float) and repr(value).startswith("-")
            return f"({value!r})" if negative and within > NEGATIVE else repr(value)
        case Name(text):
            return text
        case Items(parts):
            return f"[{', '.join(map(write_expression, parts))}]"
        case Call():
            return _call(expression)
        case Each():
            return f"[{_each(expression)}]"
        case Operation():
            return _operation(expression, within)


def _call(call: Call) -> str:
    if call.name in ("every", "any") and len(call.args) == 1 and isinstance(call.args[0], Each) and not call.keywords:
        return f"{call.name}({_each(call.args[0])})"
    named = [f"{name}={write_expression(value)}" for name, value in call.keywords]
    return f"{call.name}({', '.join([*map(write_expression, call.args), *named])})"


def _each(each: Each) -> str:
    where = "" if each.where is None else f" if {write_expression(each.where, 1)}"
    return f"{write_expression(each.element)} for {', '.join(each.targets)} in {write_expression(each.over, 1)}{where}"


def _operation(operation: Operation, within: int) -> str:
    operator, parts = operation.operator, operation.parts
    if operator == "[]":
        return f"{write_expression(parts[0], MEMBER)}[{write_expression(parts[1])}]"
    if len(parts) == 1:
        binding = BINDING["not"] if operator == "not" else NEGATIVE
        space = " " if operator == "not" else ""
        text = f"{operator}{space}{write_expression(parts[0], binding + (operator != 'not'))}"
    else:
        binding = BINDING[operator]
        first = write_expression(parts[0], binding if binding > 4 else binding + 1)
        text = f" {operator} ".join([first, *(write_expression(part, binding + 1) for part in parts[1:])])
    return f"({text})" if binding < within else text
