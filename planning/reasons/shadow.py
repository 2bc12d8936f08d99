"""The shadow of a rich domain: plain literals only, and everything that the rich one can do.

A step of a rich plan is a sequence here. First each conditional effect that came about adds its atoms, as an action of
its own; then the action itself; then what its conditional effects ended ends, and last the derived atoms are ended and
derived anew. Whatever would stand in the way of that order is not asked for, nor are things on all things, numbers and
equalities. So what cannot be reached in the shadow cannot be reached in the domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, product

from domains.capability import Capability, ConditionalEffect, Parameter, Template
from domains.model import DerivedPredicate, Domain
from semantics.atoms import And, Atom, Exists, ForAll, Formula, Not, Or

__all__ = ["shadow"]

MOST_PARAMETERS = 5
"""More are not bound: what else a condition names is not asked for."""
MOST_WAYS = 12

Way = tuple[tuple[Parameter, ...], tuple[Template, ...]]
ANYHOW: Way = ((), ())


def shadow(domain: Domain) -> Domain:
    """Return the shadow of `domain`."""
    ways = _Ways()
    verbs = [verb for one in domain.capabilities.values() for verb in _Verb(one, ways).parts()]
    verbs += [verb for one in domain.derived.values() for verb in _derivations(one, ways)]
    return replace(domain, capabilities={f"{one.name} {number}": one for number, one in enumerate(verbs)}, derived={})


class _Ways:
    """Reads formulas as alternatives of literals, with the variables that they need; each is named anew."""

    def __init__(self) -> None:
        self._numbers = count()

    def of(self, formula: Formula | None, positive: bool = True) -> list[Way]:
        match formula:
            case Atom():
                return [((), (Template(formula.predicate, formula.args, positive),))]
            case Not(part):
                return self.of(part, not positive)
            case And(parts) | Or(parts):
                found = [self.of(part, positive) for part in parts]
                if isinstance(formula, Or) == positive:
                    ways = [way for one in found for way in one]
                    return ways if len(ways) <= MOST_WAYS else [ANYHOW]
                return self._joined(found)
            case Exists(variables, part) | ForAll(variables, part) if isinstance(formula, Exists) == positive:
                names = {f"?{one.name}": f"{one.name}.{next(self._numbers)}" for one in variables}
                more = tuple(Parameter(names[f"?{one.name}"], (one.affordance,)) for one in variables)
                return [(more + own, _renamed(literals, names)) for own, literals in self.of(part, positive)]
        return [ANYHOW]

    @staticmethod
    def _joined(found: list[list[Way]]) -> list[Way]:
        ways: list[Way] = [ANYHOW]
        for one in found:
            if len(ways) * len(one) <= MOST_WAYS:  # else it is not asked for
                ways = [(left[0] + right[0], left[1] + right[1]) for left, right in product(ways, one)]
        return ways


def _renamed(literals: Sequence[Template], names: dict[str, str]) -> tuple[Template, ...]:
    shown = {old: f"?{new}" for old, new in names.items()}
    return tuple(replace(one, args=tuple(shown.get(arg, arg) for arg in one.args)) for one in literals)


@dataclass(frozen=True)
class _Verb:
    """One capability, taken apart."""

    capability: Capability
    ways: _Ways

    def parts(self) -> Iterator[Capability]:
        core = self.capability
        gains = {one.predicate for effect in core.conditional for one in effect.literals if one.positive}
        for effect in core.conditional:
            yield from self._adds(effect)
        for more, literals in self.ways.of(core.condition):
            asked = (*core.precondition, *literals)
            needs = [one for one in asked if one.positive or one.predicate not in gains]
            effects = [one for one in core.effect if one.positive or one.predicate not in gains]
            yield self._part(more, needs, effects)
        for one in core.effect:
            if not one.positive and one.predicate in gains:
                yield self._part((), self._lasting(), [one])
        for effect in core.conditional:
            more = tuple(Parameter(one.name, (one.affordance,)) for one in effect.variables)
            for one in effect.literals:
                if not one.positive:
                    yield self._part(more, self._lasting(), [one])

    def _adds(self, effect: ConditionalEffect) -> Iterator[Capability]:
        added = [one for one in effect.literals if one.positive]
        own = tuple(Parameter(one.name, (one.affordance,)) for one in effect.variables)
        before = [one for one in self.capability.precondition if one.positive]
        for more, literals in self.ways.of(effect.condition) if added else ():
            yield self._part(own + more, [*before, *(one for one in literals if one.positive)], added, len(own))

    def _lasting(self) -> list[Template]:
        """Return what is asked for and still holds when everything else is done."""
        effects = [*self.capability.effect, *(one for some in self.capability.conditional for one in some.literals)]
        ended = {one.predicate for one in effects if not one.positive}
        return [one for one in self.capability.precondition if one.positive and one.predicate not in ended]

    def _part(
        self, more: Sequence[Parameter], needs: Sequence[Template], effect: Sequence[Template], keep: int = 0
    ) -> Capability:
        own = self.capability.parameters
        bound = (*own, *more[: max(keep, MOST_PARAMETERS - len(own))])
        return _plain(self.capability, bound, _about(needs, bound), effect)


def _about(literals: Sequence[Template], bound: Sequence[Parameter]) -> tuple[Template, ...]:
    """Return the literals whose variables are bound."""
    names = {f"?{one.name}" for one in bound}
    return tuple(one for one in literals if all(arg in names or arg[:1] != "?" for arg in one.args))


def _plain(
    capability: Capability, bound: Sequence[Parameter], needs: Sequence[Template], effect: Sequence[Template]
) -> Capability:
    return replace(
        capability,
        parameters=tuple(bound),
        precondition=tuple(needs),
        effect=tuple(effect),
        condition=None,
        conditional=(),
        numeric=(),
        cost_by=None,
    )


def _derivations(derived: DerivedPredicate, ways: _Ways) -> Iterator[Capability]:
    head = Template(derived.name, tuple(f"?{one.name}" for one in derived.variables))
    own = tuple(Parameter(one.name, (one.affordance,)) for one in derived.variables)
    verb = Capability(derived.name, own, (), (), agentless=True)
    yield _plain(verb, own, (), [replace(head, positive=False)])
    for body in derived.bodies:
        for more, literals in ways.of(body):
            bound = (*own, *more[: MOST_PARAMETERS - len(own)])
            yield _plain(verb, bound, _about(literals, bound), [head])
