"""Problems in which every ground action has its own cost, written without parameters."""

from __future__ import annotations

from dataclasses import dataclass

from domains.problem import Problem
from planning.errors import UnplannableError
from planning.problem.ground_text import write
from planning.problem.grounding import ground, reached_operators
from planning.problem.written import GroundText
from semantics.state import Action, Operator

__all__ = ["Grounded", "check_names", "grounded"]


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
        UnplannableError: The goal names what does not exist.
    """
    check_names(problem)
    operators = reached_operators(ground(problem), problem.state)
    return Grounded(*write(operators, problem.state, problem.conjunct), {}, operators)


def check_names(problem: Problem) -> None:
    """Raise an `UnplannableError` if the goal names something that does not exist."""
    for literal in sorted({literal for conjunct in problem.goal for literal in conjunct}):
        for name in literal.atom.args:
            if name not in problem.objects:
                raise UnplannableError(name, "no such thing in the problem")
        if literal.atom.predicate not in problem.domain.predicates:
            raise UnplannableError(literal.atom.predicate, "no such predicate in the domain")
