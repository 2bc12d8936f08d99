"""The reader of scene files: things, their placements, and the initial beliefs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product

from domains.invariants.clashing_facts import clash_message, clashing_facts
from domains.model import Domain, NumericFluent, SceneFile
from domains.reader.attributes import as_known, attribute_facts
from domains.reader.formulas.conditions import check_names, read_atoms, read_formula
from domains.reader.formulas.scope import FormulaScope, Names, scope_of
from domains.reader.keys import open_table
from domains.reader.nodes.document import Node, Scalar, TableNode
from domains.reader.nodes.fields import Field, Fields, entries, is_empty
from domains.reader.placements import Placements
from semantics.logic.atoms import And, Atom, Literal
from semantics.logic.vocabulary import Thing

__all__ = ["read_scene"]

MOST_TOLD = 3
MOST_VALUES = 20_000


def read_scene(node: Node, domain: Domain, name: str) -> SceneFile:
    """Read a whole scene; the result is invalid when its file has errors."""
    fields = replace(open_table(node, "scene", "a scene"), what="the scene")
    node.file.ancestry = domain.ancestry
    fields["domain"].choice("domain", (domain.name, *domain.ancestry.bases.values()))
    placements = Placements(domain, _seed_of(fields["arrange"]))
    for entry in entries(fields.get("things"), "things"):
        placements.add(entry)
    for entry in entries(fields.get("unlisted"), "unlisted"):
        placements.add(entry, unlisted=True)
    placements.check(fields.get("things"))
    things = placements.listed
    scope = replace(scope_of({}, domain.predicates, domain.fluents, None), names=placements.names())
    actors = tuple(name for name, thing in things.items() if domain.conventions.actor in thing.affordances)
    speaker = Field(fields.get("speaker"), "the speaker").choice("actor", actors)
    places = tuple(placements.facts())
    stated = frozenset(_read_facts(fields.get("facts"), domain, scope, places))
    values = frozenset(attribute_facts(domain, things))
    models = domain.predicates
    told = {atom for atom in values if models[atom.predicate].predicate.goal or models[atom.predicate].told}
    return SceneFile(
        name=fields["name"].symbol(name),
        things=as_known(things, domain),
        layout=placements.layout(frozenset(atom for atom in stated | told if not _is_shown(atom, domain))),
        facts=stated.union(places, values),
        beliefs=_read_beliefs(fields.get("beliefs"), domain, placements.names()),
        speaker=speaker or None,
        numbers=_read_numbers(fields, domain, things, scope),
        hidden=frozenset(placements.hidden),
    )


def _is_shown(atom: Atom, domain: Domain) -> bool:
    """Return whether the position of things shows a fact, so that no body has to be told; a lid has no position."""
    model = domain.predicates.get(atom.predicate)
    return model is not None and model.sensed is not None and atom.predicate not in domain.conventions.doors


def _seed_of(field: Field) -> int | None:
    """Return the seed of a scene that is arranged: 0 for ``true``; None for one that is not."""
    if isinstance(field.node, Scalar) and field.node.text in ("true", "false"):
        return 0 if field.flag() else None
    return field.whole(None)


def _read_beliefs(node: Node | None, domain: Domain, names: Names) -> dict[Atom, str]:
    """Read the beliefs: atoms, each with its source in words."""
    if node is None or is_empty(node):
        return {}
    if not isinstance(node, TableNode):
        node.report("beliefs: expected a table such as {(in milk0 fridge0): last seen yesterday}", "wrong-kind")
        return {}
    beliefs: dict[Atom, str] = {}
    for key, value in node.entries:
        source = Field(value, f"the source of belief {key.text}").text()
        formula = read_formula(key, "a belief")
        if isinstance(formula, Atom):
            check_names(key, names, domain.predicates)
            beliefs[formula] = source
        elif formula != And(()):
            key.report(f"a belief is {formula}; expected one fact such as (in milk0 fridge0)", "unreadable-formula")
    return beliefs


def _read_facts(node: Node | None, domain: Domain, scope: FormulaScope, places: Collection[Atom]) -> Iterator[Atom]:
    """Yield the facts of a list; report those that exclude each other or a fact of the arrangement, `places`."""
    written = list(read_atoms(Field(node, "a fact"), scope))
    marks = {atom: (source, tree) for source, tree, atom in written}
    for first, second in clashing_facts((*places, *marks), domain):
        if second in marks:
            source, tree = marks[second]
            source.add(tree, clash_message(first, second), "exclusive-facts", str(second))
    for source, tree, atom in written:
        source.call(tree, Literal(atom), scope.predicates, "predicate", scope)
        if atom.predicate in domain.derived:
            message = f"{atom} follows from other facts by definition; expected those"
            source.add(tree, message, "derived-stated", atom.predicate)
        yield atom


def _read_numbers(
    fields: Fields, domain: Domain, things: Mapping[str, Thing], scope: FormulaScope
) -> dict[Atom, float]:
    """Read the values that a scene gives, and add the default values."""
    node = fields.get("numbers")
    stated: dict[Atom, float] = {}
    if node is not None and not is_empty(node) and not isinstance(node, TableNode):
        node.report("numbers: expected a table such as {(volume milk0): 1.0}", "wrong-kind")
    for key, value in node.entries if isinstance(node, TableNode) else ():
        amount = Field(value, f"the value of {key.text}").number(0.0)
        for source, tree, atom in read_atoms(Field(key, "the name of a number"), scope):
            source.call(tree, Literal(atom), scope.fluents, "number", scope)
            if atom in stated:
                key.report(f"{atom} has a value already; expected one", "named-twice", str(atom))
            stated.setdefault(atom, amount)
    values: dict[Atom, float] = {}
    for fluent in domain.fluents.values():
        values |= _completed(fluent, stated, things, fields)
    return values | stated


def _completed(
    fluent: NumericFluent, stated: Mapping[Atom, float], things: Mapping[str, Thing], fields: Fields
) -> dict[Atom, float]:
    """Return the default values of a number, or report missing values."""
    able = [
        [name for name, thing in things.items() if affordance == "object" or affordance in thing.affordances]
        for affordance in fluent.parameters
    ]
    count = 1
    for names in able:
        count *= len(names)
    if count > MOST_VALUES:
        message = f"number '{fluent.name}' has {count} values here; at most {MOST_VALUES} are taken"
        fields.node.report(message, "too-many-values", fluent.name)
        return {}
    atoms = (Atom(fluent.name, args) for args in product(*able))
    if fluent.default is not None:
        return dict.fromkeys(atoms, fluent.default)
    missing = [str(atom) for atom in atoms if atom not in stated]
    if missing:
        shown = ", ".join(missing[:MOST_TOLD]) + (", …" if len(missing) > MOST_TOLD else "")
        message = f"no value of {shown}; expected one each, or a 'default' of number '{fluent.name}'"
        (fields.get("numbers") or fields.node).report(message, "no-value", fluent.name)
    return {}
