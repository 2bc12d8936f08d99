"""Atoms, literals and formulas: what can be said of the world.

A formula is a nested value of `Atom`, `Not`, `And` and `Or`. It is read from and written as a PDDL
s-expression, ``(and (in apple0 fridge0) (not (opened fridge0)))``, and turned into disjunctive normal
form, because each disjunct is checked and planned on its own (LM-cut takes no disjunctive goal).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from semantics.errors import FormulaError

__all__ = ["And", "Atom", "Conjunct", "Formula", "Literal", "Not", "Or", "dnf", "literals", "parse_formula"]


class Atom(NamedTuple):
    """A predicate applied to names, such as ``(in apple0 fridge0)``."""

    predicate: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.args))})"


class Literal(NamedTuple):
    """An atom that has to hold (`positive`) or must not hold."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"

    def negated(self) -> Literal:
        """Return the opposite literal."""
        return Literal(self.atom, not self.positive)


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    part: Formula

    def __str__(self) -> str:
        return f"(not {self.part})"


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction; the empty one is true."""

    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        return f"(and {' '.join(map(str, self.parts))})" if self.parts else "(and)"


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction; the empty one is false."""

    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        return f"(or {' '.join(map(str, self.parts))})" if self.parts else "(or)"


Formula = Atom | Not | And | Or
Conjunct = frozenset[Literal]
"""One disjunct of a disjunctive normal form: literals that hold together."""

MAX_CONJUNCTS = 4096


def literals(formula: Formula, positive: bool = True) -> Iterator[Literal]:
    """Yield every literal of `formula` in reading order, with its sign."""
    match formula:
        case Atom():
            yield Literal(formula, positive)
        case Not(part):
            yield from literals(part, not positive)
        case And(parts) | Or(parts):
            for part in parts:
                yield from literals(part, positive)


def dnf(formula: Formula, positive: bool = True) -> tuple[Conjunct, ...]:
    """Return the disjunctive normal form, without duplicates, in reading order.

    Raises:
        FormulaError: A part has more than 4,096 conjuncts, equal ones of different branches counted.
    """
    match formula:
        case Atom():
            return (frozenset({Literal(formula, positive)}),)
        case Not(part):
            return dnf(part, not positive)
        case And(parts) | Or(parts):
            branches = [dnf(part, positive) for part in parts]
            if isinstance(formula, And) != positive:
                _limit(sum(map(len, branches)))
                return _distinct(conjunct for branch in branches for conjunct in branch)
            _limit(prod(map(len, branches)))
            return _distinct(frozenset[Literal]().union(*choice) for choice in product(*branches))


def _limit(size: int) -> None:
    if size > MAX_CONJUNCTS:
        raise FormulaError(f"the goal has {size} alternatives; at most {MAX_CONJUNCTS} are taken", 1, 1)


def _distinct(conjuncts: Iterator[Conjunct]) -> tuple[Conjunct, ...]:
    return tuple(dict.fromkeys(conjuncts))


TOKEN = re.compile(r"\s*(?:;[^\n]*)?([()]|[^\s();]+)", re.ASCII)
NAME = re.compile(r"\??[A-Za-z][\w-]*", re.ASCII)
MAX_DEPTH = 100


def parse_formula(text: str, variables: bool = False) -> Formula:
    """Read a PDDL condition made of ``and``, ``or``, ``not`` and atoms; names become lower case.

    The atoms are ground unless `variables` such as ``?o`` are allowed.

    Raises:
        FormulaError: Names the culprit with its line and column.
    """
    tokens = _tokens(text)
    if not tokens:
        raise FormulaError("an empty formula", 1, 1)
    formula, rest = _read(text, tokens, 0, 0)
    if rest < len(tokens):
        raise _error(text, tokens[rest][1], f"'{tokens[rest][0]}' after the end of the formula")
    for word, offset in tokens:
        if word.startswith("?") and not variables:
            raise _error(text, offset, f"'{word}' is not a name")
    return formula


def _tokens(text: str) -> list[tuple[str, int]]:
    stripped = re.sub(r";[^\n]*", lambda match: " " * len(match[0]), text)
    return [(match[1].lower(), match.start(1)) for match in TOKEN.finditer(stripped)]


def _error(text: str, offset: int, reason: str) -> FormulaError:
    line = text.count("\n", 0, offset) + 1
    return FormulaError(reason, line, offset - text.rfind("\n", 0, offset))


def _read(text: str, tokens: list[tuple[str, int]], at: int, depth: int) -> tuple[Formula, int]:
    if at >= len(tokens):
        raise _error(text, len(text), "the formula ends too early: a ')' is missing")
    word, offset = tokens[at]
    if word != "(":
        raise _error(text, offset, f"expected '(' but found '{word}'")
    if depth > MAX_DEPTH:
        raise _error(text, offset, f"nested deeper than {MAX_DEPTH}")
    if at + 1 >= len(tokens):
        raise _error(text, len(text), "the formula ends too early: a ')' is missing")
    head, head_offset = tokens[at + 1]
    if head in ("and", "or", "not"):
        parts, end = _read_parts(text, tokens, at + 2, depth)
        return _compose(text, head, head_offset, parts), end
    return _read_atom(text, tokens, at + 1)


def _read_parts(text: str, tokens: list[tuple[str, int]], at: int, depth: int) -> tuple[tuple[Formula, ...], int]:
    parts: list[Formula] = []
    while at < len(tokens) and tokens[at][0] != ")":
        part, at = _read(text, tokens, at, depth + 1)
        parts.append(part)
    if at >= len(tokens):
        raise _error(text, len(text), "the formula ends too early: a ')' is missing")
    return tuple(parts), at + 1


def _compose(text: str, head: str, offset: int, parts: tuple[Formula, ...]) -> Formula:
    if head == "not":
        if len(parts) != 1:
            raise _error(text, offset, f"'not' takes one part, here are {len(parts)}")
        return Not(parts[0])
    return And(parts) if head == "and" else Or(parts)


def _read_atom(text: str, tokens: list[tuple[str, int]], at: int) -> tuple[Atom, int]:
    names: list[str] = []
    while at < len(tokens) and tokens[at][0] != ")":
        word, offset = tokens[at]
        if not NAME.fullmatch(word):
            raise _error(text, offset, f"'{word}' is not a name")
        names.append(word)
        at += 1
    if at >= len(tokens):
        raise _error(text, len(text), "the formula ends too early: a ')' is missing")
    if not names:
        raise _error(text, tokens[at][1], "an atom without a predicate")
    return Atom(names[0], tuple(names[1:])), at + 1
