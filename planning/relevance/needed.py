"""Which capabilities can matter to a goal at all, by predicates and by what their arguments have to afford.

An action none of whose effects is asked for, neither by the goal nor by the condition of an action that matters, can be
left out of any plan. Asked over predicates and signs instead of facts, that takes microseconds, and spares a world with
many capabilities the cost of those that have nothing to do with the request: nobody chops to put the milk away. An
effect serves a condition only where some thing affords what both ask of it: nobody unscrews a fridge.
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
"""What each argument has to afford; nothing is known of a name that is not a thing's."""


def needed(domain: Domain, goals: Iterable[Conjunct], things: Mapping[str, Thing] | None = None) -> Domain:
    """Return `domain` with the capabilities that can take part in reaching one of `goals`; itself where all can.

    Without `things`, what they afford is not looked at. A domain that asks more of a planner than literals and costs is
    returned as it is.
    """
    if domain.features:
        return domain
    asked: dict[Sign, set[Needs]] = defaultdict(set)
    known = things or {}
    for literal in {literal for goal in goals for literal in goal}:
        needs = tuple([known[arg].affordances if arg in known else frozenset() for arg in literal.atom.args])
        asked[literal.atom.predicate, literal.positive].add(needs)
    kinds = None if things is None else {thing.affordances for thing in things.values()}
    names = _useful(domain.capabilities, asked, kinds)
    if len(names) == len(domain.capabilities):
        return domain
    return domain.remember(("needed", names), lambda: _reduced(domain, names))


def _useful(
    capabilities: Mapping[str, Capability], asked: dict[Sign, set[Needs]], kinds: Collection[frozenset[str]] | None
) -> frozenset[str]:
    waiting, found = dict(capabilities), set[str]()
    while ready := [
        key for key, one in waiting.items() if any(_serves(part, one, asked, kinds) for part in one.effect)
    ]:
        found.update(ready)
        for one in map(waiting.pop, ready):
            for part in one.precondition:
                asked[part.predicate, part.positive].add(_needs(part, one))
    return frozenset(found)


def _needs(part: Template, capability: Capability) -> Needs:
    needs = {f"?{one.name}": frozenset(one.affordances) - {"object"} for one in capability.parameters}
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
    return any(all(_afforded(one | two, kinds) for one, two in zip(made, needs, strict=True)) for needs in wanted)


def _afforded(needs: frozenset[str], kinds: Collection[frozenset[str]] | None) -> bool:
    return not needs or kinds is None or any(needs <= one for one in kinds)


def _reduced(domain: Domain, names: frozenset[str]) -> Domain:
    capabilities = {name: one for name, one in domain.capabilities.items() if name in names}
    kept = {one.name for one in capabilities.values()}
    agents = {name: replace(one, capabilities=one.capabilities & kept) for name, one in domain.agents.items()}
    return replace(domain, capabilities=capabilities, agents=agents)
