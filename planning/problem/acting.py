"""Who does what: the classes of agents that have a capability, and what it costs them.

A capability without an agent is done by whoever there is, at its own cost; nobody is looked for then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from domains.model import Capability, Domain
from planning.costs import Priced, Shares
from semantics.state import Action, State
from semantics.vocabulary import Thing

__all__ = ["actors", "pricing"]


def actors(domain: Domain, capability: Capability) -> frozenset[str] | None:
    """Return the classes of agents that have `capability`; None when it needs no agent."""
    if capability.agentless:
        return None
    return frozenset(one.class_name for one in domain.agents.values() if capability.name in one.capabilities)


def pricing(domain: Domain, things: Mapping[str, Thing], state: State) -> Callable[[Action], int]:
    """Return what tells the cost of an action in `domain`, priced or not, with the numbers of `state`."""
    numbers = state.numbers
    if any(one.cost_by is not None for one in domain.capabilities.values()):
        return lambda action: domain.ground(action, things, numbers).cost
    if isinstance(domain, Priced):
        return _priced(domain, things)
    agents = {name: one.cost for name, thing in things.items() if (one := domain.agents.get(thing.class_name))}
    verbs: Collection[Capability] = domain.capabilities.values()
    costs = {one.name: (one.cost, one.agentless) for one in verbs}

    def price(action: Action) -> int:
        cost, agentless = costs[action.name]
        return cost if agentless else agents[action.args[0]] * cost

    return price


def _priced(domain: Priced, things: Mapping[str, Thing]) -> Callable[[Action], int]:
    """Ask for each price once: most actions cost what others of their name do, whatever they are about."""
    costs, known = domain.costs, domain.known
    own = {name for name, _ in costs.sure} | {
        arg for key in costs.record if isinstance(key, Action) for arg in key.args
    }
    moves = {name: legs for name, one in domain.capabilities.items() if (legs := _legs(one))}
    prices: dict[tuple[str, tuple[str, ...], bool], int] = {}
    shares: dict[tuple[str, str], Shares] = {}

    def price(action: Action) -> int:
        name, args = action
        exact = known.issuperset(args)
        if exact and name in moves and own.isdisjoint(args):
            base = shares.get((name, args[0]))
            if base is None:
                base = shares[name, args[0]] = domain.shares(action, things)
            return costs.over(base, [(args[one], args[other]) for one, other in moves[name]])
        if exact and not own.isdisjoint(args):
            return domain.ground(action, things).cost
        key = name, args[:1], exact
        if key not in prices:
            prices[key] = domain.ground(action, things).cost
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
