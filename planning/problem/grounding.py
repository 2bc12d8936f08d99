"""Grounds all operators of a domain over the objects of a scene: about 8,000 and 0.2 s with 35 objects.

An action needs an agent that has its capability, and costs what that agent says; a capability without an agent has its
own cost.
The planner and the fast searches ground by themselves; this serves repairs and texts with the price of each action.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import product
from types import MappingProxyType

from domains.grounding import assembled
from domains.model import Capability, Domain
from domains.problem import Problem
from planning.costs import CostModel, Shares, shares
from semantics.body.protocols import Costs
from semantics.errors import known_name
from semantics.logic.state import Action, Operator
from semantics.logic.vocabulary import Thing


def actors(domain: Domain, capability: Capability) -> frozenset[str] | None:
    """Return the classes of agents that have `capability`; None when it needs no agent."""
    if capability.agentless:
        return None
    return frozenset(agent.class_name for agent in domain.agents.values() if capability.name in agent.capabilities)


def pricing(problem: Problem, groups: Mapping[str, Thing] = MappingProxyType({})) -> Callable[[Action], int]:
    """Return a function that returns the cost of an action in `problem`.

    Actions may also be on `groups`: names that stand for several objects each, given with one of them as an example.
    With a cost model, an action on a group has the lowest possible cost for such an object.
    """
    domain, costs = problem.domain, problem.costs
    things = {**problem.objects, **groups}
    if any(capability.cost_by is not None for capability in domain.capabilities.values()):
        return lambda action: problem.ground(action).cost
    if isinstance(costs, CostModel):
        return _modelled(problem, costs, things)
    if costs is not None:
        return lambda action: _price(problem, costs, things, action)
    agents = {name: agent.cost for name, thing in things.items() if (agent := domain.agents.get(thing.class_name))}
    verbs: Collection[Capability] = domain.capabilities.values()
    own = {verb.name: (verb.cost, verb.agentless) for verb in verbs}

    def price(action: Action) -> int:
        cost, agentless = own[action.name]
        return cost if agentless else agents[action.args[0]] * cost

    return price


def _price(problem: Problem, costs: Costs, things: Mapping[str, Thing], action: Action) -> int:
    if all(arg in problem.objects for arg in action.args):
        return problem.ground(action).cost
    return costs.least(_about_groups(problem.domain, things, action))


def _about_groups(domain: Domain, things: Mapping[str, Thing], action: Action) -> Operator:
    """Ground an action without checking that arguments differ: one name may stand for several objects."""
    agentless = domain.capabilities[action.name].agentless
    agent_cost = 1 if agentless else domain.agents[things[action.args[0]].class_name].cost
    return assembled(domain, action, agent_cost, things, {}, None)


def _modelled(problem: Problem, costs: CostModel, things: Mapping[str, Thing]) -> Callable[[Action], int]:
    """Cache each price: most actions cost the same as others of their name."""
    own = {name for name, _ in costs.sure} | {atom.args[0] for atom in costs.believed}
    own |= {arg for key in costs.record if isinstance(key, Action) for arg in key.args}
    moves = {name: legs for name, capability in problem.domain.capabilities.items() if (legs := _legs(capability))}
    prices: dict[tuple[str, tuple[str, ...], bool], int] = {}
    parts: dict[tuple[str, str], Shares] = {}

    def price(action: Action) -> int:
        name, args = action.name, action.args
        exact = all(arg in problem.objects for arg in args)
        if exact and name in moves and own.isdisjoint(args):
            base = parts.get((name, args[0]))
            if base is None:
                base = parts[name, args[0]] = shares(problem, costs, action)
            return costs.over(base, [(args[start], args[end]) for start, end in moves[name]])
        if exact and not own.isdisjoint(args):
            return problem.ground(action).cost
        key = name, args[:1], exact
        if key not in prices:
            prices[key] = _price(problem, costs, things, action)
        return prices[key]

    return price


def _legs(capability: Capability) -> list[tuple[int, int]]:
    """Return the pairs of parameters, by index, from which to which the agent goes, so that distance may matter.

    In such a leg, a fact about the agent ends and another one of the same predicate begins.
    """
    agent = tuple(f"?{parameter.name}" for parameter in capability.parameters[:1])
    numbers = {f"?{parameter.name}": number for number, parameter in enumerate(capability.parameters)}
    templates = [template for template in capability.effect if template.args[:1] == agent and len(template.args) == 2]
    return [
        (numbers[old.args[1]], numbers[new.args[1]])
        for new in templates
        for old in templates
        if new.positive and not old.positive and new.predicate == old.predicate
        if {old.args[1], new.args[1]} <= numbers.keys()
    ]


def candidates(domain: Domain, capability: Capability, things: Mapping[str, Thing]) -> list[list[str]]:
    """Return the names that may fill each parameter: they have its affordances, and the agent has the capability."""
    able = actors(domain, capability)
    choices = [
        [name for name, thing in things.items() if set(parameter.affordances) - {"object"} <= thing.affordances]
        for parameter in capability.parameters
    ]
    if able is not None:
        choices[0] = [name for name in choices[0] if things[name].class_name in able]
    return choices


def actions(domain: Domain, capability: Capability, things: Mapping[str, Thing]) -> Iterator[Action]:
    """Yield the capability applied to all objects with its affordances, by agents that have it if it needs one."""
    at = {parameter.name: index for index, parameter in enumerate(capability.parameters)}
    distinct = [(at[left], at[right]) for left, right in capability.distinct]
    for args in product(*candidates(domain, capability, things)):
        if all(args[left] != args[right] for left, right in distinct):
            yield Action(capability.name, args)


def ground(problem: Problem, names: Iterable[str] | None = None) -> tuple[Operator, ...]:
    """Return the operators of the capabilities `names` (all by default) over the objects, at their costs.

    Raises:
        UnknownNameError: No such capability.
    """
    domain, operators = problem.domain, list[Operator]()
    for name in domain.capabilities if names is None else names:
        known_name("capability", name, domain.capabilities)
        grounded = actions(domain, domain.capabilities[name], problem.objects)
        operators.extend(problem.ground(action) for action in grounded)
    return tuple(operators)
