"""The delete relaxation of ground operators, by plain enumeration: what it does not reach cannot be reached.

In the delete relaxation, a fact that was true once stays true, and a fact that was false once also counts as false
forever (Bonet and Geffner, AIJ 2001).
"""

from collections.abc import Collection
from itertools import compress

from semantics.logic.atoms import Literal
from semantics.logic.state import Operator, State

__all__ = ["reachable", "reached_operators"]


def reachable(operators: Collection[Operator], state: State) -> frozenset[Literal]:
    """Return the literals that the delete relaxation of `operators` makes true, and the atoms of `state`.

    A negative literal is listed only if some operator deletes its atom. Other negative literals are true if their atom
    is not in `state`.
    """
    return _explore(operators, state)[1]


def reached_operators(operators: Collection[Operator], state: State) -> tuple[Operator, ...]:
    """Return the operators whose precondition is reachable in the delete relaxation, in the order it reaches them."""
    return _explore(operators, state)[0]


def _explore(operators: Collection[Operator], state: State) -> tuple[tuple[Operator, ...], frozenset[Literal]]:
    reached = {Literal(atom) for atom in state.atoms}
    taken: list[Operator] = []
    pending: Collection[Operator] = operators
    while True:
        ready = [_ready(operator, reached, state) for operator in pending]
        if not any(ready):
            return tuple(taken), frozenset(reached)
        for operator in compress(pending, ready):
            taken.append(operator)
            reached.update(Literal(atom) for atom in operator.added)
            reached.update(Literal(atom, False) for atom in operator.deleted)
        pending = [operator for operator, can in zip(pending, ready, strict=True) if not can]


def _ready(operator: Operator, reached: set[Literal], state: State) -> bool:
    return all(literal in reached or state.holds(literal) for literal in operator.precondition)
