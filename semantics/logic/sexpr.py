"""S-expressions: the parse tree of PDDL, each node with its offset, so that readers can report where an error is.

Comments from ``;`` to the end of the line are skipped, and words become lower case, because PDDL ignores case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from semantics.errors import FormulaError
from semantics.plain_text import shortened

__all__ = ["MAX_DEPTH", "Group", "Node", "Word", "parse_sexpr", "parse_sexprs", "place_of", "text_of"]

TOKEN = re.compile(r"([()]|[^\s();]+)", re.ASCII)
"""A bracket or a word. It does not begin with blanks, which would be searched again from each of them."""
COMMENT = re.compile(r";[^\n]*")
MAX_DEPTH = 100
BLOCK = 4096
"""Number of characters between the places of a text whose line is remembered."""
TOO_EARLY = "the formula ends too early: a ')' is missing"


@dataclass(frozen=True, slots=True)
class Word:
    """A word, in lower case, and its 0-based offset in the text."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Group:
    """A list in brackets; `offset` is that of the opening bracket, `end` the one after the closing bracket."""

    items: tuple[Node, ...]
    offset: int
    end: int

    @property
    def head(self) -> str:
        """The first word; empty when there is none."""
        return self.items[0].text if self.items and isinstance(self.items[0], Word) else ""


Node = Word | Group


def text_of(node: Node) -> str:
    """Return a node as text, with one space between its parts."""
    return node.text if isinstance(node, Word) else f"({' '.join(map(text_of, node.items))})"


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Return the 1-based line and column of an offset; the first call for a text reads it, the others do not."""
    block = offset // BLOCK
    line, before = _line_ends(text)[block] if block else (0, -1)
    start = block * BLOCK
    last = text.rfind("\n", start, offset)
    return line + text.count("\n", start, offset) + 1, offset - (before if last < 0 else last)


@lru_cache(maxsize=2)
def _line_ends(text: str) -> tuple[tuple[int, int], ...]:
    """Return, for each block of a text, the number of line ends before it and the offset of the last; -1 for none.

    A file with many mistakes asks for the place of each; counting from the start of the text takes quadratic time.
    """
    ends = []
    line, last = 0, -1
    for start in range(0, len(text) + 1, BLOCK):
        ends.append((line, last))
        line += text.count("\n", start, start + BLOCK)
        last = max(last, text.rfind("\n", start, start + BLOCK))
    return tuple(ends)


def parse_sexprs(text: str, token: re.Pattern[str] = TOKEN) -> tuple[Node, ...]:
    """Parse all expressions of `text`; the first group of `token` is a bracket or a word.

    Raises:
        FormulaError: A bracket has no partner, or the nesting is deeper than `MAX_DEPTH`.
    """
    # Comments become spaces, so that offsets stay those of the text.
    stripped = COMMENT.sub(lambda match: " " * len(match[0]), text)
    open_groups: list[tuple[int, list[Node]]] = []
    nodes: list[Node] = []
    for match in token.finditer(stripped):
        word, offset = match[1].lower(), match.start(1)
        inside = open_groups[-1][1] if open_groups else nodes
        if word == "(":
            if len(open_groups) > MAX_DEPTH:
                raise FormulaError(f"nested deeper than {MAX_DEPTH}", *place_of(text, offset))
            open_groups.append((offset, []))
        elif word != ")":
            inside.append(Word(word, offset))
        elif not open_groups:
            raise FormulaError("')' closes nothing", *place_of(text, offset))
        else:
            start, items = open_groups.pop()
            (open_groups[-1][1] if open_groups else nodes).append(Group(tuple(items), start, offset + 1))
    if open_groups:
        raise FormulaError(TOO_EARLY, *place_of(text, len(text)))
    return tuple(nodes)


def parse_sexpr(text: str) -> Node:
    """Parse the single expression of `text`.

    Raises:
        FormulaError: As for `parse_sexprs`; or there is no expression, or a second one.
    """
    nodes = parse_sexprs(text)
    if not nodes:
        raise FormulaError("an empty formula", 1, 1)
    if len(nodes) > 1 and isinstance(nodes[0], Group):
        offset = nodes[1].offset
        shown = shortened(nodes[1].text) if isinstance(nodes[1], Word) else "("
        raise FormulaError(f"'{shown}' after the end of the formula", *place_of(text, offset))
    return nodes[0]
