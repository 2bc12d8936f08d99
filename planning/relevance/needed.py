"""Which capabilities can matter to a goal at all, by the names of predicates alone.

An action none of whose effects is asked for, neither by the goal nor by the condition of an action that matters, can be
left out of any plan. Asked over predicates and signs instead of facts, that takes microseconds, and spares a world with
many capabilities the cost of those that have nothing to do with the request: nobody chops to put the milk away.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from domains.model import Capability, Domain
from semantics.atoms import Conjunct

__all__ = ["needed"]

REMEMBERED = 32

Sign = tuple[str, bool]

_known: OrderedDict[tuple[int, frozenset[str]], tuple[object, Domain]] = OrderedDict()


def needed(domain: Domain, goals: Iterable[Conjunct]) -> Domain:
    """Return `domain` with the capabilities that can take part in reaching one of `goals`; itself where all can.

    A domain that asks more of a planner than literals and costs is returned as it is.
    """
    if domain.features:
        return domain
    asked = {(literal.atom.predicate, literal.positive) for goal in goals for literal in goal}
    names = _useful(domain.capabilities, asked)
    if len(names) == len(domain.capabilities):
        return domain
    key = id(domain.capabilities), names
    if key not in _known:
        _known[key] = domain.capabilities, _reduced(domain, names)
        while len(_known) > REMEMBERED:
            _known.popitem(last=False)
    return replace(domain, capabilities=_known[key][1].capabilities, agents=_known[key][1].agents)


def _useful(capabilities: Mapping[str, Capability], asked: set[Sign]) -> frozenset[str]:
    waiting, found = dict(capabilities), set[str]()
    while ready := [
        key for key, one in waiting.items() if any((part.predicate, part.positive) in asked for part in one.effect)
    ]:
        found.update(ready)
        asked |= {(part.predicate, part.positive) for key in ready for part in waiting.pop(key).precondition}
    return frozenset(found)


def _reduced(domain: Domain, names: frozenset[str]) -> Domain:
    capabilities = {name: one for name, one in domain.capabilities.items() if name in names}
    kept = {one.name for one in capabilities.values()}
    agents = {name: replace(one, capabilities=one.capabilities & kept) for name, one in domain.agents.items()}
    return replace(domain, capabilities=capabilities, agents=agents)
