"""The reader of domain files: each section may refer to the sections read before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

from domains.declarations import ObjectClass, PackedClasses, kinds_of
from domains.model import Domain
from domains.reader.attributes import read_attributes, with_attribute_names, with_planned_attributes
from domains.reader.capabilities import check_relations, check_values, read_agents, read_capabilities
from domains.reader.classes import KnownNames, Words, read_classes, read_constants, read_moves_every
from domains.reader.formulas.scope import scope_of, with_implied
from domains.reader.keys import USE, open_table
from domains.reader.nodes.document import Node, value_of
from domains.reader.nodes.fields import Field, entries, without_key
from domains.reader.phrases import read_phrases, read_programs, read_uses
from domains.reader.predicates import ANYTHING, read_conventions, read_derived, read_fluents, read_predicates
from domains.reader.repairs import read_ladder, read_repairs
from domains.reader.rules import read_rules
from domains.relations import with_relations


def read_domain(node: Node, source: str) -> Domain:
    """Read a whole domain; the result is invalid when its file has errors."""
    if value_of(node, "pddl") is not None:
        from domains.reader.beside import read_sidecar  # most worlds are in YAML and load sooner without it

        return read_sidecar(node, source)
    fields = open_table(node, "domain", "a domain")
    written = without_key(fields.get("classes"), USE)
    affordances = _read_affordances(fields.get("affordances"))
    # An empty section is reported once; names that refer to it are then not reported one by one.
    afforded = tuple(affordances) or None
    predicates = read_predicates(fields.get("predicates"), afforded)
    fluents = read_fluents(fields.get("fluents"), afforded, predicates)
    attributes = read_attributes(fields.get("attributes"), {"predicate": predicates, "number": fluents})
    words = Words()
    kinds = {key.text: words.read(value, key.text) for key, value in fields.entries("kinds")}
    usual, excluded = (_read_followers(fields.get(key), key, afforded) for key in ("implied", "excluded"))
    classes = read_classes(written, KnownNames(afforded, kinds, words, attributes), source)
    follow = partial(_with_followers, usual=usual, excluded=excluded)
    classes = {name: follow(each) for name, each in classes.items()}
    # What some class goes without does not follow from an affordance alone, so no parameter or variable may rely on it.
    exceptions = set[str]().union(*excluded.values(), *(each.lacks for each in classes.values()))
    implied = {name: tuple(other for other in usual[name] if other not in exceptions) for name in usual}
    words.check({*classes, *kinds})
    constants = read_constants(fields.get("constants"), classes, afforded, attributes)
    scope = replace(scope_of(constants, predicates or None, fluents, afforded), implied=implied)
    scope = with_attribute_names(scope, attributes)
    derived = read_derived(fields.get("predicates"), scope, predicates)
    capabilities = read_capabilities(fields.get("capabilities"), scope, derived)
    check_values(fields.get("capabilities"), capabilities, fluents)
    conventions = read_conventions(fields.get("conventions"), affordances, classes, predicates)
    if any(each.mesh is not None for each in classes.values()):
        from domains.reader.meshes import check_meshes  # few worlds have solids from files

        check_meshes(written, classes, conventions)
    domain = Domain(
        name=Field(fields.get("name"), "the name of the domain").symbol(),
        affordances=affordances,
        classes=classes,
        kinds=kinds_of(classes, kinds),
        predicates=predicates,
        capabilities=capabilities,
        agents=read_agents(fields.get("agents"), classes, capabilities, conventions),
        rules=read_rules(fields.get("rules"), source),
        words={word: kind for kind, synonyms in kinds.items() for word in synonyms},
        source=source,
        constants=constants,
        derived=derived,
        fluents=fluents,
        repairs=read_repairs(fields.get("repairs"), scope, capabilities),
        ladder=read_ladder(fields.get("ladder")),
        conventions=conventions,
        implied=implied,
        attributes=attributes,
        uses=read_uses(fields.get("uses"), {*affordances, *classes, *kinds}),
        least_confidence=Field(fields.get("least_confidence"), "the least confidence").number(0.5, 0.0, 1.0),
        ancestry=node.file.ancestry,
    )
    check_relations(fields.get("capabilities"), domain)
    domain = with_relations(with_planned_attributes(domain, fields.get("attributes")))
    phrases = read_phrases(fields.get("phrases"), tuple(domain.affordances) or None, domain.predicates or None)
    programs = read_programs(fields.get("programs"), tuple(domain.affordances) or None)
    domain = replace(domain, phrases=(*phrases, *domain.phrases), programs=programs)
    packed: tuple[str, ...] = ()
    if (packs := value_of(fields.get("classes"), USE)) is not None:
        from domains.reader.class_packs import with_packs  # few worlds use packs

        domain = with_packs(domain, packs, follow)
        if isinstance(domain.classes, PackedClasses):
            packed = (*domain.classes.names, *domain.classes.kind_words.values())
    periods = read_moves_every(fields.get("moves_every"), frozenset((*classes, *kinds, *packed)))
    return replace(domain, moves_every={**domain.moves_every, **periods})


def _read_affordances(node: Node | None) -> dict[str, str]:
    affordances = {
        key.text: Field(value, f"the sentence of affordance '{key.text}'").text()
        for key, value in entries(node, "affordances")
    }
    if node is not None and not affordances:
        node.report("no affordances; expected a name and a sentence for each", "empty-section")
    if node is not None and ANYTHING in affordances:
        message = f"affordance '{ANYTHING}' is built in, everything has it; expected other names"
        node.report(message, "named-twice")
    return affordances


def _with_followers(
    each: ObjectClass, usual: Mapping[str, tuple[str, ...]], excluded: Mapping[str, tuple[str, ...]]
) -> ObjectClass:
    """Return a class with what follows from its affordances."""
    barred = each.lacks.union(*(excluded.get(other, ()) for other in with_implied(each.affordances, usual)))
    return replace(each, affordances=frozenset(with_implied(each.affordances, usual, barred)))


def _read_followers(node: Node | None, key: str, affordances: Collection[str] | None) -> Mapping[str, tuple[str, ...]]:
    """Read what affordances have `implied` or `excluded`."""
    followers = {}
    for entry in entries(node, key):
        if affordances is not None and entry.key.text not in affordances:
            entry.key.unknown("affordance", entry.key.text, affordances)
        what = f"what affordance '{entry.key.text}' has {key}"
        followers[entry.key.text] = Field(entry.value, what).known("affordance", affordances)
    return followers
