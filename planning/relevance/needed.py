"""Finds the capabilities that can matter to a goal, from predicates and from the affordances of arguments.

An action can be left out of any plan if no effect of it is required by the goal or by an action that matters. Testing
this over predicates and signs instead of facts takes microseconds. It spares a world with many capabilities the cost of
unrelated ones: putting the milk away needs no chopping. An effect serves a condition only if some object has the
affordances that both require: a fridge cannot be unscrewed. A capability matters only if some object fits each of its
parameters: without a knife nothing is chopped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from domains.model import Capability, Domain, Template
from semantics.atoms import Conjunct
from semantics.vocabulary import Thing

__all__ = ["needed"]

Sign = tuple[str, bool]
Needs = tuple[frozenset[str], ...]
"""The affordances that each argument must have; empty for a name that is not an object."""


def needed(domain: Domain, goals: Iterable[Conjunct], things: Mapping[str, Thing] | None = None) -> Domain:
    """Return `domain` with the capabilities that can help to reach one of `goals`; return `domain` itself if all can.

    Without `things`, affordances of names are ignored. A domain with features beyond literals and costs is returned
    unchanged.
    """
    if domain.features:
        return domain
    asked: dict[Sign, set[Needs]] = defaultdict(set)
    objects = things or {}
    for literal in {literal for goal in goals for literal in goal}:
        needs = tuple([objects[arg].affordances if arg in objects else frozenset() for arg in literal.atom.args])
        asked[literal.atom.predicate, literal.positive].add(needs)
    kinds = None if things is None else {thing.affordances for thing in things.values()}
    names = _useful(domain.capabilities, asked, kinds)
    if len(names) == len(domain.capabilities):
        return domain
    return domain.remember(("needed", names), lambda: _reduced(domain, names))


def _useful(
    capabilities: Mapping[str, Capability], asked: dict[Sign, set[Needs]], kinds: Collection[frozenset[str]] | None
) -> frozenset[str]:
    pending = {key: capability for key, capability in capabilities.items() if _applicable(capability, kinds)}
    useful = set[str]()
    while ready := [
        key
        for key, capability in pending.items()
        if any(_serves(part, capability, asked, kinds) for part in capability.effect)
    ]:
        useful.update(ready)
        for capability in map(pending.pop, ready):
            for part in capability.precondition:
                asked[part.predicate, part.positive].add(_needs(part, capability))
    return frozenset(useful)


def _applicable(capability: Capability, kinds: Collection[frozenset[str]] | None) -> bool:
    """Return whether some object fits each parameter."""
    return all(_afforded(frozenset(part.affordances) - {"object"}, kinds) for part in capability.parameters)


def _needs(part: Template, capability: Capability) -> Needs:
    needs = {f"?{parameter.name}": frozenset(parameter.affordances) - {"object"} for parameter in capability.parameters}
    return tuple([needs.get(arg, frozenset()) for arg in part.args])


def _serves(
    part: Template,
    capability: Capability,
    asked: Mapping[Sign, Collection[Needs]],
    kinds: Collection[frozenset[str]] | None,
) -> bool:
    wanted = asked.get((part.predicate, part.positive))
    if not wanted:
        return False
    made = _needs(part, capability)
    return any(all(_afforded(left | right, kinds) for left, right in zip(made, needs, strict=True)) for needs in wanted)


def _afforded(needs: frozenset[str], kinds: Collection[frozenset[str]] | None) -> bool:
    return not needs or kinds is None or any(needs <= kind for kind in kinds)


def _reduced(domain: Domain, names: frozenset[str]) -> Domain:
    capabilities = {name: capability for name, capability in domain.capabilities.items() if name in names}
    remaining = {capability.name for capability in capabilities.values()}
    agents = {
        name: replace(agent, capabilities=agent.capabilities & remaining) for name, agent in domain.agents.items()
    }
    return replace(domain, capabilities=capabilities, agents=agents)
