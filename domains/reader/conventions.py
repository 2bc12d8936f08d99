"""The reader of conventions: the names of a world that world-independent code uses."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from domains.conventions import ARITIES, CONVENTIONS, NONE, STANDARD, ConventionKind, Conventions, Known
from domains.model import PredicateModel
from domains.reader.keys import open_table
from domains.reader.nodes.document import Node, Scalar, value_of
from domains.reader.nodes.fields import Field, is_empty


def read_conventions(
    node: Node | None, affordances: Collection[str], classes: Collection[str], predicates: Mapping[str, PredicateModel]
) -> Conventions:
    """Read the names of the conventions.

    A convention that the file does not mention has its default name, if the world has that name. An empty section is
    reported once; names that refer to it are not reported again.
    """
    valid: Known = {
        ConventionKind.AFFORDANCE: affordances,
        ConventionKind.CLASS: classes,
        ConventionKind.PREDICATE: predicates,
    }
    standing = STANDARD.among(valid)
    if node is None or is_empty(node):
        return standing
    fields = open_table(node, "conventions", "the table of conventions")
    names: dict[str, str] = {}
    for key, value in fields.values.items():
        name = Field(value, f"convention '{key}'").symbol()
        sort = CONVENTIONS.get(key)
        if not name or sort is None:
            continue
        names[key] = "" if name == NONE else name
        if names[key] and valid[sort] and name not in valid[sort]:
            value.unknown(sort.value, name, valid[sort], f"for the convention '{key}'")
        elif name in predicates and key in ARITIES:
            _check_arity(key, predicates[name], value)
    return standing.with_names(names)


def _check_arity(key: str, model: PredicateModel, value: Node) -> None:
    has, needs = len(model.predicate.parameters), ARITIES[key]
    if has != needs:
        name = model.predicate.name
        message = f"predicate '{name}' has {has} parameters; expected one of {needs} for the convention '{key}'"
        value.report(message, "wrong-arity", name)


def declared_name(node: Node | None, key: str) -> str:
    """Return the declared name of one convention before the rest of the file is read, or the default."""
    value = None if node is None else value_of(node, key)
    return value.text if isinstance(value, Scalar) and value.text != NONE else STANDARD[key]
