"""Gives each comment of a program to the statement at which it stands.

A comment at the end of a line belongs to the statement of this line, one on a line of its own to the next statement;
at the end of a block, it belongs to the last statement of the block.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from semantics.logic.program import Comments


class _Comment(NamedTuple):
    line: int
    column: int
    text: str
    is_alone: bool


class _Anchor(NamedTuple):
    """A statement or function: where its first line begins, and the line in which what stands before its block ends."""

    line: int
    column: int
    end: int
    ident: int
    is_function: bool


def comments_of(text: str, tree: ast.Module) -> Mapping[int, Comments]:
    """Return the comments of each statement and function that has some, by the ``id`` of its node.

    Args:
        text: A program that was parsed.
        tree: Its tree.
    """
    anchors = sorted(_anchors(tree))
    found: dict[int, Comments] = {}
    for comment in _comments(text):
        beside, before, after = _places(comment, anchors)
        ident = beside or before or after
        have = found.get(ident, Comments())
        if beside and not have.beside:
            found[ident] = replace(have, beside=comment.text)
        elif beside or before:
            found[ident] = replace(have, before=(*have.before, comment.text))
        elif after:
            found[ident] = replace(have, after=(*have.after, comment.text))
    return found


def _places(comment: _Comment, anchors: Sequence[_Anchor]) -> tuple[int, int, int]:
    """Return the node that a comment stands beside, before or after; 0 for two of them, or for all three."""
    line, column = comment.line, comment.column
    here = [anchor for anchor in anchors if anchor.line <= line <= anchor.end]
    if here and not comment.is_alone:
        return here[-1].ident, 0, 0
    if here:
        return 0, here[-1].ident, 0
    later = next((anchor for anchor in anchors if anchor.line > line), None)
    earlier = [anchor for anchor in anchors if anchor.line < line and anchor.column <= column and comment.is_alone]
    if later is None:
        return 0, 0, _at_the_end(earlier)
    if earlier and earlier[-1].column > later.column:
        return 0, 0, earlier[-1].ident
    return 0, later.ident, 0


def _at_the_end(earlier: Sequence[_Anchor]) -> int:
    """Return the node that a comment at the end of the text follows; 0 without one.

    Functions are written first, so it is the last statement outside of them, if there is one.
    """
    outside = [anchor for anchor in earlier if anchor.column == 0 and not anchor.is_function]
    last = outside if earlier and earlier[-1].is_function and outside else earlier
    return last[-1].ident if last else 0


def _comments(text: str) -> Iterator[_Comment]:
    """Yield the comments that say something, each on one line: what comes after a carriage return is no statement."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        said = " ".join(token.string.lstrip("#").split()) if token.type == tokenize.COMMENT else ""
        if said:
            line, column = token.start
            yield _Comment(line, column, said, not token.line[:column].strip())


def _anchors(tree: ast.Module) -> Iterator[_Anchor]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            is_function = isinstance(node, ast.FunctionDef)
            yield _Anchor(node.lineno, node.col_offset, _end_of_head(node), id(node), is_function)


def _end_of_head(node: ast.stmt) -> int:
    """Return the last line of what stands before the block of a statement, or of a statement without a block."""
    match node:
        case ast.If(test) | ast.While(test):
            return test.end_lineno or node.lineno
        case ast.For():
            return node.iter.end_lineno or node.lineno
        case ast.Try():
            return node.lineno
        case ast.FunctionDef():
            return max([node.lineno, *(argument.lineno for argument in node.args.args)])
        case _:
            return node.end_lineno or node.lineno
