"""The readers of PDDL text: its parse tree of S-expressions, and of that formulas, numeric expressions and terms.

Each node has its offset, so that each error has its line and column. Comments from ``;`` to the end of the line are
skipped, and words become lower case, because PDDL ignores case.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from semantics.errors import FormulaError
from semantics.logic.atoms import (
    And,
    Arithmetic,
    Atom,
    Compare,
    Equal,
    Exists,
    Expression,
    ForAll,
    Formula,
    Not,
    Or,
    Variable,
)
from semantics.plain_text import shortened

NAME = re.compile(r"\??\w[\w.:+#@/-]*", re.ASCII)
"""A name or variable. PDDL files of others name objects ``1`` and ``hall.1``."""
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
COMPARISONS = ("<", "<=", "=", ">=", ">")
RICH = ("imply", "forall", "exists", *COMPARISONS)
ARITHMETIC = ("+", "-", "*", "/")
TOKEN = re.compile(r"([()]|[^\s();]+)", re.ASCII)
"""A bracket or a word. It does not begin with blanks, which would be searched again from each of them."""
COMMENT = re.compile(r";[^\n]*")
MAX_DEPTH = 100
BLOCK = 4096  # number of characters between the places of a text whose line is remembered
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


def parse_formula(text: str, variables: bool = False, adl: bool = False) -> Formula:
    """Read a PDDL condition made of ``and``, ``or``, ``not`` and atoms; names become lower case.

    Args:
        text: PDDL text.
        variables: Whether arguments may be variables such as ``?o``.
        adl: Whether ``imply``, ``forall``, ``exists``, ``=`` and comparisons of numbers are read too.

    Raises:
        FormulaError: Names the culprit with its line and column.
    """
    return FormulaReader(text, variables, adl).formula(parse_sexpr(text))


@dataclass(frozen=True, slots=True)
class FormulaReader:
    """Reads the formulas of one text; `parse_formula` explains the fields."""

    text: str
    variables: bool = True
    adl: bool = True

    def formula(self, node: Node) -> Formula:
        """Read a condition.

        Raises:
            FormulaError: `node` is not a condition.
        """
        if isinstance(node, Word):
            raise self.error(node, f"expected '(' but found '{shortened(node.text)}'")
        if node.head in ("and", "or"):
            parts = tuple(self.formula(item) for item in node.items[1:])
            return And(parts) if node.head == "and" else Or(parts)
        if node.head == "not":
            if len(node.items) != 2:
                raise self.error(node.items[0], f"'not' takes one part, here are {len(node.items) - 1}")
            return Not(self.formula(node.items[1]))
        if node.head in RICH:
            if not self.adl:
                raise self.error(node, f"'{node.head}' cannot stand here; expected and, or, not or a fact")
            return self._adl(node)
        return self.atom(node)

    def _adl(self, node: Group) -> Formula:
        if len(node.items) != 3:
            raise self.error(node.items[0], f"'{node.head}' takes two parts, here are {len(node.items) - 1}")
        _, first, second = node.items
        if node.head == "imply":
            return Or((Not(self.formula(first)), self.formula(second)))
        if node.head in ("forall", "exists"):
            variables = self.typed(first)
            part = self.formula(second)
            return ForAll(variables, part) if node.head == "forall" else Exists(variables, part)
        if node.head == "=" and isinstance(first, Word) and isinstance(second, Word) and _are_names(first, second):
            return Equal(self.name(first), self.name(second))
        return Compare(node.head, self.expression(first), self.expression(second))

    def typed(self, node: Node) -> tuple[Variable, ...]:
        """Read a list such as ``(?x ?y - block ?z)``; what has no type is an ``object``.

        Raises:
            FormulaError: `node` is not such a list.
        """
        if not isinstance(node, Group):
            raise self.error(node, f"expected '(' but found '{shortened(node.text)}'")
        return tuple(Variable(name.removeprefix("?"), kind) for name, kind in self.pairs(node.items))

    def pairs(self, items: Sequence[Node]) -> Iterator[tuple[str, str]]:
        """Yield each name of a typed list with its type.

        Raises:
            FormulaError: A type is missing.
        """
        untyped: list[str] = []
        at = 0
        while at < len(items):
            item = items[at]
            if isinstance(item, Word) and item.text == "-":
                if at + 1 >= len(items):
                    raise self.error(item, "'-' without a type after it")
                yield from ((name, self.name(items[at + 1])) for name in untyped)
                untyped = []
                at += 2
            else:
                untyped.append(self.name(item))
                at += 1
        yield from ((name, "object") for name in untyped)

    def expression(self, node: Node) -> Expression:
        """Read a number, a numeric fluent or arithmetic.

        Raises:
            FormulaError: `node` is not an expression.
        """
        if isinstance(node, Word):
            if NUMBER.fullmatch(node.text) and math.isfinite(float(node.text)):
                return float(node.text)
            raise self.error(node, f"'{shortened(node.text)}' is not a number")
        if node.head in ARITHMETIC:
            parts = tuple(self.expression(item) for item in node.items[1:])
            if len(parts) < 1 + (node.head != "-"):
                raise self.error(node.items[0], f"'{node.head}' takes two parts or more, here are {len(parts)}")
            return Arithmetic(node.head, parts)
        return self.atom(node)

    def atom(self, node: Node) -> Atom:
        """Read a predicate, or a numeric fluent, with its arguments.

        Raises:
            FormulaError: `node` is not an atom.
        """
        if isinstance(node, Word):
            raise self.error(node, f"expected '(' but found '{shortened(node.text)}'")
        if not node.items:
            raise FormulaError("an atom without a predicate", *place_of(self.text, node.end - 1))
        names = [self.name(item) for item in node.items]
        return Atom(names[0], tuple(names[1:]))

    def name(self, node: Node) -> str:
        """Read a name, or a variable where variables are allowed.

        Raises:
            FormulaError: `node` is not a name.
        """
        text = node.text if isinstance(node, Word) else "("
        if not NAME.fullmatch(text) or (text.startswith("?") and not self.variables):
            raise self.error(node, f"'{shortened(text)}' is not a name")
        return text

    def error(self, node: Node, reason: str) -> FormulaError:
        """Return an error with `reason` at the position of `node`."""
        return FormulaError(reason, *place_of(self.text, node.offset))


def _are_names(first: Word, second: Word) -> bool:
    """Return whether two words after ``=`` are names; if both may be numbers too, they are compared as such."""
    words = (first.text, second.text)
    return all(map(NAME.fullmatch, words)) and not all(map(NUMBER.fullmatch, words))
