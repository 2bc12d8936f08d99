"""Values that stand for a number of the world, such as the amount of a pour: they replace it in one action.

A world counts in portions, and plans with them. Where somebody says how much, the action with this amount reads it in
place of the portion, in its conditions and in its effects on numbers. `cost_scale` says in which unit costs that depend
on numbers are planned.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from domains.capability import Capability
from domains.declarations import NumericFluent
from semantics.logic.atoms import Arithmetic, Atom, Expression, Formula, fluents_in, numbers_in
from semantics.logic.conditions import with_numbers, with_numbers_in
from semantics.logic.quantity import Quantity
from semantics.logic.said_number import SaidNumber
from semantics.logic.state import Change, Operator, When


class NumberedDomain(Protocol):
    """The part of `domains.model.Domain` that is read here."""

    @property
    def fluents(self) -> Mapping[str, NumericFluent]:
        """Numbers by name."""


def numbers_said(domain: NumberedDomain, capability: Capability, values: Mapping[str, Quantity]) -> dict[Atom, float]:
    """Return the numbers that values of a capability stand for, each in the unit of its number.

    Raises:
        QuantityError: A value has another dimension, or is out of range.
    """
    return {
        Atom(model.number): model.fitting(values[model.name]).to(domain.fluents[model.number].unit).number
        for model in capability.values
        if model.number and model.name in values
    }


def measured(domain: NumberedDomain, capability: Capability, operator: Operator) -> Operator:
    """Return an operator that reads the values of its action in place of the numbers that they stand for."""
    said = {name: value for name, value in operator.action.values if isinstance(value, Quantity)}
    numbers = numbers_said(domain, capability, said)
    if not numbers:
        return operator
    return replace(
        operator,
        condition=None if operator.condition is None else with_numbers(operator.condition, numbers),
        conditional=tuple(_when(effect, numbers) for effect in operator.conditional),
        changes=tuple(_change(change, numbers) for change in operator.changes),
        said_numbers=tuple(replace(one, said=said.get(one.model.name)) for one in operator.said_numbers),
    )


def sayable(domain: NumberedDomain, capability: Capability, condition: Formula | None) -> tuple[SaidNumber, ...]:
    """Return the numbers in the ground condition of an action that values of its capability can say; none is said."""
    models = [model for model in capability.values if model.number]
    if condition is None or not models:
        return ()
    fluents = set(numbers_in(condition))
    named = {fluent.predicate: domain.fluents.get(fluent.predicate) for fluent in fluents}
    sentences = {name: (model.description, model.unit) for name, model in named.items() if model is not None}
    return tuple(
        SaidNumber(model, Atom(model.number), domain.fluents[model.number].unit, condition, sentences)
        for model in models
        if Atom(model.number) in fluents
    )


def _when(effect: When, numbers: Mapping[Atom, float]) -> When:
    changes = tuple(_change(change, numbers) for change in effect.changes)
    return replace(effect, condition=with_numbers(effect.condition, numbers), changes=changes)


def _change(change: Change, numbers: Mapping[Atom, float]) -> Change:
    return replace(change, amount=with_numbers_in(change.amount, numbers))


MOST = 10**6
"""The largest number that a scaled constant or fluent may become, so that the cost of a plan stays below 32 bits."""


def cost_scale(costs: Collection[Expression], numbers: Mapping[Atom, float]) -> int:
    """Return how many units of planning make one unit of cost; 1 where all costs are whole numbers.

    Where the exact factor would make numbers larger than `MOST`, it is the largest that does not, and costs are
    rounded.

    Args:
        costs: The costs of a domain that are expressions.
        numbers: Values of numeric fluents. Those that a cost reads do not change.
    """
    values: dict[str, list[Fraction]] = {fluent.predicate: [] for cost in costs for fluent in fluents_in(cost)}
    for fluent, number in numbers.items():
        if fluent.predicate in values and math.isfinite(number):
            values[fluent.predicate].append(_exact(number))
    exact = math.lcm(*(_denominator(cost, values) for cost in costs))
    largest = max((abs(number) for named in values.values() for number in named), default=Fraction(1))
    constants = [abs(_exact(number)) for cost in costs for number in _constants(cost)]
    return min(exact, max(1, int(MOST / max([largest, *constants, Fraction(1)]))))


def whole_cost(cost: float, scale: int) -> int:
    """Return a cost in units of planning."""
    return round(_exact(cost) * scale)


def _exact(number: float) -> Fraction:
    """Return the number that is written so: 0.1 is a tenth."""
    return Fraction(str(number))


def _constants(expression: Expression) -> Iterable[float]:
    if isinstance(expression, Arithmetic):
        for part in expression.parts:
            yield from _constants(part)
    elif not isinstance(expression, Atom):
        yield expression


def _denominator(expression: Expression, values: Mapping[str, list[Fraction]]) -> int:
    """Return a common denominator of all values of `expression`."""
    if isinstance(expression, Atom):
        return math.lcm(*(number.denominator for number in values[expression.predicate]))
    if not isinstance(expression, Arithmetic):
        return _exact(expression).denominator
    if expression.operator in "+-":
        return math.lcm(*(_denominator(part, values) for part in expression.parts))
    if expression.operator == "*":
        return math.prod(_denominator(part, values) for part in expression.parts)
    first, *others = expression.parts
    return math.prod([_denominator(first, values), *(_numerator(part, values) for part in others)])


def _numerator(expression: Expression, values: Mapping[str, list[Fraction]]) -> int:
    """Return a common multiple of the numerators of a divisor; 1 for a divisor that is computed itself."""
    if isinstance(expression, Atom):
        return math.lcm(*(number.numerator for number in values[expression.predicate] if number))
    if isinstance(expression, Arithmetic):
        return 1
    return abs(_exact(expression).numerator) or 1
