"""Capabilities prepared for grounding: their templates are grouped by the first argument.

Every atom belongs to its first argument: ``(on milk0 table0)`` belongs to the milk. So the atoms of a task split into
those of each object. An action splits into *roles*, one for each object whose atoms it requires or changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from domains.model import Capability, Domain, Template
from planning.problem.grounding import actors

Fact = tuple[str, tuple[str, ...]]
"""A predicate and names. It equals the `semantics.logic.atoms.Atom` with the same content, and is faster to create."""


@dataclass(frozen=True)
class AtomTemplate:
    """A template; each argument is the index of a parameter, or a name."""

    predicate: str
    args: tuple[int | str, ...]

    @cached_property
    def ground(self) -> Callable[[tuple[str, ...]], Fact]:
        """A function that replaces the parameters by arguments."""
        predicate, numbers = self.predicate, [arg for arg in self.args if isinstance(arg, int)]
        if len(numbers) == len(self.args) > 1:
            pick = itemgetter(*numbers)
            return lambda args: (predicate, pick(args))
        if len(numbers) == len(self.args) == 1:
            number = numbers[0]
            return lambda args: (predicate, (args[number],))
        return lambda args: (predicate, tuple([args[arg] if isinstance(arg, int) else arg for arg in self.args]))


@dataclass(frozen=True, eq=False)
class Role:
    """What an action requires of the atoms of one of its objects, and how it changes them."""

    key: int | str | None  # the index of the parameter, or a name; None for atoms without arguments
    positive: tuple[AtomTemplate, ...]  # the atoms that must hold
    negative: tuple[AtomTemplate, ...]  # the atoms that must not hold
    added: tuple[AtomTemplate, ...]  # the atoms that hold afterwards
    deleted: tuple[AtomTemplate, ...]  # the atoms that no longer hold afterwards, unless they are also added

    @cached_property
    def named(self) -> tuple[int, ...]:
        """The parameters that its templates name."""
        parts = (*self.positive, *self.negative, *self.added, *self.deleted)
        return tuple(sorted({arg for part in parts for arg in part.args if isinstance(arg, int)}))

    @cached_property
    def bound(self) -> tuple[int, ...]:
        """The parameters that are bound once an object takes the role."""
        bound = {arg for part in self.positive for arg in part.args if isinstance(arg, int)}
        return tuple(sorted(bound | ({self.key} if isinstance(self.key, int) else set())))

    @cached_property
    def pick(self) -> Callable[[tuple[str, ...]], object]:
        """A function that returns the arguments of the parameters in `named`."""
        return itemgetter(*self.named) if self.named else lambda _args: ()

    @cached_property
    def grounding(self) -> tuple[tuple[Callable[[tuple[str, ...]], Fact], ...], ...]:
        """Functions that ground its positive, negative, added and deleted templates."""
        templates = self.positive, self.negative, self.added, self.deleted
        return tuple(tuple(part.ground for part in parts) for parts in templates)


@dataclass(frozen=True)
class CapabilitySchema:
    """A capability with its templates by role."""

    name: str  # the name of the capability
    needs: tuple[frozenset[str], ...]  # the affordances of each parameter
    roles: tuple[Role, ...]  # what it requires of each of its objects, and how it changes them
    distinct: tuple[tuple[int, int], ...]  # pairs of parameters that must differ, by index
    agents: frozenset[str] | None  # the classes of agents that have it; None when it takes no agent

    @cached_property
    def asking(self) -> tuple[Role, ...]:
        """The roles with conditions."""
        return tuple(role for role in self.roles if role.positive or role.negative)

    @cached_property
    def opposed(self) -> tuple[tuple[AtomTemplate, AtomTemplate], ...]:
        """The pairs of an atom that must hold and one of the same predicate that must not, which may be one fact."""
        asked = [part for role in self.roles for part in role.positive]
        denied = [part for role in self.roles for part in role.negative]
        return tuple((one, other) for one in asked for other in denied if one.predicate == other.predicate)

    @cached_property
    def keys(self) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
        """A function that returns the object of each role; "" for atoms without arguments."""
        keys = [role.key for role in self.roles]
        numbers = [key for key in keys if isinstance(key, int)]
        if len(numbers) == len(keys) > 1:
            return itemgetter(*numbers)
        return lambda args: tuple([args[key] if isinstance(key, int) else key or "" for key in keys])


def schemas(domain: Domain, asked: frozenset[str]) -> tuple[CapabilitySchema, ...]:
    """Return the capabilities that some agent has (cached). Effects on predicates not in `asked` are left out."""
    return domain.remember(("schemas", asked), lambda: _read(domain, asked))


def _read(domain: Domain, asked: frozenset[str]) -> tuple[CapabilitySchema, ...]:
    able = [(capability, actors(domain, capability)) for capability in domain.capabilities.values()]
    return tuple(_schema(capability, agents, asked) for capability, agents in able if agents is None or agents)


def _schema(capability: Capability, agents: frozenset[str] | None, asked: frozenset[str]) -> CapabilitySchema:
    index = {parameter.name: number for number, parameter in enumerate(capability.parameters)}
    effects = [template for template in capability.effect if template.predicate in asked]
    keys = dict.fromkeys(_part(template, index).args[:1] for template in (*capability.precondition, *effects))
    roles = []
    for key in keys:
        before = [template for template in capability.precondition if _part(template, index).args[:1] == key]
        after = [template for template in effects if _part(template, index).args[:1] == key]
        parts = (
            tuple(_part(template, index) for template in templates if template.positive is positive)
            for templates, positive in ((before, True), (before, False), (after, True), (after, False))
        )
        roles.append(Role(key[0] if key else None, *parts))
    needs = tuple(frozenset(parameter.affordances) - {"object"} for parameter in capability.parameters)
    distinct = tuple((index[left], index[right]) for left, right in capability.distinct)
    return CapabilitySchema(capability.name, needs, tuple(roles), distinct, agents)


def _part(template: Template, index: dict[str, int]) -> AtomTemplate:
    return AtomTemplate(template.predicate, tuple(index[arg[1:]] if arg[:1] == "?" else arg for arg in template.args))
