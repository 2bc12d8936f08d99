"""The resume point: the step from which the rest of a plan still reaches the goal.

The resume point is the latest index from which the simulation of the remaining steps reaches the goal. This is its
definition (`simulated_point`). `Regression` computes it faster: it regresses the goal through the steps once, which
gives for each index the weakest condition under which the rest works. A query is then a few subset tests and takes
microseconds instead of a simulation for every index. A property test checks that both agree. Regression of STRIPS
operators: Fikes, Hart and Nilsson, "Learning and executing generalized robot plans" (1972), whose triangle tables
answer the same question. A plan with a step that reads or changes more than literals is simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.state import Operator, State, first_failure

__all__ = ["Regression", "simulated_point"]


def simulated_point(steps: Sequence[Operator], goal: Conjunct, state: State) -> int | None:
    """Return the latest index from which `steps` reach `goal`.

    The index is the number of steps when the goal already holds, and None when no index works.
    """
    indices = range(len(steps), -1, -1)
    axioms = next((step.axioms for step in steps if step.axioms), None)
    start = axioms.close(state) if axioms else state
    return next((index for index in indices if _works(steps[index:], start, goal)), None)


def _works(steps: Sequence[Operator], state: State, goal: Conjunct) -> bool:
    try:
        return first_failure(steps, state, goal) is None
    except UsageError:  # the value of a number is unknown
        return False


class RegressedCondition(NamedTuple):
    """The atoms that have to be true, and those that have to be false."""

    true: frozenset[Atom]
    false: frozenset[Atom]


def _split(conjunct: Conjunct) -> RegressedCondition | None:
    """Split a conjunct by sign; return None when it contradicts itself."""
    need = RegressedCondition(
        frozenset(atom for atom, positive in conjunct if positive),
        frozenset(atom for atom, positive in conjunct if not positive),
    )
    return need if need.true.isdisjoint(need.false) else None


def _before(step: Operator, after: RegressedCondition | None) -> RegressedCondition | None:
    """Return the condition under which `step` is applicable and leads to `after`; None when there is none."""
    if after is None or not after.false.isdisjoint(step.added):
        return None
    if not after.true.isdisjoint(step.deleted - step.added):  # PDDL: adding wins over deleting
        return None
    true = (Literal(atom) for atom in after.true - step.added)
    false = (Literal(atom, False) for atom in after.false - step.deleted)
    return _split(step.precondition.union(true, false))


class Regression:
    """The weakest condition before each step of a plan, computed once."""

    def __init__(self, steps: Sequence[Operator], goal: Conjunct) -> None:
        self._steps, self._goal = tuple(steps), goal
        self._adl = any(step.adl for step in steps)
        needs = [_split(goal)]
        for step in reversed(steps):
            needs.append(_before(step, needs[-1]))
        self._latest_first = [(len(steps) - distance, *need) for distance, need in enumerate(needs) if need is not None]

    def latest(self, state: State) -> int | None:
        """Return the resume point in `state`, as `simulated_point` defines it."""
        if self._adl:
            return simulated_point(self._steps, self._goal, state)
        atoms = state.atoms
        for index, true, false in self._latest_first:
            if true <= atoms and false.isdisjoint(atoms):
                return index
        return None
