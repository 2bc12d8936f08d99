"""The readers of capabilities, with conditions and effects over their parameters, and of agents."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from domains.capability import split_condition
from domains.conventions import STANDARD, Conventions
from domains.model import AgentModel, Capability, Domain, NumericFluent, ObjectClass, Parameter, Template
from domains.reader.formulas.conditions import read_condition, read_effects, read_expression
from domains.reader.formulas.scope import FormulaScope
from domains.reader.keys import open_table
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode, value_of
from domains.reader.nodes.fields import Field, Fields, entries
from domains.reader.predicates import ANYTHING
from domains.relations import MADE, is_chosen, rest_of
from semantics.geometry.relations import SEEN_FROM
from semantics.logic.atoms import Atom, Expression
from semantics.logic.place_value import PlaceKind, PlaceModel
from semantics.logic.quantity import UNITS, ValueModel, units_of

LONGEST_DURATION = 1e6
MOST_COST = 1e6
SETS_DOWN = "put"  # the motion that can make a relation true


def read_capabilities(node: Node | None, scope: FormulaScope, derived: Collection[str]) -> dict[str, Capability]:
    """Read the capabilities by name.

    Args:
        node: The section.
        scope: Constants, predicates, numbers and affordances.
        derived: Predicates that no effect may change.
    """
    section = tuple(entries(node, "capabilities"))
    capabilities = {entry.key.text: _read_capability(entry, scope, derived) for entry in section}
    _check_aliases(section, capabilities)
    _check_otherwise(section, capabilities)
    return capabilities


def _read_capability(entry: Entry, scope: FormulaScope, derived: Collection[str]) -> Capability:
    what = f"capability '{entry.key.text}'"
    fields = open_table(entry.value, "capability", what)
    agentless = bool(fields["agent"].choice("value", ("none",)))
    parameters = _read_parameters(fields, scope.affordances)
    if not parameters and "parameters" in fields.values and not agentless:
        message = f"{what} has no parameters; expected the agent first"
        fields.values["parameters"].report(message, "no-agent-parameter", entry.key.text)
    constants = {name: affordances for name, affordances in scope.names.items() if not name.startswith("?")}
    own = scope.of_parameters(parameters)
    inner = replace(scope, names=own | constants)
    before = split_condition(read_condition(fields["precondition"], inner), own)
    _check_signs(before.literals, fields["precondition"])
    effects = read_effects(fields["effect"], inner, derived)
    _check_signs(effects.plain.literals, fields["effect"])
    cost, cost_by = _read_cost(fields["cost"], inner)
    capability = Capability(
        name=entry.key.text,
        parameters=parameters,
        precondition=before.literals,
        effect=effects.plain.literals,
        distinct=tuple(dict.fromkeys((*_read_distinct(fields, parameters), *before.distinct))),
        cost=cost,
        cost_by=cost_by,
        condition=before.condition,
        conditional=effects.conditional,
        numeric=effects.plain.numeric,
        agentless=agentless,
        say=_read_sentence(fields["say"], parameters),
        beside=fields["beside"].known("affordance", scope.affordances),
    )
    if "roles" in fields.values and "primitive" not in fields.values:
        message = f"{what} has roles and no 'primitive'; expected the motion they belong to"
        fields.values["roles"].report(message, "keys-contradict")
    return embodied(capability, fields, constants)


def embodied(capability: Capability, fields: Fields, constants: Collection[str]) -> Capability:
    """Return a capability with the motion, duration, resources and aliases of its table; `constants` may fill roles."""
    names = [parameter.name for parameter in capability.parameters]
    kind = "parameter or constant" if constants else "parameter"
    values = sorted(_read_values(fields), key=lambda model: model.name)
    return replace(
        capability,
        primitive=fields["primitive"].symbol(),
        roles={
            key.text: Field(value, f"role '{key.text}'").choice(kind, [*names, *constants])
            for key, value in fields.entries("roles")
        },
        duration=fields["duration"].number(None, 0.0, LONGEST_DURATION),
        resources=fields["resources"].known("parameter", names),
        aliases=tuple(fields["aliases"].texts()),
        otherwise=tuple(fields["otherwise"].texts()),
        values=tuple(model for model in values if isinstance(model, ValueModel)),
        relations=_read_relations(fields["relations"]),
        places=tuple(model for model in values if isinstance(model, PlaceModel)),
    )


def _read_values(fields: Fields) -> Iterator[ValueModel | PlaceModel]:
    """Read what a capability takes beside things: numbers, and points or regions, by a word or the key `place`."""
    parameters, kinds = value_of(fields.node, "parameters"), [kind.value for kind in PlaceKind]
    for key, node in fields.entries("values"):
        what = f"value '{key.text}'"
        if value_of(parameters, key.text) is not None:
            key.report(f"{what} is a parameter too; expected another name", "named-twice", key.text)
        if isinstance(node, Scalar):
            yield PlaceModel(key.text, PlaceKind(Field(node, what).choice("kind of place", kinds) or kinds[-1]))
            continue
        inner = open_table(node, "value", what)
        if "place" not in inner.values:
            yield _read_number(key.text, inner)
            continue
        kind = PlaceKind(inner["place"].choice("kind of place", kinds) or kinds[-1])
        for other in inner.values.keys() - {"place", "by"}:
            message = f"{what} is a {kind}, which has no '{other}'; expected 'place' and perhaps 'by'"
            inner.values[other].report(message, "keys-contradict", other)
        yield PlaceModel(key.text, kind, inner["by"].symbol())


def _read_number(name: str, fields: Fields) -> ValueModel:
    """Read a number that a capability takes; an underscore in a word for it stands for a space."""
    unit = fields["unit"].choice("unit", [unit for unit in UNITS if unit])
    low, high = fields["range"].numbers(2) if "range" in fields.values else (-math.inf, math.inf)
    default_node = fields["default"].node
    is_all = isinstance(default_node, Scalar) and default_node.text == "all"
    default = None if is_all else fields["default"].number(None, min(low, high), max(low, high))
    if low >= high:
        fields.node.report(f"the range of {fields.what} is empty: {low:g} to {high:g}", "out-of-range")
        low, high = high, low
    stated = {
        key: Field(node, f"what '{key.text}' means").number(None, low, high) for key, node in fields.entries("words")
    }
    words = {key.text.replace("_", " "): number for key, number in stated.items() if number is not None}
    number = fields["number"].symbol()
    if number and default is not None:
        message = f"{fields.what} stands for the number {number}, whose value it has by default; expected no 'default'"
        fields.values["default"].report(message, "keys-contradict", "default")
    return ValueModel(name, unit, low, high, default, words, number)


def check_values(
    node: Node | None, capabilities: Mapping[str, Capability], fluents: Mapping[str, NumericFluent]
) -> None:
    """Report values that stand for no number or another measure, and places that a wrong capability stands in for."""
    plain = {name: fluent for name, fluent in fluents.items() if not fluent.parameters}
    for entry in entries(node, "capabilities"):
        own, tables = capabilities[entry.key.text], value_of(entry.value, "values")
        models = {model.name: model for model in own.values}
        for key, table in tables.entries if isinstance(tables, TableNode) else ():
            number, by = value_of(table, "number"), value_of(table, "by")
            if number is not None and key.text in models:
                _check_measure(models[key.text], number, plain)
            if isinstance(by, Scalar):
                _check_deputy(own, key.text, by, capabilities)


def _check_measure(model: ValueModel, number: Node, plain: Mapping[str, NumericFluent]) -> None:
    if model.number not in plain:
        number.unknown("number without parameters", model.number, plain)
    elif (unit := plain[model.number].unit) not in units_of(model.dimension):
        message = f"the number {model.number} is in '{unit}', and value '{model.name}' in {model.unit}"
        number.report(f"{message}; expected {' or '.join(units_of(model.dimension))}", "keys-contradict")


def _check_deputy(own: Capability, place: str, by: Scalar, capabilities: Mapping[str, Capability]) -> None:
    """Report the capability that does another one at a place said, if it lacks what the other one would give it."""
    other = capabilities.get(by.text)
    if other is None:
        by.unknown("capability", by.text, capabilities)
    elif place not in {model.name for model in other.places}:
        message = f"'{by.text}' takes no place '{place}'; expected one that does"
        by.report(message, "keys-contradict", by.text)
    elif not {each.name for each in other.parameters} < {each.name for each in own.parameters}:
        message = f"'{by.text}' has not fewer parameters of the same names as '{own.name}'"
        by.report(f"{message}; expected one that has", "keys-contradict", by.text)


def _check_signs(templates: Collection[Template], field: Field) -> None:
    for template in templates:
        if template.positive and replace(template, positive=False) in templates and field.node is not None:
            fact = Atom(template.predicate, template.args)
            message = f"{field.what} has both {fact} and its negation; expected one of them"
            field.node.report(message, "contradiction", str(fact))


def _read_cost(field: Field, scope: FormulaScope) -> tuple[int, Expression | None]:
    """Read a number, or an expression that depends on the arguments; what is no whole number is an expression."""
    node = field.node
    if node is None or (isinstance(node, Scalar) and not node.text.startswith("(")):
        cost = field.number(1.0, 0, MOST_COST)
        return (int(cost), None) if cost == int(cost) else (1, cost)
    if isinstance(node, Listing):
        message = f"{field.what} is a list; expected a number such as 3 or (distance ?from ?to)"
        node.report(message, "not-a-number")
        return 1, None
    return 1, read_expression(field, scope)


def _read_sentence(say: Field, parameters: tuple[Parameter, ...]) -> str:
    sentence = say.text()
    slots = say.slots(sentence)
    names = [parameter.name for parameter in parameters]
    for slot in slots or ():
        if slot not in names and say.node is not None:
            say.node.unknown("parameter", slot, names)
    return sentence if slots is not None else ""


def _check_otherwise(section: Iterable[Entry], capabilities: Mapping[str, Capability]) -> None:
    """Report what does not do as well as a capability whose `otherwise` it is."""
    for entry in section:
        capability = capabilities[entry.key.text]
        if not capability.otherwise:
            continue
        name, *args = capability.otherwise
        other, own = capabilities.get(name), {parameter.name: parameter for parameter in capability.parameters}
        if other is None:
            entry.value.unknown("capability", name, capabilities)
        elif len(args) != len(other.parameters) or not own.keys() >= set(args):
            form = " ".join((name, *(parameter.name for parameter in other.parameters)))
            message = f"'otherwise' of '{entry.key.text}' is not ({form}) with parameters of it"
            entry.value.report(message, "wrong-arity", name)
        elif not set(other.bound(args).precondition) <= set(capability.precondition):
            message = (
                f"'{name}' asks for more than '{entry.key.text}'; expected a capability that is applicable with it"
            )
            entry.value.report(message, "keys-contradict", name)


def _check_aliases(section: Iterable[Entry], capabilities: Mapping[str, Capability]) -> None:
    taken = dict.fromkeys(capabilities, "a capability")
    for entry in section:
        aliases = value_of(entry.value, "aliases")
        for item in aliases.items if isinstance(aliases, Listing) else (aliases,):
            if isinstance(item, Scalar):
                alias = Field(item, f"an alias of capability '{entry.key.text}'").symbol()
                if alias in taken:
                    message = f"'{alias}' is already the name of {taken[alias]}; expected another alias"
                    item.report(message, "named-twice", alias)
                taken.setdefault(alias, f"capability '{entry.key.text}'")


def _read_parameters(fields: Fields, affordances: Collection[str] | None) -> tuple[Parameter, ...]:
    valid = None if affordances is None else (*affordances, ANYTHING)
    parameters: list[Parameter] = []
    for key, value in fields.entries("parameters"):
        if isinstance(value, Listing) and not value.items:
            message = f"parameter '{key.text}' has no affordance; expected one, or {ANYTHING}"
            value.report(message, "empty-section", key.text)
        asked = Field(value, f"parameter '{key.text}'").known("affordance", valid)
        parameters.append(Parameter(key.text, asked))
    return tuple(parameters)


def _read_distinct(fields: Fields, parameters: tuple[Parameter, ...]) -> tuple[tuple[str, str], ...]:
    field = fields["distinct"]
    names = [parameter.name for parameter in parameters]
    pairs: list[tuple[str, str]] = []
    for item in field.node.items if isinstance(field.node, Listing) else (field.node,):
        if item is not None and (not isinstance(item, Listing) or len(item.items) != 2):
            item.report(f"{field.what} holds no pair; expected such as [[start, end]]", "wrong-kind")
            break
        pair = Field(item, f"a pair of {field.what}").known("parameter", names)
        if len(pair) == 2:
            pairs.append((pair[0], pair[1]))
    return tuple(pairs)


def read_agents(
    node: Node | None,
    classes: Mapping[str, ObjectClass],
    capabilities: Mapping[str, Capability],
    conventions: Conventions,
) -> dict[str, AgentModel]:
    """Read the agents by class name; each class must have the affordance of agents in this world."""
    actor = conventions.actor or STANDARD.actor
    agents: dict[str, AgentModel] = {}
    for entry in entries(node, "agents"):
        name = entry.key.text
        if name not in classes:
            entry.key.unknown("class", name, classes)
        elif actor not in classes[name].affordances:
            message = f"class '{name}' does not afford {actor}; expected that of an agent"
            entry.key.report(message, "lacks-affordance")
        fields = open_table(entry.value, "agent", f"agent '{name}'")
        listed = fields.get("capabilities")
        if isinstance(listed, Scalar) and listed.text == "all":
            able = frozenset(capabilities)
        elif isinstance(listed, Listing) and not listed.items:
            able = frozenset()
        else:
            able = frozenset(fields["capabilities"].known("capability", capabilities))
        agents[name] = AgentModel(name, able, fields["cost"].whole(1))
    return agents


def _read_relations(field: Field) -> tuple[str, ...]:
    """Read a list of relations, or the word ``all``; one with a direction may always name its viewer, too."""
    if isinstance(field.node, Scalar) and field.node.text == "all":
        return tuple(MADE)
    listed = field.known("relation", MADE)
    return tuple(dict.fromkeys((*listed, *(twin for twin, relation in SEEN_FROM.items() if relation in listed))))


def check_relations(node: Node | None, domain: Domain) -> None:
    """Report capabilities with relations that set nothing down, and names that the relations need."""
    for entry in entries(node, "capabilities"):
        verb = domain.capabilities[entry.key.text]
        place = value_of(entry.value, "relations")
        if place is None or not verb.relations:
            continue
        what = f"capability '{verb.name}'"
        if verb.primitive != SETS_DOWN or not {"object", "target"} <= verb.roles.keys():
            message = f"{what} has relations; expected the primitive {SETS_DOWN} with the roles object and target"
            place.report(message, "keys-contradict", "relations")
        elif rest_of(verb, domain.predicates) is None and is_chosen(verb, "target"):
            message = (
                f"{what} has relations, and no effect says where its object rests; "
                f"expected a predicate that is sensed as on, in or lies, of object and target"
            )
            place.report(message, "keys-contradict", "relations")
        for relation in verb.relations:
            name = f"{verb.name}_{relation}"
            if name in domain.capabilities:
                message = f"'{name}' is the action that sets down so that {relation} holds"
                place.report(f"{message}; expected another name there", "named-twice", name)
