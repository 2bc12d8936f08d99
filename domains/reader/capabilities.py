"""The readers of capabilities, with conditions and effects over their parameters, and of agents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from string import Formatter

from domains.conventions import STANDARD, Conventions
from domains.model import AgentModel, Capability, ObjectClass, Parameter, Template
from domains.reader.formulas.conditions import read_condition, read_expression
from domains.reader.formulas.effects import read_effects
from domains.reader.formulas.scope import FormulaScope
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, value_of
from domains.reader.nodes.fields import (
    NUMBER,
    Fields,
    choice,
    entries,
    is_empty,
    known,
    number,
    symbol,
    text,
    texts,
    whole,
)
from domains.reader.predicates import ANYTHING
from semantics.atoms import And, Atom, Equal, Expression, Formula, Not

__all__ = ["read_agents", "read_capabilities"]

LONGEST_DURATION = 1e6


def read_capabilities(
    node: Node | None, scope: FormulaScope, derived: Collection[str], diagnostics: Diagnostics
) -> dict[str, Capability]:
    """Read the capabilities by name.

    Args:
        node: The section.
        scope: Constants, predicates, numbers and affordances.
        derived: Predicates that no effect may change.
        diagnostics: Receives the problems of the file.
    """
    capabilities = {
        entry.key.text: _read_capability(entry, scope, derived, diagnostics)
        for entry in entries(node, "capabilities", diagnostics)
    }
    _check_aliases(node, capabilities, diagnostics)
    return capabilities


def _read_capability(
    entry: Entry, scope: FormulaScope, derived: Collection[str], diagnostics: Diagnostics
) -> Capability:
    what = f"capability '{entry.key.text}'"
    fields = open_table(entry.value, "capability", what, diagnostics)
    agentless = bool(choice(fields.get("agent"), "value", ("none",), f"'agent' of {what}", diagnostics))
    parameters = _read_parameters(fields.get("parameters"), scope.affordances, what, diagnostics)
    if not parameters and "parameters" in fields.values and not agentless:
        message = f"{what} has no parameters; expected the agent first"
        diagnostics.add(fields.values["parameters"].mark, message, "no-agent-parameter", entry.key.text)
    constants = {name: affordances for name, affordances in scope.names.items() if not name.startswith("?")}
    inner = FormulaScope(
        {f"?{parameter.name}": parameter.affordances for parameter in parameters} | constants,
        scope.predicates,
        scope.fluents,
        scope.affordances,
    )
    before = _read_precondition(fields, inner, diagnostics)
    effects = read_effects(fields.get("effect"), inner, derived, f"the effect of {what}", diagnostics)
    _check_signs(effects.literals, fields.get("effect"), f"the effect of {what}", diagnostics)
    cost, cost_by = _read_cost(fields, inner, diagnostics)
    return Capability(
        name=entry.key.text,
        parameters=parameters,
        precondition=before.literals,
        effect=effects.literals,
        distinct=tuple(dict.fromkeys((*_read_distinct(fields, parameters, diagnostics), *before.distinct))),
        primitive=symbol(fields.get("primitive"), f"the primitive of {what}", diagnostics),
        roles=_read_roles(fields, parameters, diagnostics),
        cost=cost,
        cost_by=cost_by,
        condition=before.condition,
        conditional=effects.conditional,
        numeric=effects.numeric,
        agentless=agentless,
        duration=_read_duration(fields, diagnostics),
        resources=_read_resources(fields, parameters, diagnostics),
        say=_read_sentence(fields, parameters, diagnostics),
        aliases=tuple(name for name, _ in texts(fields.get("aliases"), f"the aliases of {what}", diagnostics)),
    )


def _read_duration(fields: Fields, diagnostics: Diagnostics) -> float | None:
    node, what = fields.get("duration"), f"the duration of {fields.what}"
    return None if node is None else number(node, what, diagnostics, 0.0, 0.0, LONGEST_DURATION)


@dataclass(frozen=True, slots=True)
class _Precondition:
    """The parts of a precondition."""

    literals: tuple[Template, ...]
    distinct: tuple[tuple[str, str], ...]
    condition: Formula | None


def _read_precondition(fields: Fields, scope: FormulaScope, diagnostics: Diagnostics) -> _Precondition:
    what = f"the precondition of {fields.what}"
    literals: dict[Template, None] = {}
    distinct: list[tuple[str, str]] = []
    rest: list[Formula] = []
    for part in read_condition(fields.get("precondition"), scope, what, diagnostics):
        match part:
            case Atom(predicate, args):
                literals[Template(predicate, args)] = None
            case Not(Atom(predicate, args)):
                literals[Template(predicate, args, False)] = None
            case Not(Equal(left, right)) if left[0] == right[0] == "?":
                distinct.append((left[1:], right[1:]))
            case _:
                rest.append(part)
    _check_signs(literals, fields.get("precondition"), what, diagnostics)
    condition = And(tuple(rest)) if len(rest) > 1 else next(iter(rest), None)
    return _Precondition(tuple(literals), tuple(distinct), condition)


def _check_signs(templates: Collection[Template], node: Node | None, what: str, diagnostics: Diagnostics) -> None:
    for template in templates:
        if template.positive and Template(template.predicate, template.args, False) in templates and node is not None:
            fact = Atom(template.predicate, template.args)
            message = f"{what} has both {fact} and its negation; expected one of them"
            diagnostics.add(node.mark, message, "contradiction", str(fact))


def _read_cost(fields: Fields, scope: FormulaScope, diagnostics: Diagnostics) -> tuple[int, Expression | None]:
    """Read a whole number, or an expression that depends on the arguments."""
    node, what = fields.get("cost"), f"the cost of {fields.what}"
    is_plain = node is None or is_empty(node) or (isinstance(node, Scalar) and not node.text.startswith("("))
    if is_plain or (isinstance(node, Scalar) and NUMBER.fullmatch(node.text)):
        return whole(node, what, diagnostics, 1), None
    if isinstance(node, Listing):
        diagnostics.add(
            node.mark, f"{what} is a list; expected a number such as 3 or (distance ?from ?to)", "not-a-number"
        )
    if node is None or isinstance(node, Listing):
        return 1, None
    return 1, read_expression(node, scope, what, diagnostics)


def _read_resources(fields: Fields, parameters: tuple[Parameter, ...], diagnostics: Diagnostics) -> tuple[str, ...]:
    names = [parameter.name for parameter in parameters]
    return known(fields.get("resources"), "parameter", names, f"the resources of {fields.what}", diagnostics)


def _read_sentence(fields: Fields, parameters: tuple[Parameter, ...], diagnostics: Diagnostics) -> str:
    node, what = fields.get("say"), f"'say' of {fields.what}"
    sentence = text(node, what, diagnostics)
    if node is None:
        return sentence
    try:
        slots = [slot for _, slot, _, _ in Formatter().parse(sentence) if slot is not None]
    except ValueError as exc:
        diagnostics.add(node.mark, f"{what} cannot be filled in: {exc}", "bad-sentence")
        return ""
    names = [parameter.name for parameter in parameters]
    for slot in dict.fromkeys(slots):
        if slot not in names:
            diagnostics.unknown(node.mark, "parameter", slot, names)
    return sentence


def _check_aliases(node: Node | None, capabilities: Mapping[str, Capability], diagnostics: Diagnostics) -> None:
    """Report aliases that are invalid or already used."""
    taken = dict.fromkeys(capabilities, "a capability")
    for entry in entries(node, "capabilities", Diagnostics("")):
        aliases = value_of(entry.value, "aliases")
        for item in aliases.items if isinstance(aliases, Listing) else (aliases,):
            if isinstance(item, Scalar):
                alias = symbol(item, f"an alias of capability '{entry.key.text}'", diagnostics)
                if alias in taken:
                    message = f"'{alias}' is already the name of {taken[alias]}; expected another alias"
                    diagnostics.add(item.mark, message, "named-twice", alias)
                taken.setdefault(alias, f"capability '{entry.key.text}'")


def _read_parameters(
    node: Node | None, affordances: Collection[str] | None, what: str, diagnostics: Diagnostics
) -> tuple[Parameter, ...]:
    valid = None if affordances is None else (*affordances, ANYTHING)
    parameters: list[Parameter] = []
    for key, value in entries(node, f"the parameters of {what}", diagnostics):
        if isinstance(value, Listing) and not value.items:
            message = f"parameter '{key.text}' has no affordance; expected one, or {ANYTHING}"
            diagnostics.add(value.mark, message, "empty-section", key.text)
        parameters.append(
            Parameter(key.text, known(value, "affordance", valid, f"parameter '{key.text}'", diagnostics))
        )
    return tuple(parameters)


def _read_distinct(
    fields: Fields, parameters: tuple[Parameter, ...], diagnostics: Diagnostics
) -> tuple[tuple[str, str], ...]:
    node = fields.get("distinct")
    if node is None:
        return ()
    names = [parameter.name for parameter in parameters]
    pairs: list[tuple[str, str]] = []
    for item in node.items if isinstance(node, Listing) else (node,):
        if not isinstance(item, Listing) or len(item.items) != 2:
            diagnostics.add(
                item.mark, f"'distinct' of {fields.what} holds no pair; expected such as [[start, end]]", "wrong-kind"
            )
            break
        pair = known(item, "parameter", names, f"a pair of 'distinct' of {fields.what}", diagnostics)
        if len(pair) == 2:
            pairs.append((pair[0], pair[1]))
    return tuple(pairs)


def _read_roles(fields: Fields, parameters: tuple[Parameter, ...], diagnostics: Diagnostics) -> dict[str, str]:
    names = [parameter.name for parameter in parameters]
    node = fields.get("roles")
    roles: dict[str, str] = {}
    for key, value in entries(node, f"the roles of {fields.what}", diagnostics):
        roles[key.text] = choice(value, "parameter", names, f"role '{key.text}'", diagnostics)
    if node is not None and fields.get("primitive") is None:
        diagnostics.add(
            node.mark,
            f"{fields.what} has roles and no 'primitive'; expected the motion they belong to",
            "keys-contradict",
        )
    return roles


def read_agents(
    node: Node | None,
    classes: Mapping[str, ObjectClass],
    capabilities: Mapping[str, Capability],
    conventions: Conventions,
    diagnostics: Diagnostics,
) -> dict[str, AgentModel]:
    """Read the agents by class name; each class must have the affordance of agents in this world."""
    actor = conventions.actor or STANDARD.actor
    agents: dict[str, AgentModel] = {}
    for entry in entries(node, "agents", diagnostics):
        name = entry.key.text
        if name not in classes:
            diagnostics.unknown(entry.key.mark, "class", name, classes)
        elif actor not in classes[name].affordances:
            diagnostics.add(
                entry.key.mark, f"class '{name}' does not afford {actor}; expected that of an agent", "lacks-affordance"
            )
        agents[name] = _read_agent(entry, capabilities, diagnostics)
    return agents


def _read_agent(entry: Entry, capabilities: Mapping[str, Capability], diagnostics: Diagnostics) -> AgentModel:
    what = f"agent '{entry.key.text}'"
    fields = open_table(entry.value, "agent", what, diagnostics)
    node = fields.get("capabilities")
    if isinstance(node, Scalar) and node.text == "all":
        able = frozenset(capabilities)
    elif isinstance(node, Listing) and not node.items:
        able = frozenset()
    else:
        able = frozenset(known(node, "capability", capabilities, f"the capabilities of {what}", diagnostics))
    return AgentModel(entry.key.text, able, whole(fields.get("cost"), f"the cost of {what}", diagnostics, 1))
