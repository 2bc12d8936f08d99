"""The additions of a sidecar to a predicate, number, class or capability of the PDDL domain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from string import Formatter
from typing import TypeVar

from domains.model import Capability, NumericFluent, ObjectClass, PredicateModel
from domains.reader.classes import Words, read_shape
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Entry, Node
from domains.reader.nodes.fields import Fields, choice, entries, flag, known, number, open_fields, symbol, text, texts

__all__ = ["overlay", "with_capability", "with_class", "with_fluent", "with_predicate"]

Part = TypeVar("Part")
LONGEST = 1e6


def overlay(
    node: Node | None,
    kind: str,
    known_ones: Mapping[str, Part],
    read: Callable[[Part, Entry, Diagnostics], Part],
    diagnostics: Diagnostics,
) -> dict[str, Part]:
    """Return the known parts with the additions of a section; names that the PDDL file lacks are reported."""
    merged = dict(known_ones)
    for entry in entries(node, f"{kind} section", diagnostics):
        name = entry.key.text
        if name in merged:
            merged[name] = read(merged[name], entry, diagnostics)
        else:
            diagnostics.unknown(entry.key.mark, kind, name, known_ones)
    return merged


def with_predicate(model: PredicateModel, entry: Entry, diagnostics: Diagnostics) -> PredicateModel:
    """Add the sentence of a predicate and how its facts become known."""
    what = f"predicate '{entry.key.text}'"
    fields = open_fields(entry.value, what, diagnostics, optional=("say", "sensed", "bookkeeping", "goal"))
    slots = {str(index) for index in range(len(model.predicate.parameters))}
    sentence = _sentence(fields, model.predicate.description, slots, slots, diagnostics)
    bookkeeping = flag(fields.get("bookkeeping"), f"'bookkeeping' of {what}", diagnostics)
    sensed = fields.get("sensed")
    if bookkeeping and sensed is not None:
        message = f"{what} is bookkeeping, so it follows from other facts; expected no 'sensed'"
        diagnostics.add(sensed.mark, message, "keys-contradict", "sensed")
    goal = flag(fields.get("goal"), f"'goal' of {what}", diagnostics, not bookkeeping)
    return PredicateModel(
        replace(model.predicate, description=sentence, goal=goal),
        symbol(sensed, f"'sensed' of {what}", diagnostics) if sensed is not None else None,
        bookkeeping,
    )


def with_fluent(fluent: NumericFluent, entry: Entry, diagnostics: Diagnostics) -> NumericFluent:
    """Add the sentence and unit of a number, its default, and whether it is planned."""
    what = f"number '{entry.key.text}'"
    fields = open_fields(entry.value, what, diagnostics, optional=("say", "unit", "default", "planned"))
    slots = {str(index) for index in range(len(fluent.parameters))} | {"value"}
    default = fields.get("default")
    return replace(
        fluent,
        description=_sentence(fields, fluent.description, slots, slots, diagnostics),
        unit=text(fields.get("unit"), f"the unit of {what}", diagnostics),
        default=None if default is None else number(default, f"the default of {what}", diagnostics),
        planned=flag(fields.get("planned"), f"'planned' of {what}", diagnostics, True),
    )


def with_class(
    kinds: Collection[str], affordances: Collection[str], words: Words
) -> Callable[[ObjectClass, Entry, Diagnostics], ObjectClass]:
    """Return a function that adds kinds, words, a body and further affordances to a class."""

    def read(object_class: ObjectClass, entry: Entry, diagnostics: Diagnostics) -> ObjectClass:
        what = f"class '{entry.key.text}'"
        keys = ("affordances", "kinds", "words", "shape", "model")
        fields = open_fields(entry.value, what, diagnostics, optional=keys)
        shape, model = fields.get("shape"), fields.get("model")
        if shape is not None and model is not None:
            diagnostics.add(model.mark, f"{what} has both 'shape' and 'model'; expected one", "keys-contradict")
        added = known(fields.get("affordances"), "affordance", affordances, f"the affordances of {what}", diagnostics)
        return replace(
            object_class,
            affordances=object_class.affordances | set(added),
            kinds=frozenset(known(fields.get("kinds"), "kind", kinds, f"the kinds of {what}", diagnostics)),
            words=words.read(fields.get("words"), object_class.name),
            shape=None if shape is None else read_shape(shape, what, diagnostics),
            model=None if model is None else symbol(model, f"the model of {what}", diagnostics),
            abstract=shape is None and model is None,
        )

    return read


def with_capability(capability: Capability, entry: Entry, diagnostics: Diagnostics) -> Capability:
    """Add agent, motion primitive, resources, duration, sentence and aliases to a capability."""
    what = f"capability '{entry.key.text}'"
    keys = ("agent", "primitive", "roles", "duration", "resources", "say", "aliases")
    fields = open_fields(entry.value, what, diagnostics, optional=keys)
    names = [parameter.name for parameter in capability.parameters]
    agent = choice(fields.get("agent"), "parameter", names, f"the agent of {what}", diagnostics)
    roles = {
        key.text: choice(value, "parameter", names, f"role '{key.text}'", diagnostics)
        for key, value in entries(fields.get("roles"), f"the roles of {what}", diagnostics)
    }
    duration = fields.get("duration")
    return replace(
        capability,
        agentless=not agent,
        parameters=tuple(sorted(capability.parameters, key=lambda parameter: parameter.name != agent)),
        primitive=symbol(fields.get("primitive"), f"the primitive of {what}", diagnostics),
        roles=roles,
        duration=None
        if duration is None
        else number(duration, f"the duration of {what}", diagnostics, 0.0, 0.0, LONGEST),
        resources=known(fields.get("resources"), "parameter", names, f"the resources of {what}", diagnostics),
        say=_sentence(fields, "", set(), set(names), diagnostics),
        aliases=tuple(name for name, _ in texts(fields.get("aliases"), f"the aliases of {what}", diagnostics)),
    )


def _sentence(fields: Fields, default: str, needed: set[str], valid: set[str], diagnostics: Diagnostics) -> str:
    """Read a sentence with slots from `valid`, including all of `needed`."""
    node, what = fields.get("say"), f"'say' of {fields.what}"
    if node is None:
        return default
    sentence = text(node, what, diagnostics)
    try:
        slots = {slot for _, slot, _, _ in Formatter().parse(sentence) if slot is not None}
    except ValueError as exc:
        diagnostics.add(node.mark, f"{what} cannot be filled in: {exc}", "bad-sentence")
        return default
    if not needed <= slots <= valid:
        listed = ", ".join(f"{{{slot}}}" for slot in sorted(needed or valid))
        diagnostics.add(node.mark, f"{what} does not fill in what it should; expected {listed}", "bad-sentence")
    return sentence
