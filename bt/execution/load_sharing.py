"""Sharing a plan out among those who can do the same: two hands, two robots.

A planner that counts steps has no reason to use the other hand. A part of a plan may be done with two of them in each
other's place; whether it may is decided by running the whole through the model. Of all parts and pairs the ones that
make the plan shortest are taken, again and again, as long as that makes it shorter and no dearer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, islice

from bt.execution.order import Occupied, Order, bits, claim_of, partial_order
from planning.validation import Valid, validate
from semantics.errors import UsageError
from semantics.state import Action, Operator, Plan, State

__all__ = ["MOST_TRIALS", "makespan", "shared_out"]

MOST_TRIALS = 2000
"""How many ways to share a plan out are tried, however long it is."""


def makespan(steps: Sequence[Operator], order: Order, seconds: Callable[[Operator], float]) -> float:
    """Return how long the steps take when each is begun as soon as those before it have ended, in seconds."""
    ends: list[float] = []
    for step, before in zip(steps, order.before, strict=True):
        ends.append(max((ends[index] for index in bits(before)), default=0.0) + seconds(step))
    return max(ends, default=0.0)


def shared_out(
    plan: Plan,
    state: State,
    alike: Sequence[Sequence[str]],
    ground: Callable[[Action], Operator],
    occupied: Occupied,
    *,
    seconds: Callable[[Operator], float] = lambda _: 1.0,
    most: int = MOST_TRIALS,
) -> Plan:
    """Return a plan that takes no longer than `plan`, and costs no more, with others doing parts of it.

    Args:
        plan: A valid plan.
        state: Where it starts.
        alike: Groups of those who may stand in for each other; whether they can is found out.
        ground: Makes an operator of an action, as `Domain.ground` does.
        occupied: What a step keeps busy of the body.
        seconds: How long a step takes.
        most: How many ways are tried.
    """

    def length(one: Plan) -> float:
        return makespan(one.steps, partial_order(one.steps, [claim_of(step, occupied) for step in one.steps]), seconds)

    best, shortest = plan, length(plan)
    while most > 0:
        trials = list(islice(_swapped(best, alike, ground), most))
        most -= max(1, len(trials))
        found = [one for one in trials if isinstance(validate(one.steps, state, plan.goal), Valid)]
        lengths = [length(one) for one in found]
        if not found or min(lengths) >= shortest - 1e-9:
            break
        shortest = min(lengths)
        best = found[lengths.index(shortest)]
    return best


def _swapped(plan: Plan, alike: Sequence[Sequence[str]], ground: Callable[[Action], Operator]) -> Iterator[Plan]:
    """Yield the plans in which two have changed places for a part of the way, where that costs no more."""
    for one, other in (pair for group in alike for pair in combinations(group, 2)):
        names = {one: other, other: one}
        turned = [_turned(step, names, ground) for step in plan.steps]
        differ = [index for index, step in enumerate(turned) if step is None or step.action != plan.steps[index].action]
        for first, last in combinations_with_replacement(differ, 2):
            part = [step for step in turned[first : last + 1] if step is not None]
            swapped = replace(plan, steps=(*plan.steps[:first], *part, *plan.steps[last + 1 :]))
            if len(swapped.steps) == len(plan.steps) and swapped.cost <= plan.cost:
                yield swapped


def _turned(step: Operator, names: dict[str, str], ground: Callable[[Action], Operator]) -> Operator | None:
    args = tuple(names.get(arg, arg) for arg in step.action.args)
    if args == step.action.args:
        return step
    try:
        return ground(Action(step.action.name, args))
    except UsageError:
        return None
