"""Bookkeeping facts: they follow from the sensed facts, and action effects maintain them only for the planner.

A planner whose heuristic does not support derived predicates needs them as ordinary facts. This module computes them
again from the believed facts, so that they never become inconsistent: for all things, or for those alone of which
something else holds than before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from domains.conventions import STANDARD, Conventions
from semantics.errors import known_name
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Thing

Things = Mapping[str, Thing]


class Stacks:
    """What stands on what, who holds what, and what there is in vessels, as facts say.

    Args:
        things: The known objects, by name.
        names: The names of the world.
    """

    def __init__(self, things: Things, names: Conventions) -> None:
        self.things, self.names = things, names
        self._pairs: dict[str, tuple[dict[str, set[str]], dict[str, set[str]]]] = {
            predicate: ({}, {}) for predicate in (names.on, names.inhand, names.liquid_in)
        }

    def change(self, gone: Iterable[Atom], come: Iterable[Atom]) -> set[str]:
        """Take over which facts hold no longer and which do now; return of which things others may follow."""
        found, moved = set[str](), list[str]()
        for atoms, holds in ((gone, False), (come, True)):
            for atom in atoms:
                if atom.predicate in self._pairs and len(atom.args) == 2:
                    first, second = atom.args
                    moved.append(first)
                    found |= {second, self.support(second) or second}
                    for index, key, value in zip(self._pairs[atom.predicate], atom.args, (second, first), strict=True):
                        if holds:
                            index.setdefault(key, set()).add(value)
                        elif (values := index.get(key)) is not None:
                            values.discard(value)
                            if not values:
                                del index[key]
        return found | self.above(moved)

    def above(self, names: Iterable[str]) -> set[str]:
        """Return some things, what stands on them, and on that."""
        found, agenda = set[str](), list(names)
        while agenda:
            if (name := agenda.pop()) not in found:
                found.add(name)
                agenda += self.load(name)
        return found

    def related(self, predicate: str, name: str) -> Collection[str]:
        """Return the first arguments of the facts of a predicate with this second one."""
        return self._pairs[predicate][1].get(name, ())

    def load(self, name: str) -> set[str]:
        """Return what stands on something."""
        return self._pairs[self.names.on][1].get(name, set())

    def support(self, name: str) -> str | None:
        """Return what something stands on."""
        return min(self._pairs[self.names.on][0].get(name, ()), default=None)

    def below(self, name: str) -> list[str]:
        """Return the support of an object, then the support of this support, and so on."""
        below: list[str] = []
        support = self.support(name)
        while support is not None and support not in below:
            below.append(support)
            support = self.support(support)
        return below

    def conveys(self, name: str | None) -> bool:
        """Return whether something is a tray: a movable support that is carried with what stands on it."""
        return name is not None and self.affords(name, self.names.convey)

    def affords(self, name: str, affordance: str) -> bool:
        """Return whether an object is known and has an affordance."""
        return bool(affordance) and name in self.things and affordance in self.things[name].affordances


def _hand_occupied(name: str, stacks: Stacks) -> Iterable[str]:
    held = stacks.related(stacks.names.inhand, name)
    return [""] if held and name in stacks.things and stacks.things[name].class_name == stacks.names.robot else []


def _free(name: str, stacks: Stacks) -> Iterable[str]:
    if name not in stacks.things:
        return []
    load = stacks.load(name)
    if stacks.conveys(name):
        # A tray is lifted with its load, unless something stands on that which is no tray itself.
        load = {other for other in load if stacks.load(other) and not stacks.conveys(other)}
    return [] if load and stacks.affords(name, stacks.names.carry) else [""]


def _reachable(name: str, stacks: Stacks) -> Iterable[str]:
    places = [] if stacks.conveys(stacks.support(name)) else stacks.below(name)
    return [place for place in (name, *places) if stacks.affords(place, stacks.names.location)]


def _aboard(name: str, stacks: Stacks) -> Iterable[str]:
    """Find where the load of a tray can be taken off.

    It is where the tray stands. A tray that stands at no place, because it is in a hand or in or on something else, may
    be put down at any place first.
    """
    tray = stacks.support(name)
    if tray is None or not stacks.conveys(tray):
        return []

    def is_place(other: str) -> bool:
        return stacks.affords(other, stacks.names.location) and stacks.affords(other, stacks.names.support)

    below = stacks.support(tray)
    return [below] if below is not None and is_place(below) else filter(is_place, stacks.things)


DERIVED: dict[str, Callable[[str, Stacks], Iterable[str]]] = {
    "aboard": _aboard,
    "filled": lambda name, stacks: [""] if stacks.related(stacks.names.liquid_in, name) else [],
    "free": _free,
    "hand_occupied": _hand_occupied,
    "indirect_on": lambda name, stacks: [] if stacks.conveys(stacks.support(name)) else stacks.below(name)[1:],
    "reachable": _reachable,
}
"""How each bookkeeping predicate follows for one thing, by its default name: of which second argument it holds.

It is empty for a predicate of one argument."""


def derive(
    facts: Iterable[Atom], things: Things, names: Iterable[str], conventions: Conventions = STANDARD
) -> frozenset[Atom]:
    """Return the bookkeeping facts that follow from `facts`.

    Args:
        facts: The believed facts.
        things: The known objects, by name.
        names: The bookkeeping predicates to compute, by their default names.
        conventions: The names of the world.

    Raises:
        UnknownNameError: A name is not one of `DERIVED`.
    """
    stacks = Stacks(things, conventions)
    subjects = stacks.change((), facts) | things.keys()
    return frozenset(derived_of(subjects, stacks, tuple(names)))


def derived_of(subjects: Iterable[str], stacks: Stacks, names: Collection[str]) -> Iterable[Atom]:
    """Yield the bookkeeping facts of some things, which are their first arguments; see `derive`."""
    for name in names:
        known_name("bookkeeping predicate", name, DERIVED)
    rules = [(stacks.names[name], DERIVED[name]) for name in names]
    for subject in subjects:
        for predicate, rule in rules:
            for other in rule(subject, stacks):
                yield Atom(predicate, (subject, other) if other else (subject,))
