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
from domains.problem import Problem
from semantics.logic.atoms import Conjunct
from semantics.logic.vocabulary import Thing

Sign = tuple[str, bool]
Needs = tuple[frozenset[str], ...]
"""The affordances that each argument must have; empty for a name that is not an object."""


def without_unneeded(problem: Problem) -> Problem:
    """Return a problem with those relations and capabilities only that can help to reach its goal.

    Actions have the names and arguments of those of the whole problem.
    """
    problem = problem.for_goal()
    return problem.within(needed(problem.domain, problem.goal, problem.objects))


def needed(
    domain: Domain, goals: Iterable[Conjunct], things: Mapping[str, Thing] | None = None, *, alike: bool = False
) -> Domain:
    """Return `domain` with the capabilities that can help to reach one of `goals`; return `domain` itself if all can.

    A domain with features beyond literals and costs is returned unchanged.

    Args:
        domain: The world.
        goals: The alternatives of the goal.
        things: Everything that exists; without it, affordances of names are ignored.
        alike: Whether capabilities that cost the same in the domain cost the same here. Then a capability with an
            `otherwise` is left out if nobody asks for the facts that only it makes.
    """
    if domain.features:
        return domain
    asked: dict[Sign, set[Needs]] = defaultdict(set)
    objects = things or {}
    for literal in {literal for goal in goals for literal in goal}:
        needs = tuple([objects[arg].affordances if arg in objects else frozenset() for arg in literal.atom.args])
        asked[literal.atom.predicate, literal.positive].add(needs)
    kinds = None if things is None else {thing.affordances for thing in things.values()}
    spared = _spared(domain, asked) if alike else {}
    names = _useful(domain.capabilities, asked, kinds, spared)
    if len(names) == len(domain.capabilities):
        return domain
    return domain.remember(("needed", names), lambda: _reduced(domain, names))


def _spared(domain: Domain, goal: Mapping[Sign, object]) -> dict[str, frozenset[Template]]:
    """Return the capabilities that another one can stand in for, as far as the signs of the goal allow it.

    With each, return the effects for which it cannot.
    """
    spared = {}
    capabilities = domain.capabilities
    asked = goal.keys() | {
        (part.predicate, part.positive) for each in capabilities.values() for part in each.precondition
    }
    for name, capability in capabilities.items():
        if not capability.otherwise:
            continue
        other = capabilities[capability.otherwise[0]].bound(capability.otherwise[1:])
        if (other.cost, other.cost_by) != (capability.cost, capability.cost_by):
            continue
        agents = domain.agents.values()
        able = all(other.name in agent.capabilities for agent in agents if capability.name in agent.capabilities)
        # Nobody asks for the contrary of what only the other one makes.
        instead = set(other.effect) - set(capability.effect)
        if able and not any((part.predicate, not part.positive) in asked for part in instead):
            spared[name] = frozenset(capability.effect) - frozenset(other.effect)
    return spared


def _useful(
    capabilities: Mapping[str, Capability],
    asked: dict[Sign, set[Needs]],
    kinds: Collection[frozenset[str]] | None,
    spared: Mapping[str, Collection[Template]],
) -> frozenset[str]:
    pending = {key: capability for key, capability in capabilities.items() if _applicable(capability, kinds)}
    useful = set[str]()
    lasting = {sign: set(needs) for sign, needs in asked.items()}
    while ready := [
        key
        for key, capability in pending.items()
        if any(
            _serves(part, capability, lasting if key in spared else asked, kinds)
            for part in spared.get(key, capability.effect)
        )
    ]:
        useful.update(ready)
        for capability in map(pending.pop, ready):
            for part in capability.precondition:
                sign, needs = (part.predicate, part.positive), _needs(part, capability)
                asked[sign].add(needs)
                if replace(part, positive=not part.positive) not in capability.effect:
                    lasting.setdefault(sign, set()).add(needs)
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
