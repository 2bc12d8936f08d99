"""The reader of domain files: each section may refer to the sections read before it."""

from __future__ import annotations

from domains.model import Domain
from domains.reader.capabilities import read_agents, read_capabilities
from domains.reader.classes import Words, kinds_of, read_classes, read_constants, read_kinds
from domains.reader.conventions import read_conventions
from domains.reader.formulas.scope import scope_of
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Node, TableNode
from domains.reader.nodes.fields import entries, symbol, text
from domains.reader.phrases import read_phrases
from domains.reader.predicates import ANYTHING, read_derived, read_fluents, read_predicates
from domains.reader.repairs import read_ladder, read_repairs
from domains.reader.rules import read_rules

__all__ = ["is_sidecar", "read_domain"]


def read_domain(node: Node, source: str, diagnostics: Diagnostics) -> Domain:
    """Read a whole domain; the result is invalid when `diagnostics` has errors."""
    if is_sidecar(node):
        from domains.reader.beside import read_sidecar  # most worlds are in YAML and load sooner without it

        return read_sidecar(node, source, diagnostics)
    fields = open_table(node, "domain", "a domain", diagnostics)
    affordances = _read_affordances(fields.get("affordances"), diagnostics)
    # An empty section is reported once; names that refer to it are then not reported one by one.
    afforded = tuple(affordances) or None
    words = Words(diagnostics)
    kinds = read_kinds(fields.get("kinds"), words, diagnostics)
    classes = read_classes(fields.get("classes"), afforded, kinds, words, diagnostics)
    words.check({*classes, *kinds})
    constants = read_constants(fields.get("constants"), classes, afforded, diagnostics)
    predicates = read_predicates(fields.get("predicates"), afforded, diagnostics)
    fluents = read_fluents(fields.get("fluents"), afforded, predicates, diagnostics)
    scope = scope_of(constants, predicates or None, fluents, afforded)
    derived = read_derived(fields.get("predicates"), scope, predicates, diagnostics)
    capabilities = read_capabilities(fields.get("capabilities"), scope, derived, diagnostics)
    conventions = read_conventions(fields.get("conventions"), affordances, classes, predicates, diagnostics)
    return Domain(
        name=symbol(fields.get("name"), "the name of the domain", diagnostics),
        affordances=affordances,
        classes=classes,
        kinds=kinds_of(classes, kinds),
        predicates=predicates,
        capabilities=capabilities,
        agents=read_agents(fields.get("agents"), classes, capabilities, conventions, diagnostics),
        phrases=read_phrases(fields.get("phrases"), afforded, predicates or None, diagnostics),
        rules=read_rules(fields.get("rules"), diagnostics, source),
        words={word: kind for kind, synonyms in kinds.items() for word in synonyms},
        source=source,
        constants=constants,
        derived=derived,
        fluents=fluents,
        repairs=read_repairs(fields.get("repairs"), scope, capabilities, diagnostics),
        ladder=read_ladder(fields.get("ladder"), diagnostics),
        conventions=conventions,
    )


def is_sidecar(node: Node) -> bool:
    """Return whether a file is a sidecar of a PDDL domain, see `domains.reader.beside`."""
    return isinstance(node, TableNode) and any(entry.key.text == "pddl" for entry in node.entries)


def _read_affordances(node: Node | None, diagnostics: Diagnostics) -> dict[str, str]:
    affordances = {
        key.text: text(value, f"the sentence of affordance '{key.text}'", diagnostics)
        for key, value in entries(node, "affordances", diagnostics)
    }
    if node is not None and not affordances:
        diagnostics.add(node.mark, "no affordances; expected a name and a sentence for each", "empty-section")
    if node is not None and ANYTHING in affordances:
        diagnostics.add(
            node.mark, f"affordance '{ANYTHING}' is built in, everything has it; expected other names", "named-twice"
        )
    return affordances
