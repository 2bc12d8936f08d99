"""Concretisation: replaces the groups of a plan by objects, so that it can be executed.

It is a search through the members of each group, which runs step by step through the model. It gives up after `TRIES`
steps: a plan that only a group can execute is no plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from domains.problem import Problem
from semantics.errors import UsageError
from semantics.logic.state import Action, Operator, State

__all__ = ["cast"]

TRIES = 300
"""The largest number of steps that are tried."""


def cast(
    actions: Sequence[Action], groups: Mapping[str, Sequence[str]], problem: Problem
) -> tuple[int, tuple[Operator, ...]] | None:
    """Return the index of the alternative that is reached, and `actions` with members of `groups` as a plan.

    A member that was used once is preferred later. Return None when no such plan is found.
    """
    left = [TRIES]

    def play(index: int, now: State, playing: tuple[str, ...]) -> tuple[int, tuple[Operator, ...]] | None:
        if index == len(actions):
            return next(((number, ()) for number, goal in enumerate(problem.goal) if now.satisfies(goal)), None)
        for args, players in _choices(actions[index], groups, playing):
            left[0] -= 1
            if left[0] < 0:
                return None
            step = _grounded(Action(actions[index].name, args), problem)
            if step is not None and step.applicable(now):
                rest = play(index + 1, step.apply(now), players)
                if rest is not None:
                    return rest[0], (step, *rest[1])
        return None

    return play(0, problem.state, ())


Choices = Iterator[tuple[tuple[str, ...], tuple[str, ...]]]


def _choices(action: Action, groups: Mapping[str, Sequence[str]], playing: tuple[str, ...]) -> Choices:
    options = [
        [name for name in playing if name in groups[arg]] + [name for name in groups[arg] if name not in playing]
        if arg in groups
        else [arg]
        for arg in action.args
    ]
    for args in product(*options):
        new = tuple(name for name, arg in zip(args, action.args, strict=True) if arg in groups and name not in playing)
        yield args, playing + new


def _grounded(action: Action, problem: Problem) -> Operator | None:
    try:
        return problem.ground(action)
    except UsageError:
        return None
