"""Reading the formulas of a case: the goal, facts, and the literals of a part of a goal."""

from __future__ import annotations

from domains.reading.nodes.complaints import Complaints
from domains.reading.nodes.document import Node, Scalar
from domains.reading.nodes.fields import scalars
from domains.reading.templates import read_formula
from semantics.atoms import And, Atom, Formula, Literal, Not

__all__ = ["read_facts", "read_goal", "read_literal"]


def read_goal(node: Node, what: str, complaints: Complaints) -> Formula:
    """Read a formula; an empty conjunction when there is none to be read."""
    if not isinstance(node, Scalar):
        complaints.add(node.mark, f"{what} is no text; expected PDDL such as (in apple0 fridge0)")
        return And(())
    return read_formula(node, what, complaints)


def read_facts(node: Node | None, what: str, complaints: Complaints) -> list[tuple[Scalar, Atom]]:
    """Read a list of facts, each with where it stands."""
    found: list[tuple[Scalar, Atom]] = []
    for scalar in scalars(node, what, complaints):
        literal = read_literal(scalar, f"an item of {what}", complaints)
        if literal is not None and literal.positive:
            found.append((scalar, literal.atom))
        elif literal is not None:
            complaints.add(scalar.mark, f"an item of {what} is {literal}; expected a fact such as (opened fridge0)")
    return found


def read_literal(scalar: Scalar, what: str, complaints: Complaints) -> Literal | None:
    """Read a fact or its denial; None, complained of, when it is something else."""
    formula = read_formula(scalar, what, complaints)
    match formula:
        case Atom():
            return Literal(formula)
        case Not(Atom() as atom):
            return Literal(atom, False)
    if formula != And(()):  # what an unreadable one is read as, and complained of already
        complaints.add(scalar.mark, f"{what} is {formula}; expected one fact such as (in milk0 fridge0), or its denial")
    return None
