"""The reader of conditions, numbers and facts: `semantics.logic.parsing` parses, this module checks every name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from domains.diagnostics import Mark
from domains.model import PredicateModel
from domains.reader.formulas.plain import written_out
from domains.reader.formulas.scope import FormulaScope, Names, check_call
from domains.reader.formulas.source import FormulaSource
from domains.reader.nodes.document import Listing, Scalar, place_in
from domains.reader.nodes.fields import Field
from semantics.errors import FormulaError
from semantics.logic.atoms import And, Atom, Expression, Formula, Literal, Variable, conjoined
from semantics.logic.parsing import (
    COMPARISONS,
    FormulaReader,
    Group,
    Node as Bracket,
    Word,
    parse_formula,
    parse_sexpr,
    place_of,
)

__all__ = [
    "Checked",
    "check_atom",
    "read_atoms",
    "read_condition",
    "read_each",
    "read_expression",
    "read_formula",
    "sources",
]

ARITHMETIC = ("+", "-", "*", "/")


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
    return tuple(Checked(source).condition(tree, scope) for source, tree in sources(field, scope))


def read_condition(field: Field, scope: FormulaScope) -> tuple[Formula, ...]:
    """Read a condition, as the parts of a conjunction."""
    return tuple(part for formula in read_each(field, scope) for part in conjoined(formula))


def read_expression(field: Field, scope: FormulaScope) -> Expression | None:
    """Read a numeric expression; None when it cannot be read."""
    for source, tree in sources(field, scope):
        return Checked(source).expression(tree, scope)
    return None


def read_atoms(field: Field, scope: FormulaScope) -> Iterator[tuple[FormulaSource, Bracket, Atom]]:
    """Yield each item of a list as an atom, whose names are not checked yet."""
    for source, tree in sources(field, scope):
        try:
            yield source, tree, Checked(source).syntax.atom(tree)
        except FormulaError as error:
            source.unreadable(error)


@dataclass(frozen=True, slots=True)
class Checked:
    """Parses one source, and reports wrong names in it."""

    source: FormulaSource

    @property
    def syntax(self) -> FormulaReader:
        """The parser, which does not check names."""
        return FormulaReader(self.source.text)

    def condition(self, tree: Bracket, scope: FormulaScope, positive: bool = True) -> Formula:
        """Read a condition; the empty conjunction when it cannot be read."""
        try:
            formula = self.syntax.formula(tree)
        except FormulaError as error:
            self.source.unreadable(error)
            return And(())
        self._check(tree, scope, positive)
        return formula

    def expression(self, tree: Bracket, scope: FormulaScope) -> Expression | None:
        """Read a number; None when it cannot be read."""
        try:
            expression = self.syntax.expression(tree)
        except FormulaError as error:
            self.source.unreadable(error)
            return None
        self._check_number(tree, scope)
        return expression

    def variables(self, tree: Bracket, scope: FormulaScope) -> tuple[Variable, ...]:
        """Read the variables of a quantifier.

        Raises:
            FormulaError: They cannot be read.
        """
        variables = self.syntax.typed(tree)
        words = [item for item in tree.items if isinstance(item, Word)] if isinstance(tree, Group) else []
        valid = None if scope.affordances is None else (*scope.affordances, "object")
        for variable in variables:
            place = next((word for word in words if word.text == f"?{variable.name}"), tree)
            if place is tree:
                shown = variable.name
                self.source.add(tree, f"'{shown}' is no variable; expected '?{shown}'", "not-a-variable", shown)
            if f"?{variable.name}" in scope.names or variables.count(variable) > 1:
                message = f"'?{variable.name}' is named already; expected another name for this variable"
                self.source.add(place, message, "named-twice", variable.name)
            if valid is not None and variable.affordance not in valid:
                kind = next((word for word in reversed(words) if word.text == variable.affordance), tree)
                self.source.file.unknown(self.source.at(kind), "affordance", variable.affordance, valid)
        return variables

    def atom(self, tree: Bracket, literal: Literal, scope: FormulaScope) -> None:
        """Check a fact."""
        self.call(tree, literal, scope.predicates, "predicate", scope)

    def number(self, tree: Bracket, atom: Atom, scope: FormulaScope) -> None:
        """Check a numeric fluent."""
        self.call(tree, Literal(atom), scope.fluents, "number", scope)

    def call(
        self,
        tree: Bracket,
        literal: Literal,
        parameters: Mapping[str, Sequence[str]] | None,
        kind: str,
        scope: FormulaScope,
    ) -> None:
        """Check a name with its arguments; see `check_call`."""
        items = tree.items if isinstance(tree, Group) else (tree,)
        place = lambda position: self.source.at(items[position])  # noqa: E731 - called only for an error
        check_call(literal, parameters, kind, scope.names, place, self.source.file)

    def _check(self, tree: Bracket, scope: FormulaScope, positive: bool) -> None:
        """Check the names of a condition that was parsed."""
        if not isinstance(tree, Group):
            return
        if tree.head in ("and", "or"):
            for part in tree.items[1:]:
                self._check(part, scope, positive)
        elif tree.head == "not":
            self._check(tree.items[1], scope, not positive)
        elif tree.head == "imply":
            self._check(tree.items[1], scope, not positive)
            self._check(tree.items[2], scope, positive)
        elif tree.head in ("forall", "exists"):
            self._check(tree.items[2], scope.inside(self.variables(tree.items[1], scope)), positive)
        elif tree.head in COMPARISONS:
            self._check_compared(tree.items[1:], scope)
        else:
            self.atom(tree, Literal(self.syntax.atom(tree), positive), scope)

    def _check_compared(self, trees: Sequence[Bracket], scope: FormulaScope) -> None:
        for tree in trees:
            if isinstance(tree, Word) and tree.text[:1] in "?abcdefghijklmnopqrstuvwxyz":
                if tree.text not in scope.names:
                    kind = "parameter" if tree.text.startswith("?") else "name"
                    self.source.file.unknown(self.source.at(tree), kind, tree.text, scope.names)
            else:
                self._check_number(tree, scope)

    def _check_number(self, tree: Bracket, scope: FormulaScope) -> None:
        if not isinstance(tree, Group):
            return
        if tree.head in ARITHMETIC:
            for part in tree.items[1:]:
                self._check_number(part, scope)
        else:
            self.number(tree, self.syntax.atom(tree), scope)


def read_formula(scalar: Scalar, what: str) -> Formula:
    """Read a formula whose arguments may be ``?variables``; the empty conjunction when it cannot be read."""
    try:
        return parse_formula(scalar.text, variables=True)
    except FormulaError as exc:
        mark = place_in(scalar, exc.line, exc.column)
        scalar.file.add(mark, f"{what} cannot be read: {exc.reason}", "unreadable-formula")
        return And(())


def check_atom(literal: Literal, scalar: Scalar, names: Names, predicates: Mapping[str, PredicateModel] | None) -> None:
    """Report an unknown predicate or argument, a wrong arity, and an argument without the affordance.

    Affordances in a negative literal are not checked: for a thing without them, the literal is true.
    """
    atom = literal.atom

    def place(position: int) -> Mark:
        return _find((atom.predicate, *atom.args)[position], scalar, "" if position else " ".join(atom.args))

    signatures = {name: model.predicate.parameters for name, model in (predicates or {}).items()}
    check_call(literal, None if predicates is None else signatures, "predicate", names, place, scalar.file)


def _find(word: str, scalar: Scalar, then: str = "") -> Mark:
    """Find the position of a name in a formula: where `then` follows it, or else its first occurrence."""
    tail = r"\s+".join(map(re.escape, then.split()))
    for pattern in (rf"(?<![\w?-]){re.escape(word)}\s++{tail}\s*+\)", rf"(?<![\w?-]){re.escape(word)}(?![\w-])"):
        if match := re.search(pattern, scalar.text, re.IGNORECASE):
            return place_in(scalar, *place_of(scalar.text, match.start()))
    return scalar.mark
