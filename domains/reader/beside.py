"""The reader of sidecars: the YAML file beside a PDDL domain, with everything that PDDL cannot express.

A file with the key ``pddl`` names the domain and adds sentences, agents, bodies, phrases, rules and repairs to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from domains.declarations import kinds_of
from domains.errors import DomainFileError
from domains.model import Capability, Domain, NumericFluent, ObjectClass, PredicateModel
from domains.pddl.reader import read_pddl_domain
from domains.reader.attributes import read_attributes
from domains.reader.capabilities import embodied, read_agents
from domains.reader.classes import KnownNames, Words, with_body
from domains.reader.formulas.scope import scope_of
from domains.reader.keys import EXTENDS, OVERRIDE, TABLES, WITHOUT
from domains.reader.nodes.document import Entry, Node, Scalar, TableNode, read_document, value_of
from domains.reader.nodes.fields import Field, Fields, entries, open_fields
from domains.reader.phrases import read_phrases, read_uses
from domains.reader.predicates import declared_name, measured, read_conventions, told
from domains.reader.repairs import read_ladder, read_repairs
from domains.reader.rules import read_rules
from semantics.geometry.furnishing import PARAMETER_NAMES
from semantics.logic.vocabulary import Attribute

Part = TypeVar("Part")

KEYS = tuple(key for key in TABLES["domain"].all if key not in ("constants", EXTENDS, OVERRIDE, WITHOUT))


def load_pddl_world(path: Path) -> Domain:
    """Read a PDDL domain, with the ``domain.yaml`` beside it if that names it.

    Raises:
        DomainFileError: A file cannot be used; lists every problem with its line and column.
    """
    beside = path.with_name("domain.yaml")
    if not _names(beside, path.name):
        return read_pddl_domain(path)
    node, diagnostics = read_document(beside, str(beside))
    domain = read_sidecar(node, str(beside))
    diagnostics.settle()
    return domain


def _names(beside: Path, name: str) -> bool:
    """Return whether `beside` is a sidecar of the PDDL file `name`."""
    try:
        node, _ = read_document(beside, str(beside))
    except DomainFileError:
        return False
    named = value_of(node, "pddl")
    return isinstance(named, Scalar) and named.text == name


def read_sidecar(node: Node, source: str) -> Domain:
    """Read the PDDL domain that a YAML file names, with what the file adds.

    Raises:
        DomainFileError: The PDDL file cannot be used; problems of the YAML file are reported there.
    """
    fields = open_fields(node, "a domain", required=("pddl",), optional=KEYS)
    domain = read_pddl_domain(_pddl_file(fields, source))
    domain = _with_things(replace(domain, source=source), fields)
    return _with_words(_with_deeds(domain, fields), fields)


def _pddl_file(fields: Fields, source: str) -> Path:
    node = fields.get("pddl")
    name = Field(node, "the PDDL file").text()
    path = Path(source).parent / name
    if not name or not path.is_file():
        mark = node.mark if isinstance(node, Scalar) else fields.mark
        message = f"there is no file '{name}' beside this one; expected a PDDL domain"
        raise fields.node.file.fatal(mark, message, "no-file")
    return path


def _with_things(domain: Domain, fields: Fields) -> Domain:
    """Add affordances, kinds, words and conventions."""
    added = {
        key.text: Field(value, f"the sentence of affordance '{key.text}'").text()
        for key, value in entries(fields.get("affordances"), "affordances")
    }
    affordances = {**domain.affordances, **added}
    words, source = Words(), domain.source or ""
    kinds = {key.text: words.read(value, key.text) for key, value in fields.entries("kinds")}
    attributes = _read_attributes(domain, fields)
    known = KnownNames(affordances, kinds, words, attributes)
    with_class = partial(_with_class, known=known, source=source)
    classes = _overlay(fields.get("classes"), "class", domain.classes, with_class)
    words.check({*classes, *kinds})
    actor = declared_name(fields.get("conventions"), "actor")
    agents = fields.get("agents")
    for name in (key.text for key, _ in agents.entries) if isinstance(agents, TableNode) else ():
        if name in classes:
            classes[name] = replace(classes[name], affordances=classes[name].affordances | {actor})
            affordances.setdefault(actor, "it acts")
    return replace(
        domain,
        name=Field(fields.get("name"), "the name of the domain").symbol(domain.name),
        affordances=affordances,
        classes=classes,
        kinds=kinds_of(classes, kinds),
        attributes=attributes,
        uses=read_uses(fields.get("uses"), {*affordances, *classes, *kinds}),
        words={word: kind for kind, synonyms in kinds.items() for word in synonyms},
        constants={name: classes[thing.class_name].instance(name) for name, thing in domain.constants.items()},
        conventions=read_conventions(fields.get("conventions"), affordances, classes, domain.predicates),
    )


def _read_attributes(domain: Domain, fields: Fields) -> dict[str, Attribute]:
    section = fields.get("attributes")
    attributes = read_attributes(section, {"predicate": domain.predicates, "number": domain.fluents})
    for key, value in entries(section, "attributes"):
        if attributes[key.text].sensed and (node := value_of(value, "sensed")) is not None:
            message = f"attribute '{key.text}' is sensed, and a problem in PDDL tells no body its values"
            message += "; expected no 'sensed'"
            node.report(message, "keys-contradict", key.text)
    return attributes


def _with_deeds(domain: Domain, fields: Fields) -> Domain:
    """Add sentences and sensing of facts, and agents."""
    with_capability = partial(_with_capability, constants=domain.constants)
    capabilities = _overlay(fields.get("capabilities"), "capability", domain.capabilities, with_capability)
    return replace(
        domain,
        predicates=_overlay(fields.get("predicates"), "predicate", domain.predicates, _with_predicate),
        fluents=_overlay(fields.get("fluents"), "number", domain.fluents, _with_fluent),
        capabilities=capabilities,
        agents=read_agents(fields.get("agents"), domain.classes, capabilities, domain.conventions),
    )


def _with_words(domain: Domain, fields: Fields) -> Domain:
    """Add phrases, rules and repairs."""
    scope = scope_of(domain.constants, domain.predicates or None, domain.fluents, tuple(domain.affordances))
    return replace(
        domain,
        phrases=read_phrases(fields.get("phrases"), tuple(domain.affordances) or None, domain.predicates or None),
        rules=read_rules(fields.get("rules"), domain.source or ""),
        repairs=read_repairs(fields.get("repairs"), scope, domain.capabilities),
        ladder=read_ladder(fields.get("ladder")),
    )


def _overlay(
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


def _with_predicate(model: PredicateModel, entry: Entry) -> PredicateModel:
    """Add the sentence of a predicate and how its facts become known."""
    keys = ("say", "sensed", "bookkeeping", "goal")
    fields = open_fields(entry.value, f"predicate '{entry.key.text}'", optional=keys)
    slots = {str(index) for index in range(len(model.predicate.parameters))}
    sentence = _sentence(fields, model.predicate.description, slots, slots)
    return told(replace(model.predicate, description=sentence), fields)


def _with_fluent(fluent: NumericFluent, entry: Entry) -> NumericFluent:
    """Add the sentence and unit of a number, its default, and whether it is planned."""
    keys = ("say", "unit", "default", "planned")
    fields = open_fields(entry.value, f"number '{entry.key.text}'", optional=keys)
    slots = {str(index) for index in range(len(fluent.parameters))} | {"value"}
    return measured(replace(fluent, description=_sentence(fields, fluent.description, slots, slots)), fields)


def _with_class(object_class: ObjectClass, entry: Entry, known: KnownNames, source: str) -> ObjectClass:
    """Add kinds, words, a body (meshes are beside `source`) and affordances to a class."""
    keys = ("affordances", "kinds", "words", "shape", "model", "mesh", "abstract", "attributes", *PARAMETER_NAMES)
    fields = open_fields(entry.value, f"class '{entry.key.text}'", optional=keys)
    whole = with_body(object_class, fields, known, source)
    # A robot or a person has a body without a shape or model: only the file can say that scenes place it.
    return replace(whole, abstract=fields["abstract"].flag(whole.abstract))


def _with_capability(capability: Capability, entry: Entry, constants: Collection[str]) -> Capability:
    """Add agent, motion, resources, duration, sentence and aliases to a capability."""
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
