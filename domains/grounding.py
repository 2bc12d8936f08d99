"""Grounding: from actions over the things of a scene to operators, and from derived predicates to axioms.

Quantifiers are expanded once per action, over the things with the affordance of their variable.

A value may stand for a number of the world, such as the amount of a pour. A world counts in portions, and plans with
them. Where somebody says how much, the action with this amount reads it in place of the portion, in its conditions and
in its effects on numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, overload

from domains.capability import Capability, ConditionalEffect, NumericEffect
from domains.conventions import Conventions
from domains.cost_scale import whole_cost
from domains.declarations import AgentModel, DerivedPredicate, NumericFluent, PredicateModel, circular_denials
from domains.derivation import derivation
from semantics.errors import UnknownNameError, UsageError, known_name
from semantics.logic.atoms import And, Atom, Formula, conjoined, fluents_in, names_in, numbers_in
from semantics.logic.conditions import (
    bindings,
    expanded,
    expanded_expression,
    joined,
    value,
    with_numbers,
    with_numbers_in,
)
from semantics.logic.place_value import ActionValue
from semantics.logic.quantity import Quantity, QuantityError
from semantics.logic.said_number import SaidNumber
from semantics.logic.state import Action, Axioms, Change, Command, Operator, When
from semantics.logic.vocabulary import Thing

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

    @property
    def fluents(self) -> Mapping[str, NumericFluent]:
        """Numbers by name."""

    def cost_scale(self, numbers: Mapping[Atom, float]) -> int:
        """Return how many units of planning make one unit of cost."""


def ground_operator(
    domain: GroundableDomain,
    action: Action,
    things: Mapping[str, Thing],
    numbers: Mapping[Atom, float],
    axioms: Axioms | None,
    expansions: Expansions | None = None,
) -> Operator:
    """Ground an action; see `domains.model.Domain.ground`."""
    if action.name not in domain.capabilities:
        raise UnknownNameError("capability", action.name, domain.capabilities)
    capability = domain.capabilities[action.name]
    _check_arguments(capability, action, things)
    agent = None if capability.agentless else domain.agents.get(things[action.args[0]].class_name)
    if not capability.agentless and (agent is None or capability.name not in agent.capabilities):
        raise UsageError(f"{action.args[0]} cannot {capability.name}")
    binding = {parameter.name: arg for parameter, arg in zip(capability.parameters, action.args, strict=True)}
    for first, second in capability.distinct:
        if binding[first] == binding[second]:
            raise UsageError(f"{action}: ?{first} and ?{second} must differ")
    return assembled(domain, action, 1 if agent is None else agent.cost, things, numbers, axioms, expansions)


def assembled(
    domain: GroundableDomain,
    action: Action,
    agent_cost: int,
    things: Mapping[str, Thing],
    numbers: Mapping[Atom, float],
    axioms: Axioms | None,
    expansions: Expansions | None = None,
) -> Operator:
    """Put the arguments of `action` into its capability, without checking them."""
    capability, parts = domain.capabilities[action.name], expansions or Expansions(things)
    binding = {parameter.name: arg for parameter, arg in zip(capability.parameters, action.args, strict=True)}
    effect = [template.ground(binding) for template in capability.effect]
    added = frozenset(atom for atom, positive in effect if positive)
    changed = frozenset(atom for atom, _ in effect)
    precondition = frozenset(template.ground(binding) for template in capability.precondition)
    named = changed.union(atom for atom, _ in precondition)
    bound = {f"?{name}": arg for name, arg in binding.items()}
    condition = None if capability.condition is None else parts.condition(capability, bound)
    operator = Operator(
        action=action,
        precondition=precondition,
        added=added,
        deleted=changed - added,
        cost=agent_cost * _cost(domain, capability, action, bound, numbers),
        command=_command(capability, action, binding),
        bookkeeping=frozenset(atom for atom in named if domain.predicates[atom.predicate].bookkeeping),
        condition=condition,
        conditional=parts.conditional(capability, bound) if capability.conditional else (),
        changes=tuple(_change(numeric, bound) for numeric in capability.numeric),
        axioms=axioms if axioms is not None or not domain.derived else ground_axioms(domain, things),
        whereabouts=domain.conventions.at,
        resources=frozenset(binding[name] for name in capability.resources),
        said_numbers=() if condition is None else _sayable(domain, capability, condition),
    )
    return _measured(domain, capability, operator) if action.values else operator


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
        if arg not in things:
            raise UnknownNameError("object", arg, things)
        lacking = set(parameter.affordances) - things[arg].affordances - {"object"}
        if lacking:
            raise UsageError(f"{action}: {arg} does not afford {', '.join(sorted(lacking))}")


def with_values(domain: GroundableDomain, operator: Operator, values: Mapping[str, ActionValue]) -> Operator:
    """Return an operator with values beside those that were said of it, in its action, its command and its numbers.

    Raises:
        UsageError: A value is unknown, has another dimension, or is out of range.
    """
    more = {name: value for name, value in values.items() if name not in dict(operator.action.values)}
    if not more:
        return operator
    capability = domain.capabilities[operator.action.name]
    action = operator.action.with_values(more)
    binding = {parameter.name: arg for parameter, arg in zip(capability.parameters, action.args, strict=True)}
    valued = replace(operator, action=action, command=_command(capability, action, binding))
    return _measured(domain, capability, valued)


def _cost(
    domain: GroundableDomain, capability: Capability, action: Action, bound: Binding, numbers: Mapping[Atom, float]
) -> int:
    scale = domain.cost_scale(numbers)
    if capability.cost_by is None:
        return capability.cost * scale
    cost = value(expanded_expression(capability.cost_by, bound), numbers)
    if cost < 0 or not math.isfinite(cost):
        raise UsageError(f"{action}: its cost comes to {cost:g}; expected a number from 0")
    return whole_cost(cost, scale)


def _command(capability: Capability, action: Action, binding: Binding) -> Command:
    """Return the command for the body; without a primitive, its name is that of the capability."""
    agent = "" if capability.agentless else action.args[0]
    said = dict(action.values) if capability.places else {}
    places = {model.name: model.fitting(said[model.name]) for model in capability.places if model.name in said}
    values = _values(capability, action)
    if capability.primitive:
        roles = {role: binding.get(name, name) for role, name in capability.roles.items()}
        return Command(capability.primitive, agent, roles, values, places)
    own = capability.parameters if capability.agentless else capability.parameters[1:]
    roles = {parameter.name: binding[parameter.name] for parameter in own}
    return Command(capability.name, agent, roles, values, places)


def _values(capability: Capability, action: Action) -> dict[str, float]:
    """Return the values of the command, those that were said and the defaults, in the units that bodies get."""
    models = {model.name: model for model in capability.values}
    for name, _ in action.values:
        known_name(f"value of {capability.name}", name, [*models, *(model.name for model in capability.places)])
    said = dict(action.values)
    told: dict[str, float] = {}
    for name, model in models.items():
        quantity = said.get(name) or (None if model.default is None else Quantity(model.default, model.unit))
        if quantity is not None and not isinstance(quantity, Quantity):
            raise QuantityError(f"{name} is a place; expected {model.form}")
        if quantity is not None:
            told[name] = model.fitting(quantity).base
    return told


def numbers_said(domain: GroundableDomain, capability: Capability, values: Mapping[str, Quantity]) -> dict[Atom, float]:
    """Return the numbers that values of a capability stand for, each in the unit of its number.

    Raises:
        QuantityError: A value has another dimension, or is out of range.
    """
    return {
        Atom(model.number): model.fitting(values[model.name]).to(domain.fluents[model.number].unit).number
        for model in capability.values
        if model.number and model.name in values
    }


def _measured(domain: GroundableDomain, capability: Capability, operator: Operator) -> Operator:
    """Return an operator that reads the values of its action in place of the numbers that they stand for."""
    said = {name: value for name, value in operator.action.values if isinstance(value, Quantity)}
    numbers = numbers_said(domain, capability, said)
    if not numbers:
        return operator
    return replace(
        operator,
        condition=None if operator.condition is None else with_numbers(operator.condition, numbers),
        conditional=tuple(
            replace(when, condition=with_numbers(when.condition, numbers), changes=_with_numbers(when.changes, numbers))
            for when in operator.conditional
        ),
        changes=_with_numbers(operator.changes, numbers),
        said_numbers=tuple(replace(one, said=said.get(one.model.name)) for one in operator.said_numbers),
    )


def _sayable(domain: GroundableDomain, capability: Capability, condition: Formula) -> tuple[SaidNumber, ...]:
    """Return the numbers in the ground condition of an action that values of its capability can say; none is said."""
    models = [model for model in capability.values if model.number]
    if not models:
        return ()
    fluents = set(numbers_in(condition))
    named = {fluent.predicate: domain.fluents.get(fluent.predicate) for fluent in fluents}
    sentences = {name: (model.description, model.unit) for name, model in named.items() if model is not None}
    return tuple(
        SaidNumber(model, Atom(model.number), domain.fluents[model.number].unit, condition, sentences)
        for model in models
        if Atom(model.number) in fluents
    )


def _with_numbers(changes: Iterable[Change], numbers: Mapping[Atom, float]) -> tuple[Change, ...]:
    return tuple(replace(change, amount=with_numbers_in(change.amount, numbers)) for change in changes)


@dataclass
class Expansions:
    """The ground conditions and conditional effects of capabilities over some things.

    Each is computed once for the arguments that it depends on: actions that differ in others share it.
    """

    _things: Mapping[str, Thing]
    _free: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    _found: dict[tuple[str, int, tuple[str, ...]], Any] = field(default_factory=dict)

    def condition(self, capability: Capability, bound: Binding) -> Formula | None:
        """Return the condition beyond literals; None if it always holds."""
        if capability.condition is None:
            return None
        key = self._key(capability, -1, [capability.condition], (), bound)
        if key not in self._found:
            # A part that depends on fewer arguments than the whole is shared by more actions.
            parts = enumerate(conjoined(capability.condition), 2)
            condition = joined(And, (self._part(capability, -number, part, bound) for number, part in parts))
            self._found[key] = None if condition == And(()) else condition
        found: Formula | None = self._found[key]
        return found

    def _part(self, capability: Capability, number: int, part: Formula, bound: Binding) -> Formula:
        key = self._key(capability, number, [part], (), bound)
        if key not in self._found:
            self._found[key] = expanded(part, self._things, bound)
        found: Formula = self._found[key]
        return found

    def conditional(self, capability: Capability, bound: Binding) -> tuple[When, ...]:
        """Return the conditional effects."""
        return tuple(
            when for number in range(len(capability.conditional)) for when in self._effect(capability, number, bound)
        )

    def _effect(self, capability: Capability, number: int, bound: Binding) -> tuple[When, ...]:
        effect = capability.conditional[number]
        conditions = [] if effect.condition is None else [effect.condition]
        atoms = [template.literal.atom for template in effect.literals]
        atoms += [atom for change in effect.numeric for atom in (change.fluent, *fluents_in(change.amount))]
        key = self._key(capability, number, conditions, atoms, bound)
        if key not in self._found:
            self._found[key] = tuple(_conditional_effects(effect, self._things, bound))
        found: tuple[When, ...] = self._found[key]
        return found

    def _key(
        self, capability: Capability, number: int, conditions: Iterable[Formula], atoms: Iterable[Atom], bound: Binding
    ) -> tuple[str, int, tuple[str, ...]]:
        free = self._free.get((capability.name, number))
        if free is None:
            named = {arg for atom in atoms for arg in atom.args}
            named.update(arg for condition in conditions for arg in names_in(condition))
            free = self._free[capability.name, number] = tuple(name for name in bound if name in named)
        return capability.name, number, tuple([bound[name] for name in free])


def _conditional_effects(effect: ConditionalEffect, things: Mapping[str, Thing], bound: Binding) -> Iterator[When]:
    for choice in bindings(effect.variables, things):
        inner = {**bound, **choice}
        condition = expanded(effect.condition, things, inner) if effect.condition is not None else And(())
        made = [template.literal.replaced(inner) for template in effect.literals]
        added = frozenset(atom for atom, positive in made if positive)
        deleted = frozenset(atom for atom, _ in made) - added
        yield When(condition, added, deleted, tuple(_change(numeric, inner) for numeric in effect.numeric))


def _change(effect: NumericEffect, bound: Binding) -> Change:
    return Change(effect.how, effect.fluent.replaced(bound), expanded_expression(effect.amount, bound))


def ground_axioms(domain: GroundableDomain, things: Mapping[str, Thing]) -> Axioms:
    """Return the derived predicates of `domain` over `things`, in layers; rules are grounded when they are first used.

    Raises:
        UsageError: A predicate depends on its own negation.
    """
    layers = _layers(domain)
    strata = _Strata(domain.derived, layers, things)
    return Axioms(frozenset(domain.derived), strata, derivation(domain.derived, layers, things))


Rules = tuple[tuple[Atom, Formula], ...]


class _Strata(Sequence[Rules]):
    """The rules of derived predicates over some things, in layers."""

    def __init__(
        self, derived: Mapping[str, DerivedPredicate], layers: Mapping[str, int], things: Mapping[str, Thing]
    ) -> None:
        self._derived, self._layer_of, self._things = derived, layers, things

    @cached_property
    def _rules(self) -> tuple[Rules, ...]:
        layers: dict[int, list[tuple[Atom, Formula]]] = {}
        for name, derived in self._derived.items():
            for bound in bindings(derived.variables, self._things):
                head = Atom(name, tuple(bound.values()))
                rules = ((head, expanded(body, self._things, bound)) for body in derived.bodies)
                layers.setdefault(self._layer_of[name], []).extend(rules)
        return tuple(tuple(layers[number]) for number in sorted(layers))

    def __len__(self) -> int:
        return len(self._rules)

    @overload
    def __getitem__(self, index: int) -> Rules: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Rules]: ...
    def __getitem__(self, index: int | slice) -> Rules | Sequence[Rules]:
        return self._rules[index]


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
