"""The values in the text of a language model's answer, read the same whatever it was asked for.

A value is a JSON object or list. Prose, a code fence or the marks of a tool call may stand around it, and it may have
the quotes, commas and comments of Python. What stands in ``<think>`` or in another channel than the final one is never
read. Text behind a value could take it back, so only `is_over` may follow.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
THOUGHTS_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
THOUGHTS_BEGIN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
CHANNEL = re.compile(r"<\|channel\|>\s*+(\w++)[^<]*+<\|message\|>")
MARK = re.compile(
    r"</?(?:tool_call|function_call|function|answer|response|output|tool|reply|json|final)>|<\|[a-z_]{1,30}\|>|<(?:/s|eos|end_of_turn|eot)>"
    r"|\[/?(?:TOOL_CALLS|ANSWER|INST)\]",
    re.IGNORECASE,
)
"""Marks of templates and tool calls, which say nothing."""
CLOSED = re.compile(r"[\s`~]*+(?:\.\s*+)?")  # what may follow an answer: white space, a closing fence and a final dot
MOST_NESTED = 40  # how many objects and lists of an answer may stand in each other
QUOTES = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"') | dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
)
TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')|(?P<comment>//[^\n]*|\#[^\n]*)|(?P<word>[A-Za-z_]\w*+)(?=(?P<colon>\s*+:)?)""",
    re.DOTALL,
)
PYTHON = {"null": "None", "true": "True", "false": "False", "none": "None"}


class Piece(NamedTuple):
    """Where a value stands in a text, and the value; None if it cannot be read."""

    start: int
    end: int
    value: Any


def without_thoughts(text: str) -> str:
    """Return a text without what was thought, ended or not, and of several channels the final one."""
    channels = list(CHANNEL.finditer(text))
    if channels:
        last = channels[-1]
        text = text[last.end() :] if last[1].lower() == "final" else ""
    end = max((match.end() for match in THOUGHTS_END.finditer(text)), default=0)
    told, rest = THOUGHTS.sub("", text[:end]), text[end:]
    if (lone := THOUGHTS_END.search(told)) is not None:  # the beginning was a part of the prompt
        told = told[lone.end() :]
    begun = THOUGHTS_BEGIN.search(rest)
    return told + (rest[: begun.start()] if begun else rest)


class Twice(ValueError):  # noqa: N818 - it is also the value of an object that cannot be taken for an answer
    """An object gives a key twice; its text is the key."""


def only_value(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the only object or list in an answer; None if there is none, or several, or text behind it."""
    said = without_thoughts(text)
    pieces = [piece for piece in values_in(said, "{[") if piece.value is not None]
    is_answer = len(pieces) == 1 and is_over(said[pieces[0].end :]) and not isinstance(pieces[0].value, Twice)
    return pieces[0].value if is_answer else None


def is_over(text: str) -> bool:
    """Return whether text behind a value says nothing more."""
    return CLOSED.fullmatch(MARK.sub(" ", text).strip()) is not None


def values_in(text: str, opening: str = "{") -> Iterator[Piece]:
    """Yield the outermost values of a text that begin with one of `opening`, in one pass; what was cut off is none."""
    begin, end = re.compile(f"[{re.escape(opening)}]"), 0
    while (match := begin.search(text, end)) is not None:
        start = match.start()
        end, depth = _end_of_value(text, start)
        if not end:
            return
        yield Piece(start, end, _value(text[start:end]) if depth <= MOST_NESTED else None)


def _end_of_value(text: str, start: int) -> tuple[int, int]:
    """Return the end of the value that begins at `start`, 0 if it has none, and how deep it is nested."""
    depth, deepest, quote, last = 0, 0, "", ""
    indices = iter(range(start, len(text)))
    for index in indices:
        letter = text[index]
        if quote:
            if letter == "\\":
                next(indices, None)
            quote = "" if letter == quote else quote
        elif letter == '"' or (letter == "'" and last in "{[,:"):
            quote = letter
        elif letter in "{[":
            depth, deepest = depth + 1, max(depth + 1, deepest)
        elif letter in "}]":
            depth -= 1
            if not depth:
                return index + 1, deepest
        last = last if letter.isspace() else letter
    return 0, deepest


def _value(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value, in JSON or with the quotes, commas and comments of Python; None if it is none."""
    for spelled in (text, text.translate(QUOTES)):
        try:
            return json.loads(spelled, object_pairs_hook=once, strict=False)
        except Twice as twice:
            return twice
        except (ValueError, RecursionError):
            pass
        try:
            return literal_of(ast.parse(TOKEN.sub(_as_python, spelled), mode="eval").body)
        except Twice as twice:
            return twice
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            pass
    return None


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return pairs as an object whose keys differ by more than their case."""
    fields: dict[str, Any] = {}
    for key, value in pairs:
        name = key.strip().lower()
        if name in fields:
            raise Twice(name)
        fields[name] = value
    return fields


def _as_python(match: re.Match[str]) -> str:
    """Return a token as Python spells it; a word before a colon is a key."""
    if match["comment"]:
        return " "
    if match["text"]:
        return f"({match['text']})".replace("\n", "\\n").replace("\\/", "/")  # so that no two of them are joined
    word = match["word"]
    return repr(word) if match["colon"] else PYTHON.get(word.lower(), word)


def literal_of(node: ast.expr) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a literal.

    Raises:
        ValueError: It is none.
    """
    match node:
        case ast.Constant(value=str() | int() | float() | None):
            return node.value
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return list(map(literal_of, parts))
        case ast.Dict(keys=keys, values=values) if all(key is not None for key in keys):
            return once(
                [(str(literal_of(key)), literal_of(value)) for key, value in zip(keys, values, strict=True) if key]
            )
    raise ValueError
