"""The values that a goal carries beside its condition: which capabilities take them, and what is wrong with them.

A goal says what is to hold, and a value how it is to be done: ``(at robot0 table0) :speed 20cm/s``. The name of a value
stands for that value of every capability that has one of this name; ``move.speed`` is that of one capability only, and
goes before. What is said once holds for all steps of the goal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from semantics.errors import UsageError
from semantics.hints import hint
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal
from semantics.logic.quantity import Quantity, QuantityError, ValueModel
from semantics.logic.vocabulary import Vocabulary

__all__ = ["read_values", "split_values", "taken_values", "takers", "value_errors", "values_document"]

_VALUE = re.compile(r"(?<=[)\w%])\s+:([a-z][\w.-]*)\s")
Values = Mapping[str, tuple[ValueModel, ...]]
"""What capabilities take beside things, by the name of the capability."""


def takers(name: str, values: Values) -> dict[str, ValueModel]:
    """Return the capabilities that take the value `name` of a goal, each with its own form of it."""
    capability, dot, own = name.rpartition(".")
    return {
        taker: model
        for taker, models in values.items()
        for model in models
        if model.name == own and (not dot or taker == capability)
    }


def taken_values(goal: Goal, capability: str, models: Iterable[ValueModel]) -> dict[str, Quantity]:
    """Return the values of a goal that the steps of a capability take, by the names that they have there."""
    said = dict(goal.values)
    chosen = {model.name: said.get(f"{capability}.{model.name}", said.get(model.name)) for model in models}
    return {name: quantity for name, quantity in chosen.items() if quantity is not None}


def value_errors(goal: Goal, vocabulary: Vocabulary) -> Iterator[Feedback]:
    """Yield what is wrong with the values of a goal: an unknown name, another dimension, a number out of range."""
    for name, quantity in goal.values:
        models = takers(name, vocabulary.values)
        if not models:
            names = sorted({model.name for taken in vocabulary.values.values() for model in taken})
            how = hint(name, names, "value", vocabulary.world, "What can be said")
            yield Feedback(Code.UNKNOWN_NAME, f":{name}", "nothing here takes such a value.", how, (name,))
            continue
        misfits = [why for model in models.values() if (why := _misfit(model, quantity))]
        if len(misfits) == len(models):
            forms = " or ".join(dict.fromkeys(f"{model.form} of {taker}" for taker, model in models.items()))
            yield Feedback(Code.NOT_UNDERSTOOD, f":{name} {quantity}", f"{misfits[0]}.", f"Say {forms}.", (name,))


def _misfit(model: ValueModel, quantity: Quantity) -> str:
    """Return why a quantity is none for a value; empty if it is one."""
    try:
        model.fitting(quantity)
    except QuantityError as error:
        return str(error)
    return ""


def values_document(values: Iterable[tuple[str, Quantity]]) -> dict[str, dict[str, str]]:
    """Return the values of a goal as the field ``values`` of a document; no field if there are none."""
    texts = {name: str(quantity) for name, quantity in values}
    return {"values": texts} if texts else {}


def split_values(text: str) -> tuple[str, tuple[tuple[str, Quantity], ...]]:
    """Split the text of a goal into its condition and its values, as in ``(at robot0 table0) :speed 20cm/s``.

    Raises:
        QuantityError: A value is no quantity, or is said twice; the message names it.
    """
    condition, *said = _VALUE.split(text)
    if twice := sorted({name for name in said[::2] if said[::2].count(name) > 1}):
        raise QuantityError(f"{twice[0]} is said twice")
    return condition, read_values(dict(zip(said[::2], said[1::2], strict=True)))


def read_values(texts: Mapping[str, object]) -> tuple[tuple[str, Quantity], ...]:
    """Read the values of a goal from texts such as ``20 cm/s``, by name.

    Raises:
        QuantityError: One is no quantity; the message names the value.
    """
    values = {}
    for name, text in texts.items():
        try:
            values[str(name)] = Quantity.read(str(text))
        except UsageError as error:
            raise QuantityError(f"{name}: {error}") from error
    return tuple(sorted(values.items()))
