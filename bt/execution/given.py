"""Orders that come with a plan: a planner's partial order, or the times of a plan whose steps last.

A given order is accepted only when every linearisation of it is a valid plan. If any two steps that it leaves unordered
are independent, one valid linearisation proves the others (see `bt.execution.order`). If two of them are not
independent, every linearisation is simulated on the model, up to a bound. When all of them work, that pair is put in
its order; the linearisations that remain are all valid. Otherwise the pair is reported as the fault.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bt.errors import TreeError
from bt.execution.order import Order, footprint, independent
from planning.validation import Invalid, validate
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Operator, Plan, State

MOST_STATES = 20_000
"""The largest number of pairs (set of finished steps, state) that are examined."""


class Deordered(NamedTuple):
    """A plan whose steps are in a linearisation of the order."""

    plan: Plan
    order: Order


def pairs_of_times(times: Sequence[tuple[float, float]]) -> frozenset[tuple[int, int]]:
    """Return the pairs of steps of which the first ends before the second begins.

    Args:
        times: The start and the duration of each step, in seconds.
    """
    spans = [(start, start + duration) for start, duration in times]
    return frozenset(
        (earlier, later)
        for earlier, (start, end) in enumerate(spans)
        for later, (begin, _) in enumerate(spans)
        if earlier != later and end <= begin + 1e-9 and (start < begin or earlier < later)
    )


def ordered(
    plan: Plan, pairs: Iterable[tuple[int, int]], state: State, most: int = MOST_STATES
) -> Deordered | Feedback:
    """Check a given order, and put the steps into a linearisation of it.

    Args:
        plan: The steps in any order, and the goal.
        pairs: Numbers of an earlier and a later step.
        state: Where the plan starts.
        most: The largest number of states to examine when two steps are not independent.

    Returns:
        The plan with its order, or the reason why a linearisation is not valid, with the steps at fault.

    Raises:
        TreeError: A pair names a step that does not exist, or the pairs form a cycle.
    """
    given_pairs = frozenset(pairs)
    sequence = _sequence(len(plan.steps), given_pairs)
    steps = tuple(plan.steps[index] for index in sequence)
    place = {index: number for number, index in enumerate(sequence)}
    order = Order.of(len(steps), [(place[earlier], place[later]) for earlier, later in given_pairs])
    outcome = validate(steps, state, plan.goal)
    if isinstance(outcome, Invalid):
        return outcome.feedback
    touching = _touching(steps, order)
    if touching and not _all_work(steps, order, state, plan, most):
        return _refused(steps, touching[0])
    narrowed = Order.of(len(steps), (*order.pairs, *touching))
    return Deordered(Plan(steps, plan.goal, plan.optimal, plan.planner, plan.seconds, plan.bound), narrowed)


def _sequence(size: int, pairs: frozenset[tuple[int, int]]) -> list[int]:
    """Return the linearisation that puts lower step numbers first (Kahn's algorithm with a heap)."""
    if wrong := next((pair for pair in sorted(pairs) if not all(0 <= index < size for index in pair)), None):
        raise TreeError(f"an order names the steps {wrong[0]} and {wrong[1]}; there are steps 0 to {size - 1}")
    predecessors = {index: {earlier for earlier, later in pairs if later == index} for index in range(size)}
    ready = [index for index in range(size) if not predecessors[index]]
    sequence: list[int] = []
    while ready:
        index = heapq.heappop(ready)
        sequence.append(index)
        for later, waiting_for in predecessors.items():
            if index in waiting_for:
                waiting_for.discard(index)
                if not waiting_for:
                    heapq.heappush(ready, later)
    if len(sequence) < size:
        raise TreeError(f"an order goes in a circle through the steps {sorted(set(range(size)) - set(sequence))}")
    return sequence


def _touching(steps: Sequence[Operator], order: Order) -> list[tuple[int, int]]:
    """Return the unordered pairs that are not independent."""
    prints = [footprint(step) for step in steps]
    return [(first, second) for first, second in order.unordered if not independent(prints[first], prints[second])]


def _all_work(steps: Sequence[Operator], order: Order, state: State, plan: Plan, most: int) -> bool:
    """Return whether every linearisation was simulated within the bound and reaches the goal."""
    # Breadth first over (finished steps, state): linearisations that meet in the same pair are followed only once.
    level: list[tuple[int, State]] = [(0, state)]
    for _ in steps:
        following: dict[tuple[int, State, frozenset[tuple[Atom, float]]], tuple[int, State]] = {}
        for done, current in level:
            for index, before in enumerate(order.before):
                if done >> index & 1 or before & ~done:
                    continue
                after = _after(steps[index], current)
                if after is None:
                    return False
                then = done | 1 << index
                following[then, after, frozenset(after.numbers.items())] = then, after
        level = list(following.values())
        most -= len(level)
        if most < 0:
            return False
    return all(current.satisfies(plan.goal) for _, current in level)


def _after(step: Operator, state: State) -> State | None:
    try:
        return step.apply(state) if step.applicable(state) else None
    except UsageError:  # the value of a number is unknown
        return None


def _refused(steps: Sequence[Operator], pair: tuple[int, int]) -> Feedback:
    first, second = (steps[index] for index in pair)
    names = dict.fromkeys((*first.action.args, *second.action.args))
    why = "one changes what the other needs or changes, and not every order of the plan is known to work"
    return Feedback(Code.INVALID_PLAN, f"{first} beside {second}", why, "Put them in an order.", culprits=tuple(names))
