"""Atoms, literals and formulas: the conditions and goals of a world.

A formula is a nested value of `Atom`, `Not`, `And` and `Or`; a condition of a domain may also compare (`Equal`,
`Compare`) and quantify (`ForAll`, `Exists`). `semantics.logic.parsing` reads a formula from a PDDL s-expression such as
``(and (in apple0 fridge0) (not (opened fridge0)))``, and `str` writes it. A goal is converted to disjunctive normal
form, because each disjunct is checked and planned separately (LM-cut takes no disjunctive goal).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from semantics.errors import FormulaError


class Atom(NamedTuple):
    """A predicate applied to names, such as ``(in apple0 fridge0)``."""

    predicate: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.args))})"

    def replaced(self, names: Mapping[str, str]) -> Atom:
        """Return the atom with other arguments in the place of those in `names`."""
        return Atom(self.predicate, tuple([names.get(arg, arg) for arg in self.args]))


class Literal(NamedTuple):
    """An atom that has to hold (`positive`) or must not hold."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"

    @property
    def formula(self) -> Formula:
        """The literal as a formula."""
        return self.atom if self.positive else Not(self.atom)

    def negated(self) -> Literal:
        """Return the opposite literal."""
        return Literal(self.atom, not self.positive)

    def replaced(self, names: Mapping[str, str]) -> Literal:
        """Return the literal with other arguments in the place of those in `names`."""
        return Literal(self.atom.replaced(names), self.positive)


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


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A sum, difference, product or quotient: `operator` is one of ``+ - * /``; one part after ``-`` is negated."""

    operator: str
    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.operator, *map(_number, self.parts)))})"


Expression = float | Atom | Arithmetic
"""A number, a numeric fluent such as ``(volume glass0)``, or arithmetic over them."""


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of numbers: `operator` is one of ``< <= = >= >``."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"({self.operator} {_number(self.left)} {_number(self.right)})"


@dataclass(frozen=True, slots=True)
class Equal:
    """Equality: two names or variables denote the same object."""

    one: str
    other: str

    def __str__(self) -> str:
        return f"(= {self.one} {self.other})"


class Variable(NamedTuple):
    """A quantified variable: its name without the question mark, and the affordance of the objects it ranges over."""

    name: str
    affordance: str = "object"

    def __str__(self) -> str:
        return f"?{self.name} - {self.affordance}"


@dataclass(frozen=True, slots=True)
class ForAll:
    """Universal quantification: `part` holds for all objects with the affordances of the variables."""

    variables: tuple[Variable, ...]
    part: Formula

    def __str__(self) -> str:
        return f"(forall ({' '.join(map(str, self.variables))}) {self.part})"


@dataclass(frozen=True, slots=True)
class Exists:
    """Existential quantification: `part` holds for some objects with the affordances of the variables."""

    variables: tuple[Variable, ...]
    part: Formula

    def __str__(self) -> str:
        return f"(exists ({' '.join(map(str, self.variables))}) {self.part})"


Formula = Atom | Not | And | Or | Equal | Compare | ForAll | Exists
Conjunct = frozenset[Literal]
"""One disjunct of a disjunctive normal form: literals that hold together."""

MAX_CONJUNCTS = 4096


def _number(expression: Expression) -> str:
    """Write an expression; reading a written number gives the same value."""
    if not isinstance(expression, int | float):
        return str(expression)
    short = f"{expression:g}"
    return short if float(short) == expression else repr(expression)


def walked(formula: Formula, positive: bool = True) -> Iterator[tuple[Formula, bool]]:
    """Yield `formula` and every formula in it, in reading order, each with its sign: whether it is not negated."""
    yield formula, positive
    match formula:
        case Not(part):
            yield from walked(part, not positive)
        case And(parts) | Or(parts):
            for part in parts:
                yield from walked(part, positive)
        case ForAll(_, part) | Exists(_, part):
            yield from walked(part, positive)


def rebuilt(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return `formula` with each formula directly in it replaced by what `change` returns for it."""
    match formula:
        case Not(part):
            return Not(change(part))
        case And(parts) | Or(parts):
            return type(formula)(tuple(map(change, parts)))
        case ForAll(variables, part) | Exists(variables, part):
            return type(formula)(variables, change(part))
    return formula


def literals(formula: Formula, positive: bool = True) -> Iterator[Literal]:
    """Yield every literal of `formula` in reading order, with its sign."""
    for part, sign in walked(formula, positive):
        if isinstance(part, Atom):
            yield Literal(part, sign)


def names_in(formula: Formula) -> Iterator[str]:
    """Yield the arguments of the atoms, equalities and numbers of a formula; those of its quantifiers are not names."""
    for part, _ in walked(formula):
        if isinstance(part, Atom):
            yield from part.args
        elif isinstance(part, Equal):
            yield from (part.one, part.other)
        elif isinstance(part, Compare):
            yield from (arg for fluent in numbers_in(part) for arg in fluent.args)


def objects_in(conjunct: Iterable[Literal]) -> tuple[str, ...]:
    """Return the names of the objects in a conjunct, each once."""
    return tuple(dict.fromkeys(arg for literal in conjunct for arg in literal.atom.args))


def numbers_in(formula: Formula) -> Iterator[Atom]:
    """Yield the numeric fluents that a formula compares."""
    for part, _ in walked(formula):
        if isinstance(part, Compare):
            yield from (*fluents_in(part.left), *fluents_in(part.right))


def fluents_in(expression: Expression) -> Iterator[Atom]:
    """Yield the numeric fluents of an expression."""
    if isinstance(expression, Atom):
        yield expression
    elif isinstance(expression, Arithmetic):
        for part in expression.parts:
            yield from fluents_in(part)


def conjunction(conjunct: Iterable[Literal]) -> And:
    """Return literals as a formula, sorted."""
    return And(tuple(literal.formula for literal in sorted(conjunct)))


def conjoined(formula: Formula) -> Iterator[Formula]:
    """Yield the parts of a conjunction, nested ones included; another formula is its only part."""
    if isinstance(formula, And):
        for part in formula.parts:
            yield from conjoined(part)
    else:
        yield formula


def dnf(formula: Formula, positive: bool = True) -> tuple[Conjunct, ...]:
    """Return the disjunctive normal form, without duplicates, in reading order.

    Raises:
        FormulaError: A part has more than 4,096 conjuncts (duplicates in different branches count), or the formula
            compares or quantifies.
    """
    match formula:
        case Atom():
            return (frozenset({Literal(formula, positive)}),)
        case Not(part):
            return dnf(part, not positive)
        case And(parts) | Or(parts):
            branches = [dnf(part, positive) for part in parts]
            # De Morgan: a denied conjunction is a disjunction of denials, and the other way round.
            if isinstance(formula, And) != positive:
                _limit(sum(map(len, branches)))
                return _distinct(conjunct for branch in branches for conjunct in branch)
            _limit(prod(map(len, branches)))
            return _distinct(frozenset[Literal]().union(*choice) for choice in product(*branches))
        case _:
            raise FormulaError(f"{formula} has no disjunctive normal form before it is ground", 1, 1)


def _limit(size: int) -> None:
    if size > MAX_CONJUNCTS:
        raise FormulaError(f"the goal has {size} alternatives; at most {MAX_CONJUNCTS} are taken", 1, 1)


def _distinct(conjuncts: Iterator[Conjunct]) -> tuple[Conjunct, ...]:
    return tuple(dict.fromkeys(conjuncts))
