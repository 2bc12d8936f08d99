"""Finds facts of a start state that exclude each other, by the conventions of the world.

The predicates of door states exclude each other for one door. The predicates of places give a thing one place at a
time. This second convention counts only where the actions keep to it: in a world whose things may lie on two others,
some action puts a thing on a second one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domains.invariants.exclusion import exclusions
from domains.model import Domain
from semantics.atoms import Atom

__all__ = ["clash_message", "clashing_facts"]


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
            if first != fact and _kept_apart(first, fact, domain):
                yield first, fact


def clash_message(first: Atom, second: Atom) -> str:
    """Return the message about two facts that exclude each other."""
    return f"{second} and {first} exclude each other at the start; expected one of them"


def _kept_apart(first: Atom, second: Atom, domain: Domain) -> bool:
    return exclusions(domain, ()).exclude(first, second)
