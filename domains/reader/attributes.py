"""The readers of attributes: what a world declares, and the values of its classes and things."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from math import prod

from domains.model import ObjectClass
from domains.reader.formulas.plain import RESERVED
from domains.reader.keys import MEASURES, open_table
from domains.reader.nodes.document import Entry, Node, Scalar, value_of
from domains.reader.nodes.fields import NUMBER, Field, Fields, entries
from semantics.body.layout import Shape
from semantics.geometry.geometry import Vector
from semantics.logic.quantity import UNITS, Dimension, Quantity, QuantityError, units_of
from semantics.logic.vocabulary import Attribute, Attributes, AttributeValue

_DIMENSIONS: Mapping[str, Dimension] = dict(
    zip(MEASURES, (Dimension.LENGTH, Dimension.LENGTH, Dimension.VOLUME, Dimension.MASS), strict=True)
)
_LITRES = 1000.0
"""Litres in a cubic metre."""


def read_attributes(node: Node | None) -> dict[str, Attribute]:
    """Read the attributes of a world, by name."""
    return {entry.key.text: _read_attribute(entry) for entry in entries(node, "attributes")}


def _read_attribute(entry: Entry) -> Attribute:
    name = entry.key.text
    fields = open_table(entry.value, "attribute", f"attribute '{name}'")
    values = _read_list(fields)
    unit = fields["unit"].choice("unit", [unit for unit in UNITS if unit])
    if fields.get("values") is None and fields.get("unit") is None:
        message = f"{fields.what} has neither 'values' nor 'unit'; expected a list of values, or the unit of a number"
        fields.node.report(message, "missing-key", name)
    _check_sort(fields)
    attribute = Attribute(name, values, _read_words(fields, values), unit if not values else "")
    return replace(_with_scale(attribute, fields), sensed=fields["sensed"].flag(), shown=_read_shown(fields, values))


def _read_list(fields: Fields) -> tuple[str, ...]:
    """Read the names of the values."""
    if fields.get("values") is None:
        return ()
    return tuple(Field(place, f"a value of {fields.what}").symbol() for place in fields["values"].texts().values())


def _check_sort(fields: Fields) -> None:
    """Report keys of a number beside a list of values, and the reverse."""
    listed = fields.get("values") is not None
    why = "has a list of values, so it is no number" if listed else "is a number"
    for key in ("unit", "measure", "more", "less") if listed else ("words", "sensed", "shown"):
        if (node := fields.get(key)) is not None:
            node.report(f"{fields.what} {why}; expected no '{key}'", "keys-contradict", key)


def _read_words(fields: Fields, values: Collection[str]) -> dict[str, str]:
    """Read the further words, each with the value that it stands for."""
    words: dict[str, str] = {}
    for entry in fields.entries("words"):
        value = entry.key.text
        if value not in values:
            entry.key.unknown("value", value, values, f"of {fields.what}")
            continue
        for word, place in Field(entry.value, f"the words of '{value}'").texts().items():
            if words.setdefault(word.lower(), value) != value or word.lower() in values:
                message = f"'{word}' already means another value of {fields.what}; expected a word of its own"
                place.report(message, "named-twice", word)
    return words


def _read_shown(fields: Fields, values: Collection[str]) -> dict[str, Vector]:
    """Read the colours in which values are shown."""
    shown: dict[str, Vector] = {}
    for entry in fields.entries("shown"):
        if entry.key.text not in values:
            entry.key.unknown("value", entry.key.text, values, f"of {fields.what}")
        red, green, blue = Field(entry.value, f"the colour of '{entry.key.text}'").numbers(3, 0.0, 1.0)
        shown[entry.key.text] = (red, green, blue)
    return shown


def shown_colour(values: Attributes, attributes: Mapping[str, Attribute]) -> Vector | None:
    """Return the colour in which a thing with these values is shown; None if none of them has one."""
    colours = (attributes[name].shown.get(str(value)) for name, value in values)
    return next((colour for colour in colours if colour is not None), None)


def _with_scale(attribute: Attribute, fields: Fields) -> Attribute:
    """Add what only numbers have: what is measured, and the adjectives."""
    measure = fields["measure"].choice("measure", MEASURES)
    if not attribute.unit:
        measure = ""  # reported already
    elif measure and UNITS[attribute.unit].dimension is not _DIMENSIONS[measure]:
        units = " or ".join(units_of(_DIMENSIONS[measure]))
        message = f"{fields.what} is measured as {measure}, and its unit is {attribute.unit}; expected {units}"
        fields.values["measure"].report(message, "keys-contradict", "measure")
        measure = ""
    more, less = (fields[key].texts() if fields.get(key) is not None else {} for key in ("more", "less"))
    for word in more.keys() & less.keys():
        message = f"'{word}' stands for a large and for a small {attribute.name}; expected one of them"
        less[word].report(message, "named-twice", word)
    return replace(attribute, measure=measure, more=tuple(map(str.lower, more)), less=tuple(map(str.lower, less)))


def check_attribute_names(node: Node | None, taken: Mapping[str, Collection[str]]) -> None:
    """Report attributes with the name of something else that conditions may state.

    Args:
        node: The section `attributes`.
        taken: The other names, by what they name, such as ``predicate``.
    """
    for entry in entries(node, "attributes"):
        name = entry.key.text
        if name in RESERVED:
            message = f"'{name}' is a word of the language; expected another name for the attribute"
            entry.key.report(message, "reserved-name", name)
        for kind, names in taken.items():
            if name in names:
                message = f"'{name}' is already a {kind}; expected another name for the attribute"
                entry.key.report(message, "named-twice", name)


def read_values(node: Node | None, attributes: Mapping[str, Attribute], owner: str) -> Attributes:
    """Read the values of a class or thing; unknown attributes and values are reported."""
    read: list[tuple[str, AttributeValue]] = []
    for entry in entries(node, f"the attributes of {owner}"):
        name = entry.key.text
        if name not in attributes:
            entry.key.unknown("attribute", name, attributes)
            continue
        field = Field(entry.value, f"the {name} of {owner}")
        if attributes[name].is_number:
            number = _read_number(field, attributes[name].unit)
            read += [] if number is None else [(name, number)]
        else:
            read += [(name, value) for value in field.known("value", attributes[name].values or None)]
    return _sorted(read)


def _read_number(field: Field, unit: str) -> float | None:
    """Read a number in the unit of its attribute, or a text with a unit, which is converted."""
    node = field.node
    if not isinstance(node, Scalar) or (not node.style and NUMBER.fullmatch(node.text)) or not node.text.strip():
        return field.number(None)
    try:
        return Quantity.read(node.text).to(unit).number
    except QuantityError as error:
        node.report(f"{field.what}: {error}", "out-of-range", node.text)
        return None


def _sorted(values: Iterable[tuple[str, AttributeValue]]) -> Attributes:
    return tuple(sorted(set(values), key=lambda pair: (pair[0], str(pair[1]))))


def instead_of(values: Attributes, own: Attributes) -> Attributes:
    """Return the `values` of a class with those of a thing of its own in place of the same attributes."""
    stated = {name for name, _ in own}
    return _sorted((*(pair for pair in values if pair[0] not in stated), *own))


def measured_values(
    attributes: Mapping[str, Attribute], size: Vector, mass: float | None, stated: Attributes
) -> Attributes:
    """Return `stated` with the numbers that a solid gives for attributes that it does not state.

    Args:
        attributes: The attributes of the world.
        size: Of the solid, in metres.
        mass: In kilograms; None if it is not known.
        stated: The values that the file states.
    """
    measured: list[tuple[str, AttributeValue]] = []
    for attribute in attributes.values():
        if attribute.measure and (attribute.measure != "mass" or mass is not None):
            amount = _MEASURING[attribute.measure](size, mass or 0.0)
            measured.append((attribute.name, round(amount.to(attribute.unit).number, 6)))
    return instead_of(tuple(measured), stated)


_MEASURING: Mapping[str, Callable[[Vector, float], Quantity]] = {
    "length": lambda size, _: Quantity(max(size), "m"),
    "height": lambda size, _: Quantity(size[2], "m"),
    "volume": lambda size, _: Quantity(prod(size) * _LITRES, "l"),
    "mass": lambda _, mass: Quantity(mass, "kg"),
}


def with_values(
    classes: Mapping[str, ObjectClass], node: Node | None, attributes: Mapping[str, Attribute]
) -> dict[str, ObjectClass]:
    """Return classes with their values: those that the section `classes` states, and those of their solids."""
    written = {
        entry.key.text: read_values(value_of(entry.value, "attributes"), attributes, f"class '{entry.key.text}'")
        for entry in entries(node, "classes")
    }
    return {name: measured_class(found, written.get(name, ()), attributes) for name, found in classes.items()}


def measured_class(object_class: ObjectClass, stated: Attributes, attributes: Mapping[str, Attribute]) -> ObjectClass:
    """Return a class with the values that are stated, and those of its solid."""
    shape = object_class.shape
    values = stated if shape is None else measured_values(attributes, shape.size, shape.mass, stated)
    colour = shown_colour(values, attributes)
    if shape is not None and colour is not None and shape.colour == Shape("", shape.size).colour:
        shape = replace(shape, colour=colour)
    return replace(object_class, attributes=values, shape=shape)
