"""Attributes that capabilities ask for or that a body tells: these are facts, and their values are things.

Most attributes only choose things, in words and in goals; these are no part of a problem of planning. One that a
condition or an effect mentions, or that is sensed, becomes a predicate of two arguments, a thing and a value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from domains.declarations import ObjectClass, PredicateModel
from domains.invariants.mentions import affordances_in, effects_of, formulas_of, read_by
from domains.model import Domain
from domains.reader.formulas.scope import FormulaScope
from domains.reader.nodes.document import Node
from domains.reader.nodes.fields import entries
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Formula
from semantics.logic.vocabulary import Attribute, Predicate, Thing


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
        constants={**domain.constants, **_values(planned)},
    )


def _predicate(attribute: Attribute, changed: Collection[str]) -> PredicateModel:
    name = attribute.name
    predicate = Predicate(name, ("object", name), f"the {name} of {{0}} is {{1}}", goal=name in changed)
    return PredicateModel(predicate, told=attribute.sensed)


def _values(planned: Mapping[str, Attribute]) -> dict[str, Thing]:
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
