"""The shadow of an ADL domain: a domain with plain literals only that can do everything the ADL domain can.

A step of an ADL plan becomes a sequence in the shadow. First, each conditional effect that happens adds its atoms, as a
separate action. Then the action itself follows. Then the deletions of its conditional effects follow. Last, the derived
atoms are deleted and derived again. Conditions that would prevent this order are dropped, as are conditions on all
objects, numbers and equalities. So what is unreachable in the shadow is unreachable in the domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, product

from domains.capability import Capability, ConditionalEffect, Parameter, Template
from domains.model import DerivedPredicate, Domain
from semantics.logic.atoms import And, Atom, Exists, ForAll, Formula, Not, Or

MOST_PARAMETERS = 5  # the largest number of parameters that are bound; conditions on other variables are dropped
MOST_WAYS = 12

Way = tuple[tuple[Parameter, ...], tuple[Template, ...]]
ANYHOW: Way = ((), ())


def shadow(domain: Domain) -> Domain:
    """Return the shadow of `domain`."""
    ways = _Ways()
    verbs = [verb for capability in domain.capabilities.values() for verb in _Verb(capability, ways).parts()]
    verbs += [verb for predicate in domain.derived.values() for verb in _derivations(predicate, ways)]
    return replace(
        domain, capabilities={f"{verb.name} {number}": verb for number, verb in enumerate(verbs)}, derived={}
    )


class _Ways:
    """Reads formulas as alternatives of literals, with the variables they need; each variable gets a new name."""

    def __init__(self) -> None:
        self._numbers = count()

    def of(self, formula: Formula | None, positive: bool = True) -> list[Way]:
        match formula:
            case Atom():
                return [((), (Template(formula.predicate, formula.args, positive),))]
            case Not(part):
                return self.of(part, not positive)
            case And(parts) | Or(parts):
                alternatives = [self.of(part, positive) for part in parts]
                if isinstance(formula, Or) == positive:
                    ways = [way for options in alternatives for way in options]
                    return ways if len(ways) <= MOST_WAYS else [ANYHOW]
                return self._joined(alternatives)
            case Exists(variables, part) | ForAll(variables, part) if isinstance(formula, Exists) == positive:
                names = {f"?{variable.name}": f"{variable.name}.{next(self._numbers)}" for variable in variables}
                parameters = tuple(
                    Parameter(names[f"?{variable.name}"], (variable.affordance,)) for variable in variables
                )
                return [(parameters + own, _renamed(literals, names)) for own, literals in self.of(part, positive)]
        return [ANYHOW]

    @staticmethod
    def _joined(alternatives: list[list[Way]]) -> list[Way]:
        ways: list[Way] = [ANYHOW]
        for options in alternatives:
            if len(ways) * len(options) <= MOST_WAYS:  # otherwise drop the condition
                ways = [(left[0] + right[0], left[1] + right[1]) for left, right in product(ways, options)]
        return ways


def _renamed(literals: Sequence[Template], names: dict[str, str]) -> tuple[Template, ...]:
    shown = {old: f"?{new}" for old, new in names.items()}
    return tuple(replace(template, args=tuple(shown.get(arg, arg) for arg in template.args)) for template in literals)


@dataclass(frozen=True)
class _Verb:
    """One capability, split into several."""

    capability: Capability
    ways: _Ways

    def parts(self) -> Iterator[Capability]:
        core = self.capability
        gains = {template.predicate for effect in core.conditional for template in effect.literals if template.positive}
        for effect in core.conditional:
            yield from self._adds(effect)
        for parameters, literals in self.ways.of(core.condition):
            asked = (*core.precondition, *literals)
            needs = [template for template in asked if template.positive or template.predicate not in gains]
            effects = [template for template in core.effect if template.positive or template.predicate not in gains]
            yield self._part(parameters, needs, effects)
        for template in core.effect:
            if not template.positive and template.predicate in gains:
                yield self._part((), self._lasting(), [template])
        for effect in core.conditional:
            for template in effect.literals:
                named = [variable for variable in effect.variables if f"?{variable.name}" in template.args]
                own = [Parameter(variable.name, (variable.affordance,)) for variable in named]
                if not template.positive:
                    yield self._part(own, self._lasting(), [template], len(own))

    def _adds(self, effect: ConditionalEffect) -> Iterator[Capability]:
        added = [template for template in effect.literals if template.positive]
        own = tuple(Parameter(variable.name, (variable.affordance,)) for variable in effect.variables)
        before = [template for template in self.capability.precondition if template.positive]
        for parameters, literals in self.ways.of(effect.condition) if added else ():
            yield self._part(
                own + parameters, [*before, *(template for template in literals if template.positive)], added, len(own)
            )

    def _lasting(self) -> list[Template]:
        """Return the preconditions that still hold after all effects."""
        effects = [
            *self.capability.effect,
            *(template for conditional in self.capability.conditional for template in conditional.literals),
        ]
        ended = {template.predicate for template in effects if not template.positive}
        asked = self.capability.precondition
        return [template for template in asked if template.positive and template.predicate not in ended]

    def _part(
        self, extra: Sequence[Parameter], needs: Sequence[Template], effect: Sequence[Template], keep: int = 0
    ) -> Capability:
        own = self.capability.parameters
        bound = (*own, *extra[: max(keep, MOST_PARAMETERS - len(own))])
        return _plain(self.capability, bound, _about(needs, bound), effect)


def _about(literals: Sequence[Template], bound: Sequence[Parameter]) -> tuple[Template, ...]:
    """Return the literals whose variables are bound."""
    names = {f"?{parameter.name}" for parameter in bound}
    return tuple(template for template in literals if all(arg in names or arg[:1] != "?" for arg in template.args))


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
    head = Template(derived.name, tuple(f"?{variable.name}" for variable in derived.variables))
    own = tuple(Parameter(variable.name, (variable.affordance,)) for variable in derived.variables)
    verb = Capability(derived.name, own, (), (), agentless=True)
    yield _plain(verb, own, (), [replace(head, positive=False)])
    for body in derived.bodies:
        for parameters, literals in ways.of(body):
            bound = (*own, *parameters[: MOST_PARAMETERS - len(own)])
            yield _plain(verb, bound, _about(literals, bound), [head])
