"""Finds facts of a start state that exclude each other, by the conventions of the world.

The predicates of door states exclude each other for one door. The predicates of places give a thing one place at a
time. This second convention counts only where the actions keep to it: in a world whose things may lie on two others,
some action puts a thing on a second one.

A YAML file declares these meanings, or leaves them at the documented names. A PDDL domain has no such declaration: its
predicates only have names. There, two states of a door are certain to exclude each other if each action that makes one
ends the other. Two places are never certain, because an object of PDDL may stand for goods of which there are several.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from domains.capability import Capability
from domains.invariants.exclusion import exclusions
from domains.invariants.mentions import different, required
from domains.model import Domain
from semantics.logic.atoms import Atom, Literal

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
    """Yield two states of each thing that is in several states between which the actions switch, whatever their names.

    This is no certain mistake: a person may have the money and the ticket, although buying and selling switch them.
    """
    states: defaultdict[str, list[Atom]] = defaultdict(list)
    for fact in facts:
        if len(fact.args) == 1:
            states[fact.args[0]].append(fact)
    known: dict[tuple[str, str], bool] = {}
    for each in states.values():
        for first, second in combinations(each, 2):
            names = (first.predicate, second.predicate)
            if names not in known:
                known[names] = first.predicate != second.predicate and _are_states(domain, *names)
            if known[names]:
                yield first, second


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
    return domain.remember(("is_certain", *sorted(states)), lambda: _are_states(domain, *states))


def _are_states(domain: Domain, first: str, second: str) -> bool:
    """Return whether the capabilities switch between two states, and none may leave a thing in both."""
    switches = [_switches(capability, first, second) for capability in domain.capabilities.values()]
    return None not in switches and any(switches)


def _switches(capability: Capability, first: str, second: str) -> bool | None:
    """Return whether a capability makes one of two states of a thing and ends the other.

    Return None if the capability may leave a thing in both states, or is for things in both.
    """
    needed = set(required(capability))
    if any(atom.predicate == first and Literal(Atom(second, atom.args)) in needed for atom, held in needed if held):
        return None  # it is for things in both states
    denied = {literal.atom for literal in needed if not literal.positive}
    apart = different(capability)
    made: set[Literal] = set()
    for effect in capability.effects:
        sure = {template.literal for template in (*capability.effect, *effect.literals)}
        ended = {literal.atom for literal in sure if not literal.positive and literal.negated() not in sure}
        added = {literal for literal in sure if literal.positive and literal.atom.predicate in (first, second)}
        for (predicate, args), _ in added:
            other = Atom(second if predicate == first else first, args)
            if other not in ended and other not in denied:
                return None
        made |= added
    things = {state: {atom.args[0] for atom, _ in made if atom.predicate == state} for state in (first, second)}
    if any(frozenset((one, other)) not in apart for one in things[first] for other in things[second]):
        return None
    return bool(made)


def are_kept_apart(first: Atom, second: Atom, domain: Domain) -> bool:
    """Return whether the actions keep two facts about one thing from holding together."""
    mutexes = domain.remember(("exclusive",), lambda: exclusions(domain, ()))
    return mutexes.exclude(first, second)
