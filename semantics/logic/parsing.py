"""The reader of formulas, numeric expressions and terms in PDDL text; each error has its line and column."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from semantics.logic.sexpr import Group, Node, Word, parse_sexpr, place_of
from semantics.plain_text import shortened

__all__ = ["COMPARISONS", "FormulaReader", "parse_formula"]

NAME = re.compile(r"\??\w[\w.:+#@/-]*", re.ASCII)
"""A name or variable. PDDL files of others name objects ``1`` and ``hall.1``."""
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
COMPARISONS = ("<", "<=", "=", ">=", ">")
RICH = ("imply", "forall", "exists", *COMPARISONS)
ARITHMETIC = ("+", "-", "*", "/")


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
