"""`cost_scale`: the factor that makes the costs of a scene whole numbers, because planning counts in whole numbers.

A PDDL file may state costs such as 0.5, or distances such as 2.25 that a cost reads. Planners and bounds compare
integers. So costs are multiplied by the least common denominator, and divided by it where they are told.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from semantics.logic.atoms import Arithmetic, Atom, Expression, fluents_in

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
