"""ADL conditions: grounding over the objects of a scene, and evaluation in a state.

A condition beyond literals (a disjunction, a comparison of numbers, a quantifier) is grounded once per action, so that
its evaluation in a state is a walk over a small formula.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

from semantics.errors import UsageError
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
    names_in,
    rebuilt,
)
from semantics.logic.vocabulary import Thing

TOLERANCE = 1e-9  # numbers that differ by less count as equal, because sums of portions have rounding errors

MOST_LITERALS = 20_000  # how many facts a goal may become whose quantifiers are expanded

TRUE, FALSE = And(()), Or(())
Binding = Mapping[str, str]


def bindings(variables: tuple[Variable, ...], things: Mapping[str, Thing]) -> Iterator[dict[str, str]]:
    """Yield every assignment of things to `variables`, by ``?name``."""
    choices = [_choices(variable, things) for variable in variables]
    for names in product(*choices):
        yield {f"?{variable.name}": name for variable, name in zip(variables, names, strict=True)}


def _choices(variable: Variable, things: Mapping[str, Thing]) -> list[str]:
    anything = variable.affordance == "object"
    return [name for name, thing in things.items() if anything or variable.affordance in thing.affordances]


def expanded(  # noqa: C901 - one case per node of the language
    formula: Formula, things: Mapping[str, Thing], binding: Binding | None = None
) -> Formula:
    """Ground a formula: replace variables by `binding` (``?o`` to a name), and expand quantifiers over `things`."""
    bound = binding or {}
    match formula:
        case Atom():
            return formula.replaced(bound)
        case Not(part):
            return _not(expanded(part, things, bound))
        case And(parts):
            return joined(And, (expanded(part, things, bound) for part in parts))
        case Or(parts):
            return joined(Or, (expanded(part, things, bound) for part in parts))
        case ForAll(variables, part):
            return joined(And, (expanded(part, things, {**bound, **choice}) for choice in bindings(variables, things)))
        case Exists(variables, part):
            return joined(Or, (expanded(part, things, {**bound, **choice}) for choice in bindings(variables, things)))
        case Equal(first, second):
            return TRUE if bound.get(first, first) == bound.get(second, second) else FALSE
        case Compare(operator, left, right):
            return Compare(operator, expanded_expression(left, bound), expanded_expression(right, bound))


def bounded(formula: Formula, things: Mapping[str, Thing]) -> Formula:
    """Return a formula without variables that nothing in it uses; check how many literals it becomes over `things`.

    Raises:
        UsageError: It becomes more than `MOST_LITERALS`.
    """
    used = _without_idle(formula, things)
    number = _literals_of(used, things)
    if number > MOST_LITERALS:
        raise UsageError(
            f"over {len(things)} things the goal is {number:,} facts, and {MOST_LITERALS:,} are the most; "
            "quantify over fewer variables, or over a smaller class"
        )
    return used


def _without_idle(formula: Formula, things: Mapping[str, Thing]) -> Formula:
    inner = rebuilt(formula, lambda part: _without_idle(part, things))
    if not isinstance(inner, ForAll | Exists):
        return inner
    names = set(names_in(inner.part))
    used = tuple(variable for variable in inner.variables if f"?{variable.name}" in names)
    if not all(any(_choices(variable, things)) for variable in inner.variables):
        return TRUE if isinstance(inner, ForAll) else FALSE
    return replace(inner, variables=used) if used else inner.part


def _literals_of(formula: Formula, things: Mapping[str, Thing]) -> int:
    match formula:
        case Not(part):
            return _literals_of(part, things)
        case And(parts) | Or(parts):
            return sum(_literals_of(part, things) for part in parts)
        case ForAll(variables, part) | Exists(variables, part):
            return prod(len(_choices(each, things)) for each in variables) * _literals_of(part, things)
    return 1


def _not(part: Formula) -> Formula:
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part.part if isinstance(part, Not) else Not(part)


def joined(kind: type[And] | type[Or], parts: Iterator[Formula]) -> Formula:
    """Join ground parts: one part may decide, parts of the same kind are flattened, duplicates are dropped."""
    deciding = FALSE if kind is And else TRUE
    distinct: dict[Formula, None] = {}
    for part in parts:
        if part == deciding:
            return deciding
        distinct.update(dict.fromkeys(part.parts if isinstance(part, kind) else (part,)))
    return kind(tuple(distinct)) if len(distinct) != 1 else next(iter(distinct))


def expanded_expression(expression: Expression, binding: Binding) -> Expression:
    """Return a numeric expression with variables replaced by names."""
    return _with_fluents(expression, lambda fluent: fluent.replaced(binding))


def with_numbers(formula: Formula, numbers: Mapping[Atom, float]) -> Formula:
    """Return a formula that compares some numbers by their values."""
    if isinstance(formula, Compare):
        left, right = (with_numbers_in(side, numbers) for side in (formula.left, formula.right))
        return replace(formula, left=left, right=right)
    return rebuilt(formula, lambda part: with_numbers(part, numbers))


def with_numbers_in(expression: Expression, numbers: Mapping[Atom, float]) -> Expression:
    """Return a numeric expression with the values of some numbers."""
    return _with_fluents(expression, lambda fluent: numbers.get(fluent, fluent))


def _with_fluents(expression: Expression, change: Callable[[Atom], Expression]) -> Expression:
    if isinstance(expression, Atom):
        return change(expression)
    if isinstance(expression, Arithmetic):
        return Arithmetic(expression.operator, tuple(_with_fluents(part, change) for part in expression.parts))
    return expression


def is_true(formula: Formula, atoms: Collection[Atom], numbers: Mapping[Atom, float]) -> bool:
    """Return whether a ground formula holds.

    Raises:
        UsageError: The formula is not ground, or reads a number without a value.
    """
    # Without patterns and generators, since validation spends most of its time here.
    if isinstance(formula, Atom):
        return formula in atoms
    if isinstance(formula, Not):
        return not is_true(formula.part, atoms, numbers)
    if isinstance(formula, (And, Or)):
        deciding = isinstance(formula, Or)
        for part in formula.parts:
            if is_true(part, atoms, numbers) is deciding:
                return deciding
        return not deciding
    if isinstance(formula, Compare):
        return _compares(formula.operator, value(formula.left, numbers), value(formula.right, numbers))
    raise UsageError(f"{formula} is not ground")


def _compares(operator: str, left: float, right: float) -> bool:
    if abs(left - right) <= TOLERANCE:
        return "=" in operator
    return operator.startswith("<") if left < right else operator.startswith(">")


def value(expression: Expression, numbers: Mapping[Atom, float]) -> float:
    """Evaluate a ground numeric expression.

    Raises:
        UsageError: A number has no value, or the expression divides by zero.
    """
    if isinstance(expression, Atom):
        if expression not in numbers:
            raise UsageError(f"the number {expression} is not known")
        return numbers[expression]
    if not isinstance(expression, Arithmetic):
        return float(expression)
    parts = [value(part, numbers) for part in expression.parts]
    if expression.operator == "+":
        return sum(parts)
    if expression.operator == "*":
        return prod(parts)
    if expression.operator == "-":
        return parts[0] - sum(parts[1:]) if len(parts) > 1 else -parts[0]
    if 0 in parts[1:]:
        raise UsageError(f"{expression} divides by zero")
    return parts[0] / prod(parts[1:])
