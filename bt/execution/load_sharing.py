"""Share the steps of a plan among agents or hands that can do the same work, such as two hands or two robots.

A planner that counts steps has no reason to use the second hand. The search exchanges two of them in a part of the
plan, and simulates the whole plan on the model to decide whether the result is valid. It takes the exchange that gives
the shortest duration, and repeats this as long as the plan gets shorter and costs no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, islice

from bt.execution.order import Occupied, Order, claim_of, partial_order
from planning.validation import Valid, validate
from semantics.errors import UsageError
from semantics.logic.state import Action, Operator, Plan, State, bits

MOST_TRIALS = 2000  # the largest number of exchanges that are tried for one plan


def makespan(steps: Sequence[Operator], order: Order, seconds: Callable[[Operator], float]) -> float:
    """Return the duration in seconds when each step begins as soon as all steps before it have ended."""
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
) -> Plan:
    """Return a plan that takes no longer and costs no more than `plan`, with parts of it done by other agents or hands.

    Args:
        plan: A valid plan.
        state: Where it starts.
        alike: Groups of names that may replace each other; simulation decides whether they can.
        ground: Returns the operator of an action, as `Domain.ground` does.
        occupied: Returns the agents and hands of the body that a step keeps busy.
        seconds: Returns the duration of a step.
    """

    def length(candidate: Plan) -> float:
        return makespan(
            candidate.steps,
            partial_order(candidate.steps, [claim_of(step, occupied) for step in candidate.steps]),
            seconds,
        )

    # Hill climbing: each round tries every exchange in the best plan so far and takes the shortest result.
    best, shortest, most = plan, length(plan), MOST_TRIALS
    while most > 0:
        trials = list(islice(_swapped(best, alike, ground), most))
        most -= max(1, len(trials))
        valid = [trial for trial in trials if isinstance(validate(trial.steps, state, plan.goal), Valid)]
        lengths = [length(candidate) for candidate in valid]
        if not valid or min(lengths) >= shortest - 1e-9:
            break
        shortest = min(lengths)
        best = valid[lengths.index(shortest)]
    return best


def _swapped(plan: Plan, alike: Sequence[Sequence[str]], ground: Callable[[Action], Operator]) -> Iterator[Plan]:
    """Yield the plans in which two names are exchanged in one part of the plan, if they cost no more."""
    for agent, other in (pair for group in alike for pair in combinations(group, 2)):
        names = {agent: other, other: agent}
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
