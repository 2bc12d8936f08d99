"""The readers of attributes: what a world declares, the values of its classes and things, and which of them are facts.

Most attributes only choose things, in words and in goals; these are no part of a problem of planning. One that a
condition or an effect mentions, or that is sensed, becomes a predicate of two arguments, a thing and a value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from math import prod
from types import MappingProxyType

from domains.capability import effects_of, formulas_of
from domains.declarations import ObjectClass, PredicateModel
from domains.invariants.mentions import affordances_in, read_by
from domains.model import Domain
from domains.reader.formulas.plain import RESERVED
from domains.reader.formulas.scope import FormulaScope
from domains.reader.keys import MEASURES, open_table
from domains.reader.nodes.document import Node, Scalar
from domains.reader.nodes.fields import NUMBER, Field, Fields, entries
from semantics.body.layout import Shape
from semantics.errors import UsageError
from semantics.geometry.geometry import Vector
from semantics.logic.atoms import Atom, Formula
from semantics.logic.quantity import UNITS, Dimension, Quantity, QuantityError, units_of
from semantics.logic.vocabulary import Attribute, Attributes, AttributeValue, Predicate, Thing

_DIMENSIONS: Mapping[str, Dimension] = dict(
    zip(MEASURES, (Dimension.LENGTH, Dimension.LENGTH, Dimension.VOLUME, Dimension.MASS), strict=True)
)
_LITRES = 1000.0  # litres in a cubic metre


def read_attributes(node: Node | None, taken: Mapping[str, Collection[str]] | None = None) -> dict[str, Attribute]:
    """Read the attributes of a world, by name.

    Args:
        node: The section `attributes`.
        taken: Names that none may have, by what they name, such as ``predicate``; None where any name will do.
    """
    attributes: dict[str, Attribute] = {}
    for entry in entries(node, "attributes"):
        if taken is not None:
            check_name(entry.key, "attribute", taken)
        fields = open_table(entry.value, "attribute", f"attribute '{entry.key.text}'")
        listed = fields["values"].texts().values() if fields.get("values") is not None else ()
        values = tuple(Field(place, f"a value of {fields.what}").symbol() for place in listed)
        unit = fields["unit"].choice("unit", [unit for unit in UNITS if unit])
        _check_sort(fields, entry.key.text)
        attribute = Attribute(entry.key.text, values, _read_words(fields, values), unit if not values else "")
        attribute = replace(attribute, sensed=fields["sensed"].flag(), shown=_read_shown(fields, values))
        attributes[attribute.name] = _with_scale(attribute, fields)
    return attributes


def check_name(key: Scalar, what: str, taken: Mapping[str, Collection[str]] = MappingProxyType({})) -> None:
    """Report a name of a predicate, number or attribute that conditions cannot tell from what else they may state.

    Args:
        key: The name.
        what: What it names.
        taken: The names of other things, by what they name.
    """
    if key.text in RESERVED:
        message = f"'{key.text}' is a word of the language; expected another name for the {what}"
        key.report(message, "reserved-name", key.text)
    for kind, names in taken.items():
        if key.text in names:
            message = f"'{key.text}' is already a {kind}; expected another name for the {what}"
            key.report(message, "named-twice", key.text)


def _check_sort(fields: Fields, name: str) -> None:
    """Report keys of a number beside a list of values, and the reverse; and neither."""
    listed = fields.get("values") is not None
    if not listed and fields.get("unit") is None:
        message = f"{fields.what} has neither 'values' nor 'unit'; expected a list of values, or the unit of a number"
        fields.node.report(message, "missing-key", name)
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


def measured_class(object_class: ObjectClass, stated: Attributes, attributes: Mapping[str, Attribute]) -> ObjectClass:
    """Return a class with the values that are stated, and those of its solid."""
    shape = object_class.shape
    values = stated if shape is None else measured_values(attributes, shape.size, shape.mass, stated)
    colour = shown_colour(values, attributes)
    if shape is not None and colour is not None and shape.colour == Shape("", shape.size).colour:
        shape = replace(shape, colour=colour)
    return replace(object_class, attributes=values, shape=shape)


def with_attribute_names(scope: FormulaScope, attributes: Mapping[str, Attribute]) -> FormulaScope:
    """Return a scope in which conditions may state the values of things, and variables may range over values."""
    listed = {name: attribute for name, attribute in attributes.items() if not attribute.is_number}
    values: dict[str, list[str]] = {}
    for name, attribute in listed.items():
        for value in attribute.values:
            values.setdefault(value, []).append(name)
    return replace(
        scope,
        names={**values, **scope.names},
        predicates=None
        if scope.predicates is None
        else {**scope.predicates, **{name: ("object", name) for name in listed}},
        affordances=None if scope.affordances is None else (*scope.affordances, *listed),
    )


def with_planned_attributes(domain: Domain, section: Node | None) -> Domain:
    """Return a domain with the predicates and values of those attributes that its capabilities or definitions mention.

    Args:
        domain: A domain whose conditions may mention attributes.
        section: The section `attributes` of its file, for problems.
    """
    mentioned = {name for name, attribute in domain.attributes.items() if attribute.sensed}
    mentioned |= frozenset(_mentioned(domain)) & domain.attributes.keys()
    if not mentioned:
        return domain
    for entry in entries(section, "attributes"):
        if entry.key.text in mentioned and entry.key.text in {*domain.affordances, *domain.classes, *domain.kinds}:
            message = f"'{entry.key.text}' is already a class, a kind or an affordance, and capabilities ask for it"
            entry.key.report(f"{message}; expected another name for the attribute", "named-twice", entry.key.text)
    return _planned(domain, mentioned)


def with_asked_attributes(domain: Domain, goal: Formula) -> Domain:
    """Return a domain with the predicates and values of those attributes that a goal states, to write it as PDDL.

    Raises:
        UsageError: An attribute that the goal states has the name of a class, a kind or an affordance.
    """
    listed = {name for name, attribute in domain.attributes.items() if not attribute.is_number}
    asked = frozenset(_in([goal])) & listed - domain.predicates.keys()
    for name in sorted(asked & {*domain.affordances, *domain.classes, *domain.kinds}):
        raise UsageError(
            f"the attribute {name} is a class, a kind or an affordance too, so that a goal cannot state it"
        )
    return _planned(domain, asked) if asked else domain


def _planned(domain: Domain, names: Collection[str]) -> Domain:
    planned = {name: attribute for name, attribute in domain.attributes.items() if name in names}
    changed = {literal.atom.predicate for verb in domain.capabilities.values() for literal in effects_of(verb)}
    return replace(
        domain.with_classes(ObjectClass(name, frozenset({name}), abstract=True) for name in planned),
        affordances={**domain.affordances, **{name: f"it is a value of {name}" for name in planned}},
        predicates={**domain.predicates, **{name: _predicate(planned[name], changed) for name in planned}},
        constants={**domain.constants, **_value_things(planned)},
    )


def _predicate(attribute: Attribute, changed: Collection[str]) -> PredicateModel:
    name = attribute.name
    predicate = Predicate(name, ("object", name), f"the {name} of {{0}} is {{1}}", goal=name in changed)
    return PredicateModel(predicate, told=attribute.sensed)


def _value_things(planned: Mapping[str, Attribute]) -> dict[str, Thing]:
    """Return the values as things; one that several attributes have belongs to the class of the first."""
    things: dict[str, Thing] = {}
    for name, attribute in planned.items():
        for value in attribute.values:
            before = things.get(value, Thing(value, name, frozenset()))
            things[value] = replace(before, affordances=before.affordances | {name})
    return things


def _mentioned(domain: Domain) -> Iterator[str]:
    """Yield every predicate and affordance that capabilities and definitions mention."""
    for capability in domain.capabilities.values():
        yield from (template.predicate for template in capability.precondition)
        yield from (literal.atom.predicate for literal in effects_of(capability))
        yield from (affordance for parameter in capability.parameters for affordance in parameter.affordances)
        yield from (variable.affordance for effect in capability.conditional for variable in effect.variables)
        yield from _in(formula for _, formula in formulas_of(capability))
    for derived in domain.derived.values():
        yield from (variable.affordance for variable in derived.variables)
        yield from _in(derived.bodies)


def _in(formulas: Iterable[Formula]) -> Iterator[str]:
    for formula in formulas:
        yield from read_by(formula)
        yield from affordances_in(formula)


def attribute_facts(domain: Domain, things: Mapping[str, Thing]) -> Iterator[Atom]:
    """Yield the values of things as facts, for the attributes that planning asks for."""
    for name, thing in things.items():
        for attribute, value in thing.attributes:
            if attribute in domain.predicates:
                yield Atom(attribute, (name, str(value)))


def as_known(things: Mapping[str, Thing], domain: Domain) -> dict[str, Thing]:
    """Return things without the values that are unknown until a body tells them."""
    sensed = {name for name, attribute in domain.attributes.items() if attribute.sensed}
    if not sensed:
        return dict(things)
    return {
        name: replace(thing, attributes=tuple(pair for pair in thing.attributes if pair[0] not in sensed))
        for name, thing in things.items()
    }
