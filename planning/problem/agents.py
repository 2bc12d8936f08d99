"""Who does what: the classes of agents that have a capability, and what it costs them.

A capability without an agent is done by whoever there is, at its own cost; nobody is looked for then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from domains.grounding import assembled
from domains.model import Capability, Domain
from domains.problem import Problem
from planning.costs import CostModel, Shares, shares
from semantics.protocols import Costs
from semantics.state import Action, Operator
from semantics.vocabulary import Thing

__all__ = ["actors", "pricing"]


def actors(domain: Domain, capability: Capability) -> frozenset[str] | None:
    """Return the classes of agents that have `capability`; None when it needs no agent."""
    if capability.agentless:
        return None
    return frozenset(one.class_name for one in domain.agents.values() if capability.name in one.capabilities)


def pricing(problem: Problem, groups: Mapping[str, Thing] = MappingProxyType({})) -> Callable[[Action], int]:
    """Return what tells the cost of an action in `problem`.

    Actions may be on `groups`, too: names that stand for several objects each, given with one of them as an example.
    By a cost model, an action on a group costs the least that one like it can.
    """
    domain, costs = problem.domain, problem.costs
    known = {**problem.objects, **groups}
    if any(one.cost_by is not None for one in domain.capabilities.values()):
        return lambda action: problem.ground(action).cost
    if isinstance(costs, CostModel):
        return _modelled(problem, costs, known)
    if costs is not None:
        return lambda action: _price(problem, costs, known, action)
    agents = {name: one.cost for name, thing in known.items() if (one := domain.agents.get(thing.class_name))}
    verbs: Collection[Capability] = domain.capabilities.values()
    own = {one.name: (one.cost, one.agentless) for one in verbs}

    def price(action: Action) -> int:
        cost, agentless = own[action.name]
        return cost if agentless else agents[action.args[0]] * cost

    return price


def _price(problem: Problem, costs: Costs, known: Mapping[str, Thing], action: Action) -> int:
    if all(arg in problem.objects for arg in action.args):
        return problem.ground(action).cost
    return costs.least(_about_groups(problem.domain, known, action))


def _about_groups(domain: Domain, known: Mapping[str, Thing], action: Action) -> Operator:
    """Ground without asking whether arguments differ: one name may stand for several objects."""
    agentless = domain.capabilities[action.name].agentless
    agent_cost = 1 if agentless else domain.agents[known[action.args[0]].class_name].cost
    return assembled(domain, action, agent_cost, known, {}, None)


def _modelled(problem: Problem, costs: CostModel, known: Mapping[str, Thing]) -> Callable[[Action], int]:
    """Ask for each price once: most actions cost what others of their name do, whatever they are about."""
    own = {name for name, _ in costs.sure} | {
        arg for key in costs.record if isinstance(key, Action) for arg in key.args
    }
    moves = {name: legs for name, one in problem.domain.capabilities.items() if (legs := _legs(one))}
    prices: dict[tuple[str, tuple[str, ...], bool], int] = {}
    parts: dict[tuple[str, str], Shares] = {}

    def price(action: Action) -> int:
        name, args = action
        exact = all(arg in problem.objects for arg in args)
        if exact and name in moves and own.isdisjoint(args):
            base = parts.get((name, args[0]))
            if base is None:
                base = parts[name, args[0]] = shares(problem, costs, action)
            return costs.over(base, [(args[one], args[other]) for one, other in moves[name]])
        if exact and not own.isdisjoint(args):
            return problem.ground(action).cost
        key = name, args[:1], exact
        if key not in prices:
            prices[key] = _price(problem, costs, known, action)
        return prices[key]

    return price


def _legs(capability: Capability) -> list[tuple[int, int]]:
    """Return the parameters, by number, from which to which the agent goes, so that distance may matter.

    A fact about the agent ends and another of its predicate begins.
    """
    agent = tuple(f"?{one.name}" for one in capability.parameters[:1])
    numbers = {f"?{one.name}": number for number, one in enumerate(capability.parameters)}
    told = [one for one in capability.effect if one.args[:1] == agent and len(one.args) == 2]
    return [
        (numbers[old.args[1]], numbers[new.args[1]])
        for new in told
        for old in told
        if new.positive and not old.positive and new.predicate == old.predicate
        if {old.args[1], new.args[1]} <= numbers.keys()
    ]
