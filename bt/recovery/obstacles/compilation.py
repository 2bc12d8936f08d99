"""Obstacles for the planner: a copy of the domain in which they forbid things, so that the planner clears the way.

Each sort of obstacle is one more predicate. ``(obstructed_get_on salt0 shelf0 pepper0)`` says that the pepper cannot be
got while the salt is on the shelf: `get` asks for its absence, and every effect that ends or makes ``(on ?o ?place)``
ends or makes it along, so that it goes with the thing that is taken away and comes back with it. That is true of any
domain; nobody has to write it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bt.recovery.obstacles.obstacle import Obstacle
from domains.capability import Capability, Template
from domains.model import Domain, PredicateModel
from semantics.state import State
from semantics.vocabulary import Predicate

__all__ = ["domain_with", "known_to"]


def domain_with(domain: Domain, obstacles: Iterable[Obstacle]) -> Domain:
    """Return a copy of `domain` that reckons with `obstacles`; `domain` itself when there are none."""
    known = tuple(dict.fromkeys(obstacles))
    if not known:
        return domain
    predicates = {one.predicate: _predicate(one) for one in known}
    capabilities = {name: _minding(capability, known) for name, capability in domain.capabilities.items()}
    return replace(domain, predicates={**domain.predicates, **predicates}, capabilities=capabilities)


def known_to(domain: Domain, state: State) -> State:
    """Return a state without what a model has no words for, such as an obstacle that was forgotten meanwhile."""
    unknown = [atom for atom in state.atoms if atom.predicate not in domain.predicates]
    return state.with_atoms(deleted=unknown) if unknown else state


def _predicate(obstacle: Obstacle) -> PredicateModel:
    parameters = ("object",) * len(obstacle.atom.args)
    said = f"{obstacle.code} ({', '.join(f'{{{number}}}' for number in range(len(parameters)))})"
    return PredicateModel(Predicate(obstacle.predicate, parameters, said, goal=False), bookkeeping=True)


def _minding(capability: Capability, obstacles: Sequence[Obstacle]) -> Capability:
    asked = dict.fromkeys(_absence(one, capability) for one in obstacles if one.capability == capability.name)
    conditional = tuple(
        replace(one, literals=(*one.literals, *_along(one.literals, obstacles))) for one in capability.conditional
    )
    return replace(
        capability,
        precondition=(*capability.precondition, *asked),
        effect=(*capability.effect, *_along(capability.effect, obstacles)),
        conditional=conditional,
    )


def _absence(obstacle: Obstacle, capability: Capability) -> Template:
    place = obstacle.place.args if obstacle.place else ()
    names = tuple(f"?{capability.parameters[number].name}" for number, _ in obstacle.pattern)
    return Template(obstacle.predicate, (*place, *names), positive=False)


def _along(effects: Sequence[Template], obstacles: Sequence[Obstacle]) -> tuple[Template, ...]:
    """Return what changes of the obstacles when things are moved."""
    return tuple(
        dict.fromkeys(
            Template(one.predicate, (*effect.args, *(name for _, name in one.pattern)), effect.positive)
            for one in obstacles
            for effect in effects
            if one.place is not None and effect.predicate == one.place.predicate
        )
    )
