"""What the things of a scene afford, by what is believed of their classes.

Instance facts override the class: what a scene says one thing has beyond its class it keeps, and what it says one thing
lacks (a broken cup) no evidence about cups gives back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from affordances.mapping.object_affordances import THRESHOLD, ObjectAffordances
from domains.model import Domain
from semantics.vocabulary import Thing

__all__ = ["believed_things"]


def believed_things(
    things: Mapping[str, Thing], domain: Domain, evidence: ObjectAffordances, threshold: float = THRESHOLD
) -> dict[str, Thing]:
    """Return the things with the affordances that are probable enough for their class.

    Args:
        things: As a scene file gives them.
        domain: The world; its authors' word is evidence too, and only affordances that it names are given.
        evidence: Further evidence, such as what was learned in execution.
        threshold: The least probability that counts.
    """
    mapping = ObjectAffordances.from_domain(domain).with_mapping(evidence)
    named = domain.affordances.keys() - domain.conventions.structural
    classes = {thing.class_name for thing in things.values()}
    believed = {name: mapping.affordances_of(name, threshold) & named for name in classes}
    return {name: _believed(thing, domain, believed[thing.class_name]) for name, thing in things.items()}


def _believed(thing: Thing, domain: Domain, by_class: frozenset[str]) -> Thing:
    """Join what is believed of the class with what is said of the thing, or follows from how it differs from it."""
    listed = domain.classes[thing.class_name].affordances if thing.class_name in domain.classes else frozenset()
    gains = thing.gains | (thing.affordances - listed)
    lacks = thing.lacks | (listed - thing.affordances)
    structural = thing.affordances & domain.conventions.structural
    return replace(thing, affordances=(by_class | structural | gains) - lacks)
