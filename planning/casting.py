"""Replaces the groups of a plan by their members, so that it can be executed.

It is a depth-first search for the members of each step. Every step is run through the model, numbers included, so the
result is a valid plan. The search gives up after a number of steps: a plan that only groups can execute is no plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from domains.problem import Problem
from semantics.logic.state import Action, Operator, State

Cast = tuple[int, tuple[Operator, ...]]


def cast(
    actions: Sequence[Action],
    groups: Mapping[str, Sequence[str]],
    problem: Problem,
    ground: Callable[[Action], Operator | None],
    most: int,
) -> Cast | None:
    """Return the index of the alternative that is reached, and `actions` with members in place of groups as a plan.

    Args:
        actions: The steps, with groups among their arguments.
        groups: The members of each name that stands for several objects.
        problem: The alternatives of its goal, and its state with the derived atoms.
        ground: Returns the operator of an action; None if there is no such action.
        most: The largest number of steps that are tried.

    Returns:
        A plan in which a member that was used is preferred later, the most recently used one first. None when no such
        plan is found.
    """
    left = most

    def play(index: int, now: State, used: tuple[str, ...]) -> Cast | None:
        nonlocal left
        if index == len(actions):
            return next(((number, ()) for number, goal in enumerate(problem.goal) if now.satisfies(goal)), None)
        for args, touched in _choices(actions[index], groups, used):
            left -= 1
            if left < 0:
                return None
            step = ground(Action(actions[index].name, args))
            after = None if step is None else _after(step, now)
            rest = None if after is None else play(index + 1, after, used if after is now else touched)
            if rest is not None and step is not None:
                return rest if after is now else (rest[0], (step, *rest[1]))
        return None

    return play(0, problem.closed, ())


def _choices(
    action: Action, groups: Mapping[str, Sequence[str]], used: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the arguments with members in place of groups, and what was used by then, the latest first."""
    options = [
        [*(name for name in used if name in groups[arg]), *(name for name in groups[arg] if name not in used)]
        if arg in groups
        else [arg]
        for arg in action.args
    ]
    for args in product(*options):
        members = (name for name, arg in zip(args, action.args, strict=True) if arg in groups)
        yield args, tuple(dict.fromkeys((*members, *used)))


def _after(step: Operator, now: State) -> State | None:
    """Return the state after a step; None if it is not applicable.

    A step that changes nothing can be skipped: the merged objects needed it, these members do not.
    """
    if step.applicable(now):
        return step.apply(now)
    return now if idles(step, now) else None


def idles(operator: Operator, state: State) -> bool:
    """Return whether `operator` would change nothing in `state`, as far as this is known without its conditions."""
    if operator.conditional or operator.changes:
        return False
    return operator.added <= state.atoms and (operator.deleted - operator.added).isdisjoint(state.atoms)
