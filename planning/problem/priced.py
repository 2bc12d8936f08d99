"""A problem as PDDL text, and problems in which every ground action has its own cost, written without parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from domains.problem import Problem
from planning.errors import UnplannableError
from planning.problem.grounding import ground, reached_operators
from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import Action, Operator, State

__all__ = ["GroundText", "Grounded", "check_names", "grounded"]


@dataclass(frozen=True, slots=True)
class GroundText:
    """A problem as PDDL text.

    Attributes:
        domain: The domain file's text.
        problem: The problem file's text.
        names: Our name of each capability and thing, by its lower-case PDDL name.
    """

    domain: str
    problem: str
    names: Mapping[str, str] = field(default_factory=dict)

    def read(self, action: Action) -> Action:
        """Translate an action of the PDDL text back into our names."""
        name, *args = (self.names[word.lower()] for word in (action.name, *action.args))
        return Action(name, tuple(args))


@dataclass(frozen=True, slots=True)
class Grounded(GroundText):
    """A problem as text without parameters. The action called ``o7`` is the operator at index 7."""

    operators: tuple[Operator, ...] = ()

    def read(self, action: Action) -> Action:
        """Translate an action of the PDDL text back into our names."""
        return self.operators[int(action.name[1:])].action


def grounded(problem: Problem) -> Grounded:
    """Write a problem with one alternative, at its costs.

    Only the part that the delete relaxation reaches is written.

    Raises:
        UnplannableError: The goal names something that does not exist.
    """
    check_names(problem)
    operators = reached_operators(ground(problem), problem.state)
    return Grounded(*_write(operators, problem.state, problem.conjunct), {}, operators)


def check_names(problem: Problem) -> None:
    """Raise an `UnplannableError` if the goal names something that does not exist."""
    for literal in sorted({literal for conjunct in problem.goal for literal in conjunct}):
        for name in literal.atom.args:
            if name not in problem.objects:
                raise UnplannableError(name, "no such thing in the problem")
        if literal.atom.predicate not in problem.domain.predicates:
            raise UnplannableError(literal.atom.predicate, "no such predicate in the domain")


def _write(operators: Sequence[Operator], start: State, goal: Conjunct) -> tuple[str, str]:
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
