"""The values that a call of a capability gives by name: numbers with units, points and regions.

What is written out is checked before the run, and every value when it is reached, by the same functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from bt.programs.place_queries import PLACE_QUERIES
from bt.programs.sensed_places import SensedPlaces
from bt.programs.values import Odd, Value, ValueType, spoken
from bt.programs.writer import identifier
from domains.capability import Capability
from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.logic.place_value import ActionValue, PlaceKind, PlaceModel, PlaceValue, read_place
from semantics.logic.program import Call, Constant, Expr
from semantics.logic.quantity import Quantity, QuantityError, ValueModel

GivenModel = ValueModel | PlaceModel


def given_models(capability: Capability) -> Mapping[str, GivenModel]:
    """Return what may be said of a capability beside things, by the name that it has in a program."""
    models: tuple[GivenModel, ...] = (*capability.values, *capability.places)
    return {identifier(model.name): model for model in models}


def signature(capability: Capability, name: str) -> str:
    """Return the signature of a capability in a program."""
    values = (f"{name}=…" for name in given_models(capability))
    return f"{name}({', '.join((*(identifier(parameter.name) for parameter in capability.parameters), *values))})"


def types_given(model: GivenModel) -> frozenset[ValueType]:
    """Return the types of a program's values that may fit a model; a text says a quantity, a place or a thing."""
    if isinstance(model, ValueModel):
        return frozenset({ValueType.NUMBER, ValueType.NAME, ValueType.QUANTITY})
    region = {ValueType.BOX} if model.kind is PlaceKind.REGION else set()
    return frozenset({ValueType.POINT, ValueType.NAME, *region})


def action_value(model: GivenModel, value: Value, places: SensedPlaces) -> ActionValue:
    """Return a value of a program as the action carries it.

    Raises:
        QuantityError: It does not fit the model; the message names the nearest valid value if there is one.
        Odd: It is a thing whose place is not known, or names none.
    """
    return quantity_given(model, value) if isinstance(model, ValueModel) else place_given(model, value, places)


def quantity_given(model: ValueModel, value: Value) -> Quantity:
    """Return a value of a capability: a quantity, a number in the unit of the world, or a text such as "10 s".

    Raises:
        QuantityError: It is no quantity, has another dimension, or is out of range.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | Quantity):
        raise QuantityError(f"{model.name} is {spoken(value)}; say a number, or a text with a unit")
    if isinstance(value, Quantity):
        return model.fitting(value)
    return model.fitting(Quantity.read(value) if isinstance(value, str) else Quantity(float(value), model.unit))


def place_given(model: PlaceModel, value: Value, places: SensedPlaces) -> PlaceValue:
    """Return a place: a point, a region, the text of one, or a thing, which stands for its top or its middle.

    Raises:
        QuantityError: It is no place, or does not fit the model.
        Odd: It is a thing whose place is not known, or names none.
    """
    if isinstance(value, str):
        written = read_place(value)
        if written is None:
            written = places.region(value) if model.kind is PlaceKind.REGION else places.point(value)
        value = written
    if not isinstance(value, MapPoint | Box):
        or_region = " or a region" if model.kind is PlaceKind.REGION else ""
        raise QuantityError(f"{model.name} is {spoken(value)}; say a point{or_region}, such as point(0.4, 0.1)")
    return model.fitting(value)


def fixed_value(expression: Expr) -> Value | None:
    """Return the value of an expression that is written out: a number, a text or a quantity; None for any other."""
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, Call) and expression.name == "quantity":
        with suppress(Odd):
            return quantity_written(expression)
    return None


def quantity_written(call: Call) -> Value | None:
    """Return the value of a call of ``quantity`` with numbers and texts; None with anything else.

    Raises:
        Odd: It is no quantity.
    """
    written = [arg.value for arg in call.args if isinstance(arg, Constant)]
    if len(written) != len(call.args) or not written:
        return None
    return PLACE_QUERIES["quantity"].value(SensedPlaces({}, {}, 0), written)
