"""Affordances as PDDL types, as far as they form a tree.

PDDL gives each type one parent, but a class may have several affordances. So an affordance becomes a type only if its
classes contain, or are contained in, or share nothing with, those of each affordance that is a type already. In a
domain that was read from PDDL, affordances are its types, so all of them fit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from domains.pddl.writer.formulas import ROOT
from domains.pddl.writer.names import Naming
from semantics.logic.vocabulary import Thing


class AffordanceType(NamedTuple):
    """An affordance as a type: its PDDL name, and the classes below it."""

    name: str
    classes: frozenset[str]


def type_tree(affordances: Iterable[str], things: Mapping[str, Thing], naming: Naming) -> dict[str, AffordanceType]:
    """Return the affordances that become types, the largest first; name them."""
    classes = frozenset(thing.class_name for thing in things.values())
    types: dict[str, AffordanceType] = {}
    extents = {name: _classes_with(name, things, classes) for name in affordances}
    for name, extent in sorted(extents.items(), key=lambda pair: -len(pair[1] or ())):
        if extent and all(_fits(extent, other.classes) for other in types.values()):
            types[name] = AffordanceType(naming.give("affordance type", name, f"{name}-type"), extent)
    return types


def _classes_with(affordance: str, things: Mapping[str, Thing], classes: Collection[str]) -> frozenset[str] | None:
    """Return the classes with an affordance; None if some things of a class have it and others do not."""
    without = {thing.class_name for thing in things.values() if affordance not in thing.affordances}
    extent = frozenset(classes).difference(without)
    having = {thing.class_name for thing in things.values() if affordance in thing.affordances}
    return extent if having == extent else None


def _fits(one: frozenset[str], other: frozenset[str]) -> bool:
    return one.isdisjoint(other) or one < other or other < one


def above_classes(types: Mapping[str, AffordanceType]) -> Iterator[tuple[str, str]]:
    """Yield each type with the type above it."""
    larger: list[AffordanceType] = []
    for model in types.values():
        around = [other for other in larger if model.classes < other.classes]
        yield model.name, around[-1].name if around else ROOT
        larger.append(model)


def smallest_with(class_name: str, types: Iterable[AffordanceType]) -> str:
    """Return the lowest type above a class."""
    around = [model for model in types if class_name in model.classes]
    return around[-1].name if around else ROOT
