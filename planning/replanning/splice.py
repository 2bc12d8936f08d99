"""Repairs a plan after a small change: replaces places in a part of it, and inserts single actions where it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from domains.problem import Problem
from planning.problem.grounding import ground
from semantics.errors import UsageError
from semantics.logic.state import Action, Operator, State, first_failure

INSERTS = 2
"""The largest number of inserted actions."""
LONGEST = 24
"""Longer plans are not repaired: trying every part of them takes longer than a fresh plan."""


@dataclass(frozen=True)
class Splicing:
    """Changed versions of `steps` that solve `problem`, which has one conjunct; `steps` solved it from `expected`."""

    steps: tuple[Operator, ...]
    expected: State
    problem: Problem

    def __iter__(self) -> Iterator[tuple[Operator, ...]]:
        """Yield the plans that work.

        An atom that changed in only one argument shows which name replaced which. This replacement is tried in each
        part of the plan. Then actions are inserted where the plan breaks.
        """
        if len(self.steps) <= LONGEST:
            for old, new in self._moves():
                yield from self._moved(old, new)
            yield from self._extended(self.steps, self.problem.state, INSERTS)

    def _moves(self) -> list[tuple[str, str]]:
        """Return which name replaced which in the atoms that changed."""
        gone, come = self.expected.atoms - self.problem.state.atoms, self.problem.state.atoms - self.expected.atoms
        moves: dict[tuple[str, str], None] = {}
        for before in sorted(gone):
            for after in sorted(come):
                if before.predicate == after.predicate and before.args[:1] == after.args[:1]:
                    pairs = [pair for pair in zip(before.args, after.args, strict=True) if pair[0] != pair[1]]
                    moves.update(dict.fromkeys(pairs if len(pairs) == 1 else ()))
        return list(moves)

    def _moved(self, old: str, new: str) -> Iterator[tuple[Operator, ...]]:
        """Yield plans with `old` replaced by `new` in one part, without the actions that this makes impossible."""
        changed = [self._replaced(step, old, new) for step in self.steps]
        for first in range(len(self.steps)):
            for last in range(first + 1, len(self.steps) + 1):
                middle = [step for step in changed[first:last] if step is not None]
                tried = (*self.steps[:first], *middle, *self.steps[last:])
                if first_failure(tried, self.problem.state, self.problem.conjunct) is None:
                    yield tried

    def _replaced(self, step: Operator, old: str, new: str) -> Operator | None:
        if old not in step.action.args:
            return step
        args = tuple(new if arg == old else arg for arg in step.action.args)
        try:
            return self.problem.ground(Action(step.action.name, args))
        except UsageError:  # there is no such action
            return None

    def _extended(self, steps: Sequence[Operator], state: State, inserts: int) -> Iterator[tuple[Operator, ...]]:
        """Yield plans with inserted actions that make something the first inapplicable step is missing."""
        failure = first_failure(steps, state, self.problem.conjunct)
        if failure is None:
            yield tuple(steps)
            return
        index, missing = failure
        if not inserts:
            return
        for step in steps[:index]:
            state = step.apply(state)
        for operator in self._near:
            makes = any(
                lit.atom in (operator.added if lit.positive else operator.deleted - operator.added) for lit in missing
            )
            if makes and operator.applicable(state):
                for rest in self._extended(steps[index:], operator.apply(state), inserts - 1):
                    yield (*steps[:index], operator, *rest)

    @cached_property
    def _near(self) -> tuple[Operator, ...]:
        """The actions on objects of the plan, and on objects in the changed facts."""
        named = {arg for step in self.steps for arg in step.action.args}
        named |= {arg for atom in self.expected.atoms ^ self.problem.state.atoms for arg in atom.args}
        things = self.problem.objects
        return ground(replace(self.problem, objects={name: things[name] for name in sorted(named) if name in things}))
