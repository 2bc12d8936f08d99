"""The scene file: what exists, where it stands, and what is believed of it before anything was sensed."""

from __future__ import annotations

from domains.model import Domain, SceneFile
from domains.reading.formulas.scope import Scope
from domains.reading.givens import read_facts, read_numbers
from domains.reading.keys import open_table
from domains.reading.nodes.complaints import Complaints
from domains.reading.nodes.document import Node, Scalar, Table
from domains.reading.nodes.fields import choice, entries, is_empty, symbol, text
from domains.reading.placements import Placements
from domains.reading.templates import Names, check_atom, read_formula
from semantics.atoms import And, Atom, Literal

__all__ = ["read_scene"]


def read_scene(node: Node, domain: Domain, name: str, complaints: Complaints) -> SceneFile:
    """Read a whole scene; when `complaints` were made, the result is not to be used."""
    fields = open_table(node, "scene", "a scene", complaints)
    choice(fields.get("domain"), "domain", (domain.name,), "the domain of the scene", complaints)
    placements = Placements(domain, complaints)
    for entry in entries(fields.get("things"), "things", complaints):
        placements.add(entry)
    placements.check(fields.get("things"))
    scope = Scope(
        placements.names(),
        {name: model.predicate.parameters for name, model in domain.predicates.items()},
        {name: fluent.parameters for name, fluent in domain.fluents.items()},
    )
    actors = tuple(name for name, thing in placements.things.items() if domain.conventions.actor in thing.affordances)
    speaker = choice(fields.get("speaker"), "actor", actors, "the speaker", complaints)
    stated = frozenset(read_facts(fields.get("facts"), domain, scope, complaints))
    return SceneFile(
        name=symbol(fields.get("name"), "the name of the scene", complaints, name),
        things=placements.things,
        layout=placements.layout(stated),
        facts=stated.union(placements.facts()),
        beliefs=_read_beliefs(fields.get("beliefs"), domain, placements.names(), complaints),
        speaker=speaker or None,
        numbers=read_numbers(fields, domain, placements.things, scope, complaints),
    )


def _read_beliefs(node: Node | None, domain: Domain, names: Names, complaints: Complaints) -> dict[Atom, str]:
    """Read atoms, each with where it comes from."""
    if node is None or is_empty(node):
        return {}
    if not isinstance(node, Table):
        complaints.add(
            node.mark, "beliefs: expected a table such as {(in milk0 fridge0): last seen yesterday}", "wrong-kind"
        )
        return {}
    beliefs: dict[Atom, str] = {}
    for key, value in node.entries:
        atom = _read_atom(key, domain, names, complaints)
        source = text(value, f"the source of belief {key.text}", complaints)
        if atom is not None:
            beliefs[atom] = source
    return beliefs


def _read_atom(key: Scalar, domain: Domain, names: Names, complaints: Complaints) -> Atom | None:
    formula = read_formula(key, "a belief", complaints)
    if isinstance(formula, Atom):
        check_atom(Literal(formula), key, names, domain.predicates, complaints)
        return formula
    if formula != And(()):
        complaints.add(
            key.mark, f"a belief is {formula}; expected one fact such as (in milk0 fridge0)", "unreadable-formula"
        )
    return None
