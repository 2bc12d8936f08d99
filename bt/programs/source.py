"""Checks the text of a program before it is parsed, and reports parts that are outside the language.

A deeply nested text can crash Python's parser, and the parser maps letters that look alike to one letter. So the text
is first split into tokens, which needs no stack, and its length, brackets, names and numbers are checked. A text that
passes is small enough to parse.
"""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
import unicodedata
import warnings
from collections.abc import Mapping
from itertools import islice
from typing import Any

from semantics.logic.feedback import Code, Feedback
from semantics.logic.program import Mistake, ProgramLimits, TextPosition
from semantics.process.reading import read_table

OUTSIDE: Mapping[str, Mapping[str, Any]] = read_table(__file__)


def told(node: ast.AST) -> tuple[str, str]:
    """Return the name of a part that is outside the language, and what is allowed instead."""
    table, name = OUTSIDE["statements" if isinstance(node, ast.stmt) else "expressions"], type(node).__name__
    what, how = table.get(name) or (name.lower(), table["other"])
    return what, how


NOWHERE = "<program>"
"""Stands for a file; to quote a line in an error, Python looks for one of this name, and what it finds is not used."""
OPENING, CLOSING = "([{", ")]}"


class Unfit(Exception):  # noqa: N818 - never leaves the reading of a program
    """A part of a text that is outside the language; carries its mistake."""

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake
        super().__init__(str(mistake))


def unfit(place: TextPosition, what: str, why: str, how: str = "", code: Code = Code.UNREADABLE) -> Unfit:
    """Return the error that tells a mistake."""
    return Unfit(Mistake(place, Feedback(code, f"{place}: {what}", why, how)))


def parsed(text: str, limits: ProgramLimits) -> ast.Module:
    """Parse a text that is within `limits`; nothing of it is executed.

    Raises:
        Unfit: It is not within them, or not Python.
    """
    _measure(text, limits)
    _look_at_tokens(text, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, NOWHERE)
    except SyntaxError as error:
        place = _place_of(error)
        line = next(islice(text.split("\n"), place.line - 1, None), "")
        is_word = re.search(r"(?<![\w.])in\(", line) is not None
        how = "Write in_(…) for the predicate: in is a word of Python." if is_word else "Mend this line."
        raise unfit(place, "the program", f"it is not Python: {error.msg}", how) from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise unfit(TextPosition(), "the program", f"it cannot be parsed: {error}", "Write it more simply.") from None


def _measure(text: str, limits: ProgramLimits) -> None:
    if len(text) > limits.source:
        why = f"it has {len(text)} characters; at most {limits.source} are read"
        raise unfit(TextPosition(), "the program", why, "Say the same in fewer lines, with functions.")
    lines = text.split("\n")
    if len(lines) > limits.lines:
        why = f"it has {len(lines)} lines; at most {limits.lines} are read"
        raise unfit(
            TextPosition(limits.lines + 1, 1), "the program", why, "Say the same in fewer lines, with functions."
        )
    for number, line in enumerate(lines, start=1):
        if len(line) > limits.width:
            why = f"it has {len(line)} characters; at most {limits.width} are read"
            raise unfit(TextPosition(number, limits.width + 1), "the line", why, "Break it into several.")
        for column, letter in enumerate(line, start=1):
            if unicodedata.category(letter)[0] == "C" and letter not in "\t\r":
                why = f"the character U+{ord(letter):04X} cannot be seen"
                raise unfit(TextPosition(number, column), "the line", why, "Use letters, digits and spaces.")


def _look_at_tokens(text: str, limits: ProgramLimits) -> None:
    opened: list[TextPosition] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            place = TextPosition(token.start[0], token.start[1] + 1)
            if token.type == tokenize.OP:
                _follow(token.string, place, opened)
                if len(opened) > limits.nesting:
                    raise unfit(place, "the brackets", f"they stand more than {limits.nesting} deep", "Use names.")
            elif token.type == tokenize.NAME:
                _look_at_name(token.string, place, limits)
            elif token.type == tokenize.NUMBER and len(token.string) > limits.digits:
                why = f"it has {len(token.string)} digits; at most {limits.digits} are read"
                raise unfit(place, "the number", why, "Use a smaller one.")
    except (tokenize.TokenError, IndentationError, SyntaxError) as error:
        if opened:  # else the place would be the end of the text, behind its last line
            raise unfit(opened[-1], "the bracket", "it is never closed", "Close it where it ends.") from None
        raise unfit(_place_of(error), "the program", f"it is not Python: {error.args[0]}", "Mend this line.") from None


def _follow(mark: str, place: TextPosition, opened: list[TextPosition]) -> None:
    """Keep where the brackets stand that are open."""
    if mark in OPENING:
        opened.append(place)
    elif mark in CLOSING and opened:
        opened.pop()


def _place_of(error: Exception) -> TextPosition:
    if isinstance(error, SyntaxError):
        return TextPosition(error.lineno or 1, max(error.offset or 1, 1))
    line, column = error.args[1]
    return TextPosition(line, column + 1)


def _look_at_name(name: str, place: TextPosition, limits: ProgramLimits) -> None:
    how = "Use a plain name of ASCII letters, digits and single underscores, such as cup_on_table."
    if not name.isascii():
        raise unfit(place, f"the name '{name[:20]}'", "it has letters that may look like others", how)
    if len(name) > limits.name:
        raise unfit(place, f"the name '{name[:20]}…'", f"it has more than {limits.name} letters", how)
    if name != "_" and not keyword.iskeyword(name) and (name.startswith("_") or "__" in name):
        raise unfit(place, f"the name '{name}'", "names with leading or double underscores belong to Python", how)
