"""The keys of every table of the domain language, for the readers and for the JSON schema of editors."""

from __future__ import annotations

from typing import NamedTuple

from domains.conventions import CONVENTIONS
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Node
from domains.reader.nodes.fields import Fields, open_fields

__all__ = ["TABLES", "Keys", "open_table"]


class Keys(NamedTuple):
    """The keys of a table: required and optional ones."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every key."""
        return (*self.required, *self.optional)


OF_INSTANCES = ("affords", "lacks")


TABLES = {
    "domain": Keys(
        ("name", "affordances", "classes", "predicates", "capabilities", "agents"),
        ("kinds", "phrases", "rules", "constants", "fluents", "repairs", "ladder", "conventions"),
    ),
    "class": Keys(("affordances",), ("kinds", "words", "shape", "model", "abstract")),
    "shape": Keys(("form", "size"), ("mass", "colour")),
    "constant": Keys(("class",), OF_INSTANCES),
    "predicate": Keys(("parameters", "say"), ("sensed", "bookkeeping", "goal", "derived")),
    "number": Keys(("parameters",), ("say", "unit", "default", "planned")),
    "capability": Keys(
        ("parameters", "precondition", "effect"),
        ("distinct", "primitive", "roles", "cost", "agent", "duration", "resources", "say", "aliases"),
    ),
    "agent": Keys(("capabilities",), ("cost",)),
    "phrase": Keys(("pattern", "goal"), ("slots",)),
    "rule": Keys(("when", "say"), ("hint",)),
    "repair": Keys(
        ("code", "say"), ("capability", "when", "variables", "culprits", "before", "instead", "rename", "after")
    ),
    "conventions": Keys((), tuple(CONVENTIONS)),
    "rung": Keys((), ("tries", "same", "seconds", "money", "most")),
    "scene": Keys(("domain", "things"), ("name", "speaker", "beliefs", "facts", "numbers")),
    "furniture": Keys(("class", "pose", "size"), (*OF_INSTANCES, "count")),
    "furniture that opens": Keys(("class", "pose", "size"), ("opened", *OF_INSTANCES, "count")),
    "actor": Keys(("class", "pose"), ("at", *OF_INSTANCES, "count")),
    "actor without a body": Keys(("class",), ("at", *OF_INSTANCES, "count")),
    "piece": Keys(("class",), ("on", "in", "offset", "level", "yaw", *OF_INSTANCES, "count")),
    "bodiless": Keys(("class",), ("on", "in", *OF_INSTANCES, "count")),
}
"""Keys by the subject of the table."""


def open_table(node: Node, table: str, what: str, diagnostics: Diagnostics) -> Fields:
    """Read a table of `TABLES`; report unknown and missing keys."""
    keys = TABLES[table]
    return open_fields(node, what, diagnostics, required=keys.required, optional=keys.optional)
