"""Capabilities: what agents can do, with conditions and effects over their parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from domains.model import AgentModel, Capability, ObjectClass, Parameter, PredicateModel
from domains.reading.nodes.complaints import Complaints
from domains.reading.nodes.document import Entry, Listing, Node, Scalar
from domains.reading.nodes.fields import Fields, choice, entries, known, open_fields, symbol, whole
from domains.reading.templates import read_literals

__all__ = ["ANYTHING", "read_agents", "read_capabilities"]

ANYTHING = "object"
"""The affordance that everything has."""

REQUIRED = ("parameters", "precondition", "effect")
OPTIONAL = ("distinct", "primitive", "roles", "cost")


def read_capabilities(
    node: Node | None,
    affordances: Collection[str] | None,
    predicates: Mapping[str, PredicateModel] | None,
    complaints: Complaints,
) -> dict[str, Capability]:
    """Read the capabilities by name."""
    return {
        entry.key.text: _read_capability(entry, affordances, predicates, complaints)
        for entry in entries(node, "capabilities", complaints)
    }


def _read_capability(
    entry: Entry,
    affordances: Collection[str] | None,
    predicates: Mapping[str, PredicateModel] | None,
    complaints: Complaints,
) -> Capability:
    what = f"capability '{entry.key.text}'"
    fields = open_fields(entry.value, what, complaints, required=REQUIRED, optional=OPTIONAL)
    parameters = _read_parameters(fields.get("parameters"), affordances, what, complaints)
    if not parameters and "parameters" in fields.values:
        complaints.add(fields.values["parameters"].mark, f"{what} has no parameters; expected the agent first")
    names = {f"?{parameter.name}": parameter.affordances for parameter in parameters}
    return Capability(
        name=entry.key.text,
        parameters=parameters,
        precondition=read_literals(
            fields.get("precondition"), names, predicates, f"the precondition of {what}", complaints
        ),
        effect=read_literals(fields.get("effect"), names, predicates, f"the effect of {what}", complaints),
        distinct=_read_distinct(fields, parameters, complaints),
        primitive=symbol(fields.get("primitive"), f"the primitive of {what}", complaints),
        roles=_read_roles(fields, parameters, complaints),
        cost=whole(fields.get("cost"), f"the cost of {what}", complaints, 1),
    )


def _read_parameters(
    node: Node | None, affordances: Collection[str] | None, what: str, complaints: Complaints
) -> tuple[Parameter, ...]:
    valid = None if affordances is None else (*affordances, ANYTHING)
    parameters: list[Parameter] = []
    for key, value in entries(node, f"the parameters of {what}", complaints):
        if isinstance(value, Listing) and not value.items:
            complaints.add(value.mark, f"parameter '{key.text}' has no affordance; expected one, or {ANYTHING}")
        parameters.append(Parameter(key.text, known(value, "affordance", valid, f"parameter '{key.text}'", complaints)))
    return tuple(parameters)


def _read_distinct(
    fields: Fields, parameters: tuple[Parameter, ...], complaints: Complaints
) -> tuple[tuple[str, str], ...]:
    node = fields.get("distinct")
    if node is None:
        return ()
    names = [parameter.name for parameter in parameters]
    pairs: list[tuple[str, str]] = []
    for item in node.items if isinstance(node, Listing) else (node,):
        if not isinstance(item, Listing) or len(item.items) != 2:
            complaints.add(item.mark, f"'distinct' of {fields.what} holds no pair; expected such as [[start, end]]")
            break
        found = known(item, "parameter", names, f"a pair of 'distinct' of {fields.what}", complaints)
        if len(found) == 2:
            pairs.append((found[0], found[1]))
    return tuple(pairs)


def _read_roles(fields: Fields, parameters: tuple[Parameter, ...], complaints: Complaints) -> dict[str, str]:
    names = [parameter.name for parameter in parameters]
    node = fields.get("roles")
    roles: dict[str, str] = {}
    for key, value in entries(node, f"the roles of {fields.what}", complaints):
        roles[key.text] = choice(value, "parameter", names, f"role '{key.text}'", complaints)
    if node is not None and fields.get("primitive") is None:
        complaints.add(node.mark, f"{fields.what} has roles and no 'primitive'; expected the motion they belong to")
    return roles


def read_agents(
    node: Node | None,
    classes: Mapping[str, ObjectClass],
    capabilities: Mapping[str, Capability],
    complaints: Complaints,
) -> dict[str, AgentModel]:
    """Read the agents by class name."""
    agents: dict[str, AgentModel] = {}
    for entry in entries(node, "agents", complaints):
        name = entry.key.text
        if name not in classes:
            complaints.unknown(entry.key.mark, "class", name, classes)
        elif "actor" not in classes[name].affordances:
            complaints.add(entry.key.mark, f"class '{name}' does not afford actor; expected that of an agent")
        agents[name] = _read_agent(entry, capabilities, complaints)
    return agents


def _read_agent(entry: Entry, capabilities: Mapping[str, Capability], complaints: Complaints) -> AgentModel:
    what = f"agent '{entry.key.text}'"
    fields = open_fields(entry.value, what, complaints, required=("capabilities",), optional=("cost",))
    node = fields.get("capabilities")
    if isinstance(node, Scalar) and node.text == "all":
        able = frozenset(capabilities)
    elif isinstance(node, Listing) and not node.items:
        able = frozenset()
    else:
        able = frozenset(known(node, "capability", capabilities, f"the capabilities of {what}", complaints))
    return AgentModel(entry.key.text, able, whole(fields.get("cost"), f"the cost of {what}", complaints, 1))
