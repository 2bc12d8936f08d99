"""Turns a plan of a folded task into a plan of the whole task: a depth-first search for the member of each step.

Members that were used before are tried first, the most recently used first. Every step is run through the model,
numbers included, so the result is a valid plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from planning.adl.like import Group
from semantics.logic.atoms import Conjunct
from semantics.logic.state import Action, Operator, State

__all__ = ["Unfolding", "idles"]

MOST = 2000
"""The largest number of steps that are tried."""


def idles(operator: Operator, state: State) -> bool:
    """Return whether `operator` would change nothing in `state`, as far as this is known without its conditions."""
    if operator.conditional or operator.changes:
        return False
    return operator.added <= state.atoms and (operator.deleted - operator.added).isdisjoint(state.atoms)


@dataclass
class Unfolding:
    """Finds members for the steps of a plan."""

    operators: Mapping[Action, Operator]
    groups: Sequence[Group]
    goals: Collection[Conjunct]
    left: int = field(default=MOST, init=False)

    def __post_init__(self) -> None:
        """Index the groups by member."""
        self._of = {name: group for group in self.groups for name in group}

    def run(self, actions: Sequence[Action], state: State) -> tuple[tuple[Operator, ...], Conjunct] | None:
        """Return steps that reach one of the goals, and that goal; None when none are found."""
        return self._after((), actions, state, ())

    def _after(
        self, taken: tuple[Operator, ...], rest: Sequence[Action], state: State, used: tuple[str, ...]
    ) -> tuple[tuple[Operator, ...], Conjunct] | None:
        if not rest:
            goal = next((conjunct for conjunct in self.goals if state.satisfies(conjunct)), None)
            return None if goal is None else (taken, goal)
        for action in self._members(rest[0], used):
            self.left -= 1
            if self.left < 0:
                return None
            operator = self.operators.get(action)
            if operator is None:
                continue
            if operator.applicable(state):
                touched = tuple(dict.fromkeys((*(arg for arg in action.args if arg in self._of), *used)))
                result = self._after((*taken, operator), rest[1:], operator.apply(state), touched)
            else:
                # A step that changes nothing can be skipped: the merged objects needed it, these members do not.
                result = self._after(taken, rest[1:], state, used) if idles(operator, state) else None
            if result is not None:
                return result
        return None

    def _members(self, action: Action, used: tuple[str, ...]) -> Iterator[Action]:
        names = list(dict.fromkeys(arg for arg in action.args if arg in self._of))
        for chosen in product(*(self._options(name, used) for name in names)):
            if len(set(chosen)) == len(chosen):
                bound = dict(zip(names, chosen, strict=True))
                yield Action(action.name, tuple(bound.get(arg, arg) for arg in action.args))

    def _options(self, name: str, used: tuple[str, ...]) -> list[str]:
        group = self._of[name]
        fresh = [member for member in group if member not in used]
        return [*(member for member in used if member in group), *fresh]
