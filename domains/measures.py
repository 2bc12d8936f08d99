"""Values that stand for a number of the world, such as the amount of a pour: they replace it in one action.

A world counts in portions, and plans with them. Where somebody says how much, the action with this amount reads it in
place of the portion, in its conditions and in its effects on numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from domains.capability import Capability
from domains.declarations import NumericFluent
from semantics.logic.atoms import Atom, Formula, numbers_in
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
