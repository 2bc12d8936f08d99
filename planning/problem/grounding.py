"""Grounds all operators of a domain over the objects of a scene, and computes their delete relaxation.

In the delete relaxation, a fact that was true once stays true, and a fact that was false once also counts as false
forever. What is unreachable there is unreachable in the problem (Bonet and Geffner, AIJ 2001). Both functions
enumerate: about 8,000 operators and 0.2 s with 35 objects. They serve explanations; the planner grounds by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import compress, product

from domains.model import Capability, Domain
from domains.problem import Problem
from planning.problem.agents import actors
from semantics.atoms import Literal
from semantics.errors import UnknownNameError
from semantics.state import Action, Operator, State
from semantics.vocabulary import Thing

__all__ = ["actions", "ground", "reachable", "reached_operators"]


def actions(domain: Domain, capability: Capability, things: Mapping[str, Thing]) -> Iterator[Action]:
    """Yield the capability applied to all objects with its affordances, by agents that have it if it needs one."""
    able = actors(domain, capability)
    choices = [
        [name for name, thing in things.items() if set(parameter.affordances) - {"object"} <= thing.affordances]
        for parameter in capability.parameters
    ]
    if able is not None:
        choices[0] = [name for name in choices[0] if things[name].class_name in able]
    at = {parameter.name: index for index, parameter in enumerate(capability.parameters)}
    distinct = [(at[left], at[right]) for left, right in capability.distinct]
    for args in product(*choices):
        if all(args[left] != args[right] for left, right in distinct):
            yield Action(capability.name, args)


def ground(problem: Problem, names: Iterable[str] | None = None) -> tuple[Operator, ...]:
    """Return the operators of the capabilities `names` (all by default) over the objects, at their costs.

    Raises:
        UnknownNameError: No such capability.
    """
    domain, operators = problem.domain, list[Operator]()
    for name in domain.capabilities if names is None else names:
        if name not in domain.capabilities:
            raise UnknownNameError("capability", name, domain.capabilities)
        grounded = actions(domain, domain.capabilities[name], problem.objects)
        operators.extend(problem.ground(action) for action in grounded)
    return tuple(operators)


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
