"""Invariants: sets of facts about an object of which at most one holds (an object is on, in, or held by one other).

Candidates grow as in Fast Downward (Helmert, AIJ 2009, section 5). Where an action gains a fact of the family without
losing one, the family is extended by a fact that the action requires and loses. Unlike there, a family is checked for
one *owner* at a time, so that actions that are impossible for this owner do not count (for example, the robot is never
handed over). A family can also have no owner: a single hand, which the facts do not name, holds one object or is empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from domains.model import Capability, Domain, Template
from planning.problem.grounding import actors
from semantics.logic.atoms import Literal
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

LARGEST = 4  # the largest number of members of a family
NO_OWNER = -1  # the owner's index in a family without owner: all facts of its predicates count
UNOWNED = Thing("", "", frozenset())


class Member(NamedTuple):
    """A predicate with a sign, and the index of the owner's argument, or `NO_OWNER`."""

    predicate: str
    owner: int
    positive: bool = True


Family = frozenset[Member]


class Invariants:
    """The families of a domain. Each answer is computed once for all objects of the same class and affordances."""

    def __init__(self, domain: Domain, state: State) -> None:
        """Store the domain and the initial state."""
        self._domain = domain
        self._state = state
        self._known: dict[tuple[Member, str, frozenset[str]], Family | None] = {}

    def exclusive(self, literal: Literal, things: Mapping[str, Thing], owners: frozenset[str] | set[str]) -> bool:
        """Return whether `literal` excludes all other members of a family that has no owner or one of `owners`."""
        predicate, args = literal.atom
        own = [(things[name], index) for index, name in enumerate(args) if name in owners]
        unowned = [(UNOWNED, NO_OWNER)] if literal.positive or not args else []
        return any(
            family is not None and self._starts_once(family, owner.name)
            for owner, index in (*own, *unowned)
            for family in (self._family(Member(predicate, index, literal.positive), owner),)
        )

    def clash(self, first: Literal, second: Literal, things: Mapping[str, Thing]) -> bool:
        """Return whether an invariant allows at most one of two literals, or they negate each other."""
        (predicate, args), positive = first
        if first.atom == second.atom:
            return positive != second.positive
        owners = [(things[name], index) for index, name in enumerate(args)] if positive or len(args) == 1 else []
        return any(
            family is not None and self._belongs(second, family, owner.name) and self._starts_once(family, owner.name)
            for owner, index in (*owners, *([(UNOWNED, NO_OWNER)] if positive or not args else []))
            for family in (self._family(Member(predicate, index, positive), owner),)
        )

    @staticmethod
    def _belongs(literal: Literal, family: Family, owner: str) -> bool:
        """Return whether `literal` is a fact of `family` with this owner; a negative one must have no other name."""
        (predicate, args), positive = literal
        whole = positive or not args
        return any(
            (whole if member.owner == NO_OWNER else args[member.owner] == owner and (positive or len(args) == 1))
            for member in family
            if (member.predicate, member.positive) == (predicate, positive)
        )

    def _starts_once(self, family: Family, owner: str) -> bool:
        signs = (
            (1 if member.positive else -1, self._count[member.predicate, member.owner, owner]) for member in family
        )
        return sum(not member.positive for member in family) + sum(sign * count for sign, count in signs) <= 1

    @cached_property
    def _count(self) -> Counter[tuple[str, int, str]]:
        return Counter(
            (atom.predicate, index, name)
            for atom in self._state.atoms
            for index, name in ((NO_OWNER, ""), *enumerate(atom.args))
        )

    def _family(self, seed: Member, owner: Thing) -> Family | None:
        key = seed, owner.class_name, owner.affordances
        if key not in self._known:
            self._known[key] = self._grown(frozenset({seed}), owner)
        return self._known[key]

    def _grown(self, family: Family, owner: Thing) -> Family | None:
        """Return the family, extended until every action keeps it balanced; None when that is impossible."""
        # A family without owner that starts with two facts stays invalid: extending it cannot reduce their number.
        if owner is UNOWNED and not self._starts_once(family, ""):
            return None
        for capability in self._domain.capabilities.values():
            gains = {
                variable: _count(capability.effect, variable, family) for variable in self._variables(capability, owner)
            }
            gaining = [variable for variable, count in gains.items() if count]
            if any(gains[variable] > 1 for variable in gaining) or not _all_distinct(gaining, capability, family):
                return None
            for variable in gaining:
                losses = [loss for loss in _losses(capability) if _members(loss, variable)]
                if not _count(losses, variable, family):
                    return self._extended(family, owner, variable, losses)
        return family

    def _extended(self, family: Family, owner: Thing, variable: str, losses: list[Template]) -> Family | None:
        if len(family) >= LARGEST:
            return None
        for candidate in dict.fromkeys(member for loss in losses for member in sorted(_members(loss, variable))):
            if candidate not in family and (grown := self._grown(family | {candidate}, owner)) is not None:
                return grown
        return None

    def _variables(self, capability: Capability, owner: Thing) -> Iterator[str]:
        """Yield what may stand for the owner in a capability. The caller handles one object at two parameters."""
        if owner is UNOWNED:
            yield ""
            return
        able = actors(self._domain, capability)
        for index, parameter in enumerate(capability.parameters):
            fits = set(parameter.affordances) - {"object"} <= owner.affordances
            if fits and (index or able is None or owner.class_name in able):
                yield f"?{parameter.name}"
        yield owner.name


def _members(template: Template, variable: str) -> frozenset[Member]:
    """Return the members that `template` is an instance of; a negative fact must have no other argument."""
    if not variable:
        whole = template.positive or not template.args
        return frozenset({Member(template.predicate, NO_OWNER, template.positive)} if whole else ())
    if not template.positive and len(template.args) != 1:
        return frozenset()
    return frozenset(
        Member(template.predicate, index, template.positive)
        for index, arg in enumerate(template.args)
        if arg == variable
    )


def _count(templates: Iterable[Template], variable: str, family: Family) -> int:
    return sum(len(_members(template, variable) & family) for template in templates)


def _all_distinct(variables: list[str], capability: Capability, family: Family) -> bool:
    """Return whether no two of the variables can be the same object, which would gain twice.

    They also differ if the action would otherwise require two facts of the family.
    """
    distinct = {frozenset({f"?{left}", f"?{right}"}) for left, right in capability.distinct}
    return all(
        frozenset(pair) in distinct or len(_needed(pair, capability, family)) > 1 for pair in combinations(variables, 2)
    )


def _needed(variables: Iterable[str], capability: Capability, family: Family) -> set[str]:
    """Return the predicates of the family that a capability requires if all `variables` are the owner."""
    return {
        member.predicate
        for template in capability.precondition
        for variable in variables
        for member in _members(template, variable) & family
    }


def _losses(capability: Capability) -> list[Template]:
    """Return what a capability requires and makes false."""
    effect = {(template.predicate, template.args, template.positive) for template in capability.effect}
    return [
        template
        for template in capability.precondition
        if (template.predicate, template.args, not template.positive) in effect
    ]
