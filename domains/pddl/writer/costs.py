"""Costs that depend on the arguments of an action, in the form that PDDL planners accept.

An action may add a constant or a numeric fluent to the total cost, but no arithmetic expression. Such an expression
becomes a separate fluent, with its value written out for every choice of arguments.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from domains.cost_scale import whole_cost
from domains.pddl.writer.formulas import Translation, fresh_variable
from domains.pddl.writer.names import Naming
from domains.pddl.writer.profiles import ProfileError, RefusedPart
from domains.pddl.writer.schemas import Additions, PddlAction
from semantics.errors import UsageError
from semantics.logic.atoms import Arithmetic, Atom, Expression, Variable, fluents_in
from semantics.logic.conditions import bindings, expanded_expression, value
from semantics.logic.state import Action
from semantics.logic.vocabulary import Thing


@dataclass(frozen=True, slots=True)
class CostWriter:
    """Determines what each action adds to the total cost."""

    things: Mapping[str, Thing]  # the objects, by name
    naming: Naming  # their names in PDDL
    changing: frozenset[str]  # the names of the numbers that change
    scale: int  # how many units of planning make one unit of cost, see `domains.cost_scale`
    numbers: bool  # whether the profile has numbers

    def actions(
        self,
        schemas: Iterable[PddlAction],
        numbers: Mapping[Atom, float],
        extra: Additions,
        prices: Mapping[Action, int] | None = None,
    ) -> tuple[PddlAction, ...]:
        """Return the actions with their costs, which are `prices` where they are given; fill `extra` with functions.

        Raises:
            ProfileError: A cost depends on a number that changes, or is no number from 0.
        """
        if prices is not None:
            return tuple(self._priced(schema, prices, extra) for schema in schemas)
        return tuple(self._action(schema, numbers, extra) for schema in schemas)

    def _priced(self, schema: PddlAction, prices: Mapping[Action, int], extra: Additions) -> PddlAction:
        """Return the action at its prices: a number, or a function of the few arguments that decide it."""
        costs = {action.args: cost for action, cost in prices.items() if self._is_of(schema, action)}
        decisive = _decisive(costs, len(schema.parameters))
        values = {tuple(args[index] for index in decisive): cost for args, cost in costs.items()}
        if not decisive:
            return replace(schema, total=values.get((), schema.cost))
        name = self.naming.give("made", f"cost of {schema.name}", f"cost-of-{schema.name}")
        extra.functions[name] = len(decisive)
        for args, cost in values.items():
            extra.numbers[Atom(name, tuple(self.naming.of("thing", arg) for arg in args))] = cost
        return replace(schema, total=Atom(name, tuple(f"?{schema.parameters[index][0]}" for index in decisive)))

    def _is_of(self, schema: PddlAction, action: Action) -> bool:
        assert schema.capability is not None
        if action.name != schema.capability.name or schema.capability.agentless:
            return action.name == schema.capability.name
        return self.naming.of("type", self.things[action.args[0]].class_name) == schema.parameters[0][1]

    def _action(self, schema: PddlAction, numbers: Mapping[Atom, float], extra: Additions) -> PddlAction:
        if schema.cost_by is None:
            return replace(schema, total=schema.cost * self.scale)
        if not self.changing.isdisjoint(atom.predicate for atom in fluents_in(schema.cost_by)):
            return self._direct(schema, schema.cost_by)
        words = (arg for atom in fluents_in(schema.cost_by) for arg in atom.args)
        asked = tuple(dict.fromkeys(word[1:] for word in words if word.startswith("?")))
        # The cost becomes a function of the variables it reads. Where a number is missing, a guard predicate, which is
        # true only for known costs, makes the action inapplicable.
        values = self._values(schema, asked, numbers)
        args = tuple(f"?{fresh_variable(name)}" for name in asked)
        name = self.naming.give("made", f"cost of {schema.name}", f"cost-of-{schema.name}")
        extra.functions[name] = len(args)
        extra.numbers |= {Atom(name, key): cost for key, cost in values.items() if cost is not None}
        if None in values.values():
            guard = self.naming.give("made", f"known cost of {schema.name}", f"known-{name}")
            extra.predicates[guard] = len(args)
            extra.facts += [Atom(guard, key) for key, cost in values.items() if cost is not None]
            schema = replace(schema, conditions=(*schema.conditions, Atom(guard, args)))
        return replace(schema, total=Atom(name, args))

    def _direct(self, schema: PddlAction, cost_by: Expression) -> PddlAction:
        if not self.numbers:
            raise ProfileError("adl-costs", [_refusal(schema, "a cost that depends on numbers that change")])
        cost, factor = Translation(self.naming).expression(cost_by), schema.cost * self.scale
        return replace(schema, total=cost if factor == 1 else Arithmetic("*", (float(factor), cost)))

    def _values(
        self, schema: PddlAction, asked: tuple[str, ...], numbers: Mapping[Atom, float]
    ) -> dict[tuple[str, ...], int | None]:
        """Return the cost for each choice of what it depends on; None where a number is missing."""
        assert schema.capability is not None
        assert schema.cost_by is not None
        needs = {parameter.name: parameter.affordances for parameter in schema.capability.parameters}
        costs: dict[tuple[str, ...], int | None] = {}
        for bound in bindings(tuple(Variable(name) for name in asked), self.things):
            if all(self.things[bound[f"?{name}"]].affords(needs[name]) for name in asked):
                key = tuple(self.naming.of("thing", thing) for thing in bound.values())
                costs[key] = self._value(schema, expanded_expression(schema.cost_by, bound), numbers)
        return costs

    def _value(self, schema: PddlAction, expression: Expression, numbers: Mapping[Atom, float]) -> int | None:
        try:
            cost = value(expression, numbers)
        except UsageError:  # a number is missing: the step cannot be taken
            return None
        if cost < 0 or not math.isfinite(cost):
            raise ProfileError("adl-costs", [_refusal(schema, f"a cost of {cost:g}")])
        return schema.cost * whole_cost(cost, self.scale)


def _decisive(costs: Mapping[tuple[str, ...], int], arity: int) -> list[int]:
    """Return the indices of arguments that decide the cost: each is left out that makes no difference."""
    kept = list(range(arity))
    for index in range(arity):
        fewer = [other for other in kept if other != index]
        values: dict[tuple[str, ...], int] = {}
        if all(values.setdefault(tuple(args[i] for i in fewer), cost) == cost for args, cost in costs.items()):
            kept = fewer
    return kept


def _refusal(schema: PddlAction, feature: str) -> RefusedPart:
    return RefusedPart(f"action {schema.name}", feature, "expected a number from 0 that the scene fixes")
