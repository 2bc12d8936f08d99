"""Orders that come with a plan: a planner's partial order, or the times of a plan whose steps last.

A given order is taken only when every linearisation of it is a valid plan. Where any two steps that it leaves unordered
are independent, that is so when it is so for one (see `bt.execution.order`). Where two are not, all the ways to do the
steps are tried on the model, as far as a bound; when all of them work, that pair is put in its order, which leaves
fewer linearisations of which all are valid. Otherwise the pair is the fault.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bt.errors import TreeError
from bt.execution.order import Order, footprint, independent
from planning.validation import Invalid, validate
from semantics.atoms import Atom
from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.state import Operator, Plan, State

__all__ = ["MOST_STATES", "Deordered", "ordered", "pairs_of_times"]

MOST_STATES = 20_000
"""How many sets of steps done, each with a state that they may lead to, are looked at."""


class Deordered(NamedTuple):
    """A plan whose steps are in a linearisation of the order."""

    plan: Plan
    order: Order


def pairs_of_times(times: Sequence[tuple[float, float]]) -> frozenset[tuple[int, int]]:
    """Return which steps have ended before which begin, given the start and the duration of each in seconds."""
    spans = [(start, start + duration) for start, duration in times]
    return frozenset(
        (one, other)
        for one, (start, end) in enumerate(spans)
        for other, (begin, _) in enumerate(spans)
        if one != other and end <= begin + 1e-9 and (start < begin or one < other)
    )


def ordered(
    plan: Plan, pairs: Iterable[tuple[int, int]], state: State, most: int = MOST_STATES
) -> Deordered | Feedback:
    """Check a given order, and put the steps into a linearisation of it.

    Args:
        plan: The steps in any order, and the goal.
        pairs: Numbers of an earlier and a later step.
        state: Where the plan starts.
        most: How many states are looked at where two steps are not independent.

    Returns:
        The plan with its order; or why it is not valid in every order, with the steps at fault.

    Raises:
        TreeError: A pair names a step that there is not, or the pairs go in a circle.
    """
    known = frozenset(pairs)
    sequence = _sequence(len(plan.steps), known)
    steps = tuple(plan.steps[index] for index in sequence)
    place = {index: number for number, index in enumerate(sequence)}
    order = Order.of(len(steps), [(place[one], place[other]) for one, other in known])
    broken = validate(steps, state, plan.goal)
    if isinstance(broken, Invalid):
        return broken.feedback
    touching = _touching(steps, order)
    if touching and not _all_work(steps, order, state, plan, most):
        return _refused(steps, touching[0])
    narrowed = Order.of(len(steps), (*order.pairs, *touching))
    return Deordered(Plan(steps, plan.goal, plan.optimal, plan.planner, plan.seconds, plan.bound), narrowed)


def _sequence(size: int, pairs: frozenset[tuple[int, int]]) -> list[int]:
    """Return the linearisation that keeps lower numbers first."""
    if wrong := next((pair for pair in sorted(pairs) if not all(0 <= one < size for one in pair)), None):
        raise TreeError(f"an order names the steps {wrong[0]} and {wrong[1]}; there are steps 0 to {size - 1}")
    waits = {index: {one for one, other in pairs if other == index} for index in range(size)}
    ready = [index for index in range(size) if not waits[index]]
    found: list[int] = []
    while ready:
        index = heapq.heappop(ready)
        found.append(index)
        for other, before in waits.items():
            if index in before:
                before.discard(index)
                if not before:
                    heapq.heappush(ready, other)
    if len(found) < size:
        raise TreeError(f"an order goes in a circle through the steps {sorted(set(range(size)) - set(found))}")
    return found


def _touching(steps: Sequence[Operator], order: Order) -> list[tuple[int, int]]:
    """Return the unordered pairs that are not independent."""
    prints = [footprint(step) for step in steps]
    return [(one, other) for one, other in order.unordered if not independent(prints[one], prints[other])]


def _all_work(steps: Sequence[Operator], order: Order, state: State, plan: Plan, most: int) -> bool:
    """Return whether every linearisation was tried and reaches the goal."""
    level: list[tuple[int, State]] = [(0, state)]
    for _ in steps:
        following: dict[tuple[int, State, frozenset[tuple[Atom, float]]], tuple[int, State]] = {}
        for done, here in level:
            for index in _next(order, done):
                after = _after(steps[index], here)
                if after is None:
                    return False
                then = done | 1 << index
                following[then, after, frozenset(after.numbers.items())] = then, after
        level = list(following.values())
        most -= len(level)
        if most < 0:
            return False
    return all(here.satisfies(plan.goal) for _, here in level)


def _next(order: Order, done: int) -> list[int]:
    return [index for index, before in enumerate(order.before) if not done >> index & 1 and not before & ~done]


def _after(step: Operator, state: State) -> State | None:
    try:
        return step.apply(state) if step.applicable(state) else None
    except UsageError:  # a number that nobody knows
        return None


def _refused(steps: Sequence[Operator], pair: tuple[int, int]) -> Feedback:
    one, other = (steps[index] for index in pair)
    names = dict.fromkeys((*one.action.args, *other.action.args))
    why = "one changes what the other needs or changes, and not every order of the plan is known to work"
    return Feedback(Code.INVALID_PLAN, f"{one} beside {other}", why, "Put them in an order.", culprits=tuple(names))
