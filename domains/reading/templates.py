"""Conditions and effects: PDDL literals over ``?parameters``, read with the place of each mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from domains.model import PredicateModel, Template
from domains.reading.nodes.complaints import Complaints, Mark
from domains.reading.nodes.document import Listing, Node, Scalar, Table
from semantics.atoms import And, Atom, Formula, Literal, Not
from semantics.errors import FormulaError
from semantics.parsing import parse_formula

__all__ = ["Names", "check_atom", "place_in", "read_formula", "read_literals"]

Names = Mapping[str, Sequence[str]]
"""What may be named, with its affordances: parameters with their question mark, or things. Where there are none they
could not be read, and are not looked at."""


def read_literals(
    node: Node | None, names: Names, predicates: Mapping[str, PredicateModel] | None, what: str, complaints: Complaints
) -> tuple[Template, ...]:
    """Read a conjunction, written as one text or as a list of literals."""
    if isinstance(node, Table):
        complaints.add(node.mark, f"{what} is a table; expected PDDL literals such as (on ?o ?from)")
        return ()
    found: dict[Template, None] = {}
    for scalar in _scalars(node, what, complaints):
        formula = read_formula(scalar, what, complaints)
        for atom, positive in _conjoined(formula, scalar, what, complaints):
            check_atom(Literal(atom, positive), scalar, names, predicates, complaints)
            found[Template(atom.predicate, atom.args, positive)] = None
    for template in found:
        if Template(template.predicate, template.args, not template.positive) in found and template.positive:
            mark = node.mark if node is not None else Mark()
            complaints.add(mark, f"{what} has both {_written(template)} and its negation; expected one of them")
    return tuple(found)


def _written(template: Template) -> str:
    return str(Atom(template.predicate, template.args))


def _scalars(node: Node | None, what: str, complaints: Complaints) -> Iterator[Scalar]:
    if node is None:
        return
    for item in node.items if isinstance(node, Listing) else (node,):
        if isinstance(item, Scalar):
            yield item
        else:
            complaints.add(item.mark, f"an item of {what} is no text; expected a PDDL literal")


def read_formula(scalar: Scalar, what: str, complaints: Complaints) -> Formula:
    """Read a formula whose arguments may be ``?variables``; the empty conjunction when it cannot be read."""
    try:
        return parse_formula(scalar.text, variables=True)
    except FormulaError as exc:
        complaints.add(place_in(scalar, exc.line, exc.column, complaints), f"{what} cannot be read: {exc.reason}")
        return And(())


def place_in(scalar: Scalar, line: int, column: int, complaints: Complaints) -> Mark:
    """Turn a place in a scalar's text into one in its file.

    Exact for texts of one line and for ``|`` blocks; the start of the text for folded ones.
    """
    if scalar.style == "|":
        part = scalar.text.split("\n")[line - 1]
        indent = complaints.line(scalar.mark.line + line).find(part)
        return Mark(scalar.mark.line + line, max(indent, 0) + column)
    written = complaints.line(scalar.mark.line)[scalar.mark.column - 1 :].rstrip()
    quoted = scalar.style in ("'", '"')
    end = len(scalar.text) + quoted
    is_verbatim = written[end : end + 1] == scalar.style if quoted else scalar.style == "" and end <= len(written)
    if line == 1 and is_verbatim:
        return Mark(scalar.mark.line, scalar.mark.column + quoted + column - 1)
    return scalar.mark


def _conjoined(formula: Formula, scalar: Scalar, what: str, complaints: Complaints) -> Iterator[Literal]:
    match formula:
        case Atom():
            yield Literal(formula)
        case Not(Atom() as atom):
            yield Literal(atom, False)
        case And(parts):
            for part in parts:
                yield from _conjoined(part, scalar, what, complaints)
        case _:
            message = f"{what} holds {formula}; expected literals joined by 'and' (no 'or', 'not' around atoms only)"
            complaints.add(scalar.mark, message)


def check_atom(
    literal: Literal,
    scalar: Scalar,
    names: Names,
    predicates: Mapping[str, PredicateModel] | None,
    complaints: Complaints,
) -> None:
    """Complain of an unknown predicate or argument, a wrong arity, and an argument without the affordance.

    The affordances of a negative literal are not looked at: of a thing without them it is simply true.
    """
    atom = literal.atom
    for arg in dict.fromkeys(atom.args):
        if arg not in names:
            kind = "parameter" if arg.startswith("?") else "name"
            complaints.unknown(_find(arg, scalar, complaints), kind, arg, names)
    if predicates is None:
        return
    if atom.predicate not in predicates:
        complaints.unknown(_find(atom.predicate, scalar, complaints), "predicate", atom.predicate, predicates)
        return
    asked = predicates[atom.predicate].predicate.parameters
    mark = _find(atom.predicate, scalar, complaints, " ".join(atom.args))
    if len(asked) != len(atom.args):
        form = " ".join((atom.predicate, *asked))
        complaints.add(mark, f"{atom} has {_count(len(atom.args))}; expected {len(asked)}: ({form})")
    elif literal.positive:
        _check_affordances(atom, asked, mark, names, complaints)


def _check_affordances(atom: Atom, asked: Sequence[str], mark: Mark, names: Names, complaints: Complaints) -> None:
    for position, (arg, affordance) in enumerate(zip(atom.args, asked, strict=True), start=1):
        if names.get(arg) and affordance not in ("object", *names[arg]):
            complaints.add(mark, f"{arg} in {atom} does not afford {affordance}; expected that of argument {position}")


def _count(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"


def _find(word: str, scalar: Scalar, complaints: Complaints, then: str = "") -> Mark:
    """Locate a name in a formula: where `then` follows it, else where it first stands."""
    tail = r"\s+".join(map(re.escape, then.split()))
    for pattern in (rf"(?<![\w?-]){re.escape(word)}\s+{tail}\s*\)", rf"(?<![\w?-]){re.escape(word)}(?![\w-])"):
        if match := re.search(pattern, scalar.text, re.IGNORECASE):
            line = scalar.text.count("\n", 0, match.start()) + 1
            column = match.start() - scalar.text.rfind("\n", 0, match.start())
            return place_in(scalar, line, column, complaints)
    return scalar.mark
