"""Who does what: the classes of agents that have a capability, and what it costs them.

A capability without an agent is done by whoever there is, at its own cost; nobody is looked for then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from domains.model import Capability, Domain
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
    plain = type(domain) is Domain and not any(one.cost_by is not None for one in domain.capabilities.values())
    numbers = state.numbers
    if not plain:
        return lambda action: domain.ground(action, things, numbers).cost
    agents = {name: one.cost for name, thing in things.items() if (one := domain.agents.get(thing.class_name))}
    verbs: Collection[Capability] = domain.capabilities.values()
    costs = {one.name: (one.cost, one.agentless) for one in verbs}

    def price(action: Action) -> int:
        cost, agentless = costs[action.name]
        return cost if agentless else agents[action.args[0]] * cost

    return price
