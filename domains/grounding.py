"""Grounding: from actions over the things of a scene to operators, and from derived predicates to axioms.

Quantifiers are expanded once per action, over the things with the affordance of their variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Protocol

from domains.capability import Capability, ConditionalEffect, NumericEffect, Template
from domains.conventions import Conventions
from domains.declarations import AgentModel, DerivedPredicate, PredicateModel
from semantics.atoms import And, Atom, Formula
from semantics.conditions import bindings, expanded, expanded_expression, value
from semantics.errors import UsageError, known_name
from semantics.state import Action, Axioms, Change, Command, Operator, When
from semantics.vocabulary import Thing

__all__ = ["assembled", "circular_denials", "ground_axioms", "ground_operator", "needs"]

Binding = Mapping[str, str]


class GroundableDomain(Protocol):
    """The part of `domains.model.Domain` that grounding reads."""

    @property
    def capabilities(self) -> Mapping[str, Capability]:
        """Capabilities by name."""

    @property
    def agents(self) -> Mapping[str, AgentModel]:
        """Agents by class."""

    @property
    def predicates(self) -> Mapping[str, PredicateModel]:
        """Predicates by name."""

    @property
    def conventions(self) -> Conventions:
        """The names that world-independent code uses."""

    @property
    def derived(self) -> Mapping[str, DerivedPredicate]:
        """Derived predicates by name."""


def ground_operator(
    domain: GroundableDomain,
    action: Action,
    things: Mapping[str, Thing],
    numbers: Mapping[Atom, float],
    axioms: Axioms | None,
) -> Operator:
    """Ground an action; see `domains.model.Domain.ground`."""
    known_name("capability", action.name, domain.capabilities)
    capability = domain.capabilities[action.name]
    _check_arguments(capability, action, things)
    agent_cost = _agent_cost(domain, capability, action, things)
    binding = {parameter.name: arg for parameter, arg in zip(capability.parameters, action.args, strict=True)}
    for first, second in capability.distinct:
        if binding[first] == binding[second]:
            raise UsageError(f"{action}: ?{first} and ?{second} must differ")
    return assembled(domain, action, agent_cost, things, numbers, axioms)


def assembled(
    domain: GroundableDomain,
    action: Action,
    agent_cost: int,
    things: Mapping[str, Thing],
    numbers: Mapping[Atom, float],
    axioms: Axioms | None,
) -> Operator:
    """Put the arguments of `action` into its capability, without checking them."""
    capability = domain.capabilities[action.name]
    binding = {parameter.name: arg for parameter, arg in zip(capability.parameters, action.args, strict=True)}
    effect = [template.ground(binding) for template in capability.effect]
    added = frozenset(atom for atom, positive in effect if positive)
    changed = frozenset(atom for atom, _ in effect)
    precondition = frozenset(template.ground(binding) for template in capability.precondition)
    named = changed.union(atom for atom, _ in precondition)
    bound = {f"?{name}": arg for name, arg in binding.items()}
    return Operator(
        action=action,
        precondition=precondition,
        added=added,
        deleted=changed - added,
        cost=agent_cost * _cost(capability, action, bound, numbers),
        command=_command(capability, action, binding),
        bookkeeping=frozenset(atom for atom in named if domain.predicates[atom.predicate].bookkeeping),
        condition=_condition(capability, things, bound),
        conditional=tuple(
            when for conditional in capability.conditional for when in _conditional_effects(conditional, things, bound)
        ),
        changes=tuple(_change(numeric, bound) for numeric in capability.numeric),
        axioms=axioms if axioms is not None or not domain.derived else ground_axioms(domain, things),
        whereabouts=domain.conventions.at,
        resources=frozenset(binding[name] for name in capability.resources),
    )


def needs(domain: GroundableDomain, action: Action) -> dict[str, tuple[str, ...]]:
    """Return the affordances that each argument of `action` must have."""
    affordances: dict[str, tuple[str, ...]] = {}
    for parameter, arg in zip(domain.capabilities[action.name].parameters, action.args, strict=True):
        affordances[arg] = tuple(dict.fromkeys((*affordances.get(arg, ()), *parameter.affordances)))
    return affordances


def _check_arguments(capability: Capability, action: Action, things: Mapping[str, Thing]) -> None:
    if len(action.args) != len(capability.parameters):
        raise UsageError(f"{action}: {capability.name} takes {len(capability.parameters)} arguments")
    for parameter, arg in zip(capability.parameters, action.args, strict=True):
        known_name("object", arg, things)
        lacking = set(parameter.affordances) - things[arg].affordances - {"object"}
        if lacking:
            raise UsageError(f"{action}: {arg} does not afford {', '.join(sorted(lacking))}")


def _agent_cost(domain: GroundableDomain, capability: Capability, action: Action, things: Mapping[str, Thing]) -> int:
    if capability.agentless:
        return 1
    agent = domain.agents.get(things[action.args[0]].class_name)
    if agent is None or capability.name not in agent.capabilities:
        raise UsageError(f"{action.args[0]} cannot {capability.name}")
    return agent.cost


def _cost(capability: Capability, action: Action, bound: Binding, numbers: Mapping[Atom, float]) -> int:
    if capability.cost_by is None:
        return capability.cost
    cost = value(expanded_expression(capability.cost_by, bound), numbers)
    if cost < 0 or cost != int(cost):
        raise UsageError(f"{action}: its cost comes to {cost:g}; expected a whole number from 0")
    return int(cost)


def _command(capability: Capability, action: Action, binding: Binding) -> Command:
    """Return the command for the body; without a primitive, its name is that of the capability."""
    agent = "" if capability.agentless else action.args[0]
    if capability.primitive:
        return Command(capability.primitive, agent, {role: binding[name] for role, name in capability.roles.items()})
    own = capability.parameters if capability.agentless else capability.parameters[1:]
    return Command(capability.name, agent, {parameter.name: binding[parameter.name] for parameter in own})


def _condition(capability: Capability, things: Mapping[str, Thing], bound: Binding) -> Formula | None:
    if capability.condition is None:
        return None
    condition = expanded(capability.condition, things, bound)
    return None if condition == And(()) else condition


def _conditional_effects(effect: ConditionalEffect, things: Mapping[str, Thing], bound: Binding) -> Iterator[When]:
    for choice in bindings(effect.variables, things):
        inner = {**bound, **choice}
        condition = expanded(effect.condition, things, inner) if effect.condition is not None else And(())
        made = [_literal(template, inner) for template in effect.literals]
        added = frozenset(atom for atom, positive in made if positive)
        deleted = frozenset(atom for atom, _ in made) - added
        yield When(condition, added, deleted, tuple(_change(numeric, inner) for numeric in effect.numeric))


def _literal(template: Template, bound: Binding) -> tuple[Atom, bool]:
    return Atom(template.predicate, tuple([bound.get(arg, arg) for arg in template.args])), template.positive


def _change(effect: NumericEffect, bound: Binding) -> Change:
    fluent = Atom(effect.fluent.predicate, tuple([bound.get(arg, arg) for arg in effect.fluent.args]))
    return Change(effect.how, fluent, expanded_expression(effect.amount, bound))


def ground_axioms(domain: GroundableDomain, things: Mapping[str, Thing]) -> Axioms:
    """Return the derived predicates of `domain` over `things`, in layers.

    Raises:
        UsageError: A predicate depends on its own negation.
    """
    layer_of = _layers(domain)
    layers: dict[int, list[tuple[Atom, Formula]]] = {}
    for name, derived in domain.derived.items():
        for bound in bindings(derived.variables, things):
            head = Atom(name, tuple(bound.values()))
            rules = ((head, expanded(body, things, bound)) for body in derived.bodies)
            layers.setdefault(layer_of[name], []).extend(rules)
    return Axioms(frozenset(domain.derived), tuple(tuple(layers[number]) for number in sorted(layers)))


def _layers(domain: GroundableDomain) -> dict[str, int]:
    """Return the layer of each derived predicate: above all that it negates, not below any that it uses."""
    # Raise layers until nothing changes; with n predicates and no circle, n rounds are enough.
    layer_of = dict.fromkeys(domain.derived, 0)
    for _ in range(len(layer_of) + 1):
        before = dict(layer_of)
        for name, derived in domain.derived.items():
            for literal in derived.literals:
                used = literal.atom.predicate
                if used in layer_of:
                    layer_of[name] = max(layer_of[name], layer_of[used] + (not literal.positive))
        if layer_of == before:
            return layer_of
    circular = sorted(name for name, _ in circular_denials(domain.derived))
    raise UsageError(f"derived predicates that follow from their own denial: {', '.join(circular)}")


def circular_denials(derived: Mapping[str, DerivedPredicate]) -> Iterator[tuple[str, str]]:
    """Yield each predicate that negates one which depends on it, with the first such one."""
    used = {name: definition.literals for name, definition in derived.items()}
    reached = {name: {literal.atom.predicate for literal in uses} for name, uses in used.items()}
    for middle in used:  # transitive closure (Warshall)
        for names in reached.values():
            names.update(reached[middle] if middle in names else ())
    for name, uses in used.items():
        denied = (literal.atom.predicate for literal in uses if not literal.positive)
        circles = (other for other in denied if other == name or name in reached.get(other, ()))
        yield from ((name, other) for other in islice(circles, 1))
