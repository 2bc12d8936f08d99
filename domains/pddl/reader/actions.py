"""The readers of actions, as capabilities without an agent, and of derived predicates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from domains.capability import Capability, Parameter, split_condition
from domains.diagnostics import expected
from domains.model import DerivedPredicate
from domains.pddl.reader.conditions import TRUE, Conditions
from domains.pddl.reader.document import Document, shown
from domains.pddl.reader.durative import DURATIVE_PARTS, read_duration, read_timed
from domains.pddl.reader.effects import EffectsReader, ParsedEffects
from domains.pddl.reader.names import BoundVariable, PddlNames, Scope, plain_name
from semantics.logic.atoms import And, Equal, Exists, Formula, Variable, conjoined
from semantics.logic.parsing import Group, Node, Word

PARTS = (":parameters", ":precondition", ":effect")


def read_action(names: PddlNames, section: Group, derived: Collection[str], *, counted: bool) -> Capability | None:
    """Read an action; None when it has no name.

    Args:
        names: The declarations of the domain.
        section: ``(:action name …)`` or ``(:durative-action name …)``.
        derived: Predicates that no effect may change.
        counted: Whether the domain has costs, so that an action without one costs nothing.
    """
    document = names.document
    if len(section.items) < 2:
        document.report(section, "an action without a name", "name")
        return None
    name = plain_name(document, section.items[1], "an action")
    lasts = section.head == ":durative-action"
    parts = _parts(document, section.items[2:], DURATIVE_PARTS if lasts else PARTS, f"action '{name}'")
    conditions = Conditions(names)
    if ":parameters" not in parts:
        message = f"action '{name}' has no :parameters; read as ()"
        document.warn(section.items[1], message, "missing-parameters", name)
    written = parts.get(":parameters", Group((), section.offset, section.end))
    scope = conditions.variables(written, {}, f"the parameters of '{name}'")
    duration = None
    if lasts:
        names.needs(":durative-actions", section.items[0])
        duration = read_duration(document, section, parts.get(":duration"))
        condition, effects = read_timed(conditions, derived, parts, scope)
    else:
        condition, effects = _at_once(conditions, derived, parts, scope)
    if ":effect" not in parts:
        document.warn(section.items[1], f"action '{name}' has no :effect, so it does nothing", "missing-effect", name)
    conditions.unused(scope, "unused-parameter")
    capability = _capability(names, name, scope.values(), condition, effects, counted=counted)
    return replace(capability, duration=duration) if name else None


def _at_once(
    conditions: Conditions, derived: Collection[str], parts: Mapping[str, Node], scope: Scope
) -> tuple[Formula, ParsedEffects]:
    """Return the condition and the effect of an action without a duration."""
    condition = conditions.formula(parts[":precondition"], scope) if ":precondition" in parts else TRUE
    reader = EffectsReader(conditions, derived)
    return condition, reader.read(parts[":effect"], scope) if ":effect" in parts else ParsedEffects()


def _parts(document: Document, items: Sequence[Node], valid: tuple[str, ...], what: str) -> dict[str, Node]:
    """Read ``:keyword value`` pairs."""
    parts: dict[str, Node] = {}
    at = 0
    while at < len(items):
        key = items[at]
        if not isinstance(key, Word) or not key.text.startswith(":"):
            document.report(key, f"'{shown(key)}' in {what}; expected {', '.join(valid)}", "unknown-keyword")
            at += 1
            continue
        value = items[at + 1] if at + 1 < len(items) else None
        if value is None or (isinstance(value, Word) and value.text.startswith(":")):
            document.report(key, f"{key.text} of {what} has nothing after it; expected '('", "value-missing")
            at += 1
            continue
        _keep(document, key, value, parts, valid, what)
        at += 2
    return parts


def _keep(
    document: Document, key: Word, value: Node, parts: dict[str, Node], valid: tuple[str, ...], what: str
) -> None:
    if key.text not in valid:
        document.report(key, f"unknown {key.text} in {what}; {expected(key.text, valid)}", "unknown-keyword")
    elif key.text in parts:
        document.report(key, f"{key.text} stands twice in {what}", "duplicate-name")
    else:
        parts[key.text] = value


def _capability(
    names: PddlNames,
    name: str,
    parameters: Iterable[BoundVariable],
    condition: Formula,
    effects: ParsedEffects,
    *,
    counted: bool,
) -> Capability:
    by_name = tuple(Parameter(variable.name, (names.affordance(variable.types),)) for variable in parameters)
    before = split_condition(conjoined(condition), [f"?{parameter.name}" for parameter in by_name])
    capability = Capability(
        name=name,
        parameters=by_name,
        precondition=before.literals,
        effect=effects.plain.literals,
        distinct=before.distinct,
        condition=before.condition,
        conditional=effects.conditional,
        numeric=effects.plain.numeric,
        agentless=True,
        cost=0 if counted else 1,
    )
    if isinstance(effects.cost, float) and effects.cost == int(effects.cost):
        return replace(capability, cost=int(effects.cost))
    return capability if effects.cost is None else replace(capability, cost=1, cost_by=effects.cost)


def read_derived(names: PddlNames, sections: Iterable[Group]) -> dict[str, DerivedPredicate]:
    """Read the definitions of derived predicates; several of one predicate are alternatives."""
    definitions: dict[str, DerivedPredicate] = {}
    for section in sections:
        names.needs(":derived-predicates", section)
        definition = _definition(names, section) if Conditions(names).parts(section, 2) else None
        if definition is not None:
            definitions[definition.name] = (
                _merged(definitions[definition.name], definition) if definition.name in definitions else definition
            )
    return definitions


def _definition(names: PddlNames, section: Group) -> DerivedPredicate | None:
    head, conditions = section.items[1], Conditions(names)
    if isinstance(head, Word) or not head.items or not isinstance(head.items[0], Word):
        names.document.report(head, f"'{shown(head)}' where (predicate ?x …) should stand", "name")
        return None
    name = head.items[0].text
    if name not in names.predicates:
        names.unknown(head.items[0], "predicate", name, names.predicates)
        return None
    inner = Group(head.items[1:], head.offset, head.end)
    scope = conditions.variables(inner, {}, f"the variables of '{name}'")
    body = conditions.formula(section.items[2], scope)
    conditions.unused(scope)
    declared = names.predicates[name].parameters
    if len(scope) != len(declared):
        message = f"'{name}' has {len(declared)} arguments where it is declared, here are {len(scope)}"
        names.document.report(head, message, "arity", name)
        return None
    types = [
        variable.types if variable.types != ("object",) else asked
        for variable, asked in zip(scope.values(), declared, strict=True)
    ]
    variables = tuple(
        Variable(variable.name, names.affordance(kind)) for variable, kind in zip(scope.values(), types, strict=True)
    )
    return DerivedPredicate(name, variables, (body,))


def _merged(first: DerivedPredicate, second: DerivedPredicate) -> DerivedPredicate:
    """Merge two definitions of a predicate; both get the same variables.

    Where the types differ, the common variables are untyped, and each body requires its own types.
    """
    bodies = first.bodies
    variables = tuple(Variable(f"arg{number}") for number in range(len(first.variables)))
    if first.variables != variables or first.variables != second.variables:
        if first.variables == second.variables:
            return DerivedPredicate(first.name, first.variables, (*bodies, *second.bodies))
        bodies = tuple(_with_variables(body, first.variables, variables) for body in bodies)
    return DerivedPredicate(
        first.name, variables, (*bodies, _with_variables(second.bodies[0], second.variables, variables))
    )


def _with_variables(body: Formula, own: tuple[Variable, ...], variables: tuple[Variable, ...]) -> Formula:
    """Express a body over other variables: there are things for its own variables that equal the other ones."""
    if own == variables or not own:
        return body
    same = tuple(Equal(f"?{left.name}", f"?{right.name}") for left, right in zip(own, variables, strict=True))
    return Exists(own, And((*same, body)))
