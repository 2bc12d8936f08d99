"""The reader of the relations that a capability can make true."""

from __future__ import annotations

from collections.abc import Mapping

from domains.capability import Capability
from domains.model import Domain
from domains.reader.nodes.document import Node, Scalar, value_of
from domains.reader.nodes.fields import Field, entries
from domains.relations import MADE, rest_of
from semantics.geometry.relations import SEEN_FROM

__all__ = ["check_relations", "read_relations"]

MOTION = "put"
"""The motion that can make a relation true."""


def read_relations(field: Field) -> tuple[str, ...]:
    """Read a list of relations, or the word ``all``; one with a direction may always name its viewer, too."""
    if isinstance(field.node, Scalar) and field.node.text == "all":
        return tuple(MADE)
    listed = field.known("relation", MADE)
    return tuple(dict.fromkeys((*listed, *(twin for twin, relation in SEEN_FROM.items() if relation in listed))))


def check_relations(node: Node | None, domain: Domain) -> None:
    """Report capabilities that set nothing down, and names that the relations need."""
    for entry in entries(node, "capabilities"):
        verb = domain.capabilities[entry.key.text]
        place = value_of(entry.value, "relations")
        if place is None or not verb.relations:
            continue
        what = f"capability '{verb.name}'"
        if verb.primitive != MOTION or not {"object", "target"} <= verb.roles.keys():
            message = f"{what} has relations; expected the primitive {MOTION} with the roles object and target"
            place.report(message, "keys-contradict", "relations")
        elif rest_of(verb, domain.predicates) is None:
            message = (
                f"{what} has relations, and no effect says where its object rests; "
                f"expected a predicate that is sensed as on, in or lies, of object and target"
            )
            place.report(message, "keys-contradict", "relations")
        _check_new(place, verb, domain.capabilities)


def _check_new(place: Node, verb: Capability, capabilities: Mapping[str, Capability]) -> None:
    for relation in verb.relations:
        name = f"{verb.name}_{relation}"
        if name in capabilities:
            message = f"'{name}' is the action that sets down so that {relation} holds; expected another name there"
            place.report(message, "named-twice", name)
