"""Finds goals that no sequence of actions reaches, without a planner, for the check of a world.

Facts are collected in the delete relaxation, in which no fact becomes false (Hoffmann and Nebel, "The FF planning
system", 2001). What is unreachable in it is unreachable in the world; the converse need not hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from domains.capability import Capability, Template, effects_of
from domains.invariants.preconditions import certain
from domains.model import Domain, SceneFile
from semantics.logic.atoms import Formula, Literal, conjoined

__all__ = ["out_of_reach"]

MOST_STEPS = 300_000
"""The number of bindings that are tried before the check gives up: about a second."""

Binding = Mapping[str, str]


class _TooManyError(Exception):
    """There are too many bindings to try."""


def out_of_reach(goal: Formula, scene: SceneFile, domain: Domain) -> tuple[Literal, ...]:
    """Return the literals that a goal certainly requires and that are unreachable from `scene`.

    Derived predicates are ignored, and nothing is returned if there are too many bindings to try.
    """
    asked = tuple(certain(conjoined(goal)))
    try:
        reached = _FactGathering(domain, scene).facts()
    except _TooManyError:
        return ()
    never = (
        literal
        for literal in asked
        if literal.atom.predicate not in domain.derived and not _may_hold(literal, reached, scene, domain)
    )
    return tuple(never)


def _may_hold(literal: Literal, reached: Mapping[str, set[tuple[str, ...]]], scene: SceneFile, domain: Domain) -> bool:
    name, args = literal.atom
    if literal.positive:
        return args in reached[name]
    return literal.atom not in scene.facts or any(
        made.atom.predicate == name and not made.positive
        for capability in domain.capabilities.values()
        for made in effects_of(capability)
    )


@dataclass(slots=True)
class _FactGathering:
    """Collects facts until there are no more."""

    domain: Domain
    scene: SceneFile
    reached: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    steps: int = 0

    def facts(self) -> Mapping[str, set[tuple[str, ...]]]:
        for atom in (*self.scene.facts, *self.scene.beliefs):
            self.reached[atom.predicate].add(atom.args)
        before = -1
        while before != (before := sum(map(len, self.reached.values()))):
            for capability in self.domain.capabilities.values():
                self._do(capability)
        return self.reached

    def _do(self, capability: Capability) -> None:
        """Apply a capability in every way that the facts so far allow."""
        asked = [
            template
            for template in capability.precondition
            if template.positive
            and template.predicate not in self.domain.derived
            and not self.domain.predicates[template.predicate].bookkeeping
        ]
        free = {f"?{parameter.name}": self._able(parameter.affordances) for parameter in capability.parameters}
        for binding in list(self._bindings(asked, {}, free)):
            for effect in capability.effects:
                variables = {f"?{variable.name}": self._able((variable.affordance,)) for variable in effect.variables}
                for template in effect.literals:
                    self._make(template, binding, free | variables)

    def _able(self, affordances: Sequence[str]) -> frozenset[str]:
        asked = set(affordances) - {"object"}
        return frozenset(name for name, thing in self.scene.things.items() if asked <= thing.affordances)

    def _bindings(
        self, asked: Sequence[Template], binding: Binding, free: Mapping[str, frozenset[str]]
    ) -> Iterator[Binding]:
        """Yield every binding that makes the literals `asked` facts; other variables stay unbound."""
        if not all(free.values()):
            return
        if not asked:
            yield binding
            return
        for args in tuple(self.reached[asked[0].predicate]):
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise _TooManyError
            extended = _unified(asked[0].args, args, binding, free)
            if extended is not None:
                yield from self._bindings(asked[1:], extended, free)

    def _make(self, effect: Template, binding: Binding, free: Mapping[str, frozenset[str]]) -> None:
        if effect.positive:
            for args in self._written(effect.args, binding, free):
                self.reached[effect.predicate].add(args)

    def _written(
        self, args: Sequence[str], binding: Binding, free: Mapping[str, Iterable[str]]
    ) -> Iterator[tuple[str, ...]]:
        """Yield an effect's arguments, with every possible object in place of each unbound variable."""
        if not args:
            yield ()
            return
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _TooManyError
        first = args[0]
        for name in (binding[first],) if first in binding else free.get(first, (first,)):
            for rest in self._written(args[1:], {**binding, first: name}, free):
                yield (name, *rest)


def _unified(
    args: Sequence[str], names: Sequence[str], binding: Binding, free: Mapping[str, frozenset[str]]
) -> Binding | None:
    """Return the binding that turns `args` into `names`, or None."""
    if len(args) != len(names):
        return None
    extended = dict(binding)
    for arg, name in zip(args, names, strict=True):
        if arg.startswith("?"):
            if extended.setdefault(arg, name) != name or name not in free.get(arg, {name}):
                return None
        elif arg != name:
            return None
    return extended
