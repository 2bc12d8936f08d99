"""The ontology: everything that a thing can be good for.

The 38 affordances are those of AutoGPT+P (Birr et al. 2024, appendix A); the sentences are our own, each about a thing
that has it. Three structural types stand beside them, because capabilities need them as types of their parameters.
A domain may leave out what it does not use, and may add affordances of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from semantics.errors import UnknownNameError
from semantics.vocabulary import Thing

__all__ = ["AFFORDANCES", "STRUCTURAL", "affording"]

AFFORDANCES: Mapping[str, str] = {
    "assisted-carry": "two or more carriers can lift it together without hindering each other",
    "axis-roll": "it rolls about one axis of its own",
    "carry": "one carrier can lift it and take it elsewhere",
    "close": "it has something that can be shut",
    "constrained-move": "it moves only along a path, because it hangs on something else, as a door does",
    "consumable": "a person may eat or drink it",
    "contact-connect": "it joins things that touch",
    "contain": "it is made to have things or liquids inside",
    "cut": "other things can be cut with it",
    "distance-connect": "it joins things that do not touch",
    "drink": "it is made to drink from",
    "drinkable": "a person may drink it",
    "dry-swipe": "dust and crumbs can be wiped away with it",
    "enclosed-contain": "it can be shut so that nothing falls or leaks out when it is moved",
    "free-roll": "it rolls in any direction, being nearly a ball",
    "grasp": "fingers can get hold of it in some way",
    "heat": "it makes things or liquids warmer",
    "heat-resistance": "it takes no harm above 100 degrees Celsius",
    "hit": "other things can be hit with it",
    "liquid": "it is a liquid",
    "liquid-contain": "it is made to have liquids inside",
    "open": "it has something that can be opened",
    "pick": "it can be stuck into a thing to lift that thing",
    "pierce": "it can be driven through other things",
    "pound": "it can be brought down hard on other things",
    "pour": "a liquid can be poured from it",
    "precise-pour": "a liquid can be poured from it into something narrow, such as a glass",
    "pull": "it can be drawn closer",
    "push": "it can be shoved away",
    "rotate": "it can be turned",
    "scoop": "powder or small things can be shovelled with it",
    "stack": "things of its own class can stand on it",
    "stir": "what is in a vessel can be stirred with it",
    "sturdy-support": "things stand on it firmly enough to be cut there",
    "support": "other things stand well on it",
    "swing": "it can be swung against other things",
    "vertical-support": "things can safely lean against it",
    "wet-swipe": "other things can be wiped with water with it",
}
"""Sentence of each affordance, by name."""

STRUCTURAL: Mapping[str, str] = {
    "actor": "it acts by itself",
    "location": "an actor can be there",
    "object": "it exists; everything has this one",
}
"""Sentence of each structural type, by name."""


def affording(things: Mapping[str, Thing], wanted: Collection[str]) -> tuple[str, ...]:
    """Return the names of the things that have every wanted affordance, sorted.

    Raises:
        UnknownNameError: Neither the ontology nor any of the things knows a wanted affordance.
    """
    known = {*AFFORDANCES, *STRUCTURAL, *_all(thing.affordances for thing in things.values())}
    for name in wanted:
        if name not in known:
            raise UnknownNameError("affordance", name, known)
    needed = set(wanted) - {"object"}
    return tuple(sorted(name for name, thing in things.items() if needed <= thing.affordances))


def _all(groups: Iterable[frozenset[str]]) -> set[str]:
    return {name for group in groups for name in group}
