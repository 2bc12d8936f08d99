"""From which step on does the rest of a plan still reach the goal?

The answer, the resume point, is the latest index from which simulating the remaining steps works. That is its
definition (`simulated_point`). Regressing the goal through the steps beforehand gives for each index the weakest
condition under which the rest works, so that one question is a few subset tests, microseconds instead of a simulation
for every index (`Regression`; a property test holds the two equal). Regression of STRIPS operators: Fikes, Hart and
Nilsson, "Learning and executing generalized robot plans" (1972), whose triangle tables answer the same question. A plan
with a step that asks for or changes more than literals is simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from semantics.atoms import Atom, Conjunct, Literal
from semantics.errors import UsageError
from semantics.state import Operator, State, first_failure

__all__ = ["Regression", "simulated_point"]


def simulated_point(steps: Sequence[Operator], goal: Conjunct, state: State) -> int | None:
    """Return the latest index from which `steps` reach `goal`: their number when it holds already, None without any."""
    indices = range(len(steps), -1, -1)
    axioms = next((step.axioms for step in steps if step.axioms), None)
    start = axioms.close(state) if axioms else state
    return next((index for index in indices if _works(steps[index:], start, goal)), None)


def _works(steps: Sequence[Operator], state: State, goal: Conjunct) -> bool:
    try:
        return first_failure(steps, state, goal) is None
    except UsageError:  # a number that nobody knows
        return False


class RegressedCondition(NamedTuple):
    """What has to be true, and what false."""

    true: frozenset[Atom]
    false: frozenset[Atom]


def _split(conjunct: Conjunct) -> RegressedCondition | None:
    """Part a conjunct by sign; None when it contradicts itself."""
    need = RegressedCondition(
        frozenset(atom for atom, positive in conjunct if positive),
        frozenset(atom for atom, positive in conjunct if not positive),
    )
    return need if need.true.isdisjoint(need.false) else None


def _before(step: Operator, after: RegressedCondition | None) -> RegressedCondition | None:
    """Return what `step` needs so that it can be taken and `after` holds then; None when nothing helps."""
    if after is None or not after.false.isdisjoint(step.added):
        return None
    if not after.true.isdisjoint(step.deleted - step.added):
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
