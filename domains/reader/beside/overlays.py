"""The additions of a sidecar to a predicate, number, class or capability of the PDDL domain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from domains.model import Capability, NumericFluent, ObjectClass, PredicateModel
from domains.reader.capabilities import embodied
from domains.reader.classes import Words, with_body
from domains.reader.nodes.document import Entry, Node
from domains.reader.nodes.fields import Fields, entries, open_fields
from domains.reader.predicates import measured, told
from semantics.geometry.furnishing import PARAMETER_NAMES

__all__ = ["overlay", "with_capability", "with_class", "with_fluent", "with_predicate"]

Part = TypeVar("Part")


def overlay(
    node: Node | None, kind: str, known_ones: Mapping[str, Part], read: Callable[[Part, Entry], Part]
) -> dict[str, Part]:
    """Return the known parts with the additions of a section; names that the PDDL file lacks are reported."""
    merged = dict(known_ones)
    for entry in entries(node, f"{kind} section"):
        name = entry.key.text
        if name in merged:
            merged[name] = read(merged[name], entry)
        else:
            entry.key.unknown(kind, name, known_ones)
    return merged


def with_predicate(model: PredicateModel, entry: Entry) -> PredicateModel:
    """Add the sentence of a predicate and how its facts become known."""
    keys = ("say", "sensed", "bookkeeping", "goal")
    fields = open_fields(entry.value, f"predicate '{entry.key.text}'", optional=keys)
    slots = {str(index) for index in range(len(model.predicate.parameters))}
    sentence = _sentence(fields, model.predicate.description, slots, slots)
    return told(replace(model.predicate, description=sentence), fields)


def with_fluent(fluent: NumericFluent, entry: Entry) -> NumericFluent:
    """Add the sentence and unit of a number, its default, and whether it is planned."""
    keys = ("say", "unit", "default", "planned")
    fields = open_fields(entry.value, f"number '{entry.key.text}'", optional=keys)
    slots = {str(index) for index in range(len(fluent.parameters))} | {"value"}
    return measured(replace(fluent, description=_sentence(fields, fluent.description, slots, slots)), fields)


def with_class(
    kinds: Collection[str], affordances: Collection[str], words: Words, source: str = ""
) -> Callable[[ObjectClass, Entry], ObjectClass]:
    """Return a function that adds kinds, words, a body (meshes are beside `source`) and affordances to a class."""

    def read(object_class: ObjectClass, entry: Entry) -> ObjectClass:
        keys = ("affordances", "kinds", "words", "shape", "model", "mesh", "abstract", "attributes", *PARAMETER_NAMES)
        fields = open_fields(entry.value, f"class '{entry.key.text}'", optional=keys)
        whole = with_body(object_class, fields, affordances, kinds, words, source)
        # A robot or a person has a body without a shape or model: only the file can say that scenes place it.
        return replace(whole, abstract=fields["abstract"].flag(whole.abstract))

    return read


def with_capability(constants: Collection[str]) -> Callable[[Capability, Entry], Capability]:
    """Return a function that adds agent, motion, resources, duration, sentence and aliases to a capability."""

    def read(capability: Capability, entry: Entry) -> Capability:
        return _with_capability(capability, entry, constants)

    return read


def _with_capability(capability: Capability, entry: Entry, constants: Collection[str]) -> Capability:
    keys = ("agent", "primitive", "roles", "duration", "resources", "say", "aliases", "values")
    fields = open_fields(entry.value, f"capability '{entry.key.text}'", optional=keys)
    names = [parameter.name for parameter in capability.parameters]
    agent = replace(fields["agent"], what=f"the agent of {fields.what}").choice("parameter", names)
    parameters = tuple(sorted(capability.parameters, key=lambda parameter: parameter.name != agent))
    sentence = _sentence(fields, "", set(), set(names))
    return embodied(replace(capability, agentless=not agent, parameters=parameters, say=sentence), fields, constants)


def _sentence(fields: Fields, default: str, needed: set[str], valid: set[str]) -> str:
    """Read a sentence with slots from `valid`, including all of `needed`."""
    say = fields["say"]
    sentence = say.text()
    slots = say.slots(sentence)
    if say.node is None or slots is None:
        return default
    if not needed <= set(slots) <= valid:
        listed = ", ".join(f"{{{slot}}}" for slot in sorted(needed or valid))
        say.node.report(f"{say.what} does not fill in what it should; expected {listed}", "bad-sentence")
    return sentence
