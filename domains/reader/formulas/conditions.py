"""The readers of conditions, effects, numbers and facts: every name in them is checked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from domains.capability import ALWAYS, ConditionalEffect, Effects, NumericEffect, Template
from domains.model import PredicateModel
from domains.reader.formulas.plain import written_out
from domains.reader.formulas.scope import FormulaScope, FormulaSource, Names
from domains.reader.nodes.document import Listing, Scalar, place_in
from domains.reader.nodes.fields import Field
from semantics.errors import FormulaError
from semantics.logic.atoms import And, Atom, Expression, Formula, Literal, Not, conjoined
from semantics.logic.parsing import Group, Node as Bracket, parse_formula, parse_sexpr

CHANGES = ("increase", "decrease", "assign")
FORM = "expected literals, 'when', 'forall', 'increase', 'decrease' or 'assign', joined by 'and'"


def sources(field: Field, scope: FormulaScope, *, is_effect: bool = False) -> Iterator[tuple[FormulaSource, Bracket]]:
    """Yield each item of a list, or the single text or table, as parsed PDDL."""
    variables = [name[1:] for name in scope.names if name.startswith("?")]
    for item in field.node.items if isinstance(field.node, Listing) else (field.node,):
        if isinstance(item, Scalar):
            source: FormulaSource | None = FormulaSource(item.text, field.what, item)
        else:
            source = written_out(item, variables, field.what, is_effect=is_effect) if item is not None else None
        if source is not None:
            try:
                yield source, parse_sexpr(source.text)
            except FormulaError as error:
                source.unreadable(error)


def read_each(field: Field, scope: FormulaScope) -> tuple[Formula, ...]:
    """Read each item of a list of conditions."""
    return tuple(source.condition(tree, scope) for source, tree in sources(field, scope))


def read_condition(field: Field, scope: FormulaScope) -> tuple[Formula, ...]:
    """Read a condition, as the parts of a conjunction."""
    return tuple(part for formula in read_each(field, scope) for part in conjoined(formula))


def read_expression(field: Field, scope: FormulaScope) -> Expression | None:
    """Read a numeric expression; None when it cannot be read."""
    for source, tree in sources(field, scope):
        return source.expression(tree, scope)
    return None


def read_atoms(field: Field, scope: FormulaScope) -> Iterator[tuple[FormulaSource, Bracket, Atom]]:
    """Yield each item of a list as an atom, whose names are not checked yet."""
    for source, tree in sources(field, scope):
        try:
            yield source, tree, source.syntax.atom(tree)
        except FormulaError as error:
            source.unreadable(error)


def read_formula(scalar: Scalar, what: str) -> Formula:
    """Read a formula whose arguments may be ``?variables``; the empty conjunction when it cannot be read."""
    try:
        return parse_formula(scalar.text, variables=True)
    except FormulaError as exc:
        mark = place_in(scalar, exc.line, exc.column)
        scalar.file.add(mark, f"{what} cannot be read: {exc.reason}", "unreadable-formula")
        return And(())


def check_names(scalar: Scalar, names: Names, predicates: Mapping[str, PredicateModel] | None) -> None:
    """Report the wrong names of a formula that could be read; predicates that are None are not checked."""
    signatures = {name: model.predicate.parameters for name, model in (predicates or {}).items()}
    scope = FormulaScope(names, None if predicates is None else signatures)
    FormulaSource(scalar.text, "", scalar).check(parse_sexpr(scalar.text), scope, True)


def read_effects(field: Field, scope: FormulaScope, derived: Collection[str]) -> Effects:
    """Read an effect; `derived` are the derived predicates, which no effect may change."""
    effects = Effects()
    for source, tree in sources(field, scope, is_effect=True):
        try:
            for effect in _effects(source, tree, scope, derived, ALWAYS):
                effects.add(effect)
        except FormulaError as error:
            source.unreadable(error)
    return effects


def _effects(
    source: FormulaSource, tree: Bracket, scope: FormulaScope, derived: Collection[str], within: ConditionalEffect
) -> Iterator[ConditionalEffect]:
    """Yield the parts of an effect that is under the condition and the variables of `within`.

    Raises:
        FormulaError: It cannot be read.
    """
    head = tree.head if isinstance(tree, Group) else ""
    if isinstance(tree, Group) and head == "and":
        for part in tree.items[1:]:
            yield from _effects(source, part, scope, derived, within)
    elif isinstance(tree, Group) and head in ("when", "forall", *CHANGES):
        if len(tree.items) != 3:
            raise source.syntax.error(tree.items[0], f"'{head}' takes two parts, here are {len(tree.items) - 1}")
        _, first, second = tree.items
        if head == "when":
            # The condition is read as a positive one, so that the affordances of its arguments are checked.
            yield from _effects(source, second, scope, derived, within.under(source.condition(first, scope)))
        elif head == "forall":
            variables = source.variables(first, scope)
            inner = replace(within, variables=(*within.variables, *variables))
            yield from _effects(source, second, scope.inside(variables), derived, inner)
        else:
            fluent = source.syntax.atom(first)
            source.call(first, Literal(fluent), scope.fluents, "number", scope)
            by = source.expression(second, scope)
            if by is not None:
                yield replace(within, numeric=(NumericEffect(head, fluent, by),))
    else:
        yield from _changed_fact(source, tree, scope, derived, within)


def _changed_fact(
    source: FormulaSource, tree: Bracket, scope: FormulaScope, derived: Collection[str], within: ConditionalEffect
) -> Iterator[ConditionalEffect]:
    """Yield a literal of an effect; what is none is reported."""
    match source.syntax.formula(tree):
        case Atom() as atom:
            positive, place = True, tree
        case Not(Atom() as atom) if isinstance(tree, Group):
            positive, place = False, tree.items[1]
        case other:
            source.add(tree, f"{source.what} holds {other}; {FORM}", "not-an-effect")
            return
    source.call(place, Literal(atom, positive), scope.predicates, "predicate", scope)
    if atom.predicate in derived:
        message = f"{atom} follows from other facts by definition; expected an effect on those"
        source.add(place, message, "derived-changed", atom.predicate)
    yield replace(within, literals=(Template(atom.predicate, atom.args, positive),))
