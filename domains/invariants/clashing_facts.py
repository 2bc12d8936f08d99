"""Finds facts of a start state that exclude each other, by the conventions of the world.

The predicates of door states exclude each other for one door. The predicates of places give a thing one place at a
time. This second convention counts only where the actions keep to it: in a world whose things may lie on two others,
some action puts a thing on a second one.

A YAML file declares these meanings, or leaves them at the documented names. A PDDL domain has no such declaration: its
predicates only have names. There, two states of a door are certain to exclude each other if the actions keep them so.
Two places are never certain, because an object of PDDL may stand for goods of which there are several.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from domains.invariants.exclusion import exclusions
from domains.model import Domain
from semantics.logic.atoms import Atom

__all__ = ["are_kept_apart", "clash_message", "clashing_facts", "is_certain", "switched_facts"]

YAML = (".yaml", ".yml")


def clashing_facts(facts: Iterable[Atom], domain: Domain) -> Iterator[tuple[Atom, Atom]]:
    """Yield two facts of each door that is in several states, and of each thing that is in several places."""
    doors: dict[str, Atom] = {}
    places: dict[str, Atom] = {}
    for fact in facts:
        if fact.predicate in domain.conventions.doors and len(fact.args) == 1:
            first = doors.setdefault(fact.args[0], fact)
            if first.predicate != fact.predicate:
                yield first, fact
        if fact.predicate in domain.conventions.placing and len(fact.args) == 2:
            first = places.setdefault(fact.args[0], fact)
            if first != fact and are_kept_apart(first, fact, domain):
                yield first, fact


def switched_facts(facts: Iterable[Atom], domain: Domain) -> Iterator[tuple[Atom, Atom]]:
    """Yield two states of each thing that is in several states that the actions keep apart, whatever their names.

    This is no certain mistake: a person may have the money and the ticket, although buying and selling switch them.
    """
    states: defaultdict[str, list[Atom]] = defaultdict(list)
    for fact in facts:
        if len(fact.args) == 1:
            states[fact.args[0]].append(fact)
    for each in states.values():
        yield from (pair for pair in combinations(each, 2) if are_kept_apart(*pair, domain))


def clash_message(first: Atom, second: Atom) -> str:
    """Return the message about two facts that exclude each other."""
    return f"{second} and {first} exclude each other at the start; expected one of them"


def is_certain(first: Atom, second: Atom, domain: Domain) -> bool:
    """Return whether two facts from `clashing_facts` exclude each other beyond doubt, so that they are an error."""
    if (domain.source or "").endswith(YAML):
        return True
    states = (first.predicate, second.predicate)
    if not domain.conventions.doors.issuperset(states) or not domain.derived.keys().isdisjoint(states):
        return False
    return are_kept_apart(first, second, domain)


def are_kept_apart(first: Atom, second: Atom, domain: Domain) -> bool:
    """Return whether the actions keep two facts about one thing from holding together."""
    mutexes = domain.remember(("exclusive",), lambda: exclusions(domain, ()))
    return mutexes.exclude(first, second)
