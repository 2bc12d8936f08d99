"""Reads PDDL as nested tuples of lower-case words."""

from __future__ import annotations

import re

from semantics.errors import FormulaError

__all__ = ["Expression", "read"]

Expression = str | tuple["Expression", ...]

WORD = re.compile(r";[^\n]*|[()]|[^\s()]+")


def read(text: str) -> tuple[Expression, ...]:
    """Return the expressions of `text`; comments are dropped.

    Raises:
        FormulaError: A bracket is missing or too many.
    """
    stack: list[list[Expression]] = [[]]
    text = text.lower()
    for match in WORD.finditer(text):
        word = match.group()
        if word.startswith(";"):
            continue
        if word == "(":
            stack.append([])
        elif word != ")":
            stack[-1].append(word)
        elif len(stack) > 1:
            closed = tuple(stack.pop())
            stack[-1].append(closed)
        else:
            raise _unbalanced("a bracket is closed that was not opened", text[: match.start()])
    if len(stack) > 1:
        raise _unbalanced("a bracket is not closed", text)
    return tuple(stack[0])


def _unbalanced(reason: str, before: str) -> FormulaError:
    return FormulaError(reason, before.count("\n") + 1, len(before) - before.rfind("\n"))
