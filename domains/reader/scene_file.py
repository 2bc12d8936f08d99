"""The reader of scene files: things, their placements, and the initial beliefs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from domains.model import Domain, NumericFluent, SceneFile
from domains.reader.formulas.conditions import Checked, check_atom, read_formula, sources
from domains.reader.formulas.scope import FormulaScope, Names
from domains.reader.formulas.source import FormulaSource
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Node, Scalar, TableNode
from domains.reader.nodes.fields import Fields, choice, entries, is_empty, number, symbol, text
from domains.reader.placements import Placements
from semantics.atoms import And, Atom, Literal
from semantics.errors import FormulaError
from semantics.sexpr import parse_sexpr
from semantics.vocabulary import Thing

__all__ = ["read_scene"]

MOST_TOLD = 3
MOST_VALUES = 20_000


def read_scene(node: Node, domain: Domain, name: str, diagnostics: Diagnostics) -> SceneFile:
    """Read a whole scene; the result is invalid when `diagnostics` has errors."""
    fields = open_table(node, "scene", "a scene", diagnostics)
    choice(fields.get("domain"), "domain", (domain.name,), "the domain of the scene", diagnostics)
    placements = Placements(domain, diagnostics)
    for entry in entries(fields.get("things"), "things", diagnostics):
        placements.add(entry)
    placements.check(fields.get("things"))
    scope = FormulaScope(
        placements.names(),
        {name: model.predicate.parameters for name, model in domain.predicates.items()},
        {name: fluent.parameters for name, fluent in domain.fluents.items()},
    )
    actors = tuple(name for name, thing in placements.things.items() if domain.conventions.actor in thing.affordances)
    speaker = choice(fields.get("speaker"), "actor", actors, "the speaker", diagnostics)
    stated = frozenset(_read_facts(fields.get("facts"), domain, scope, diagnostics))
    return SceneFile(
        name=symbol(fields.get("name"), "the name of the scene", diagnostics, name),
        things=placements.things,
        layout=placements.layout(stated),
        facts=stated.union(placements.facts()),
        beliefs=_read_beliefs(fields.get("beliefs"), domain, placements.names(), diagnostics),
        speaker=speaker or None,
        numbers=_read_numbers(fields, domain, placements.things, scope, diagnostics),
    )


def _read_beliefs(node: Node | None, domain: Domain, names: Names, diagnostics: Diagnostics) -> dict[Atom, str]:
    """Read the beliefs: atoms, each with its source in words."""
    if node is None or is_empty(node):
        return {}
    if not isinstance(node, TableNode):
        diagnostics.add(
            node.mark, "beliefs: expected a table such as {(in milk0 fridge0): last seen yesterday}", "wrong-kind"
        )
        return {}
    beliefs: dict[Atom, str] = {}
    for key, value in node.entries:
        atom = _read_atom(key, domain, names, diagnostics)
        source = text(value, f"the source of belief {key.text}", diagnostics)
        if atom is not None:
            beliefs[atom] = source
    return beliefs


def _read_atom(key: Scalar, domain: Domain, names: Names, diagnostics: Diagnostics) -> Atom | None:
    formula = read_formula(key, "a belief", diagnostics)
    if isinstance(formula, Atom):
        check_atom(Literal(formula), key, names, domain.predicates, diagnostics)
        return formula
    if formula != And(()):
        diagnostics.add(
            key.mark, f"a belief is {formula}; expected one fact such as (in milk0 fridge0)", "unreadable-formula"
        )
    return None


def _read_facts(node: Node | None, domain: Domain, scope: FormulaScope, diagnostics: Diagnostics) -> Iterator[Atom]:
    """Yield the facts of a list; one text may join several by ``and``."""
    for source, tree in sources(node, scope, "a fact", diagnostics):
        try:
            atom = Checked(source).syntax.atom(tree)
        except FormulaError as error:
            source.unreadable(error)
            continue
        Checked(source).atom(tree, Literal(atom), scope)
        if atom.predicate in domain.derived:
            message = f"{atom} follows from other facts by definition; expected those"
            source.add(tree, message, "derived-stated", atom.predicate)
        yield atom


def _read_numbers(
    fields: Fields, domain: Domain, things: Mapping[str, Thing], scope: FormulaScope, diagnostics: Diagnostics
) -> dict[Atom, float]:
    """Read the values that a scene gives, and add the default values."""
    node = fields.get("numbers")
    stated: dict[Atom, float] = {}
    if node is not None and not is_empty(node) and not isinstance(node, TableNode):
        message = "numbers: expected a table such as {(volume milk0): 1.0}"
        diagnostics.add(node.mark, message, "wrong-kind")
    for key, value in node.entries if isinstance(node, TableNode) else ():
        atom = _number_named(key, scope, diagnostics)
        amount = number(value, f"the value of {key.text}", diagnostics)
        if atom is not None and atom in stated:
            diagnostics.add(key.mark, f"{atom} has a value already; expected one", "named-twice", str(atom))
        elif atom is not None:
            stated[atom] = amount
    values: dict[Atom, float] = {}
    for fluent in domain.fluents.values():
        values |= _completed(fluent, stated, things, fields, diagnostics)
    return values | stated


def _number_named(key: Scalar, scope: FormulaScope, diagnostics: Diagnostics) -> Atom | None:
    source = FormulaSource(key.text, "the name of a number", diagnostics, key)
    try:
        tree = parse_sexpr(key.text)
        atom = Checked(source).syntax.atom(tree)
    except FormulaError as error:
        source.unreadable(error)
        return None
    Checked(source).number(tree, atom, scope)
    return atom


def _completed(
    fluent: NumericFluent,
    stated: Mapping[Atom, float],
    things: Mapping[str, Thing],
    fields: Fields,
    diagnostics: Diagnostics,
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
        diagnostics.add(fields.mark, message, "too-many-values", fluent.name)
        return {}
    atoms = (Atom(fluent.name, args) for args in product(*able))
    if fluent.default is not None:
        return dict.fromkeys(atoms, fluent.default)
    missing = [str(atom) for atom in atoms if atom not in stated]
    if missing:
        shown = ", ".join(missing[:MOST_TOLD]) + (", …" if len(missing) > MOST_TOLD else "")
        node = fields.get("numbers")
        mark = node.mark if node is not None else fields.mark
        message = f"no value of {shown}; expected one each, or a 'default' of number '{fluent.name}'"
        diagnostics.add(mark, message, "no-value", fluent.name)
    return {}
