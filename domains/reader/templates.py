"""Single facts and goals as PDDL text, read with the place of each mistake."""

from __future__ import annotations

import re
from collections.abc import Mapping

from domains.model import PredicateModel
from domains.reader.formulas.scope import Names, check_call
from domains.reader.nodes.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import Scalar, place_in
from semantics.atoms import And, Formula, Literal
from semantics.errors import FormulaError
from semantics.parsing import parse_formula

__all__ = ["Names", "check_atom", "place_in", "read_formula"]


def read_formula(scalar: Scalar, what: str, diagnostics: Diagnostics) -> Formula:
    """Read a formula whose arguments may be ``?variables``; the empty conjunction when it cannot be read."""
    try:
        return parse_formula(scalar.text, variables=True)
    except FormulaError as exc:
        mark = place_in(scalar, exc.line, exc.column, diagnostics)
        diagnostics.add(mark, f"{what} cannot be read: {exc.reason}", "unreadable-formula")
        return And(())


def check_atom(
    literal: Literal,
    scalar: Scalar,
    names: Names,
    predicates: Mapping[str, PredicateModel] | None,
    diagnostics: Diagnostics,
) -> None:
    """Complain of an unknown predicate or argument, a wrong arity, and an argument without the affordance.

    The affordances of a negative literal are not looked at: of a thing without them it is simply true.
    """
    atom = literal.atom

    def place(position: int) -> Mark:
        return _find(
            (atom.predicate, *atom.args)[position], scalar, diagnostics, "" if position else " ".join(atom.args)
        )

    signatures = {name: model.predicate.parameters for name, model in (predicates or {}).items()}
    check_call(literal, None if predicates is None else signatures, "predicate", names, place, diagnostics)


def _find(word: str, scalar: Scalar, diagnostics: Diagnostics, then: str = "") -> Mark:
    """Locate a name in a formula: where `then` follows it, else where it first stands."""
    tail = r"\s+".join(map(re.escape, then.split()))
    for pattern in (rf"(?<![\w?-]){re.escape(word)}\s+{tail}\s*\)", rf"(?<![\w?-]){re.escape(word)}(?![\w-])"):
        if match := re.search(pattern, scalar.text, re.IGNORECASE):
            line = scalar.text.count("\n", 0, match.start()) + 1
            column = match.start() - scalar.text.rfind("\n", 0, match.start())
            return place_in(scalar, line, column, diagnostics)
    return scalar.mark
