"""Writes ground operators as PDDL without parameters, for costs by ground action (see `planning.problem.priced`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import Operator, State

__all__ = ["write"]


def write(operators: Sequence[Operator], start: State, goal: Conjunct) -> tuple[str, str]:
    """Return the domain and the problem; the operator at index 7 is called ``o7``."""
    atoms = sorted({atom for operator in operators for atom in _atoms(operator)} | {literal.atom for literal in goal})
    names = {atom: f"a{index}" for index, atom in enumerate(atoms)}
    actions = "\n".join(_action(f"o{index}", operator, names) for index, operator in enumerate(operators))
    predicates = " ".join(f"({name})" for name in names.values())
    domain = (
        "(define (domain bound)\n (:requirements :strips :negative-preconditions :action-costs)\n"
        f" (:predicates {predicates})\n (:functions (total-cost) - number)\n{actions})"
    )
    initial = " ".join(f"({names[atom]})" for atom in atoms if atom in start.atoms)
    problem = (
        f"(define (problem bound-problem) (:domain bound)\n (:init {initial} (= (total-cost) 0))\n"
        f" (:goal {_conjunction(goal, names)})\n (:metric minimize (total-cost)))"
    )
    return domain, problem


def _atoms(operator: Operator) -> frozenset[Atom]:
    return operator.added | operator.deleted | {literal.atom for literal in operator.precondition}


def _action(name: str, operator: Operator, names: dict[Atom, str]) -> str:
    changes = [Literal(atom) for atom in operator.added] + [Literal(atom, False) for atom in operator.deleted]
    effect = f"{_conjunction(changes, names)[:-1]} (increase (total-cost) {operator.cost}))"
    return f" (:action {name} :precondition {_conjunction(operator.precondition, names)}\n  :effect {effect})"


def _conjunction(literals: Collection[Literal], names: dict[Atom, str]) -> str:
    parts = (f"({names[atom]})" if positive else f"(not ({names[atom]}))" for atom, positive in sorted(literals))
    return f"(and {' '.join(parts)})"
