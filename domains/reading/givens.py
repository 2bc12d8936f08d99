"""What a scene says besides its arrangement: facts, and the values of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from domains.model import Domain, NumericFluent
from domains.reading.formulas.conditions import Checked, sources
from domains.reading.formulas.scope import Scope
from domains.reading.formulas.source import Source
from domains.reading.nodes.complaints import Complaints
from domains.reading.nodes.document import Node, Scalar, Table
from domains.reading.nodes.fields import Fields, is_empty, number
from semantics.atoms import Atom, Literal
from semantics.errors import FormulaError
from semantics.sexpr import parse_sexpr
from semantics.vocabulary import Thing

__all__ = ["read_facts", "read_numbers"]

MOST_TOLD = 3
MOST_VALUES = 20_000


def read_facts(node: Node | None, domain: Domain, scope: Scope, complaints: Complaints) -> Iterator[Atom]:
    """Yield the facts of a list; several may stand in one text, joined by ``and``."""
    for source, tree in sources(node, scope, "a fact", complaints):
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


def read_numbers(
    fields: Fields, domain: Domain, things: Mapping[str, Thing], scope: Scope, complaints: Complaints
) -> dict[Atom, float]:
    """Read the values that a scene gives, and add those by default."""
    node = fields.get("numbers")
    given: dict[Atom, float] = {}
    if node is not None and not is_empty(node) and not isinstance(node, Table):
        message = "numbers: expected a table such as {(volume milk0): 1.0}"
        complaints.add(node.mark, message, "wrong-kind")
    for key, value in node.entries if isinstance(node, Table) else ():
        atom = _number_named(key, scope, complaints)
        amount = number(value, f"the value of {key.text}", complaints)
        if atom is not None and atom in given:
            complaints.add(key.mark, f"{atom} has a value already; expected one", "named-twice", str(atom))
        elif atom is not None:
            given[atom] = amount
    values: dict[Atom, float] = {}
    for fluent in domain.fluents.values():
        values |= _completed(fluent, given, things, fields, complaints)
    return values | given


def _number_named(key: Scalar, scope: Scope, complaints: Complaints) -> Atom | None:
    source = Source(key.text, "the name of a number", complaints, key)
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
    given: Mapping[Atom, float],
    things: Mapping[str, Thing],
    fields: Fields,
    complaints: Complaints,
) -> dict[Atom, float]:
    """Return the values by default of one number, or complain of those that are missing."""
    able = [
        [name for name, thing in things.items() if affordance == "object" or affordance in thing.affordances]
        for affordance in fluent.parameters
    ]
    count = 1
    for names in able:
        count *= len(names)
    if count > MOST_VALUES:
        message = f"number '{fluent.name}' has {count} values here; at most {MOST_VALUES} are taken"
        complaints.add(fields.mark, message, "too-many-values", fluent.name)
        return {}
    atoms = (Atom(fluent.name, args) for args in product(*able))
    if fluent.default is not None:
        return dict.fromkeys(atoms, fluent.default)
    missing = [str(atom) for atom in atoms if atom not in given]
    if missing:
        shown = ", ".join(missing[:MOST_TOLD]) + (", …" if len(missing) > MOST_TOLD else "")
        node = fields.get("numbers")
        mark = node.mark if node is not None else fields.mark
        message = f"no value of {shown}; expected one each, or a 'default' of number '{fluent.name}'"
        complaints.add(mark, message, "no-value", fluent.name)
    return {}
