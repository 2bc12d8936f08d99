"""Translation of formulas into the names of a PDDL file, and their text.

A quantifier over an affordance ranges over the type of the affordance, if it has one. Otherwise it ranges over all
objects, with the affordance as a condition in its body.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

from domains.pddl.writer.names import Naming
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
    Literal,
    Not,
    Or,
    Variable,
    rebuilt,
)

ROOT = "object"


def fresh_variable(name: str) -> str:
    """Return a variable's name without its question mark, in characters that PDDL accepts."""
    return "".join(char if char.isascii() and (char.isalnum() or char in "_-") else "-" for char in name.lower())


class Translation:
    """Translates formulas into the names of a file, with the PDDL type of each affordance that has one."""

    def __init__(self, naming: Naming, types: Mapping[str, str] = MappingProxyType({})) -> None:
        self._naming = naming
        self._types = types

    def word(self, arg: str) -> str:
        """Translate an argument: a variable or the name of a thing.

        Raises:
            UnknownNameError: The problem has no such thing.
        """
        return f"?{fresh_variable(arg[1:])}" if arg.startswith("?") else self._naming.of("thing", arg)

    def atom(self, atom: Atom, kind: str = "predicate") -> Atom:
        """Translate an atom, or a numeric fluent."""
        return Atom(self._naming.of(kind, atom.predicate), tuple(map(self.word, atom.args)))

    def literal(self, literal: Literal) -> Literal:
        """Translate a literal."""
        return Literal(self.atom(literal.atom), literal.positive)

    def affords(self, variable: str, affordance: str) -> Atom | None:
        """Return the atom that a ``?variable`` has an affordance; None for ``object``."""
        return None if affordance == "object" else Atom(self._naming.of("affordance", affordance), (variable,))

    def guards(self, variables: tuple[Variable, ...]) -> tuple[Formula, ...]:
        """Return the atoms that variables have their declared affordances."""
        atoms = (
            self.affords(f"?{fresh_variable(variable.name)}", variable.affordance)
            for variable in variables
            if variable.affordance not in self._types
        )
        return tuple(atom for atom in atoms if atom is not None)

    def variables(self, variables: tuple[Variable, ...]) -> tuple[Variable, ...]:
        """Translate declared variables."""
        return tuple(
            Variable(fresh_variable(variable.name), self._types.get(variable.affordance, ROOT))
            for variable in variables
        )

    def parameter_type(self, affordances: tuple[str, ...]) -> tuple[str, str | None]:
        """Return the type of a parameter, and the affordance that it stands for, if any."""
        for affordance in affordances:
            if affordance in self._types:
                return self._types[affordance], affordance
        return ROOT, None

    def formula(self, formula: Formula) -> Formula:
        """Translate a condition."""
        match formula:
            case Atom():
                return self.atom(formula)
            case Not() | And() | Or():
                return rebuilt(formula, self.formula)
            case Equal(first, second):
                return Equal(self.word(first), self.word(second))
            case Compare(operator, left, right):
                return Compare(operator, self.expression(left), self.expression(right))
            case ForAll(variables, part):
                unless = tuple(Not(guard) for guard in self.guards(variables))
                inner = self.formula(part)
                return ForAll(self.variables(variables), Or((*unless, inner)) if unless else inner)
            case Exists(variables, part):
                guards = self.guards(variables)
                inner = self.formula(part)
                return Exists(self.variables(variables), And((*guards, inner)) if guards else inner)

    def expression(self, expression: Expression) -> Expression:
        """Translate a numeric expression."""
        if isinstance(expression, Atom):
            return self.atom(expression, "fluent")
        if isinstance(expression, Arithmetic):
            return Arithmetic(expression.operator, tuple(map(self.expression, expression.parts)))
        return expression


def formula_text(formula: Formula) -> str:
    """Write a condition that is in the names of its file."""
    match formula:
        case Not(part):
            return f"(not {formula_text(part)})"
        case And(parts):
            return parts_text("and", parts)
        case Or(parts):
            return parts_text("or", parts)
        case Compare(operator, left, right):
            return f"({operator} {expression_text(left)} {expression_text(right)})"
        case ForAll(variables, part):
            return f"(forall ({variables_text(variables)}) {formula_text(part)})"
        case Exists(variables, part):
            return f"(exists ({variables_text(variables)}) {formula_text(part)})"
        case _:
            return str(formula)


def parts_text(word: str, parts: tuple[Formula, ...]) -> str:
    """Write a conjunction or disjunction; a single part is written without the operator."""
    return formula_text(parts[0]) if len(parts) == 1 else f"({' '.join((word, *map(formula_text, parts)))})"


def variables_text(variables: tuple[Variable, ...]) -> str:
    """Write a list of variables."""
    return " ".join(map(str, variables))


def expression_text(expression: Expression) -> str:
    """Write a numeric expression, each number exactly."""
    if isinstance(expression, Atom):
        return str(expression)
    if isinstance(expression, Arithmetic):
        return f"({' '.join((expression.operator, *map(expression_text, expression.parts)))})"
    return number_text(expression)


def number_text(number: float) -> str:
    """Write a number without an exponent, such that reading it gives the same value."""
    return str(int(number)) if number == int(number) else f"{Decimal(repr(float(number))):f}"
