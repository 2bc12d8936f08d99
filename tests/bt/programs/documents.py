"""Reads a program from the document of its tree, which therefore says all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from py_trees.behaviour import Behaviour

from bt.document import document
from bt.programs.reader import read_program
from bt.programs.writer import with_comments
from semantics.errors import UsageError
from semantics.logic.program import Comments, Program, ProgramLimits, RefusedProgram

KIND = "program"
BLOCKS: Mapping[str, tuple[str, ...]] = {
    "if": ("", "else:"),
    "for": ("",),
    "while": ("",),
    "try": ("", "except:"),
}
"""What stands before each block of a statement; before the first, the statement's own line."""
INDENT = "    "
GROWN = 8
"""How much more a text may measure in the one form than it did as it was first written."""


class DocumentError(UsageError):
    """The document is not that of a program."""


def program_of(tree: Behaviour) -> Program:
    """Return the program that a tree carries out, in any state of the tree.

    Raises:
        DocumentError: The tree is not that of a program.
    """
    return program_from_document(document(tree))


def program_from_document(written: Mapping[str, Any]) -> Program:
    """Return the program of a tree document.

    Raises:
        DocumentError: The document is not that of a program.
    """
    if written.get("type") != KIND or not isinstance(written.get("functions"), list):
        raise DocumentError(f"a document of type {written.get('type')!r}; '{KIND}' with its functions is needed")
    functions = [str(function) for function in written["functions"]]
    (body,) = _children(written, 1)
    text = "\n".join([*functions, *_block(body, 0)])
    program = read_program(text, _wide(text))
    if isinstance(program, RefusedProgram):
        raise DocumentError(f"the document of a program cannot be read: {program}")
    return program


def _wide(text: str) -> ProgramLimits:
    plain = ProgramLimits()
    lines = text.count("\n") + 1
    return replace(
        plain,
        source=max(len(text), plain.source),
        lines=max(lines, plain.lines),
        width=max(len(text), plain.width),
        nesting=plain.nesting + GROWN,
    )


def _children(written: Mapping[str, Any], count: int) -> Sequence[Mapping[str, Any]]:
    children = written.get("children")
    if not isinstance(children, list) or len(children) < count:
        raise DocumentError(f"a node of type {written.get('type')!r} needs {count} children")
    return children


def _block(written: Mapping[str, Any], depth: int) -> list[str]:
    """Return the lines of a block; an empty one in a statement is ``pass``."""
    lines = [line for child in _children(written, 0) for line in _lines(child, depth)]
    return lines or ([f"{INDENT * depth}pass"] if depth else [])


def _lines(written: Mapping[str, Any], depth: int) -> list[str]:
    if depth > ProgramLimits().nesting + GROWN:
        raise DocumentError("the blocks of the document stand too deep in each other")
    lines = [INDENT * depth + line for line in str(written.get("text", "")).split("\n")]
    heads = BLOCKS.get(str(written.get("type")), ())
    for head, block in zip(heads, _children(written, 1 if heads else 0), strict=False):
        lines += [INDENT * depth + head] if head else []
        lines += _block(block, depth + 1)
    return with_comments(lines, _comments(written.get("comments")), INDENT * depth)


def _comments(written: object) -> Comments:
    if not isinstance(written, Mapping):
        return Comments()
    before, after = ([_line(text) for text in written.get(name) or ()] for name in ("before", "after"))
    return Comments(tuple(before), _line(written.get("beside") or ""), tuple(after))


def _line(text: object) -> str:
    """Return a comment on one line, so that no part of it is read as a statement."""
    return " ".join(str(text).split())
