"""Problems in which every ground action has a cost of its own, written without parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from planning.costs import Priced
from planning.errors import UnplannableError
from planning.problem.grounding import ground, reached_operators
from planning.problem.text import Written
from planning.relevance.bound import write
from semantics.atoms import Conjunct
from semantics.state import Action, Operator, State
from semantics.vocabulary import Thing

__all__ = ["Grounded", "grounded"]


@dataclass(frozen=True, slots=True)
class Grounded(Written):
    """A problem as text without parameters; the action called ``o7`` is the operator at index 7."""

    operators: tuple[Operator, ...] = ()

    def read(self, action: Action) -> Action:
        """Translate an action of the PDDL text back into our names."""
        return self.operators[int(action.name[1:])].action


def grounded(domain: Priced, things: Mapping[str, Thing], state: State, conjunct: Conjunct) -> Grounded:
    """Write the problem of reaching `conjunct` from `state` with `things`, at the prices of `domain`.

    Only what the delete relaxation reaches is written.

    Raises:
        UnplannableError: `conjunct` names what does not exist.
    """
    for literal in sorted(conjunct):
        for name in literal.atom.args:
            if name not in things:
                raise UnplannableError(name, "no such thing in the problem")
        if literal.atom.predicate not in domain.predicates:
            raise UnplannableError(literal.atom.predicate, "no such predicate in the domain")
    operators = reached_operators(ground(domain, things), state)
    return Grounded(*write(operators, state, conjunct), {}, operators)
