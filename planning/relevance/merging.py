"""Merging: a few proxies stand for all things that may not matter. The argument is in `planning.relevance`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product

from domains.model import Domain
from planning.grounding import ground, reached_operators
from planning.relevance.resources import Resources
from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import Action, Operator, State
from semantics.vocabulary import Thing

__all__ = ["Merged"]

PROXY = "?proxy"
"""Start of a proxy's name; no thing is called so."""


class Merged:
    """The operators over the kept things, and over the proxies that stand for all others.

    Attributes:
        own: Operators over kept things alone, as far as the delete relaxation reaches.
        mixed: The other operators.
        start: The state, with each fact about a thing that is not kept told of the proxy.
    """

    def __init__(
        self, conjunct: Conjunct, state: State, things: Mapping[str, Thing], kept: Mapping[str, Thing], domain: Domain
    ) -> None:
        """Ground and explore; some 50 ms with twenty kept things."""
        self._things = things
        self._domain = domain
        self._loose = frozenset(things) - frozenset(kept)
        proxies = self._proxies()
        merged = State(frozenset(image for atom in state.atoms for image in self._merge(atom, tuple(proxies))))
        operators = [_blind(one) for one in ground(domain, {**kept, **proxies})]
        reached = reached_operators(operators, merged)
        self._resources = Resources(reached, merged, conjunct)
        self._merged = merged
        self.start = State(frozenset(_one(atom) for atom in merged.atoms))
        self.own = tuple(one for one in reached if not _about_proxy(one.action.args))
        self.mixed = tuple(one for one in reached if _about_proxy(one.action.args))

    def _proxies(self) -> dict[str, Thing]:
        """Make as many proxies as one action can name different loose things."""
        affordances = frozenset[str]().union(*(self._things[name].affordances for name in self._loose))
        capabilities = self._domain.capabilities.values()
        counts = [sum(_needs(part.affordances) <= affordances for part in one.parameters) for one in capabilities]
        names = [f"{PROXY}{index}" for index in range(max(counts, default=0) if self._loose else 0)]
        return {name: Thing(name, PROXY, affordances) for name in names}

    def _merge(self, atom: Atom, proxies: tuple[str, ...]) -> Iterable[Atom]:
        choices = [proxies if arg in self._loose else (arg,) for arg in atom.args]
        return (Atom(atom.predicate, args) for args in product(*choices))

    def images(self) -> tuple[Operator, ...] | None:
        """Return the images of the actions that cannot be dropped; None when the argument does not go through."""
        dropped, rest = self._dropped, self._rest
        touched = _touched(dropped)
        tokens = {token for atom in touched for token in self._resources.tokens(atom)}
        theirs = {token for token in tokens if _about_proxy(token.args)}
        if tokens & touched or theirs & self._merged.atoms or any(theirs & (one.added | one.deleted) for one in rest):
            return None
        granted = {_one(atom) for one in dropped for atom in one.added}
        return tuple({image.action: image for image in (_image(one, granted) for one in rest)}.values())

    @cached_property
    def _dropped(self) -> list[Operator]:
        """The operators that touch nothing but resources, to the fixpoint."""
        dropped = list(self.mixed)
        while bad := {atom for atom in _touched(dropped) if not self._resources.may_drop(atom, dropped)}:
            dropped = [one for one in dropped if not bad & (one.added | one.deleted)]
        return dropped

    @cached_property
    def _rest(self) -> list[Operator]:
        dropped = {one.action for one in self._dropped}
        return [one for one in self.mixed if one.action not in dropped]

    def behind(self, images: Iterable[Operator]) -> frozenset[str]:
        """Return the loose things that can stand where the `images` have a proxy."""
        needs: set[frozenset[str]] = set()
        for image in images:
            parameters = self._domain.capabilities[image.action.name].parameters
            for parameter, arg in zip(parameters, image.action.args, strict=True):
                if _about_proxy((arg,)):
                    needs.add(_needs(parameter.affordances))
        return frozenset(name for name in self._loose if any(need <= self._things[name].affordances for need in needs))


def _needs(affordances: Iterable[str]) -> frozenset[str]:
    return frozenset(affordances) - {"object"}


def _about_proxy(args: Iterable[str]) -> bool:
    return any(arg.startswith(PROXY) for arg in args)


def _one(atom: Atom) -> Atom:
    """Make all proxies the same."""
    return Atom(atom.predicate, tuple(PROXY if arg.startswith(PROXY) else arg for arg in atom.args))


def _blind(operator: Operator) -> Operator:
    """Drop what must not hold of proxies: it may fail to hold of one loose thing though it holds of another."""
    asked = (one for one in operator.precondition if one.positive or not _about_proxy(one.atom.args))
    return replace(operator, precondition=frozenset(asked))


def _touched(operators: Collection[Operator]) -> set[Atom]:
    """Return the atoms of kept things alone that `operators` change."""
    return {atom for one in operators for atom in one.added | one.deleted if not _about_proxy(atom.args)}


def _image(operator: Operator, granted: Collection[Atom]) -> Operator:
    """Ask for nothing of proxies that may be `granted`, and lose nothing of them."""
    asked = {Literal(_one(atom), positive) for atom, positive in operator.precondition}
    return Operator(
        action=Action(operator.action.name, tuple(_one(Atom("", operator.action.args)).args)),
        precondition=frozenset(literal for literal in asked if literal.atom not in granted),
        added=frozenset(_one(atom) for atom in operator.added) - frozenset(granted),
        deleted=frozenset(atom for atom in operator.deleted if not _about_proxy(atom.args)),
        cost=operator.cost,
    )
