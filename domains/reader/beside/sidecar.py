"""The reader of sidecars: the YAML file beside a PDDL domain and its additions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from domains.declarations import kinds_of
from domains.errors import DomainFileError
from domains.model import Domain
from domains.pddl.reader import read_pddl_domain
from domains.reader.attributes import check_attribute_names, read_attributes, with_values
from domains.reader.beside.overlays import overlay, with_capability, with_class, with_fluent, with_predicate
from domains.reader.capabilities import read_agents
from domains.reader.classes import Words, read_kinds
from domains.reader.conventions import declared_name, read_conventions
from domains.reader.formulas.scope import scope_of
from domains.reader.keys import EXTENDS, OVERRIDE, TABLES, WITHOUT
from domains.reader.nodes.document import Node, Scalar, TableNode, read_document, value_of
from domains.reader.nodes.fields import Field, Fields, entries, open_fields
from domains.reader.phrases import read_phrases
from domains.reader.repairs import read_ladder, read_repairs
from domains.reader.rules import read_rules
from semantics.logic.vocabulary import Attribute

__all__ = ["load_pddl_world", "read_sidecar"]

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
    kinds = read_kinds(fields.get("kinds"), words)
    classes = overlay(fields.get("classes"), "class", domain.classes, with_class(kinds, affordances, words, source))
    words.check({*classes, *kinds})
    attributes = _read_attributes(domain, fields)
    classes = with_values(classes, fields.get("classes"), attributes)
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
        words={word: kind for kind, synonyms in kinds.items() for word in synonyms},
        constants={name: classes[thing.class_name].instance(name) for name, thing in domain.constants.items()},
        conventions=read_conventions(fields.get("conventions"), affordances, classes, domain.predicates),
    )


def _read_attributes(domain: Domain, fields: Fields) -> dict[str, Attribute]:
    section = fields.get("attributes")
    attributes = read_attributes(section)
    check_attribute_names(section, {"predicate": domain.predicates, "number": domain.fluents})
    for key, value in entries(section, "attributes"):
        if attributes[key.text].sensed and (node := value_of(value, "sensed")) is not None:
            message = f"attribute '{key.text}' is sensed, and a problem in PDDL tells no body its values"
            message += "; expected no 'sensed'"
            node.report(message, "keys-contradict", key.text)
    return attributes


def _with_deeds(domain: Domain, fields: Fields) -> Domain:
    """Add sentences and sensing of facts, and agents."""
    with_deeds = with_capability(domain.constants)
    capabilities = overlay(fields.get("capabilities"), "capability", domain.capabilities, with_deeds)
    return replace(
        domain,
        predicates=overlay(fields.get("predicates"), "predicate", domain.predicates, with_predicate),
        fluents=overlay(fields.get("fluents"), "number", domain.fluents, with_fluent),
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
