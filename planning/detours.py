"""Leaves out steps of a plan that lead nowhere.

A search for any plan is quick and careless: its plan may go to a place and on from there with nothing done, or come
back to a state that it was in before. Two rules cost one pass over the plan each, and need no search: steps between two
equal states go, and two steps of one capability that one step can replace, with the same state afterwards, become that
step. The states outside the changed part stay as they are, so the plan stays valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from domains.problem import Problem
from semantics.errors import UsageError
from semantics.logic.state import Action, Operator, Plan, State

MOST_WAYS = 200
"""The largest number of steps that are tried instead of two."""


def without_detours(plan: Plan, problem: Problem) -> Plan:
    """Return a valid plan without the steps that lead nowhere; it costs no more."""
    steps, states = _without_returns(plan.steps, problem.closed)
    number = 0
    while number + 1 < len(steps):
        direct = _direct(steps[number : number + 2], states[number : number + 3], problem)
        if direct is None:
            number += 1
        else:  # it may be replaced together with the next step
            steps[number : number + 2] = [direct]
            del states[number + 1]
    return plan if len(steps) == len(plan.steps) else replace(plan, steps=tuple(steps))


def _without_returns(steps: Sequence[Operator], start: State) -> tuple[list[Operator], list[State]]:
    """Return the steps that are not between two equal states, and the states before, between and after them."""
    states = [start]
    for step in steps:
        states.append(step.apply(states[-1]))
    last = {state.atoms: number for number, state in enumerate(states)}
    kept: list[int] = []
    number = 0
    while number < len(steps):
        later = last[states[number].atoms]
        number = later if states[later].numbers == states[number].numbers else number
        if number < len(steps):
            kept.append(number)
        number += 1
    return [steps[index] for index in kept], [*(states[index] for index in kept), states[-1]]


def _direct(pair: list[Operator], states: list[State], problem: Problem) -> Operator | None:
    """Return a step that does what two steps of the same capability do and costs no more, or None."""
    if pair[0].action.name != pair[1].action.name:
        return None
    start, end, cost = states[0], states[2], pair[0].cost + pair[1].cost
    fitting = (way for way in _ways(pair, problem) if way.cost <= cost and way.applicable(start))
    return next((way for way in fitting if way.apply(start) == end), None)


def _ways(pair: list[Operator], problem: Problem) -> Iterator[Operator]:
    """Yield the steps of the same capability whose arguments are those of either step."""
    first, second = (step.action for step in pair)
    choices = [tuple(dict.fromkeys(args)) for args in zip(first.args, second.args, strict=True)]
    for _, args in zip(range(MOST_WAYS), product(*choices), strict=False):
        try:
            yield problem.ground(Action(first.name, args))
        except UsageError:  # such as from a place to itself
            continue
