"""Writes a program as text in a normal form; reading that text gives the same program."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from semantics.logic import program as syntax

Statements = tuple[syntax.Statement, ...]
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
PLAIN = {syntax.Break: "break", syntax.Continue: "continue", syntax.Pass: "pass", syntax.Fall: "try:"}
BLOCKS: Mapping[type[syntax.Statement], tuple[str, ...]] = {
    syntax.If: ("body", "otherwise"),
    syntax.For: ("body",),
    syntax.While: ("body",),
    syntax.Fall: ("body", "instead"),
    syntax.Achieve: ("by",),
}
"""The fields that hold the blocks of a statement, in the order of the text."""
VALUES: Mapping[type[syntax.Statement], str] = {
    syntax.Do: "call",
    syntax.Achieve: "goal",
    syntax.Assign: "value",
    syntax.Return: "value",
    syntax.If: "test",
    syntax.While: "test",
    syntax.For: "over",
}
"""The field that holds the expression in the first line of a statement."""


def identifier(symbol: str) -> str:
    """Return how a symbol of a world is written in a program: ``in`` as ``in_``, ``hand-busy`` as ``hand_busy``."""
    plain = symbol.replace("-", "_")
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def is_plain(name: str) -> bool:
    """Return whether a program may hold a name: other letters mislead, and other underscores belong to Python."""
    return name.isascii() and name.isidentifier() and "__" not in name and not name.startswith("_")


def blocks_of(statement: syntax.Statement) -> tuple[Statements, ...]:
    """Return the blocks of a statement, in the order of the text; that of a missing ``else`` is empty."""
    return tuple(getattr(statement, name) for name in BLOCKS.get(type(statement), ()))


def with_blocks(statement: syntax.Statement, blocks: Iterable[Statements]) -> syntax.Statement:
    """Return a statement with other blocks, one for each that it has."""
    changes: dict[str, Any] = dict(zip(BLOCKS.get(type(statement), ()), blocks, strict=True))
    return replace(statement, **changes)


def value_of(statement: syntax.Statement) -> syntax.Expr | None:
    """Return the expression in the first line of a statement; None when it has none."""
    value: syntax.Expr | None = getattr(statement, VALUES.get(type(statement), ""), None)
    return value


def without_comments(program: syntax.Program) -> syntax.Program:
    """Return the program without its comments."""
    functions = tuple(
        replace(function, body=_uncommented(function.body), comments=syntax.Comments())
        for function in program.functions
    )
    return syntax.Program(functions, _uncommented(program.body))


def _uncommented(block: Statements) -> Statements:
    return tuple(
        replace(with_blocks(statement, map(_uncommented, blocks_of(statement))), comments=syntax.Comments())
        for statement in block
    )


def write_program(program: syntax.Program) -> str:
    """Return the text of a program, with a line feed at its end unless it is empty."""
    functions = [f"{write_function(function)}\n\n\n" for function in program.functions]
    return "".join((*functions, *(f"{line}\n" for line in _block(program.body))))


def write_function(function: syntax.Function) -> str:
    """Return the text of a definition, without a line feed at its end."""
    head = f"def {function.name}({', '.join(function.parameters)}):"
    doc = [f"{INDENT}{function.doc!r}"] if function.doc else []
    body = [INDENT + line for line in _block(function.body)]
    return "\n".join(with_comments([head, *doc, *body], function.comments))


def with_comments(lines: Sequence[str], comments: syntax.Comments, indent: str = "") -> list[str]:
    """Return the lines of a statement with its comments."""
    before, after = ([f"{indent}# {text}" for text in part] for part in (comments.before, comments.after))
    head = f"{lines[0]}  # {comments.beside}" if comments.beside else lines[0]
    return [*before, head, *lines[1:], *after]


def _block(statements: Iterable[syntax.Statement], indent: str = "") -> list[str]:
    lines: list[str] = []
    for statement in statements:  # few calls in each other, because blocks may stand deep
        lines += [indent + line for line in with_comments(bare_lines(statement), statement.comments)]
    return lines


def _inner(statements: Statements) -> list[str]:
    return _block(statements or (syntax.Pass(),), INDENT)


def bare_lines(statement: syntax.Statement) -> list[str]:
    """Return the lines of a statement without its own comments."""
    head = head_of(statement)
    match statement:
        case syntax.If(_, body, otherwise):
            lines = [head, *_inner(body)]
            if len(otherwise) == 1 and isinstance(otherwise[0], syntax.If):
                first, *rest = bare_lines(otherwise[0])
                return [*lines, *with_comments([f"el{first}", *rest], otherwise[0].comments)]
            return [*lines, "else:", *_inner(otherwise)] if otherwise else lines
        case syntax.For(_, _, body) | syntax.While(_, body):
            return [head, *_inner(body)]
        case syntax.Fall(body, instead):
            return [head, *_inner(body), "except:", *_inner(instead)]
        case syntax.Achieve():
            return _achieve_lines(statement) or [head]
        case _:
            return [head]


def _achieve_lines(statement: syntax.Achieve) -> list[str]:
    """Return the lines of a goal with its plan; none if nothing is said beside the goal."""
    left_out = [[str(each.code), each.what, each.why, each.how, *each.culprits] for each in statement.left_out]
    said = {
        "values": [*statement.values] or None,
        "proved": statement.proved or None,
        "planner": statement.planner or None,
        "bound": statement.bound,
        "left_out": left_out or None,
    }
    steps = [f"{INDENT}{_step_text(step.call)}," for step in statement.by]
    told = ["by=[", *steps, "],"] if steps else []
    told += [f"{name}={value!r}," for name, value in said.items() if value is not None]
    lines = [f"{write_expression(statement.goal)},", *told]
    return ["achieve(", *(INDENT + line for line in lines), ")"] if told else []


def _step_text(call: syntax.Call) -> str:
    """Return a step as a call, or as the text of its action where a name cannot be written in a program."""
    names = [call.name, *(write_expression(arg) for arg in call.args)]
    if all(map(is_plain, names)):
        return write_expression(call)
    said = (word for name, value in call.keywords for word in (f":{name}", str(getattr(value, "value", value))))
    return repr(f"({' '.join((*names, *said))})")


def head_of(statement: syntax.Statement) -> str:
    """Return the first line of a statement."""
    match statement:
        case syntax.Do(call):
            return write_expression(call)
        case syntax.Achieve(goal):
            return f"achieve({write_expression(goal)})"
        case syntax.Assign(targets, value):
            return f"{', '.join(targets)} = {write_expression(value)}"
        case syntax.If(test, _, _):
            return f"if {write_expression(test)}:"
        case syntax.For(targets, over, _):
            return f"for {', '.join(targets)} in {write_expression(over)}:"
        case syntax.While(test, _):
            return f"while {write_expression(test)}:"
        case syntax.Return(value):
            return "return" if value is None else f"return {write_expression(value)}"
        case _:
            return PLAIN[type(statement)]


def write_expression(expression: syntax.Expr, within: int = 0) -> str:
    """Return the text of an expression, in brackets if it binds less than `within` asks."""
    match expression:
        case syntax.Constant(value):
            negative = isinstance(value, int | float) and repr(value).startswith("-")
            return f"({value!r})" if negative and within > NEGATIVE else repr(value)
        case syntax.Name(text):
            return text
        case syntax.Items(parts):
            return f"[{', '.join(map(write_expression, parts))}]"
        case syntax.Call():
            return _call(expression)
        case syntax.Each():
            return f"[{_each(expression)}]"
        case syntax.Operation():
            return _operation(expression, within)


def _call(call: syntax.Call) -> str:
    if (
        call.name in ("every", "any")
        and len(call.args) == 1
        and isinstance(call.args[0], syntax.Each)
        and not call.keywords
    ):
        return f"{call.name}({_each(call.args[0])})"
    named = [f"{name}={write_expression(value)}" for name, value in call.keywords]
    return f"{call.name}({', '.join([*map(write_expression, call.args), *named])})"


def _each(each: syntax.Each) -> str:
    where = "" if each.where is None else f" if {write_expression(each.where, 1)}"
    return f"{write_expression(each.element)} for {', '.join(each.targets)} in {write_expression(each.over, 1)}{where}"


def _operation(operation: syntax.Operation, within: int) -> str:
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
